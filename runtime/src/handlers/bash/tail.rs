//! [`Tail`]: the end of what commands write, as much as is told; and that end as text.

/// Keeps the last bytes of a stream that may have no end.
#[derive(Debug)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    limit: usize,
    dropped: u64,
}

impl Tail {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            limit,
            dropped: 0,
        }
    }

    /// Twice the limit is kept at most, so that bytes are moved once for each that comes, and not for each piece.
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        if self.bytes.len() > self.limit.saturating_mul(2) {
            self.cut(self.limit);
        }
    }

    /// Empties it: the text of what is kept, and how many bytes before that are gone.
    pub(super) fn take(&mut self) -> (String, u64) {
        self.cut(self.limit);
        if self.dropped > 0 {
            let is_inside = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
            // A character that was cut through is no sign of binary output.
            let broken = self.bytes.iter().take(3).take_while(is_inside).count();
            self.cut(self.bytes.len() - broken);
        }
        let text = text(&self.bytes);
        let dropped = self.dropped;
        *self = Self::new(self.limit);
        (text, dropped)
    }

    fn cut(&mut self, keep: usize) {
        let gone = self.bytes.len().saturating_sub(keep);
        self.bytes.drain(..gone);
        self.dropped += gone as u64;
    }
}

/// What a model is told of bytes: without the escape sequences that colour a terminal, and without line ends at the end.
fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    without_escapes(&text).trim_end_matches('\n').to_owned()
}

/// Without the sequences that begin with an escape character and `[` (colours, cursor) or `]` (titles, links).
fn without_escapes(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        kept.push_str(before);
        rest = if let Some(control) = after.strip_prefix('[') {
            control_end(control).unwrap_or(after)
        } else if let Some(command) = after.strip_prefix(']') {
            command_end(command).unwrap_or(after)
        } else {
            kept.push('\x1b');
            after
        };
    }
    kept.push_str(rest);
    kept
}

/// What follows a control sequence: parameters, intermediates, and one final byte.
fn control_end(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c| matches!(c, '0'..='?'));
    let rest = rest.trim_start_matches(|c| matches!(c, ' '..='/'));
    rest.strip_prefix(|c| matches!(c, '@'..='~'))
}

/// What follows a command to the terminal, which ends with a bell or `ESC \`, and is on one line.
fn command_end(text: &str) -> Option<&str> {
    let at = text.find(['\x07', '\x1b', '\n'])?;
    let rest = text.get(at..)?;
    rest.strip_prefix('\x07')
        .or_else(|| rest.strip_prefix("\x1b\\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(limit: usize, pieces: &[&[u8]]) -> (String, u64) {
        let mut tail = Tail::new(limit);
        for piece in pieces {
            tail.push(piece);
        }
        tail.take()
    }

    #[test]
    fn the_last_bytes_are_kept_and_the_others_counted() {
        assert_eq!(taken(4, &[b"abcd"]), ("abcd".to_owned(), 0));
        assert_eq!(taken(4, &[b"abc", b"de"]), ("bcde".to_owned(), 1));
        assert_eq!(taken(4, &[b"abcdefghijklm"]), ("jklm".to_owned(), 9));
        assert_eq!(taken(0, &[b"abc"]), (String::new(), 3));
        let piece = [b'x'; 1000];
        let mut tail = Tail::new(1500);
        for _ in 0..1000 {
            tail.push(&piece);
            assert!(tail.bytes.len() <= 3000);
        }
        assert_eq!(tail.take(), ("x".repeat(1500), 998_500));
        assert_eq!(tail.take(), (String::new(), 0), "it is empty then");
    }

    #[test]
    fn a_character_that_is_cut_through_is_gone_and_other_bytes_are_marked() {
        assert_eq!(taken(4, &["aé€".as_bytes()]), ("€".to_owned(), 3));
        assert_eq!(
            taken(9, &[b"a\xff\xfeb\0"]),
            ("a\u{fffd}\u{fffd}b\0".to_owned(), 0)
        );
        assert_eq!(taken(9, &[b"\x80a"]).0, "\u{fffd}a");
    }

    #[test]
    fn escapes_of_terminals_are_taken_out() {
        for (raw, told) in [
            ("\x1b[1;31mred\x1b[0m", "red"),
            ("a\x1b[?25lb\x1b[2 qc", "abc"),
            ("\x1b]0;title\x07x", "x"),
            ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1b[é", "[é"),
            ("\x1b]no end\nx", "]no end\nx"),
            ("\x1bX", "\x1bX"),
            ("\x1b", "\x1b"),
            ("\x1b[", "["),
            ("a\n\n", "a"),
        ] {
            assert_eq!(text(raw.as_bytes()), told, "{raw:?}");
        }
    }
}
