//! [`Shape`]: which parameters are read in one pass, since the type of their value refuses all that
//! their schema refuses.

use serde_json::{Map, Value};

/// What is looked at of a value before it is read as its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Nothing: the type refuses what the schema does.
    Typed,
    /// Whether it is no list or object: the schema asks for nothing, and in those a key could be
    /// there twice.
    Anything,
    /// Whether it is one of these strings. (serde would take an enum's aliases too, and
    /// `{"name": null}`.)
    Names(Vec<String>),
}

impl Shape {
    /// Whether the value at the front of a text may be read as its type.
    pub(crate) fn fits(&self, json: &str) -> bool {
        match self {
            Self::Typed => true,
            Self::Anything => !json.starts_with(['{', '[']),
            Self::Names(names) => json
                .strip_prefix('"')
                .and_then(|text| text.split_once('"'))
                .map_or(json.starts_with("null"), |(name, _)| {
                    names.iter().any(|known| known == name)
                }),
        }
    }
}

/// Keywords that say nothing of what fits.
const ANNOTATIONS: &[&str] = &["title", "description", "default", "examples", "x-haft"];

/// The shape of a parameter, by the schema that schemars gives for its type. `None` where the value
/// must be walked along its schema.
pub(super) fn shape(schema: &Value) -> Option<Shape> {
    match schema {
        Value::Bool(true) => Some(Shape::Anything),
        Value::Object(schema) => shape_of(schema),
        _ => None,
    }
}

fn shape_of(schema: &Map<String, Value>) -> Option<Shape> {
    let says = |keyword: &&String| !ANNOTATIONS.contains(&keyword.as_str());
    let keywords: Vec<_> = schema.keys().filter(says).map(String::as_str).collect();
    match keywords.as_slice() {
        [] => Some(Shape::Anything),
        ["anyOf"] => of_optional(schema.get("anyOf")?.as_array()?),
        ["oneOf"] => of_variants(schema.get("oneOf")?.as_array()?),
        ["type", "const"] => of_names(std::slice::from_ref(schema.get("const")?)),
        ["type", "enum"] => of_names(schema.get("enum")?.as_array()?),
        ["type", "items"] => {
            // A list of names would have to be looked at item by item.
            let is_typed = shape(schema.get("items")?)? == Shape::Typed;
            (kind(schema)? == "array" && is_typed).then_some(Shape::Typed)
        }
        _ => of_scalar(schema, &keywords),
    }
}

/// `Option<T>`, where `T` is described in more than one keyword.
fn of_optional(branches: &[Value]) -> Option<Shape> {
    let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
    match branches {
        [branch, null] if is_null(null) => shape(branch),
        _ => None,
    }
}

/// An enum without data, some of whose variants are described.
fn of_variants(variants: &[Value]) -> Option<Shape> {
    let mut names = Vec::new();
    for variant in variants {
        let Shape::Names(mut more) = shape(variant)? else {
            return None;
        };
        names.append(&mut more);
    }
    Some(Shape::Names(names))
}

fn of_names(names: &[Value]) -> Option<Shape> {
    let texts = names.iter().filter(|name| !name.is_null());
    let texts = texts.map(|name| name.as_str().map(str::to_owned));
    texts.collect::<Option<_>>().map(Shape::Names)
}

/// A number, a text or a truth value: nothing but its type, and the bounds that the type has anyhow.
fn of_scalar(schema: &Map<String, Value>, keywords: &[&str]) -> Option<Shape> {
    let known = ["type", "format", "minimum", "maximum"];
    let is_scalar = matches!(kind(schema)?, "boolean" | "integer" | "number" | "string");
    let is_known = keywords.iter().all(|keyword| known.contains(keyword));
    (is_scalar && is_known && has_own_bounds(schema)).then_some(Shape::Typed)
}

/// Whether the bounds are those of the Rust type that the format names.
fn has_own_bounds(schema: &Map<String, Value>) -> bool {
    let bounds = ["minimum", "maximum"].map(|keyword| schema.get(keyword).and_then(Value::as_i64));
    let has = |keyword| schema.contains_key(keyword);
    match schema
        .get("format")
        .and_then(Value::as_str)
        .unwrap_or_default()
    {
        "uint8" => bounds == [Some(0), Some(255)],
        "uint16" => bounds == [Some(0), Some(65535)],
        "int8" => bounds == [Some(-128), Some(127)],
        "int16" => bounds == [Some(-32768), Some(32767)],
        "uint" | "uint32" | "uint64" | "uint128" => bounds == [Some(0), None] && !has("maximum"),
        _ => !has("minimum") && !has("maximum"),
    }
}

/// The one type that is not null.
fn kind(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => match kinds.as_slice() {
            [kind, null] if null == "null" => kind.as_str(),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    enum Units {
        /// As most have it.
        Celsius,
        #[serde(rename = "f")]
        Fahrenheit,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Level(#[schemars(range(max = 5))] u8);

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Point {
        x: i32,
    }

    fn of<T: JsonSchema>() -> Option<Shape> {
        let mut generator = super::super::generator();
        shape(&generator.subschema_for::<T>().to_value())
    }

    #[test]
    fn scalars_options_and_lists_of_them_are_plain() {
        for plain in [
            of::<String>(),
            of::<bool>(),
            of::<f64>(),
            of::<u8>(),
            of::<i8>(),
            of::<u16>(),
            of::<i16>(),
            of::<u32>(),
            of::<i64>(),
            of::<usize>(),
            of::<u128>(),
            of::<Option<u16>>(),
            of::<Option<String>>(),
            of::<Vec<f32>>(),
            of::<Option<Vec<Vec<String>>>>(),
        ] {
            assert_eq!(plain, Some(Shape::Typed));
        }
        assert_eq!(of::<Value>(), Some(Shape::Anything));
        assert_eq!(of::<Option<Value>>(), Some(Shape::Anything));
    }

    #[test]
    fn of_an_enum_without_data_the_names_are_looked_at() {
        let names = Some(Shape::Names(vec!["Celsius".to_owned(), "f".to_owned()]));
        let sorted = |shape: Option<Shape>| match shape {
            Some(Shape::Names(mut names)) => {
                names.sort();
                Some(Shape::Names(names))
            }
            other => other,
        };
        assert_eq!(sorted(of::<Units>()), names);
        assert_eq!(sorted(of::<Option<Units>>()), names);
    }

    #[test]
    fn whatever_the_type_might_take_against_its_schema_is_walked() {
        for other in [
            of::<Point>(),
            of::<Option<Point>>(),
            of::<Vec<Point>>(),
            of::<Vec<Units>>(),
            of::<Vec<Value>>(),
            of::<Level>(),
            of::<char>(),
            of::<(u8, u8)>(),
            of::<[u8; 2]>(),
            of::<BTreeMap<String, u8>>(),
            of::<std::collections::HashSet<u8>>(),
            of::<std::num::NonZeroU8>(),
        ] {
            assert_eq!(other, None);
        }
    }
}
