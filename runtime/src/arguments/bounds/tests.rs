//! What bounds let through, and what the model is told of the rest.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};

use super::super::read_text;
use crate::__private::{
    Items, Length, List, Number, Parameter, Parameters, Pattern, Range, Text, define, parameter,
    with_items, with_length, with_range,
};
use crate::Nullable;

/// What the model is told of a value of `a`; nothing where it may be.
fn told<T>(row: Parameter<T>, value: &str) -> String
where
    (Parameter<T>, ()): Parameters,
{
    match read_text(&(row, ()), &format!("{{\"a\":{value}}}")) {
        Ok(_) => String::new(),
        Err(error) => error.message().to_owned(),
    }
}

/// The schema of `a`.
fn schema<T>(row: Parameter<T>) -> Value
where
    (Parameter<T>, ()): Parameters,
{
    define("t", "", &(row, ())).input_schema()["properties"]["a"].clone()
}

/// The faults of the definition.
fn faults<T>(row: Parameter<T>) -> Vec<String>
where
    (Parameter<T>, ()): Parameters,
{
    define("t", "", &(row, ())).faults().to_vec()
}

fn number<T: Number + crate::arguments::argument::Argument>(
    range: &'static Range<T::Bound>,
) -> Parameter<T> {
    with_range::<T>(parameter::<T>("a", ""), range)
}

fn text<T: Text + crate::arguments::argument::Argument>(length: &'static Length) -> Parameter<T> {
    with_length::<T>(parameter::<T>("a", ""), length)
}

fn list<T: List + crate::arguments::argument::Argument>(items: &'static Items) -> Parameter<T> {
    with_items::<T>(parameter::<T>("a", ""), items)
}

static DAYS: Range<i64> = Range {
    min: Some(1),
    max: Some(14),
    ..Range::NONE
};
static SHARE: Range<f64> = Range {
    exclusive_min: Some(0.0),
    exclusive_max: Some(1.0),
    multiple_of: Some(0.1),
    ..Range::NONE
};

#[test]
fn a_number_is_within_its_range() {
    let table = [
        ("1", ""),
        ("14", ""),
        ("0", "a: must be at least 1, got 0"),
        ("15", "a: must be at most 14, got 15"),
        ("null", "a: expected an integer, got null"),
    ];
    for (value, expected) in table {
        assert_eq!(told(number::<i64>(&DAYS), value), expected, "{value}");
    }
    let table = [
        ("0.1", ""),
        ("0.7", ""),
        ("0.30000000000000004", ""),
        ("0", "a: must be greater than 0, got 0"),
        ("1.0", "a: must be less than 1, got 1"),
        ("0.15", "a: must be a multiple of 0.1, got 0.15"),
        ("-1e300", "a: must be greater than 0, got -1e300"),
    ];
    for (value, expected) in table {
        assert_eq!(told(number::<f64>(&SHARE), value), expected, "{value}");
    }
}

#[test]
fn all_bounds_that_are_broken_are_told() {
    static EVEN: Range<u8> = Range {
        min: Some(10),
        multiple_of: Some(4),
        ..Range::NONE
    };
    assert_eq!(
        told(number::<u8>(&EVEN), "9"),
        "a: must be at least 10, got 9\na: must be a multiple of 4, got 9"
    );
    let rows = (number::<u8>(&EVEN), (parameter::<bool>("b", ""), ()));
    assert_eq!(
        read_text(&rows, r#"{"a":8,"c":1}"#).unwrap_err().message(),
        "a: must be at least 10, got 8\nb: required, but missing\nc: unknown key; the keys are a, b"
    );
}

#[test]
fn multiples_are_told_at_the_ends_of_a_type() {
    static STEP: Range<i8> = Range {
        multiple_of: Some(-1),
        ..Range::NONE
    };
    assert_eq!(told(number::<i8>(&STEP), "-128"), "");
    static NONE_IS: Range<i8> = Range {
        multiple_of: Some(0),
        ..Range::NONE
    };
    assert_eq!(
        told(number::<i8>(&NONE_IS), "3"),
        "a: must be a multiple of 0, got 3"
    );
    static CENTS: Range<f64> = Range {
        multiple_of: Some(0.01),
        ..Range::NONE
    };
    for value in ["19.99", "1e15", "0", "-0.07", "123456789.01"] {
        assert_eq!(told(number::<f64>(&CENTS), value), "", "{value}");
    }
    assert_eq!(
        told(number::<f64>(&CENTS), "123456789.011"),
        "a: must be a multiple of 0.01, got 123456789.011"
    );
    static TENTHS: Range<f32> = Range {
        multiple_of: Some(0.1),
        ..Range::NONE
    };
    assert_eq!(told(number::<f32>(&TENTHS), "0.7"), "");
    assert!(told(number::<f32>(&TENTHS), "0.75").contains("a multiple of 0.1"));
}

#[test]
fn bounds_are_of_the_value_where_there_is_one() {
    for value in ["null", "3"] {
        assert_eq!(told(number::<Option<i64>>(&DAYS), value), "", "{value}");
        assert_eq!(told(number::<Nullable<i64>>(&DAYS), value), "", "{value}");
    }
    assert_eq!(
        told(number::<Option<i64>>(&DAYS), "0"),
        "a: must be at least 1, got 0"
    );
    assert_eq!(
        told(number::<Nullable<i64>>(&DAYS), "0"),
        "a: must be at least 1, got 0"
    );
    assert!(read_text(&(number::<Option<i64>>(&DAYS), ()), "{}").is_ok());
    static LARGE: Range<u128> = Range {
        max: Some(1 << 70),
        ..Range::NONE
    };
    assert_eq!(told(number::<u128>(&LARGE), "5"), "");
    assert_eq!(
        told(number::<u128>(&LARGE), "1180591620717411303425"),
        "a: must be at most 1180591620717411303424, got 1180591620717411303425"
    );
}

#[test]
fn a_text_has_a_length_and_a_pattern() {
    static NAME: Length = Length {
        min: Some(1),
        max: Some(3),
        pattern: Some(Pattern::new("^[a-zß]*$")),
    };
    let table = [
        ("\"abc\"", ""),
        ("\"ßßß\"", ""),
        ("\"\"", "a: must have at least 1 character, got 0"),
        ("\"abcd\"", "a: must have at most 3 characters, got 4"),
        ("\"A\"", "a: must match the pattern `^[a-zß]*$`"),
        (
            "\"SECRET\"",
            "a: must have at most 3 characters, got 6\na: must match the pattern `^[a-zß]*$`",
        ),
        (
            r#""\ud83e\udd80🦀🦀🦀""#,
            "a: must have at most 3 characters, got 4\na: must match the pattern `^[a-zß]*$`",
        ),
    ];
    for (value, expected) in table {
        assert_eq!(told(text::<String>(&NAME), value), expected, "{value}");
        assert_eq!(told(text::<Box<str>>(&NAME), value), expected, "{value}");
        assert_eq!(
            told(text::<Option<Cow<'static, str>>>(&NAME), value),
            expected,
            "{value}"
        );
        assert_eq!(
            told(text::<Nullable<String>>(&NAME), value),
            expected,
            "{value}"
        );
    }
}

#[test]
fn a_pattern_is_of_ascii_and_of_any_part() {
    static DIGIT: Length = Length {
        min: None,
        max: None,
        pattern: Some(Pattern::new(r"\d")),
    };
    assert_eq!(told(text::<String>(&DIGIT), "\"ab3c\""), "");
    assert_eq!(
        told(text::<String>(&DIGIT), "\"\u{665}\""),
        r"a: must match the pattern `\d`"
    );
}

#[test]
fn a_list_has_a_number_of_items() {
    static PAIR: Items = Items {
        min: Some(2),
        max: Some(3),
    };
    assert_eq!(told(list::<Vec<u8>>(&PAIR), "[1,2]"), "");
    assert_eq!(
        told(list::<Vec<u8>>(&PAIR), "[1]"),
        "a: must have at least 2 items, got 1"
    );
    assert_eq!(
        told(list::<Option<Box<[u8]>>>(&PAIR), "[1,2,3,4]"),
        "a: must have at most 3 items, got 4"
    );
    // The schema of a set says so.
    assert_eq!(
        told(list::<HashSet<u8>>(&PAIR), "[1,1]"),
        "a[1]: is the same as [0]; each item may be there once"
    );
    assert_eq!(
        schema(list::<BTreeSet<u8>>(&PAIR)),
        json!({
            "type": "array",
            "uniqueItems": true,
            "items": {"type": "integer", "minimum": 0, "maximum": 255},
            "minItems": 2,
            "maxItems": 3,
        })
    );
}

#[test]
fn bounds_are_in_the_schema_and_replace_the_types_own() {
    assert_eq!(
        schema(number::<i64>(&DAYS)),
        json!({"type": "integer", "minimum": 1, "maximum": 14})
    );
    static SMALL: Range<u8> = Range {
        max: Some(3),
        ..Range::NONE
    };
    assert_eq!(
        schema(number::<u8>(&SMALL)),
        json!({"type": "integer", "minimum": 0, "maximum": 3})
    );
    assert_eq!(
        schema(number::<Option<f64>>(&SHARE)),
        json!({"type": "number", "exclusiveMinimum": 0.0, "exclusiveMaximum": 1.0, "multipleOf": 0.1})
    );
    static TENTHS: Range<f32> = Range {
        multiple_of: Some(0.1),
        ..Range::NONE
    };
    assert_eq!(
        schema(number::<f32>(&TENTHS)),
        json!({"type": "number", "multipleOf": 0.1})
    );
    static CODE: Length = Length {
        min: Some(2),
        max: Some(4),
        pattern: Some(Pattern::new("^[A-Z]+$")),
    };
    assert_eq!(
        schema(text::<Nullable<String>>(&CODE)),
        json!({"type": ["string", "null"], "minLength": 2, "maxLength": 4, "pattern": "^[A-Z]+$"})
    );
}

#[test]
fn a_bound_that_is_none_is_a_fault() {
    static WRONG: Length = Length {
        min: None,
        max: None,
        pattern: Some(Pattern::new("[")),
    };
    let told_of = faults(text::<String>(&WRONG));
    assert!(
        told_of.len() == 1
            && told_of[0].starts_with(
                "$.properties.a.pattern: `[` is no regular expression that can be checked here ("
            ),
        "{told_of:?}"
    );
    assert_eq!(told(text::<String>(&WRONG), "\"x\""), "");
    static ENDLESS: Range<f64> = Range {
        min: Some(f64::NEG_INFINITY),
        max: Some(f64::NAN),
        ..Range::NONE
    };
    assert_eq!(
        faults(number::<f64>(&ENDLESS)),
        [
            "$.properties.a.minimum: is -inf, which is no bound in JSON; give a finite number, or none",
            "$.properties.a.maximum: is NaN, which is no bound in JSON; give a finite number, or none",
        ]
    );
    static ENDLESS_F32: Range<f32> = Range {
        max: Some(f32::INFINITY),
        ..Range::NONE
    };
    assert_eq!(faults(number::<f32>(&ENDLESS_F32)).len(), 1);
}

#[test]
fn the_types_have_their_zero() {
    assert_eq!(<u8 as Number>::ZERO, 0);
    assert_eq!(<Option<i128> as Number>::ZERO, 0);
    assert!(<Nullable<f64> as Number>::ZERO.abs() < f64::EPSILON);
}
