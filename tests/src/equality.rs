//! JSON equality that says where two values differ.

use std::fmt::{self, Display, Formatter};

use serde_json::{Number, Value};

/// How much of a value an error shows.
const SHOWN: usize = 200;

/// How much of what two long texts share stands before their first difference.
const SHARED: usize = 30;

/// The first place where two JSON values differ.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// Where, as in `messages[2].content[0].text`; empty for the whole value.
    pub path: String,
    /// What should be there, as JSON; `None` where nothing should be.
    pub expected: Option<String>,
    /// What is there, as JSON; `None` where nothing is.
    pub got: Option<String>,
}

impl Difference {
    /// The two as they are, at the place itself.
    pub(crate) fn here(expected: Option<&Value>, got: Option<&Value>) -> Self {
        Self {
            path: String::new(),
            expected: expected.map(Value::to_string),
            got: got.map(Value::to_string),
        }
    }

    /// The same difference, seen from the object that holds it under `key`.
    pub(crate) fn under_key(self, key: &str) -> Self {
        if is_plain(key) {
            self.under(key)
        } else {
            self.under(&format!("[{key:?}]"))
        }
    }

    /// The same difference, seen from the array that holds it at `index`.
    pub(crate) fn under_index(self, index: usize) -> Self {
        self.under(&format!("[{index}]"))
    }

    fn under(mut self, step: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{step}{joint}{}", self.path);
        self
    }
}

impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let expected = self.expected.as_deref().unwrap_or("nothing");
        let got = self.got.as_deref().unwrap_or("nothing");
        let start = first_shown(expected, got);
        let path = if self.path.is_empty() {
            "the value"
        } else {
            &self.path
        };
        write!(
            f,
            "{path}: expected {}, got {}",
            shorten(expected, start),
            shorten(got, start)
        )
    }
}

impl std::error::Error for Difference {}

/// Whether two values are equal: numbers by value (`1` is `1.0`), objects without regard to the order of their keys.
///
/// # Errors
/// The first difference, in the order of `expected`.
pub fn equal(expected: &Value, got: &Value) -> Result<(), Difference> {
    match (expected, got) {
        (Value::Object(left), Value::Object(right)) => {
            covers(expected, got)?;
            match right.iter().find(|(key, _)| !left.contains_key(*key)) {
                Some((key, extra)) => Err(Difference::here(None, Some(extra)).under_key(key)),
                None => Ok(()),
            }
        }
        (Value::Array(left), Value::Array(right)) => equal_lists(left, right),
        (Value::Number(left), Value::Number(right)) if same_number(left, right) => Ok(()),
        _ if expected == got => Ok(()),
        _ => Err(Difference::here(Some(expected), Some(got))),
    }
}

/// Whether `got` has every field of the object `expected`, each of them equal; it may have more.
pub(crate) fn covers(expected: &Value, got: &Value) -> Result<(), Difference> {
    let (Value::Object(left), Value::Object(right)) = (expected, got) else {
        return equal(expected, got);
    };
    for (key, value) in left {
        let found = right
            .get(key)
            .ok_or_else(|| Difference::here(Some(value), None));
        found
            .and_then(|found| equal(value, found))
            .map_err(|difference| difference.under_key(key))?;
    }
    Ok(())
}

/// As [`equal`], for the elements of two arrays.
pub(crate) fn equal_lists(expected: &[Value], got: &[Value]) -> Result<(), Difference> {
    for index in 0..expected.len().max(got.len()) {
        let compared = match (expected.get(index), got.get(index)) {
            (Some(left), Some(right)) => equal(left, right),
            (left, right) => Err(Difference::here(left, right)),
        };
        compared.map_err(|difference| difference.under_index(index))?;
    }
    Ok(())
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left.as_f64() == right.as_f64(),
    }
}

/// The number as an integer, also where it is written `1.0`.
fn integer(number: &Number) -> Option<i128> {
    if let Some(whole) = number.as_i64() {
        return Some(whole.into());
    }
    if let Some(whole) = number.as_u64() {
        return Some(whole.into());
    }
    // Below this bound, which is less than `i128::MAX`, the cast is exact.
    let float = number
        .as_f64()
        .filter(|float| float.fract() == 0.0 && float.abs() < 1e38)?;
    Some(float as i128)
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}

/// The character to show two texts from, so that their first difference is in sight.
fn first_shown(left: &str, right: &str) -> usize {
    let shared = left
        .chars()
        .zip(right.chars())
        .take_while(|(l, r)| l == r)
        .count();
    if shared < SHOWN - SHARED {
        0
    } else {
        shared - SHARED
    }
}

fn shorten(text: &str, start: usize) -> String {
    let mut rest = text.chars().skip(start);
    let room = if start > 0 { SHOWN - 2 } else { SHOWN - 1 };
    let shown: String = rest.by_ref().take(room).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if rest.next().is_some() { "…" } else { "" };
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn difference(expected: &Value, got: &Value) -> String {
        equal(expected, got).unwrap_err().to_string()
    }

    #[test]
    fn numbers_compare_by_value() {
        let same = [
            ("1", "1.0"),
            ("0", "-0.0"),
            ("1e2", "100"),
            ("0.5", "5e-1"),
            ("18446744073709551615", "18446744073709551615"),
        ];
        for (left, right) in same {
            let (left, right): (Value, Value) = (
                serde_json::from_str(left).unwrap(),
                serde_json::from_str(right).unwrap(),
            );
            equal(&left, &right).unwrap();
        }
        let other = [
            ("1", "2"),
            ("1", "1.5"),
            ("9007199254740993", "9007199254740992.0"),
            ("18446744073709551615", "18446744073709551614"),
        ];
        for (left, right) in other {
            let (left, right): (Value, Value) = (
                serde_json::from_str(left).unwrap(),
                serde_json::from_str(right).unwrap(),
            );
            equal(&left, &right).unwrap_err();
        }
    }

    #[test]
    fn types_are_not_mixed() {
        for (left, right) in [
            (json!(1), json!("1")),
            (json!(null), json!(false)),
            (json!([]), json!({})),
            (json!(0), json!(false)),
        ] {
            equal(&left, &right).unwrap_err();
        }
    }

    #[test]
    fn key_order_is_free_and_list_order_is_not() {
        equal(&json!({"a": 1, "b": 2}), &json!({"b": 2, "a": 1})).unwrap();
        assert_eq!(
            difference(&json!([1, 2]), &json!([2, 1])),
            "[0]: expected 1, got 2"
        );
    }

    #[test]
    fn the_path_leads_to_the_difference() {
        let expected = json!({"messages": [{"content": [{"text": "a", "odd key": {"x": 1}}]}]});
        let got = json!({"messages": [{"content": [{"text": "b", "odd key": {"x": 1}}]}]});
        assert_eq!(
            difference(&expected, &got),
            r#"messages[0].content[0].text: expected "a", got "b""#
        );
        let got = json!({"messages": [{"content": [{"text": "a", "odd key": {"x": 2}}]}]});
        assert_eq!(
            difference(&expected, &got),
            r#"messages[0].content[0]["odd key"].x: expected 1, got 2"#
        );
        assert_eq!(
            difference(&json!(1), &json!(2)),
            "the value: expected 1, got 2"
        );
    }

    #[test]
    fn what_is_missing_and_what_is_too_much_is_named() {
        assert_eq!(
            difference(&json!({"a": 1}), &json!({})),
            "a: expected 1, got nothing"
        );
        assert_eq!(
            difference(&json!({}), &json!({"a": 1})),
            "a: expected nothing, got 1"
        );
        assert_eq!(
            difference(&json!([1, 2]), &json!([1])),
            "[1]: expected 2, got nothing"
        );
        assert_eq!(
            difference(&json!([1]), &json!([1, 2])),
            "[1]: expected nothing, got 2"
        );
    }

    #[test]
    fn covering_allows_more_fields_on_top_only() {
        covers(&json!({"a": {"x": 1}}), &json!({"a": {"x": 1}, "b": 2})).unwrap();
        covers(&json!({"a": {"x": 1}}), &json!({"a": {"x": 1, "y": 2}})).unwrap_err();
        covers(&json!({"a": 1}), &json!({"b": 1})).unwrap_err();
    }

    #[test]
    fn long_values_are_shortened_around_their_difference() {
        let (left, right) = (
            format!("{}left{}", "ä".repeat(500), "z".repeat(500)),
            format!("{}right", "ä".repeat(500)),
        );
        let text = difference(&json!(left), &json!(right));
        let (expected, got) = text.split_once(", got ").unwrap();
        let expected = expected.strip_prefix("the value: expected ").unwrap();
        assert_eq!(expected.chars().count(), 200);
        assert!(
            expected.contains("ääleft") && got.contains("ääright"),
            "{text}"
        );
        assert!(got.chars().count() <= 200);
    }
}
