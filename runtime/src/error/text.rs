//! Words of errors: chains of causes as one text, long texts as one line.

use std::error::Error as StdError;

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

/// The error's message and those of its sources, `outer: inner`.
///
/// Many errors print their source themselves, so one that already ends the text is not repeated.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
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
    fn a_line_is_one_and_bounded() {
        assert_eq!(one_line("a\n  b\tc"), "a b c");
        assert_eq!(one_line(&"é".repeat(500)).chars().count(), LINE + 1);
    }
}
