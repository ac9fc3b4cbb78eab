//! Words of errors: chains of causes as one text, long texts as one line.

use std::error::Error as StdError;

/// An error may name itself as its cause.
const CAUSES: usize = 32;
/// A line that is longer says nothing more to a person.
const LINE: usize = 400;

/// `text` on one line of bounded length.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(LINE) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// `text` for a line of its own: cut to `most` characters, control characters made visible.
pub(crate) fn short(text: &str, most: usize) -> String {
    let mut short = String::new();
    for character in text.chars().take(most) {
        match character {
            // Line ends, NUL, and the marks that turn the direction of writing.
            _ if character.is_control() || ('\u{202a}'..='\u{2069}').contains(&character) => {
                short.extend(character.escape_default());
            }
            _ => short.push(character),
        }
    }
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

/// The error's message and those of its sources, `outer: inner`.
///
/// Many errors print their source themselves, so one that already ends the text is not repeated.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    for _ in 0..CAUSES {
        let Some(cause) = source else { break };
        let words = cause.to_string();
        if !words.is_empty() && !text.ends_with(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Self>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl StdError for Layer {
        fn source(&self) -> Option<&(dyn StdError + 'static)> {
            self.1
                .as_deref()
                .map(|layer| layer as &(dyn StdError + 'static))
        }
    }

    #[test]
    fn sources_are_told_in_order() {
        let error = Layer(
            "cannot read",
            Some(Box::new(Layer(
                "disk",
                Some(Box::new(Layer("on fire", None))),
            ))),
        );
        assert_eq!(chain(&error), "cannot read: disk: on fire");
    }

    #[test]
    fn a_source_that_the_text_ends_with_is_not_repeated() {
        let error = Layer("cannot read: disk", Some(Box::new(Layer("disk", None))));
        assert_eq!(chain(&error), "cannot read: disk");
    }

    #[test]
    fn a_short_text_is_one_line() {
        assert_eq!(short("a\nb\u{202e}c", 10), "a\\nb\\u{202e}c");
        assert_eq!(short("größer", 3), "grö…");
    }

    #[test]
    fn an_error_that_causes_itself_ends() {
        #[derive(Debug)]
        struct Ouroboros;
        impl fmt::Display for Ouroboros {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("again")
            }
        }
        impl StdError for Ouroboros {
            fn source(&self) -> Option<&(dyn StdError + 'static)> {
                Some(self)
            }
        }
        assert_eq!(chain(&Ouroboros), "again");
    }

    #[test]
    fn a_line_is_one_and_bounded() {
        assert_eq!(one_line("a\n  b\tc"), "a b c");
        assert_eq!(one_line(&"é".repeat(500)).chars().count(), LINE + 1);
    }
}
