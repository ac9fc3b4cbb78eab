//! [`Decoder`]: the bytes of a stream of server-sent events to its [`Frame`]s.

use bytes::{Buf as _, Bytes, BytesMut};
use memchr::memchr2;

/// An event of a stream. What came in one chunk is a slice of it, and keeps that chunk in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    event: Option<Bytes>,
    /// The data, in UTF-8 and never empty: what was no UTF-8 is replaced by U+FFFD.
    pub(crate) data: Bytes,
    /// Whether the blank line that ends an event was there. Without it the data may be cut.
    pub(crate) complete: bool,
}

impl Frame {
    /// The name of the event; not every server sends one.
    pub(crate) fn event(&self) -> Option<&str> {
        std::str::from_utf8(self.event.as_deref()?).ok()
    }
}

/// Takes chunks as they come, and gives the frames that end in them.
///
/// Each byte is looked at once to find the ends of lines, and copied only where a line or a frame is in several pieces.
/// So its time and memory are linear, however the stream is cut. (The crates that do the same lose an event without a
/// blank line at the end, copy each frame, or keep a buffer of the largest one with every later one.)
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// What of the last chunk is not read yet.
    chunk: Bytes,
    /// The beginning of a line that ends in a later chunk.
    line: BytesMut,
    /// The last line ended in CR: an LF right behind it, which may be in a later chunk, belongs to that end.
    after_cr: bool,
    /// The first line is behind us. Only that one can have a byte order mark.
    started: bool,
    event: Option<Bytes>,
    data: Data,
}

/// The data lines of one frame. Most frames have one line, which stays a slice of its chunk.
#[derive(Debug, Default)]
enum Data {
    #[default]
    None,
    Line(Bytes),
    Lines(BytesMut),
}

impl Decoder {
    /// Adds what came. It is copied if [`next`](Self::next) has not been asked for all that came before.
    pub(super) fn push(&mut self, chunk: Bytes) {
        self.chunk = if self.chunk.is_empty() {
            chunk
        } else {
            [&*self.chunk, &*chunk].concat().into()
        };
    }

    /// The next frame that has ended.
    pub(super) fn next(&mut self) -> Option<Frame> {
        while let Some(line) = self.next_line() {
            if !line.is_empty() {
                self.read_field(&line);
            } else if let Some(frame) = self.take_frame() {
                return Some(frame);
            }
        }
        None
    }

    /// What is left where the stream ends without a blank line, to be asked for after the last [`next`](Self::next).
    pub(super) fn finish(&mut self) -> Option<Frame> {
        self.push(Bytes::from_static(b"\n\n"));
        let complete = false;
        self.next().map(|frame| Frame { complete, ..frame })
    }

    /// The next line that has ended, without its end. A lone CR ends one at once: an LF may never come.
    fn next_line(&mut self) -> Option<Bytes> {
        if self.after_cr && !self.chunk.is_empty() {
            self.after_cr = false;
            if self.chunk.starts_with(b"\n") {
                self.chunk.advance(1);
            }
        }
        let Some(end) = memchr2(b'\n', b'\r', &self.chunk) else {
            self.line.extend_from_slice(&self.chunk);
            self.chunk.clear();
            return None;
        };
        let mut line = self.chunk.split_to(end);
        self.after_cr = self.chunk.get_u8() == b'\r';
        if !self.line.is_empty() {
            self.line.extend_from_slice(&line);
            line = std::mem::take(&mut self.line).freeze();
        }
        if !self.started {
            self.started = true;
            line = without_mark(line);
        }
        Some(line)
    }

    /// Only data and the name count. The rest are comments, fields for connecting again, and unknown ones.
    fn read_field(&mut self, line: &Bytes) {
        if let Some(data) = value(line, "data") {
            self.data.push(data);
        } else if let Some(event) = value(line, "event") {
            self.event = Some(event).filter(|event| !event.is_empty());
        }
    }

    /// What the lines up to a blank one give: nothing where they have no data.
    fn take_frame(&mut self) -> Option<Frame> {
        let event = self.event.take();
        let data = std::mem::take(&mut self.data).into_bytes();
        (!data.is_empty()).then(|| Frame {
            event: event.map(utf8),
            data: utf8(data),
            complete: true,
        })
    }
}

impl Data {
    fn push(&mut self, line: Bytes) {
        let mut lines = match std::mem::take(self) {
            Self::None => {
                *self = Self::Line(line);
                return;
            }
            Self::Line(first) => BytesMut::from(&*first),
            Self::Lines(lines) => lines,
        };
        lines.extend_from_slice(b"\n");
        lines.extend_from_slice(&line);
        *self = Self::Lines(lines);
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::None => Bytes::new(),
            Self::Line(line) => line,
            Self::Lines(lines) => lines.freeze(),
        }
    }
}

/// The value of a line, if it is of this field. A field without a colon has an empty one.
fn value(line: &Bytes, field: &str) -> Option<Bytes> {
    let rest = line.strip_prefix(field.as_bytes())?;
    let value = match rest.split_first() {
        None => rest,
        Some((b':', value)) => value.strip_prefix(b" ").unwrap_or(value),
        Some(_) => return None,
    };
    Some(line.slice_ref(value))
}

/// A line without the byte order mark that some servers begin with.
fn without_mark(line: Bytes) -> Bytes {
    match line.strip_prefix("\u{FEFF}".as_bytes()) {
        Some(rest) => line.slice_ref(rest),
        None => line,
    }
}

/// Text is decoded here and not as it comes, since a chunk may end in the middle of a character.
fn utf8(text: Bytes) -> Bytes {
    match std::str::from_utf8(&text) {
        Ok(_) => text,
        Err(_) => String::from_utf8_lossy(&text).into_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of a stream that comes in these chunks, as name, data and completeness.
    fn frames(chunks: &[&[u8]]) -> Vec<(Option<String>, String, bool)> {
        let mut decoder = Decoder::default();
        let mut frames = Vec::new();
        for chunk in chunks {
            decoder.push(Bytes::copy_from_slice(chunk));
            frames.extend(std::iter::from_fn(|| decoder.next()));
        }
        frames.extend(decoder.finish());
        assert_eq!(decoder.next(), None, "nothing is behind the end");
        let parts = |frame: Frame| {
            let data = String::from_utf8(frame.data.to_vec()).unwrap();
            (frame.event().map(str::to_owned), data, frame.complete)
        };
        frames.into_iter().map(parts).collect()
    }

    /// The data of the frames of a stream in one chunk, each of which must be complete.
    fn data(stream: &str) -> Vec<String> {
        let complete = |(_, data, complete): (_, String, bool)| {
            assert!(complete, "{data}");
            data
        };
        frames(&[stream.as_bytes()])
            .into_iter()
            .map(complete)
            .collect()
    }

    fn named(event: &str, data: &str) -> (Option<String>, String, bool) {
        (Some(event.to_owned()), data.to_owned(), true)
    }

    fn nameless(data: &str) -> (Option<String>, String, bool) {
        (None, data.to_owned(), true)
    }

    #[test]
    fn all_ends_of_lines() {
        let stream = "event: a\ndata: 1\n\ndata: 2\ndata: 3\n\n";
        let expected = [named("a", "1"), nameless("2\n3")];
        for end in ["\n", "\r\n", "\r"] {
            let stream = stream.replace('\n', end);
            assert_eq!(frames(&[stream.as_bytes()]), expected, "{end:?}");
        }
        assert_eq!(data("data: 1\r\ndata: 2\rdata: 3\n\r\n"), ["1\n2\n3"]);
    }

    #[test]
    fn cr_and_lf_in_two_chunks_are_one_end() {
        let chunks: [&[u8]; 4] = [b"data: 1\r", b"\ndata: 2\r", b"", b"\n\r\n"];
        assert_eq!(frames(&chunks), [nameless("1\n2")]);
    }

    #[test]
    fn a_frame_that_ends_in_cr_is_given_at_once() {
        let mut decoder = Decoder::default();
        decoder.push(Bytes::from_static(b"data: 1\r\n\r"));
        assert!(decoder.next().is_some());
    }

    #[test]
    fn a_byte_order_mark_is_dropped_once() {
        assert_eq!(data("\u{FEFF}data: 1\n\n"), ["1"]);
        assert_eq!(data("\u{FEFF}\ndata: 1\n\n"), ["1"]);
        assert_eq!(data("data: \u{FEFF}1\n\n"), ["\u{FEFF}1"]);
        assert_eq!(data("\n\u{FEFF}data: 1\n\n"), [""; 0], "no field of ours");
    }

    #[test]
    fn one_space_behind_the_colon_is_dropped() {
        assert_eq!(data("data:1\n\ndata: 1\n\ndata:  1\n\n"), ["1", "1", " 1"]);
    }

    #[test]
    fn comments_and_other_fields_are_ignored() {
        let stream = ": data: 0\n:\nid: 7\nretry: 10\nid\ndatabase: x\n data: x\nDATA: x\ndata: 1\n\n: ping\n\n";
        assert_eq!(data(stream), ["1"]);
    }

    #[test]
    fn an_event_without_data_is_skipped_with_its_name() {
        let stream = "event: a\n\nevent: a\ndata\n\nevent: a\ndata:\n\ndata: 1\n\n";
        assert_eq!(frames(&[stream.as_bytes()]), [nameless("1")]);
    }

    #[test]
    fn the_last_name_counts_and_may_be_none() {
        let stream = "event: a\nevent:b\ndata: 1\n\nevent: a\nevent\ndata: 2\n\n";
        assert_eq!(
            frames(&[stream.as_bytes()]),
            [named("b", "1"), nameless("2")]
        );
    }

    #[test]
    fn lines_of_data_are_joined_even_empty_ones() {
        assert_eq!(data("data: 1\ndata\ndata:\ndata: 2\n\n"), ["1\n\n\n2"]);
        assert_eq!(data("data:\ndata: 1\n\n"), ["\n1"]);
    }

    #[test]
    fn the_end_of_the_stream_ends_an_event() {
        for stream in [
            "data: 1\n\nevent: a\ndata: 2",
            "data: 1\n\nevent: a\ndata: 2\r\n",
            "data: 1\n\nevent: a\ndata: 2\r",
        ] {
            let mut last = named("a", "2");
            last.2 = false;
            assert_eq!(
                frames(&[stream.as_bytes()]),
                [nameless("1"), last],
                "{stream:?}"
            );
        }
        assert_eq!(data("data: 1\n\nevent: a"), ["1"]);
        assert_eq!(data(""), [""; 0]);
    }

    #[test]
    fn other_separators_stay_in_the_data() {
        let text = "a\u{2028}b\u{2029}c\u{85}d\u{0B}e\u{0C}f\0g";
        assert_eq!(data(&format!("data: {text}\n\n")), [text]);
    }

    #[test]
    fn what_is_no_utf8_is_replaced() {
        let stream: &[u8] = b"event: \xFF\ndata: a\xF0\x9F\n\ndata: b\xE2\x82\n\n";
        assert_eq!(
            frames(&[stream]),
            [named("\u{FFFD}", "a\u{FFFD}"), nameless("b\u{FFFD}")]
        );
    }

    // RN-13.
    #[test]
    fn a_stream_may_be_cut_anywhere() {
        let stream = "\u{FEFF}: hi\r\nevent: a\r\ndata: {\"é\":\r\ndata: \"🦀\u{2028}\"}\r\n\r\nid: 3\rdata:x\r\rdata: y\n\n\
                      event: b\ndata:\n\ndata: 1\r\ndata\n\revent: c\ndata: end";
        let stream = stream.as_bytes();
        let mut last = named("c", "end");
        last.2 = false;
        let expected = [
            named("a", "{\"é\":\n\"🦀\u{2028}\"}"),
            nameless("x"),
            nameless("y"),
            nameless("1\n"),
            last,
        ];
        for first in 0..=stream.len() {
            for second in first..=stream.len() {
                let (head, middle, tail) =
                    (&stream[..first], &stream[first..second], &stream[second..]);
                assert_eq!(frames(&[head, middle, tail]), expected, "{first} {second}");
            }
        }
        let bytes: Vec<_> = stream.chunks(1).collect();
        assert_eq!(frames(&bytes), expected);
    }

    #[test]
    fn chunks_may_come_before_the_frames_are_taken() {
        let mut decoder = Decoder::default();
        for chunk in ["data: 1\n", "\ndata: 2", "\n\n"] {
            decoder.push(Bytes::from_static(chunk.as_bytes()));
        }
        assert_eq!(std::iter::from_fn(|| decoder.next()).count(), 2);
    }

    #[test]
    fn data_in_one_chunk_is_a_slice_of_it() {
        let chunk = Bytes::from_static(b"event: a\ndata: 123\n\n");
        let mut decoder = Decoder::default();
        decoder.push(chunk.clone());
        let frame = decoder.next().unwrap();
        assert_eq!(frame.data.as_ptr(), chunk[15..].as_ptr());
    }

    #[test]
    fn a_long_line_is_collected_in_one_buffer() {
        let mut decoder = Decoder::default();
        decoder.push(Bytes::from_static(b"data: "));
        for _ in 0..20_000 {
            decoder.push(Bytes::from_static(&[b'x'; 50]));
            assert_eq!(decoder.next(), None);
            assert!(decoder.chunk.is_empty(), "a byte is looked at once");
        }
        assert!(decoder.line.capacity() <= 2_100_000);
        assert_eq!(decoder.finish().unwrap().data.len(), 1_000_000);
    }
}
