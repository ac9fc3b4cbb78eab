//! [`scan`]: a walk over the top level of an object in the plainest spelling, whose values somebody else reads.
//!
//! It knows just enough JSON for what models send, and gives up at anything else: what it takes for an object is one.

/// Shows `entry` each key, with all that follows its colon, and is told how long the value there is. `None` where
/// anything is not plain, or `entry` gives up.
///
/// A `dyn` function, so that the walk itself is compiled once and not in each tool.
pub(super) fn scan<'a>(
    text: &'a str,
    entry: &mut dyn FnMut(&'a str, &'a str) -> Option<usize>,
) -> Option<()> {
    let mut place = Place { text, at: 0 };
    place.pass(b'{')?;
    if place.look()? != b'}' {
        loop {
            place.pass(b'"')?;
            let key = place.plain_text()?;
            place.pass(b':')?;
            place.look()?;
            place.at += entry(key, text.get(place.at..)?)?;
            match place.look()? {
                b',' => place.at += 1,
                _ => break,
            }
        }
    }
    place.pass(b'}')?;
    place.look().is_none().then_some(())
}

/// A place in the text of an object.
struct Place<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Place<'a> {
    /// The next byte that is no white space, as JSON knows it.
    fn look(&mut self) -> Option<u8> {
        loop {
            match *self.text.as_bytes().get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Past that byte, if it is this one.
    fn pass(&mut self, byte: u8) -> Option<()> {
        (self.look()? == byte).then(|| self.at += 1)
    }

    /// Past the end of a string, if it has no escapes; and what stands before.
    fn plain_text(&mut self) -> Option<&'a str> {
        let start = self.at;
        loop {
            match *self.text.as_bytes().get(self.at)? {
                b'"' => break,
                b'\\' | ..b' ' => return None,
                _ => self.at += 1,
            }
        }
        let text = self.text.get(start..self.at);
        self.at += 1;
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of an object whose values are all as long as told.
    fn keys(input: &str, length: usize) -> Option<Vec<&str>> {
        let mut keys = Vec::new();
        scan(input, &mut |key, _| {
            keys.push(key);
            Some(length)
        })?;
        Some(keys)
    }

    #[test]
    fn plain_objects_are_walked() {
        assert_eq!(keys("{}", 0), Some(vec![]));
        assert_eq!(keys(" \n{\t}\r", 0), Some(vec![]));
        assert_eq!(keys(r#"{"a":1}"#, 1), Some(vec!["a"]));
        assert_eq!(keys(r#"{ "a" : 1 , "ß":2 } "#, 1), Some(vec!["a", "ß"]));
    }

    #[test]
    fn at_anything_else_it_gives_up() {
        for input in [
            "",
            "{",
            "null",
            "[]",
            r#"{"a"}"#,
            r#"{"a":1"#,
            r#"{"a":1,}"#,
            r#"{,"a":1}"#,
            r#"{"a":1 "b":1}"#,
            r#"{"a":1}x"#,
            r#"{"a":1}}"#,
            r#"{"\u0061":1}"#,
            "{\"a\n\":1}",
            "{\"\ta\":1}",
            "{\"a\\\":1}",
            "{\u{a0}}",
            "\u{feff}{}",
            "{'a':1}",
            "{a:1}",
        ] {
            assert_eq!(keys(input, 1), None, "{input}");
        }
    }
}
