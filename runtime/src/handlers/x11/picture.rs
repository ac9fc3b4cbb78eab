//! What the server says of its pixels, as a picture that the model can be shown.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use x11rb::protocol::xfixes::GetCursorImageReply;
use x11rb::protocol::xproto::{ImageOrder, Screen, Setup, VisualClass};

use crate::message::Image;

/// How the server writes a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelFormat {
    /// How many bytes a pixel has.
    bytes: usize,
    /// To how many bytes a row is filled up.
    row_unit: usize,
    most_significant_first: bool,
    /// Where red, green and blue are.
    masks: [u32; 3],
}

impl PixelFormat {
    /// That of a screen, unless its pixels are no colours but numbers of colours.
    pub(super) fn of(setup: &Setup, screen: &Screen) -> Option<Self> {
        let formats = &setup.pixmap_formats;
        let format = formats.iter().find(|f| f.depth == screen.root_depth)?;
        let mut visuals = screen.allowed_depths.iter().flat_map(|d| &d.visuals);
        let visual = visuals.find(|visual| visual.visual_id == screen.root_visual)?;
        let bits = usize::from(format.bits_per_pixel);
        let is_known = visual.class == VisualClass::TRUE_COLOR && matches!(bits, 16 | 24 | 32);
        is_known.then_some(Self {
            bytes: bits / 8,
            row_unit: usize::from(format.scanline_pad / 8).max(1),
            most_significant_first: setup.image_byte_order == ImageOrder::MSB_FIRST,
            masks: [visual.red_mask, visual.green_mask, visual.blue_mask],
        })
    }

    fn colour(self, pixel: &[u8]) -> [u8; 3] {
        let join = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        let value = match self.most_significant_first {
            true => pixel.iter().fold(0, join),
            false => pixel.iter().rev().fold(0, join),
        };
        self.masks.map(|mask| {
            let shift = mask.trailing_zeros().min(31);
            let most = u64::from(mask >> shift).max(1);
            let part = u64::from((value & mask) >> shift);
            u8::try_from((part * 255 + most / 2) / most).unwrap_or(u8::MAX)
        })
    }
}

/// A picture, its pixels row by row.
#[derive(Debug)]
pub(super) struct Picture {
    size: [u32; 2],
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads what the server sent of so many pixels; `None` where it is too little.
    pub(super) fn read(format: PixelFormat, size: [u32; 2], data: &[u8]) -> Option<Self> {
        let [width, height] = size.map(|edge| usize::try_from(edge).unwrap_or(usize::MAX));
        let row = (width * format.bytes).next_multiple_of(format.row_unit);
        let rows = data.chunks_exact(row.max(1)).take(height);
        let pixels = rows.flat_map(|row| row.chunks_exact(format.bytes).take(width));
        let pixels: Vec<_> = pixels.map(|pixel| format.colour(pixel)).collect();
        (pixels.len() == width * height).then_some(Self { size, pixels })
    }

    /// Draws the mouse's pointer, in a picture of the screen from `corner` on.
    pub(super) fn draw(&mut self, pointer: &GetCursorImageReply, corner: [u32; 2]) {
        let start =
            |at: i16, hot: u16, corner: u32| i64::from(at) - i64::from(hot) - i64::from(corner);
        let left = start(pointer.x, pointer.xhot, corner[0]);
        let top = start(pointer.y, pointer.yhot, corner[1]);
        let rows = pointer
            .cursor_image
            .chunks_exact(usize::from(pointer.width).max(1));
        for (y, row) in (top..).zip(rows) {
            for (x, over) in (left..).zip(row) {
                if let Some(pixel) = self.pixel_mut(x, y) {
                    *pixel = blend(*pixel, *over);
                }
            }
        }
    }

    fn pixel_mut(&mut self, x: i64, y: i64) -> Option<&mut [u8; 3]> {
        let [width, height] = self.size.map(i64::from);
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
        let at = usize::try_from(y * width + x).ok()?;
        self.pixels.get_mut(at).filter(|_| is_inside)
    }

    /// In a smaller size: each pixel is the mean of those it stands for.
    pub(super) fn scaled(self, size: [u32; 2]) -> Self {
        if size == self.size {
            return self;
        }
        let width = usize::try_from(self.size[0]).unwrap_or(usize::MAX);
        let columns: Vec<_> = (0..size[0])
            .map(|at| shares(at, self.size[0], size[0]))
            .collect();
        let whole = u64::from(self.size[0]) * u64::from(self.size[1]);
        let mut pixels = Vec::with_capacity(columns.len() * columns.len());
        for y in 0..size[1] {
            let rows = shares(y, self.size[1], size[1]);
            for across in &columns {
                let mut sums = [0; 3];
                for &(row, high) in &rows {
                    for &(column, wide) in across {
                        let pixel = self.pixels.get(row * width + column);
                        for (sum, part) in sums.iter_mut().zip(pixel.into_iter().flatten()) {
                            *sum += u64::from(*part) * high * wide;
                        }
                    }
                }
                let mean = |sum: u64| (sum + whole / 2) / whole.max(1);
                pixels.push(sums.map(|sum| u8::try_from(mean(sum)).unwrap_or(u8::MAX)));
            }
        }
        Self { size, pixels }
    }

    /// As PNG, in base64.
    ///
    /// # Errors
    /// Where it has no pixel.
    pub(super) fn into_image(self) -> Result<Image, EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.size[0], self.size[1]);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(Image::new("image/png", STANDARD.encode(bytes)))
    }
}

/// The pixels of `from` that the pixel `at` of `to` stands for, each with its share; the shares sum up to `from`.
fn shares(at: u32, from: u32, to: u32) -> Vec<(usize, u64)> {
    // A pixel of `from` is `to` wide here, and one of `to` is `from` wide: no fractions.
    let [at, from, to] = [at, from, to].map(u64::from);
    let (start, end) = (at * from, (at + 1) * from);
    (start / to.max(1)..end.div_ceil(to.max(1)))
        .filter_map(|pixel| {
            let share = end.min((pixel + 1) * to) - start.max(pixel * to);
            Some((usize::try_from(pixel).ok()?, share))
        })
        .collect()
}

/// A colour under one with an alpha channel, which is multiplied into its colours already.
fn blend(under: [u8; 3], over: u32) -> [u8; 3] {
    let [alpha, over @ ..] = over.to_be_bytes();
    let [red, green, blue] = under;
    let mix = |under: u8, over: u8| {
        let rest = u32::from(under) * (255 - u32::from(alpha)) / 255;
        u8::try_from(u32::from(over) + rest).unwrap_or(u8::MAX)
    };
    [mix(red, over[0]), mix(green, over[1]), mix(blue, over[2])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(bytes: usize, masks: [u32; 3]) -> PixelFormat {
        PixelFormat {
            bytes,
            row_unit: 4,
            most_significant_first: false,
            masks,
        }
    }

    #[test]
    fn pixels_are_read_in_the_servers_format() {
        let usual = format(4, [0xff_0000, 0xff00, 0xff]);
        let picture = Picture::read(usual, [1, 2], &[3, 2, 1, 9, 6, 5, 4, 9]).unwrap();
        assert_eq!(picture.pixels, [[1, 2, 3], [4, 5, 6]]);
        assert!(Picture::read(usual, [1, 2], &[3, 2, 1, 9]).is_none());

        let mut other = usual;
        other.most_significant_first = true;
        let picture = Picture::read(other, [1, 1], &[9, 1, 2, 3]).unwrap();
        assert_eq!(picture.pixels, [[1, 2, 3]]);

        // One pixel of two bytes in a row of four.
        let small = format(2, [0xf800, 0x07e0, 0x001f]);
        let picture = Picture::read(small, [1, 2], &[0, 0xf8, 0, 0, 0xff, 0x07, 0, 0]).unwrap();
        assert_eq!(picture.pixels, [[255, 0, 0], [0, 255, 255]]);
    }

    #[test]
    fn a_smaller_picture_has_the_means() {
        let picture = Picture {
            size: [3, 1],
            pixels: vec![[0; 3], [90; 3], [240; 3]],
        };
        // One and a half pixels each.
        assert_eq!(picture.scaled([2, 1]).pixels, [[30; 3], [190; 3]]);
        assert_eq!(shares(1, 3, 2), [(1, 1), (2, 2)]);
    }

    #[test]
    fn the_pointer_is_drawn_where_it_is_also_at_the_edge() {
        let mut picture = Picture {
            size: [2, 2],
            pixels: vec![[100; 3]; 4],
        };
        let pointer = GetCursorImageReply {
            x: 10,
            y: 20,
            width: 2,
            height: 2,
            xhot: 1,
            yhot: 1,
            cursor_image: vec![0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0x8010_2030],
            ..GetCursorImageReply::default()
        };
        picture.draw(&pointer, [10, 20]);
        let rest = (100_u32 * 127 / 255) as u8;
        let mixed = [0x10 + rest, 0x20 + rest, 0x30 + rest];
        assert_eq!(picture.pixels, [mixed, [100; 3], [100; 3], [100; 3]]);
    }
}
