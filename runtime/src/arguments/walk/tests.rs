//! What a walk finds, and what it makes of a value.

use serde_json::{Value, json};

use super::{Walked, walk};
use crate::tool::ToolError;

fn read_along(schema: &Value, text: &str) -> Result<Value, ToolError> {
    let Walked { value, problems } = walk(schema, text)?;
    if problems.is_empty() {
        Ok(value)
    } else {
        Err(problems.into_error())
    }
}

/// The value after the walk, or all problems.
#[track_caller]
fn walked(schema: &Value, value: &Value) -> Result<Value, String> {
    let schema =
        json!({"properties": {"x": schema}, "required": ["x"], "$defs": schema.get("$defs")});
    let value = json!({"x": value});
    match read_along(&schema, &value.to_string()) {
        Ok(mut value) => Ok(value["x"].take()),
        Err(error) => Err(error.message().to_owned()),
    }
}

#[track_caller]
fn taken(schema: &Value, values: &[Value]) {
    for value in values {
        assert_eq!(walked(schema, value), Ok(value.clone()), "{schema}");
    }
}

#[track_caller]
fn refused(schema: &Value, cases: &[(Value, &str)]) {
    for (value, words) in cases {
        assert_eq!(walked(schema, value), Err((*words).to_owned()), "{value}");
    }
}

#[test]
fn values_have_the_type_of_the_schema() {
    let integer = json!({"type": "integer"});
    taken(
        &integer,
        &[json!(3), json!(-3), json!(u64::MAX), json!(1e300)],
    );
    refused(
        &integer,
        &[
            (json!("3"), "x: expected an integer, got the string \"3\""),
            (json!(3.5), "x: expected an integer, got the number 3.5"),
            (json!(null), "x: expected an integer, got null"),
            (json!([3]), "x: expected an integer, got an array"),
            (json!({"a": 3}), "x: expected an integer, got an object"),
            (json!(true), "x: expected an integer, got true"),
        ],
    );
    refused(
        &json!({"type": ["string", "null"]}),
        &[(json!(1), "x: expected a string or null, got the number 1")],
    );
    taken(&json!({}), &[json!(null), json!([1]), json!({"a": "b"})]);
    taken(&json!(true), &[json!(null)]);
}

#[test]
fn an_integer_may_have_a_fraction_of_nothing() {
    let schema = json!({"type": "array", "items": {"type": "integer", "maximum": 9}});
    assert_eq!(
        walked(&schema, &json!([3.0, -0.0, 1e0])),
        Ok(json!([3, 0, 1]))
    );
    assert_eq!(
        walked(&schema, &json!([10.0])),
        Err("x[0]: must be at most 9, got 10".to_owned())
    );
    // What is a number anyhow stays as it is.
    assert_eq!(
        walked(&json!({"type": "number"}), &json!(3.0)),
        Ok(json!(3.0))
    );
}

#[test]
fn values_are_among_those_that_are_listed() {
    let units = json!({"type": "string", "enum": ["celsius", "fahrenheit"]});
    taken(&units, &[json!("celsius")]);
    refused(
        &units,
        &[
            (
                json!("Celsius"),
                "x: expected one of \"celsius\", \"fahrenheit\", got the string \"Celsius\"; \
                 did you mean \"celsius\"?",
            ),
            (
                json!("kelvin"),
                "x: expected one of \"celsius\", \"fahrenheit\", got the string \"kelvin\"",
            ),
        ],
    );
    refused(
        &json!({"const": "a"}),
        &[(json!("b"), "x: expected \"a\", got the string \"b\"")],
    );
}

#[test]
fn bounds_are_kept() {
    let number =
        json!({"type": "number", "minimum": 1, "exclusiveMaximum": 2.5, "multipleOf": 0.1});
    taken(&number, &[json!(1), json!(1.7)]);
    refused(
        &number,
        &[
            (json!(0.9), "x: must be at least 1, got 0.9"),
            (json!(2.5), "x: must be less than 2.5, got 2.5"),
            (json!(1.75), "x: must be a multiple of 0.1, got 1.75"),
        ],
    );
    refused(
        &json!({"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^[a-z]+$"}),
        &[
            (
                json!("ß"),
                "x: must have at least 2 characters, got 1\nx: must match the pattern `^[a-z]+$`",
            ),
            (json!("abcd"), "x: must have at most 3 characters, got 4"),
        ],
    );
    refused(
        &json!({"type": "array", "minItems": 1, "uniqueItems": true}),
        &[
            (json!([]), "x: must have at least 1 item, got 0"),
            (
                json!([1, 2, 1]),
                "x[2]: is the same as [0]; each item may be there once",
            ),
        ],
    );
    refused(
        &json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false}),
        &[(
            json!(["a", 1]),
            "x[0]: expected an integer, got the string \"a\"\nx: must have at most 1 item, got 2",
        )],
    );
}

#[test]
fn keys_are_known_and_there() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "at": {"$ref": "#/$defs/At"}},
        "required": ["name", "at"],
        "additionalProperties": false,
        "$defs": {"At": {
            "type": "object",
            "properties": {"hour": {"type": "integer"}, "day": {"type": "string"}},
            "required": ["hour"],
            "additionalProperties": false
        }}
    });
    taken(&schema, &[json!({"name": "a", "at": {"hour": 3}})]);
    refused(
        &schema,
        &[
            (
                json!({"at": {"hour": "3", "dya": "Monday", "zone": 1}, "name": 3}),
                "x.name: expected a string, got the number 3\n\
                 x.at.hour: expected an integer, got the string \"3\"\n\
                 x.at.dya: unknown key; did you mean `day`?\n\
                 x.at.zone: unknown key; the keys are hour, day",
            ),
            (
                json!({"at": {}}),
                "x.name: required, but missing\nx.at.hour: required, but missing",
            ),
            (
                json!({"name": "a", "at": [3]}),
                "x.at: expected an object, got an array",
            ),
        ],
    );
}

#[test]
fn null_leaves_a_key_out_where_it_may_be() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "integer"},
            "c": {"type": ["integer", "null"]},
            "d": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "e": {}
        },
        "required": ["b"]
    });
    assert_eq!(
        walked(
            &schema,
            &json!({"a": null, "b": 1, "c": null, "d": null, "e": null})
        ),
        Ok(json!({"b": 1, "c": null, "d": null, "e": null}))
    );
    refused(
        &schema,
        &[(json!({"b": null}), "x.b: expected an integer, got null")],
    );
}

#[test]
fn values_of_maps_are_walked() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    assert_eq!(walked(&schema, &json!({"a": 1.0})), Ok(json!({"a": 1})));
    refused(
        &schema,
        &[(
            json!({"a": "b"}),
            "x.a: expected an integer, got the string \"b\"",
        )],
    );
    let by_pattern = json!({
        "type": "object",
        "patternProperties": {"^\\d+$": {"type": "string"}},
        "additionalProperties": false
    });
    taken(&by_pattern, &[json!({"1": "a"})]);
    refused(
        &by_pattern,
        &[(json!({"b": "a"}), "x.b: unknown key; there are none here")],
    );
}

#[test]
fn of_a_union_the_branch_is_told_that_was_meant() {
    let circle = json!({
        "type": "object",
        "properties": {"kind": {"type": "string", "const": "circle"}, "r": {"type": "integer"}},
        "required": ["kind", "r"],
        "additionalProperties": false
    });
    let square = json!({
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": ["square"]}, "side": {"type": "integer"}},
        "required": ["kind", "side"],
        "additionalProperties": false
    });
    let shape = json!({"anyOf": [circle, square]});
    assert_eq!(
        walked(&shape, &json!({"kind": "square", "side": 3.0})),
        Ok(json!({"kind": "square", "side": 3}))
    );
    refused(
        &shape,
        &[
            (
                json!({"kind": "square", "r": 3}),
                "x.side: required, but missing\nx.r: unknown key; the keys are kind, side",
            ),
            (
                json!({"kind": "ball", "r": 3}),
                "x.kind: expected one of \"circle\", \"square\", got the string \"ball\"",
            ),
            (
                json!({}),
                "x.kind: expected one of \"circle\", \"square\", got nothing",
            ),
            (json!(3), "x: expected an object, got the number 3"),
        ],
    );
    let mixed = json!({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1}]});
    taken(&mixed, &[json!("a"), json!(1)]);
    refused(
        &mixed,
        &[
            (json!(0), "x: must be at least 1, got 0"),
            (
                json!([]),
                "x: expected a string or an integer, got an array",
            ),
        ],
    );
}

#[test]
fn a_key_that_may_be_left_out_is_no_tag() {
    let tagged = json!({"anyOf": [
        {"type": "object", "properties": {"only": {"enum": ["a"]}, "n": {"type": "integer"}}, "required": ["n"]},
        {"type": "string"}
    ]});
    taken(&tagged, &[json!({"n": 1}), json!({"only": "a", "n": 1})]);
    assert_eq!(
        walked(&tagged, &json!({"only": null, "n": 1})),
        Ok(json!({"n": 1}))
    );
    refused(
        &tagged,
        &[(
            json!({"only": "b", "n": 1}),
            "x.only: expected \"a\", got the string \"b\"",
        )],
    );
}

#[test]
fn a_branch_behind_a_reference_has_words() {
    refused(
        &json!({
            "anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}],
            "$defs": {"T": {"type": "object"}}
        }),
        &[(json!(3), "x: expected an object or null, got the number 3")],
    );
}

#[test]
fn both_unions_of_a_schema_hold() {
    let both = json!({
        "anyOf": [{"type": "integer"}, {"type": "number"}],
        "oneOf": [{"minimum": 5}, {"maximum": 3}]
    });
    taken(&both, &[json!(7), json!(2.5)]);
    refused(&both, &[(json!(4), "x: must be at least 5, got 4")]);
}

#[test]
fn a_listed_number_may_be_written_in_another_way() {
    taken(
        &json!({"enum": [1, 2.0]}),
        &[json!(1.0), json!(2), json!(1)],
    );
    taken(&json!({"type": "number", "const": 1.0}), &[json!(1)]);
    refused(
        &json!({"enum": [1, "2"]}),
        &[(json!(2), "x: expected one of 1, \"2\", got the number 2")],
    );
}

#[test]
fn a_schema_that_leads_nowhere_asks_nothing() {
    let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}});
    taken(&schema, &[json!(1)]);
    taken(&json!({"$ref": "#/$defs/none"}), &[json!(1)]);
    let tree = json!({
        "type": "object",
        "properties": {"below": {"type": "array", "items": {"$ref": "#"}}},
        "additionalProperties": false
    });
    let value = json!({"below": [{"below": [{"belw": 1}]}]});
    assert_eq!(
        read_along(&tree, &value.to_string()).unwrap_err().message(),
        "below[0].below[0].belw: unknown key; did you mean `below`?"
    );
}

#[test]
fn of_variants_that_are_keys_the_key_is_told() {
    let variant = |key: &str, kind: &str| {
        json!({
            "type": "object",
            "properties": {key: {"type": kind}},
            "required": [key],
            "additionalProperties": false
        })
    };
    let target = json!({"anyOf": [
        {"type": "string", "enum": ["Everybody"]},
        variant("User", "integer"),
        variant("Group", "string")
    ]});
    taken(
        &target,
        &[
            json!("Everybody"),
            json!({"User": 1}),
            json!({"Group": "a"}),
        ],
    );
    refused(
        &target,
        &[
            (
                json!({"User": "x"}),
                "x.User: expected an integer, got the string \"x\"",
            ),
            (
                json!({"user": 1}),
                "x: expected an object with one of the keys User, Group, got `user`; did you mean `User`?",
            ),
            (
                json!({}),
                "x: expected an object with one of the keys User, Group, got none",
            ),
            (
                json!("everybody"),
                "x: expected \"Everybody\" or an object, got the string \"everybody\"; \
                 did you mean \"Everybody\"?",
            ),
        ],
    );
}

/// A value as deep as serde reads it, of unions in unions.
fn deep(wrap: impl Fn(Value) -> Value) -> Value {
    (0..60).fold(json!({"op": "num", "v": 1}), |inner, _| wrap(inner))
}

#[test]
fn a_deep_value_of_unions_takes_its_length() {
    let branch = |op: &str, x: Value| {
        json!({
            "type": "object",
            "properties": {"op": {"const": op}, "x": x},
            "required": ["op", "x"],
            "additionalProperties": false
        })
    };
    let names = ["neg", "abs", "sqrt", "exp"];
    let mut branches: Vec<_> = names
        .iter()
        .map(|op| branch(op, json!({"$ref": "#/$defs/Expr"})))
        .collect();
    branches.push(json!({
        "type": "object",
        "properties": {"op": {"const": "num"}, "v": {"type": "integer"}},
        "required": ["op", "v"],
        "additionalProperties": false
    }));
    let tagged = json!({"$ref": "#/$defs/Expr", "$defs": {"Expr": {"anyOf": branches}}});
    let value = deep(|inner| json!({"op": "exp", "x": inner}));
    assert_eq!(read_along(&tagged, &value.to_string()).unwrap(), value);

    // Without tags, both branches look alike at each level, and neither fits in the end.
    let alike = json!({"$ref": "#/$defs/T", "$defs": {"T": {"anyOf": [
        {"type": "object", "properties": {"x": {"$ref": "#/$defs/T"}, "a": {"type": "integer"}}},
        {"type": "object", "properties": {"x": {"$ref": "#/$defs/T"}, "b": {"type": "integer"}}}
    ]}}});
    let value = (0..60).fold(json!({"a": "x", "b": "x"}), |inner, _| json!({"x": inner}));
    let _ = read_along(&alike, &value.to_string());
}
