//! Whether the two passes agree: what the first takes, the second takes too, with the same values.

use std::fmt::Debug;

use serde::Deserialize;
use serde_json::Value;

use super::bounds::{Items, Length, Pattern, Range};
use super::{
    Input, Parameters, UnitEnum, parameter, read_plain, read_text, read_thoroughly, with_items,
    with_length, with_range,
};
use crate::tool::{ToolDefinition, define};

/// Pieces of objects, of which some belong together and most do not.
const PIECES: &[&str] = &[
    "{",
    "}",
    "{",
    "}",
    ":",
    ",",
    " ",
    "\n",
    "\t",
    "\"n\"",
    "\"n\":",
    "\"t\":",
    "\"l\":",
    "\"o\":",
    "\"v\":",
    "\"u\":",
    "\"d\":",
    "\"\\u006e\":",
    "\"x\":1",
    "null",
    "null",
    "true",
    "nul",
    "1",
    "2",
    "-1",
    "1.0",
    "1e2",
    "300",
    "99999999999999999999",
    "1e999",
    "\"a\"",
    "\"abc\"",
    "\"\\ud800\"",
    "\"\\n\"",
    "\"\u{0}\"",
    "\"ß🦀\"",
    "\"",
    "\\",
    "[",
    "]",
    "[1,2]",
    "[[[[]]]]",
    "[1,",
    "{\"a\":1}",
    "{\"n\":{\"n\":1}}",
    "\"A\"",
    "{\"B\":3}",
    "\u{feff}",
    "\u{a0}",
    "//",
    "NaN",
    "",
];

/// Whole entries, so that objects which are nearly right come up often.
const ENTRIES: &[&str] = &[
    "\"n\":1",
    "\"n\": 7 ",
    "\"n\":0",
    "\"n\":8",
    "\"n\":null",
    "\"n\":\"1\"",
    "\"t\":\"ab\"",
    "\"t\":\"\"",
    "\"t\":\"AB\"",
    "\"t\" : \"a\\u0062\"",
    "\"l\":[1,2]",
    "\"l\":[]",
    "\"l\":[1,2,3,4]",
    "\"o\":null",
    "\"o\":true",
    "\"v\":{\"a\":[1,{}]}",
    "\"v\":null",
    "\"v\":12345678901234567890123",
    "\"u\":null",
    "\"u\":\"A\"",
    "\"u\":{\"B\":3}",
    "\"d\":null",
    "\"d\":2.5",
    "\"d\":\"x\"",
    "\"x\":1",
    "\"n\":1,\"n\":2",
    "\"\\u006e\":3",
    "\"n\":3x",
    "\"n\n\":3",
    "\"\tn\":3",
    "\"d\":nullx",
    "\"v\":",
    "\"o\":true false",
    "\"n\":1}",
    "\"v\":[1,2",
];

#[derive(Clone, Debug, Deserialize, PartialEq, schemars::JsonSchema)]
enum Kind {
    A,
    #[serde(alias = "b")]
    B,
}
impl UnitEnum for Kind {}

static N: Range<u8> = Range {
    min: Some(1),
    max: Some(7),
    ..Range::NONE
};
static T: Length = Length {
    min: Some(1),
    max: None,
    pattern: Some(Pattern::new("^[a-z]*$")),
};
static L: Items = Items {
    min: None,
    max: Some(3),
};

fn rows() -> impl Parameters<Values: Debug + PartialEq> {
    let kind = parameter::<Option<Kind>>("u", "");
    let half = parameter::<f64>("d", "").with_default(|| 0.5, |value| crate::__shown!(value));
    let any = parameter::<Option<Value>>("v", "");
    (
        with_range::<u8>(parameter("n", ""), &N),
        (
            with_length::<Option<String>>(parameter("t", ""), &T),
            (
                with_items::<Option<Vec<u8>>>(parameter("l", ""), &L),
                (
                    parameter::<Option<bool>>("o", ""),
                    (any, (kind, (half, ()))),
                ),
            ),
        ),
    )
}

/// A table with the schema that its values are read along.
struct Table<P> {
    rows: P,
    definition: ToolDefinition,
}

fn table<P: Parameters>(rows: P) -> Table<P> {
    let definition = define("t", "", &rows);
    assert!(definition.schema().shapes().is_some(), "the table is plain");
    Table { rows, definition }
}

impl<P: Parameters<Values: Debug + PartialEq>> Table<P> {
    /// Whether the first pass took it.
    fn agree(&self, text: &str) -> bool {
        let input = Input::new(&self.definition, text);
        let Some(plain) = read_plain(&self.rows, input) else {
            return false;
        };
        let thorough = read_thoroughly(&self.rows, input);
        let thorough = thorough.map_err(|error| error.message().to_owned());
        assert_eq!(Ok(plain), thorough, "{text:?}");
        true
    }
}

#[test]
fn both_passes_agree_on_pieces() {
    let table = table(rows());
    let mut random = fastrand::Rng::with_seed(7);
    let mut taken = 0;
    for _ in 0..100_000 {
        let count = random.usize(..12);
        let body: String = (0..count)
            .filter_map(|_| random.choice(PIECES).copied())
            .collect();
        taken += usize::from(table.agree(&body));
        taken += usize::from(table.agree(&format!("{{\"n\":1{body}}}")));
        taken += usize::from(table.agree(&format!("{{\"v\":{body},\"n\":1}}")));
    }
    assert!(taken > 1000, "only {taken} were taken");
}

#[test]
fn both_passes_agree_on_entries() {
    let table = table(rows());
    let mut random = fastrand::Rng::with_seed(8);
    let mut taken = 0;
    for _ in 0..100_000 {
        let count = random.usize(..6);
        let entries: Vec<_> = (0..count)
            .filter_map(|_| random.choice(ENTRIES).copied())
            .collect();
        taken += usize::from(table.agree(&format!("{{{}}}", entries.join(","))));
    }
    assert!(taken > 1000, "only {taken} were taken");
}

#[test]
fn what_is_usual_is_read_in_the_first_pass() {
    let some = table(rows());
    for input in [
        r#"{"n":1}"#,
        r#"{"t":"abc","n":1,"l":[1,2,3]}"#,
        r#" { "n" : 7 , "o" : null , "v" : "a" , "d" : null } "#,
        r#"{"n":1,"u":"B","t":null}"#,
    ] {
        assert!(some.agree(input), "{input}");
    }
    assert!(table(()).agree("{}"));
}

#[test]
fn what_serde_alone_would_take_is_for_the_second_pass() {
    let table = table(rows());
    for input in [
        r#"{"n":1,"u":"b"}"#,
        r#"{"n":1,"u":{"B":null}}"#,
        r#"{"n":1,"v":{"a":1,"a":2}}"#,
        r#"{"n":1,"v":[{"a":1,"a":2}]}"#,
    ] {
        assert!(!table.agree(input), "{input}");
        assert!(read_text(&table.rows, input).is_err(), "{input}");
    }
}

#[test]
fn a_deep_value_is_the_same_in_both() {
    let rows = (parameter::<Option<Vec<Vec<u8>>>>("v", ""), ());
    let table = table(rows);
    for depth in [2, 100, 126, 127, 128, 129, 200, 100_000] {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let input = format!("{{\"v\":{value}}}");
        assert_eq!(table.agree(&input), depth == 2, "{depth}");
    }
}

#[test]
fn a_type_that_takes_nothing_from_the_text_is_not_believed() {
    #[derive(Debug, PartialEq)]
    struct Idle;
    impl<'de> Deserialize<'de> for Idle {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }
    impl schemars::JsonSchema for Idle {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Idle".into()
        }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"type": "string"})
        }
    }
    let table = table((parameter::<Idle>("a", ""), ()));
    for input in [r#"{"a":}"#, r#"{"a":,"#, r#"{"a": 1}"#, r#"{"a":"x"}"#] {
        assert!(!table.agree(input), "{input}");
    }
}
