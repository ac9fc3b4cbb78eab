//! Where in a text serde has found something wrong: it says a line and a column, which a model does not
//! see, and here is the path.

/// How many characters of a text are shown before a place in it, and behind.
const BEFORE: usize = 30;
const AFTER: usize = 10;

/// What the place is inside of.
enum Inside {
    /// A list, at this item.
    List(usize),
    /// An object: at the value of this key, once there is one.
    Object { key: Option<String>, at_key: bool },
}

/// The path of the value in which an error stands, such as `[2].name`; empty for the whole, and where that is too deep
/// for a path to help.
pub(super) fn place(text: &str, error: &serde_json::Error) -> String {
    if is_too_deep(error) {
        return String::new();
    }
    // What is no JSON begins with the last character, which may be a bracket that closes too early.
    let unfit = usize::from(error.is_syntax());
    path(text, read(text, error).saturating_sub(unfit))
}

/// What stands around the place.
pub(super) fn around<'a>(text: &'a str, error: &serde_json::Error) -> &'a str {
    // It may be in the middle of a character.
    let read = read(text, error);
    let read = (0..=read.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let read = read.unwrap_or_default();
    let (before, after) = text.split_at(read);
    let start = before.char_indices().rev().nth(BEFORE);
    let end = after.char_indices().nth(AFTER);
    let start = start.map_or(0, |(at, _)| at);
    let end = end.map_or(text.len(), |(at, _)| read + at);
    text.get(start..end).unwrap_or(text)
}

/// How many bytes serde has read, the last of which belongs to what is wrong.
fn read(text: &str, error: &serde_json::Error) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    before + error.column()
}

/// Whether serde gave up at the depth of a text.
pub(super) fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

fn path(text: &str, read: usize) -> String {
    let mut inside: Vec<Inside> = Vec::new();
    let mut rest = text.get(..read).unwrap_or(text).char_indices();
    while let Some((start, character)) = rest.next() {
        match character {
            '[' => inside.push(Inside::List(0)),
            '{' => inside.push(Inside::Object {
                key: None,
                at_key: true,
            }),
            ']' | '}' => drop(inside.pop()),
            ',' => next(&mut inside),
            ':' => {
                if let Some(Inside::Object { at_key, .. }) = inside.last_mut() {
                    *at_key = false;
                }
            }
            '"' => {
                let end = end_of_string(&mut rest).unwrap_or(text.len());
                if let Some(Inside::Object { key, at_key: true }) = inside.last_mut() {
                    *key = text
                        .get(start..end)
                        .and_then(|key| serde_json::from_str(key).ok());
                }
            }
            _ => {}
        }
    }
    inside.iter().map(step).collect()
}

fn next(inside: &mut [Inside]) {
    match inside.last_mut() {
        Some(Inside::List(index)) => *index += 1,
        Some(Inside::Object { key, at_key }) => (*key, *at_key) = (None, true),
        None => {}
    }
}

/// Past the quote that ends a string, if it is there.
fn end_of_string(rest: &mut std::str::CharIndices<'_>) -> Option<usize> {
    let mut is_escaped = false;
    rest.find_map(|(at, character)| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end.then_some(at + 1)
    })
}

fn step(inside: &Inside) -> String {
    match inside {
        Inside::List(index) => format!("[{index}]"),
        Inside::Object { key: Some(key), .. } => format!(".{key}"),
        Inside::Object { key: None, .. } => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::net::IpAddr;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only its errors are looked at")]
    struct Host {
        name: String,
        ip: IpAddr,
        ports: Vec<u16>,
    }

    #[track_caller]
    fn of<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
        place(text, &serde_json::from_str::<T>(text).unwrap_err())
    }

    #[test]
    fn an_error_has_the_path_of_its_value() {
        assert_eq!(of::<u8>("300"), "");
        assert_eq!(of::<Vec<u8>>("[1, [2], 3]"), "[1]");
        assert_eq!(of::<Vec<IpAddr>>("[\"::1\",\n \"nope\"]"), "[1]");
        assert_eq!(
            of::<Vec<Host>>(r#"[{"name": "[{\"", "ip": "::1", "ports": [80, 65536]}]"#),
            "[0].ports[1]"
        );
        assert_eq!(
            of::<Host>(r#"{"name": "a", "ip": "x", "ports": []}"#),
            ".ip"
        );
        assert_eq!(
            of::<BTreeMap<String, Vec<i32>>>(r#"{"a": [], "b\"c": [3000000000]}"#),
            ".b\"c[0]"
        );
        assert_eq!(of::<serde_json::Value>(&"[".repeat(200)), "");
        // What is missing is missing in the whole.
        assert_eq!(of::<Vec<Host>>(r#"[{"name": "a"}]"#), "[0]");
    }
}
