//! [`Nullable`]: a key that must be there and may be null.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::schema;

/// A key that must be there and may be null, as a parameter or as a field.
///
/// An `Option` may be left out, and its schema does not speak of null. Where the model is to say "none" in so many
/// words, take a `Nullable`:
///
/// ```
/// use haft::{Nullable, Toolkit, argument, tool, toolkit};
/// use haft::serde_json::json;
///
/// #[argument]
/// struct Change {
///     /// Who is to do it; null for nobody.
///     assignee: Nullable<String>,
///     /// Left as it is if left out.
///     title: Option<String>,
/// }
///
/// /// Change an issue.
/// #[tool]
/// async fn change_issue(number: u64, change: Change) -> String {
///     match change.assignee.as_deref() {
///         Some(name) => format!("#{number} is {name}'s"),
///         None => format!("#{number} is nobody's"),
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = toolkit![change_issue];
/// let input = json!({"number": 3, "change": {"assignee": null}});
/// assert_eq!(kit.call("change_issue", input).await.text(), "#3 is nobody's");
/// let input = json!({"number": 3, "change": {}});
/// assert!(kit.call("change_issue", input).await.is_error());
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// A key that is left out, one that is null and one with a value are three things, of which this tells the last two. An
/// `Option<Nullable<T>>` does not tell all three: serde reads null as the outer `None`.
///
/// It is the `Option` in every other way: it has its methods, and is made from one and into one.
///
/// ```
/// use haft::Nullable;
///
/// let name = Nullable::from(Some("Ada"));
/// assert!(name.is_some());
/// assert_eq!(name.into_option(), Some("Ada"));
/// assert_eq!(Nullable::<u8>::default(), Nullable(None));
/// ```
// A plain newtype, and not a transparent one: of that, serde would take a missing key for null.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Nullable<T>(pub Option<T>);

impl<T> Nullable<T> {
    /// The `Option` in it.
    #[must_use]
    pub fn into_option(self) -> Option<T> {
        self.0
    }
}

impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl<T> From<Nullable<T>> for Option<T> {
    fn from(value: Nullable<T>) -> Self {
        value.0
    }
}

impl<T> Deref for Nullable<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T> DerefMut for Nullable<T> {
    fn deref_mut(&mut self) -> &mut Option<T> {
        &mut self.0
    }
}

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        <Option<T>>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("haft::Nullable<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schema::keeping_null(<Option<T>>::json_schema(generator))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::__private::{define, parameter};
    use crate::arguments::read_text;

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    enum Units {
        Celsius,
        Kelvin,
    }

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Change {
        name: Nullable<String>,
        units: Nullable<Units>,
        next: Nullable<Box<Self>>,
        note: Option<String>,
        #[serde(default)]
        size: Nullable<u8>,
    }

    #[test]
    fn as_a_parameter_it_must_be_there_and_may_be_null() {
        let rows = (parameter::<Nullable<u8>>("a", ""), ());
        let read = |input| {
            read_text(&rows, input).map_or_else(
                |error| Err(error.message().to_owned()),
                |(value, ())| Ok(value.0),
            )
        };
        assert_eq!(read(r#"{"a":null}"#), Ok(None));
        assert_eq!(read(r#"{"a":3}"#), Ok(Some(3)));
        assert_eq!(read("{}"), Err("a: required, but missing".to_owned()));
        assert_eq!(
            read(r#"{"a":"x"}"#).unwrap_err(),
            "a: expected an integer or null, got the string \"x\""
        );
        let schema = define("t", "", &rows).input_schema().clone();
        assert_eq!(schema["required"], json!(["a"]));
        assert_eq!(
            schema["properties"]["a"]["type"],
            json!(["integer", "null"])
        );
    }

    #[test]
    fn as_a_field_too() {
        let rows = (parameter::<Change>("change", ""), ());
        let definition = define("t", "", &rows);
        let change = &definition.input_schema()["properties"]["change"];
        assert_eq!(change["required"], json!(["name", "units", "next"]));
        let properties = &change["properties"];
        assert_eq!(properties["name"], json!({"type": ["string", "null"]}));
        assert_eq!(
            properties["units"],
            json!({"type": ["string", "null"], "enum": ["Celsius", "Kelvin", null]})
        );
        assert_eq!(properties["next"]["anyOf"][1], json!({"type": "null"}));
        assert_eq!(properties["note"], json!({"type": "string"}));
        assert_eq!(properties["size"]["type"], json!(["integer", "null"]));
        assert!(!definition.input_schema().to_string().contains("x-haft"));

        let input = r#"{"change":{"name":null,"units":"Kelvin","next":null}}"#;
        let (change, ()) = read_text(&rows, input).unwrap();
        assert_eq!((change.name.0, change.units.0), (None, Some(Units::Kelvin)));
        assert_eq!(
            read_text(&rows, r#"{"change":{"units":null,"next":null}}"#)
                .unwrap_err()
                .message(),
            "change.name: required, but missing"
        );
    }

    #[test]
    fn it_is_written_as_what_is_in_it() {
        assert_eq!(
            serde_json::to_value([Nullable(Some(3)), Nullable(None)]).unwrap(),
            json!([3, null])
        );
    }
}
