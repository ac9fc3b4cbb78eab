//! Regular expressions that providers can constrain a text to.

/// A repetition with a higher bound makes a grammar too large.
const REPETITIONS: u32 = 100;

/// Whether it keeps to what the strict dialects know: classes, groups, alternatives, anchors and repetitions; no
/// back references, look-around, `\b` or Unicode classes.
pub(super) fn is_simple(pattern: &str) -> bool {
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        let fits = match letter {
            '\\' => letters.next().is_some_and(is_simple_escape),
            // Only `(?:` of the groups that begin so.
            '(' if letters.peek() == Some(&'?') => letters.nth(1) == Some(':'),
            '{' => {
                let bounds: String = letters.by_ref().take_while(|next| *next != '}').collect();
                bounds.split(',').all(is_small)
            }
            _ => true,
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Escaped punctuation, white space and the three classes.
fn is_simple_escape(letter: char) -> bool {
    "dDwWsSnrtfv".contains(letter) || !letter.is_alphanumeric()
}

fn is_small(bound: &str) -> bool {
    bound.is_empty() || bound.parse::<u32>().is_ok_and(|bound| bound <= REPETITIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_grammars_know_is_simple() {
        for simple in [
            "^a+$",
            r"^[A-Z]{3}-\d{2,4}\.$",
            "(?:a|b)*",
            r"\w+@\w+",
            "x{2,}",
        ] {
            assert!(is_simple(simple), "{simple}");
        }
        for other in [
            r"(a)\1",
            "(?=a)",
            "(?<!a)b",
            r"\bword\b",
            "a{1,1000}",
            r"\p{L}",
            "(?i)a",
        ] {
            assert!(!is_simple(other), "{other}");
        }
    }
}
