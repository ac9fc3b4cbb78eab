//! Between the screen and the picture of it that the model has: places in the one are places in the other.

use crate::tool::ToolError;

/// How large a screen is, and how large the picture of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    screen: [u32; 2],
    shown: [u32; 2],
}

impl Frame {
    /// The picture is as large as the screen, or as large as `limit` lets it be, and never distorted.
    pub(super) fn new(screen: [u32; 2], limit: [u32; 2]) -> Self {
        Self {
            screen,
            shown: fit(screen, limit),
        }
    }

    pub(super) const fn screen(&self) -> [u32; 2] {
        self.screen
    }

    pub(super) const fn shown(&self) -> [u32; 2] {
        self.shown
    }

    /// The pixel of the screen that stands in the middle of a pixel of the picture.
    ///
    /// # Errors
    /// Where it is outside.
    pub(super) fn to_screen(self, place: [i64; 2]) -> Result<[u32; 2], ToolError> {
        let [x, y] = place;
        let [width, height] = self.shown;
        let inside = |at: i64, size: u32| u32::try_from(at).ok().filter(|at| *at < size);
        let (Some(left), Some(top)) = (inside(x, width), inside(y, height)) else {
            return Err(ToolError::new(format!(
                "the coordinate [{x}, {y}] is outside of the screenshot: x goes from 0 to {}, y from 0 to {}",
                width.saturating_sub(1),
                height.saturating_sub(1)
            )));
        };
        let [screen_width, screen_height] = self.screen;
        Ok([
            middle(left, width, screen_width),
            middle(top, height, screen_height),
        ])
    }

    /// The pixel of the picture in which a pixel of the screen stands.
    pub(super) fn to_shown(self, place: [u32; 2]) -> [u32; 2] {
        let ([x, y], [width, height]) = (place, self.screen);
        let [shown_width, shown_height] = self.shown;
        [
            middle(x, width, shown_width),
            middle(y, height, shown_height),
        ]
    }

    /// The part of the screen between two corners of the picture: its corner at the top left, and its size.
    ///
    /// # Errors
    /// Where it is outside, or empty.
    pub(super) fn part(self, region: [i64; 4]) -> Result<([u32; 2], [u32; 2]), ToolError> {
        let [x0, y0, x1, y1] = region;
        let [width, height] = self.shown;
        let [screen_width, screen_height] = self.screen;
        let across = span(x0, x1, width, screen_width);
        let down = span(y0, y1, height, screen_height);
        let (Some((x, part_width)), Some((y, part_height))) = (across, down) else {
            return Err(ToolError::new(format!(
                "the region [{x0}, {y0}, {x1}, {y1}] must be two corners of a part of the screenshot, \
                 with x from 0 to {width} and y from 0 to {height}"
            )));
        };
        Ok(([x, y], [part_width, part_height]))
    }
}

/// The largest size that fits into `limit`, in the same proportions, and not above `size`.
pub(super) fn fit(size: [u32; 2], limit: [u32; 2]) -> [u32; 2] {
    let [width, height] = size.map(u64::from);
    let [most_wide, most_high] = limit.map(|most| u64::from(most.max(1)));
    if width <= most_wide && height <= most_high {
        return size;
    }
    // Which of the two edges comes first.
    let (numerator, denominator) = match width * most_high > height * most_wide {
        true => (most_wide, width),
        false => (most_high, height),
    };
    let scaled = |edge: u64| {
        let rounded = (edge * numerator + denominator / 2) / denominator.max(1);
        u32::try_from(rounded.max(1)).unwrap_or(u32::MAX)
    };
    [scaled(width), scaled(height)]
}

/// Where the middle of the pixel `at`, of `from`, is in `to` pixels.
fn middle(at: u32, from: u32, to: u32) -> u32 {
    let [at, from, to] = [at, from, to].map(u64::from);
    let place = (2 * at + 1) * to / (2 * from).max(1);
    u32::try_from(place.min(to.saturating_sub(1))).unwrap_or(u32::MAX)
}

/// The pixels of `to` that two edges in `from` enclose: the first, and how many.
fn span(one: i64, other: i64, from: u32, to: u32) -> Option<(u32, u32)> {
    let start = u32::try_from(one.min(other)).ok()?;
    let end = u32::try_from(one.max(other)).ok()?;
    if start == end || end > from {
        return None;
    }
    let [start, end, from, to] = [start, end, from, to].map(u64::from);
    let first = start * to / from;
    let count = (end * to).div_ceil(from) - first;
    Some((u32::try_from(first).ok()?, u32::try_from(count).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fits_into_its_limit_in_the_screens_proportions() {
        for (screen, limit, shown) in [
            ([1024, 768], [1280, 800], [1024, 768]),
            ([1920, 1080], [1280, 800], [1280, 720]),
            ([1080, 1920], [1280, 800], [450, 800]),
            ([1920, 1200], [1280, 800], [1280, 800]),
            ([5000, 10], [50, 50], [50, 1]),
            ([7, 5], [0, 0], [1, 1]),
        ] {
            assert_eq!(fit(screen, limit), shown);
        }
    }

    #[test]
    fn places_go_there_and_back() {
        for (screen, limit) in [
            ([1920, 1080], [1280, 800]),
            ([1000, 1000], [999, 999]),
            ([640, 480], [640, 480]),
            ([3840, 2160], [100, 100]),
        ] {
            let frame = Frame::new(screen, limit);
            for x in 0..frame.shown()[0] {
                let place = frame.to_screen([i64::from(x), 0]).unwrap();
                assert!(place[0] < screen[0]);
                assert_eq!(frame.to_shown(place)[0], x);
            }
        }
        let same = Frame::new([640, 480], [640, 480]);
        assert_eq!(same.to_screen([639, 0]).unwrap(), [639, 0]);
    }

    #[test]
    fn what_is_outside_is_told() {
        let frame = Frame::new([1920, 1080], [1280, 800]);
        for place in [[-1, 0], [1280, 0], [0, 720], [i64::MAX, i64::MIN]] {
            let error = frame.to_screen(place).unwrap_err();
            let told = "is outside of the screenshot: x goes from 0 to 1279, y from 0 to 719";
            assert!(error.message().ends_with(told), "{error}");
        }
        for region in [[0, 0, 0, 9], [0, 0, 1281, 9], [-1, 0, 5, 5], [3, 7, 5, 7]] {
            assert!(frame.part(region).is_err(), "{region:?}");
        }
    }

    #[test]
    fn a_part_is_that_of_the_screen() {
        let frame = Frame::new([1920, 1080], [1280, 800]);
        let whole = frame.part([0, 0, 1280, 720]).unwrap();
        assert_eq!(whole, ([0, 0], [1920, 1080]));
        // Corners in any order.
        let part = frame.part([101, 50, 1, 10]).unwrap();
        assert_eq!(part, ([1, 15], [151, 60]));
    }
}
