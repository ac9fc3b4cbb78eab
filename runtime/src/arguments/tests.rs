//! What arguments come to.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Input, Parameter, Parameters, parameter, read_text};
use crate::tool::{ToolDefinition, ToolError};

/// Reads a text as one type, along the schema of an object that may have anything.
fn read_whole<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    let schema = serde_json::json!({"type": "object"});
    let definition = ToolDefinition::new("t", "", schema).unwrap();
    super::read_whole(Input::new(&definition, text))
}

/// What the model is told of bad arguments.
fn problems<P: Parameters>(parameters: &P, input: &str) -> String {
    match read_text(parameters, input) {
        Ok(_) => "no problem".to_owned(),
        Err(error) => error.message().to_owned(),
    }
}

#[test]
fn nothing_null_and_the_empty_string_are_the_empty_object() {
    let parameters = (
        parameter::<Option<String>>("q", ""),
        (parameter::<Option<u32>>("limit", ""), ()),
    );
    for input in ["{}", "null", "\"\"", "", " \n", " null "] {
        assert_eq!(
            read_text(&parameters, input).unwrap(),
            (None, (None, ())),
            "{input:?}"
        );
        read_text(&(), input).unwrap();
        assert_eq!(
            problems(&(parameter::<String>("q", ""), ()), input),
            "q: required, but missing",
            "{input:?}"
        );
    }
}

#[test]
fn anything_else_that_is_no_object_is_refused() {
    let told = |input| problems(&(parameter::<Option<String>>("q", ""), ()), input);
    assert_eq!(told("[]"), "expected an object, got an array");
    assert_eq!(told("3"), "expected an object, got the number 3");
    assert_eq!(told("\"x\""), "expected an object, got the string \"x\"");
    assert_eq!(told("[\"a\", 3]"), "expected an object, got an array");
}

#[test]
fn a_cut_object_is_refused() {
    assert_eq!(
        problems(&(parameter::<String>("q", ""), ()), "{\"q\": \"a"),
        "q: not JSON: EOF while parsing a string, near `{\"q\": \"a`"
    );
    assert_eq!(
        problems(&(parameter::<String>("q", ""), ()), "{\"q\": \"a\"} x"),
        "not JSON: trailing characters, near `{\"q\": \"a\"} x`"
    );
}

#[test]
fn text_that_is_no_json_is_told_with_its_place() {
    let told = |input| problems(&(parameter::<Value>("q", ""), ()), input);
    assert_eq!(
        told(r#"{"q":{"a":[1,]}}"#),
        "q.a[1]: not JSON: trailing comma, near `{\"q\":{\"a\":[1,]}}`"
    );
    assert_eq!(
        told("{\"q\":\n1 2}"),
        "q: not JSON: expected `,` or `}`, near `{\"q\":\\n1 2}`"
    );
    assert_eq!(told("Tokyo"), "not JSON: expected value, near `Tokyo`");
    let cut = format!("{{\"q\":\"{}ü\u{1}{}", "ä".repeat(50), "ö".repeat(50));
    assert_eq!(
        told(&cut),
        format!(
            "q: not JSON: control character (\\u0000-\\u001F) found while parsing a string, near `{}ü\\u{{1}}{}`",
            "ä".repeat(29),
            "ö".repeat(10)
        )
    );
    let error = read_whole::<Box<RawValue>>(r#"{"a":1,}"#).unwrap_err();
    assert_eq!(
        error.message(),
        "not JSON: trailing comma, near `{\"a\":1,}`"
    );
}

#[test]
fn an_optional_key_may_be_missing_and_may_be_null() {
    let parameters = (
        parameter::<String>("q", ""),
        (parameter::<Option<String>>("tag", ""), ()),
    );
    for input in [
        r#"{"q":"a"}"#,
        r#"{"q":"a","tag":null}"#,
        r#"{"tag":null,"q":"a"}"#,
    ] {
        assert_eq!(
            read_text(&parameters, input).unwrap(),
            ("a".to_owned(), (None, ())),
            "{input}"
        );
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let parameters = (
        parameter::<String>("path", ""),
        (parameter::<u32>("line", ""), ()),
    );
    assert_eq!(
        problems(&parameters, r#"{"line":"x","pth":"/a"}"#),
        "path: required, but missing\nline: expected an integer, got the string \"x\"\npth: unknown key; did you mean `path`?"
    );
}

#[test]
fn an_unknown_key_names_the_known_ones() {
    let parameters = || {
        (
            parameter::<Option<u8>>("width", ""),
            (parameter::<Option<u8>>("height", ""), ()),
        )
    };
    assert_eq!(
        problems(&parameters(), r#"{"colour":3}"#),
        "colour: unknown key; the keys are width, height"
    );
    assert_eq!(
        problems(&(), r#"{"a":3}"#),
        "a: unknown key; the tool takes no arguments"
    );
}

#[test]
fn a_key_that_is_there_twice_is_refused() {
    let parameters = (parameter::<u8>("a", ""), ());
    assert_eq!(
        problems(&parameters, r#"{"a":1,"a":2}"#),
        "a: is there twice"
    );
}

#[test]
fn a_key_written_with_escapes_is_the_same_key() {
    let (a, ()) = read_text(&(parameter::<u8>("a", ""), ()), r#"{"\u0061":7}"#).unwrap();
    assert_eq!(a, 7);
}

#[test]
fn words_about_a_line_in_the_models_text_are_not_cut() {
    let parameters = (parameter::<u8>("a", ""), ());
    assert_eq!(
        problems(&parameters, r#"{"a":"see at line 3 of it"}"#),
        "a: expected an integer, got the string \"see at line 3 of it\""
    );
}

#[test]
fn a_whole_type_gets_the_text_untouched() {
    let text = r#"{"b":12345678901234567890123,"a":1}"#;
    assert_eq!(read_whole::<Box<RawValue>>(text).unwrap().get(), text);
    assert_eq!(read_whole::<Value>("").unwrap(), serde_json::json!({}));
    assert_eq!(read_whole::<Value>("null").unwrap(), serde_json::json!({}));

    #[derive(Debug, Deserialize, PartialEq)]
    struct Sum {
        a: i64,
    }
    assert_eq!(read_whole::<Sum>(r#"{"a":3}"#).unwrap(), Sum { a: 3 });
    assert_eq!(
        read_whole::<Sum>("{}").unwrap_err().message(),
        "missing field `a`"
    );
}

#[test]
fn a_whole_type_is_an_object_too() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Sum {
        a: i64,
        b: i64,
    }
    let told = |input| read_whole::<Sum>(input).unwrap_err().message().to_owned();
    assert_eq!(told("[1, 2]"), "expected an object, got an array");
    assert_eq!(
        read_whole::<Value>("[1, 2]").unwrap_err().message(),
        "expected an object, got an array"
    );
}

#[test]
fn many_problems_are_told_in_part() {
    let keys: Vec<_> = (0..50_000).map(|n| format!("\"k{n}\":1")).collect();
    let long = "k".repeat(1000);
    let told = problems(&(), &format!("{{\"{long}\":1,{}}}", keys.join(",")));
    assert_eq!(told.lines().count(), 21);
    assert!(told.ends_with("and 49981 more"), "{told}");
    assert!(told.len() < 2000, "a long key is cut: {} bytes", told.len());
}

/// A default beside the row's own text.
fn row<T: super::argument::Argument + serde::Serialize>(
    key: &'static str,
    default: fn() -> T,
) -> Parameter<T> {
    parameter::<T>(key, "").with_default(default, |value| crate::__shown!(value))
}

#[test]
fn a_key_that_is_left_out_has_its_default() {
    let rows = || {
        (
            row::<u32>("limit", || 10),
            (
                parameter::<Option<u8>>("page", ""),
                (row::<Vec<String>>("tags", || vec!["a".to_owned()]), ()),
            ),
        )
    };
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let table = [
        ("", (10, (None, (tags(&["a"]), ())))),
        ("{}", (10, (None, (tags(&["a"]), ())))),
        (r#"{"limit":3}"#, (3, (None, (tags(&["a"]), ())))),
        (
            r#"{"limit":null,"page":null,"tags":null}"#,
            (10, (None, (tags(&["a"]), ()))),
        ),
        (r#"{"tags":[],"page":7}"#, (10, (Some(7), (vec![], ())))),
    ];
    for (input, expected) in table {
        assert_eq!(read_text(&rows(), input).unwrap(), expected, "{input}");
    }
    assert_eq!(
        problems(&rows(), r#"{"limit":"3","tags":nul}"#),
        "tags: not JSON: expected ident, near `{\"limit\":\"3\",\"tags\":nul}`"
    );
    assert_eq!(
        problems(&rows(), r#"{"limit":"3","tags":[null]}"#),
        "limit: expected an integer, got the string \"3\"\ntags[0]: expected a string, got null"
    );
}

#[test]
fn a_null_that_the_type_itself_takes_is_no_default() {
    let rows = || (row::<Value>("any", || Value::Bool(true)), ());
    assert_eq!(
        read_text(&rows(), r#"{"any":null}"#).unwrap().0,
        Value::Null
    );
    assert_eq!(read_text(&rows(), "{}").unwrap().0, Value::Bool(true));
    let rows = || (row::<Option<u8>>("alias", || Some(3)), ());
    assert_eq!(read_text(&rows(), r#"{"alias":null}"#).unwrap().0, None);
    assert_eq!(read_text(&rows(), "{}").unwrap().0, Some(3));
}

#[test]
fn what_cannot_be_read_hides_nothing_else() {
    let rows = (
        parameter::<u8>("a", ""),
        (
            parameter::<f64>("b", ""),
            (parameter::<String>("c", ""), ()),
        ),
    );
    assert_eq!(
        problems(
            &rows,
            r#"{"a": 256, "b": 1e400, "c": "\ud83d", "d": 1e400}"#
        ),
        "a: must be at most 255, got 256\n\
         b: number out of range\n\
         c: unexpected end of hex escape\n\
         d: number out of range"
    );
}

#[test]
fn what_only_the_types_know_is_told_beside_the_rest() {
    let rows = (
        parameter::<std::net::IpAddr>("ip", ""),
        (
            parameter::<u16>("port", ""),
            (parameter::<u32>("n", ""), ()),
        ),
    );
    assert_eq!(
        problems(
            &rows,
            r#"{"ip": "nope", "port": 99999, "n": 3000000000000}"#
        ),
        "port: must be at most 65535, got 99999\n\
         ip: invalid IP address syntax\n\
         n: expected an integer from 0 to 4294967295, got the number 3000000000000"
    );
}

#[test]
fn what_the_types_find_has_its_place() {
    let rows = (
        parameter::<Vec<std::net::IpAddr>>("ips", ""),
        (parameter::<Vec<u32>>("n", ""), ()),
    );
    assert_eq!(
        problems(
            &rows,
            r#"{"ips": ["::1", "nope"], "n": [1, 3000000000000]}"#
        ),
        "ips[1]: invalid IP address syntax\n\
         n[1]: expected an integer from 0 to 4294967295, got the number 3000000000000"
    );
}
