//! What the commands do with a file's text, and how the model is shown it. All of it is pure.
//!
//! Lines end at LF and nowhere else, so that a CR is part of its line and is kept.

/// How many lines with an occurrence are named.
const MAX_OCCURRENCES: usize = 100;

/// Some lines of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Lines before the first that is shown.
    skipped: usize,
    /// How many are shown, at most.
    shown: usize,
}

impl<'a> Lines<'a> {
    /// All of them; the empty one behind a last line end too, as the reference shows it.
    pub(crate) const fn all(text: &'a str) -> Self {
        Self::from(text, 0, usize::MAX)
    }

    pub(crate) const fn from(text: &'a str, skipped: usize, shown: usize) -> Self {
        Self {
            text,
            skipped,
            shown,
        }
    }

    /// With their numbers, as `cat -n` shows them; cut after `max_characters` characters of the text, which the last line
    /// then says.
    pub(crate) fn numbered(self, max_characters: u32) -> String {
        let mut left = usize::try_from(max_characters).unwrap_or(usize::MAX);
        let mut told = String::new();
        let lines = self.text.split('\n').enumerate();
        for (at, line) in lines.skip(self.skipped).take(self.shown) {
            let is_first = at == self.skipped;
            let length = line.chars().count();
            if length > left && !is_first {
                return told + &cut("after", at, max_characters);
            }
            if !is_first {
                told.push('\n');
            }
            let whole = length <= left;
            let line = if whole { line } else { head(line, left) };
            told.push_str(&format!("{:>6}\t{line}", at + 1));
            if !whole {
                return told + &cut("in", at + 1, max_characters);
            }
            left = left.saturating_sub(length + 1);
        }
        told
    }
}

/// The first characters of a line.
fn head(line: &str, characters: usize) -> &str {
    let end = line.char_indices().nth(characters);
    end.and_then(|(end, _)| line.get(..end)).unwrap_or(line)
}

fn cut(at: &str, line: usize, max_characters: u32) -> String {
    format!(
        "\n[Cut off {at} line {line}: at most {max_characters} characters are shown. View the rest with `view_range`.]"
    )
}

/// How many lines a text has: what follows a last line end is none.
pub(crate) fn count_lines(text: &str) -> usize {
    let open = usize::from(!text.is_empty() && !text.ends_with('\n'));
    text.matches('\n').count() + open
}

/// Why a text was not replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotReplaced {
    /// It does not occur.
    Absent,
    /// It occurs more than once, in these lines, counted from 1: a line for each occurrence, and only so many of them.
    Repeated(Vec<usize>),
    /// It is the empty text, which is everywhere.
    Empty,
}

/// A text after a replacement.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) text: String,
    /// The line in which the replacement begins, counted from 0.
    pub(crate) line: usize,
}

/// Replaces what occurs just once. `new` is put in as it is: nothing in it stands for something else.
pub(crate) fn replace_once(text: &str, old: &str, new: &str) -> Result<Replaced, NotReplaced> {
    if old.is_empty() && !text.is_empty() {
        return Err(NotReplaced::Empty);
    }
    let Some((before, after)) = text.split_once(old) else {
        return Err(NotReplaced::Absent);
    };
    // As the reference counts: occurrences that overlap are one. In the empty text, the empty one occurs once.
    if !old.is_empty() && after.contains(old) {
        return Err(NotReplaced::Repeated(occurrences(text, old)));
    }
    Ok(Replaced {
        line: before.matches('\n').count(),
        text: [before, new, after].concat(),
    })
}

/// The lines in which `part` begins. As the reference tells them: those that overlap too.
fn occurrences(text: &str, part: &str) -> Vec<usize> {
    let step = part.chars().next().map_or(1, char::len_utf8);
    let mut lines = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(at) = rest.find(part) {
        line += rest.get(..at).unwrap_or_default().matches('\n').count();
        lines.push(line);
        if lines.len() == MAX_OCCURRENCES {
            break;
        }
        let skipped = rest.get(at..at + step).unwrap_or_default();
        line += skipped.matches('\n').count();
        rest = rest.get(at + step..).unwrap_or_default();
    }
    lines
}

/// Puts lines behind the line `behind`, 0 being the beginning.
///
/// # Errors
/// How many lines there are, where that is none of them.
pub(crate) fn insert_lines(text: &str, behind: i64, lines: &str) -> Result<String, usize> {
    let count = count_lines(text);
    let behind = usize::try_from(behind).map_err(|_| count)?;
    if behind > count {
        return Err(count);
    }
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let at = match behind {
        0 => 0,
        // The last line may have no end.
        _ => ends.nth(behind - 1).unwrap_or(text.len()),
    };
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let open = !before.is_empty() && !before.ends_with('\n');
    let parts = match (open, lines.ends_with('\n')) {
        // A file that ends without a line end does so afterwards, too.
        (true, _) => [before, "\n", lines, ""],
        (false, true) => [before, lines, "", after],
        (false, false) => [before, lines, "\n", after],
    };
    Ok(parts.concat())
}

/// A size as the reference tells it: `0B`, `12B`, `1.5K`, `4K`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "K", "M", "G"];
    let power = (bytes.checked_ilog2().unwrap_or(0) / 10).min(3);
    let unit = UNITS.get(power as usize).copied().unwrap_or_default();
    let one = 1_u64 << (10 * power);
    if bytes.is_multiple_of(one) {
        return format!("{}{unit}", bytes / one);
    }
    #[allow(
        clippy::cast_precision_loss,
        reason = "it is told with one digit behind the point"
    )]
    let size = bytes as f64 / one as f64;
    format!("{size:.1}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_split_at_lf_only() {
        assert_eq!(
            Lines::all("a\r\nb\u{2028}c\rd\n").numbered(100),
            "     1\ta\r\n     2\tb\u{2028}c\rd\n     3\t"
        );
        assert_eq!(Lines::all("").numbered(100), "     1\t");
        let text = "x\n".repeat(1_000_000);
        assert_eq!(
            Lines::from(&text, 999_998, 2).numbered(9),
            "999999\tx\n1000000\tx"
        );
        assert_eq!(Lines::from("a\nb\nc", 1, 1).numbered(9), "     2\tb");
        assert_eq!(Lines::from("a\nb", 5, 1).numbered(9), "");
        assert_eq!(Lines::from("a\nb", 0, 0).numbered(9), "");
    }

    #[test]
    fn what_is_too_long_is_cut_at_a_line_and_else_at_a_character() {
        let notice = |at| {
            format!(
                "\n[Cut off {at}: at most 5 characters are shown. View the rest with `view_range`.]"
            )
        };
        assert_eq!(Lines::all("ab\ncd").numbered(5), "     1\tab\n     2\tcd");
        assert_eq!(
            Lines::all("ab\ncd\ne").numbered(5),
            format!("     1\tab\n     2\tcd{}", notice("after line 2"))
        );
        assert_eq!(
            Lines::all("äöüßéx\ny").numbered(5),
            format!("     1\täöüßé{}", notice("in line 1"))
        );
        assert_eq!(
            Lines::from("a\nb\ncccccc", 2, 9).numbered(5),
            format!("     3\tccccc{}", notice("in line 3"))
        );
    }

    #[test]
    fn a_text_is_replaced_where_it_occurs_once() {
        let replaced = replace_once("one\ntwo\nthree\n", "two", "2\n2").unwrap();
        assert_eq!(
            (replaced.text.as_str(), replaced.line),
            ("one\n2\n2\nthree\n", 1)
        );
        assert_eq!(
            replace_once("a", "a", "$& $1 \\0").unwrap().text,
            "$& $1 \\0"
        );
        assert_eq!(replace_once("a\r\nb", "\r\n", "\n").unwrap().text, "a\nb");
        assert_eq!(replace_once("a", "b", ""), Err(NotReplaced::Absent));
        assert_eq!(replace_once("", "", "x").unwrap().text, "x");
        assert_eq!(replace_once("a", "", "x"), Err(NotReplaced::Empty));
    }

    #[test]
    fn lines_of_all_occurrences_are_told() {
        let lines = |text, old| match replace_once(text, old, "") {
            Err(NotReplaced::Repeated(lines)) => lines,
            other => panic!("{other:?}"),
        };
        assert_eq!(lines("a\nb\na\nxaxa", "a"), [1, 3, 4, 4]);
        assert_eq!(lines("\n\n\n", "\n"), [1, 2, 3]);
        assert_eq!(lines("öö\nö", "ö"), [1, 1, 2]);
        // Counted apart they are two, told with those that overlap.
        assert_eq!(lines("aaaa", "aa"), [1, 1, 1]);
        assert!(replace_once("aaa", "aa", "b").is_ok());
        assert_eq!(lines(&"a\n".repeat(1000), "a").len(), 100);
    }

    #[test]
    fn lines_go_behind_a_line() {
        let insert = |text, behind, lines| insert_lines(text, behind, lines).unwrap();
        assert_eq!(insert("a\nb\n", 0, "x"), "x\na\nb\n");
        assert_eq!(insert("a\nb\n", 1, "x\n"), "a\nx\nb\n");
        assert_eq!(insert("a\nb\n", 2, "x"), "a\nb\nx\n");
        assert_eq!(insert("a\nb", 1, "x"), "a\nx\nb");
        assert_eq!(insert("a\nb", 2, "x"), "a\nb\nx");
        assert_eq!(insert("", 0, "x"), "x\n");
        assert_eq!(insert("a\r\nb\r\n", 1, "x\r\n"), "a\r\nx\r\nb\r\n");
        assert_eq!(insert("a\n\n", 0, "x"), "x\na\n\n");
        assert_eq!(insert("a\n", 1, ""), "a\n\n");
        assert_eq!(insert_lines("a\nb\n", 3, "x"), Err(2));
        assert_eq!(insert_lines("a\nb", -1, "x"), Err(2));
        assert_eq!(insert_lines("", 1, "x"), Err(0));
        assert_eq!(insert_lines("", i64::MAX, "x"), Err(0));
    }

    #[test]
    fn sizes_are_told_as_the_reference_does() {
        for (bytes, told) in [
            (0, "0B"),
            (1, "1B"),
            (1023, "1023B"),
            (1024, "1K"),
            (1536, "1.5K"),
            (4096, "4K"),
            (1024 * 1024 - 1, "1024.0K"),
            (1024 * 1024, "1M"),
            (5 * 1024 * 1024 * 1024, "5G"),
            (3 << 40, "3072G"),
        ] {
            assert_eq!(size(bytes), told);
        }
    }
}
