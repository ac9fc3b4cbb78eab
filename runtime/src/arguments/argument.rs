//! [`Argument`]: what a type must have for the model to fill it in, asked of serde and schemars; and [`Kind`], the same
//! without a bound.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::Error as Missing;
use serde::de::{DeserializeOwned, Deserializer, Error as _, IgnoredAny, Visitor};
use serde::forward_to_deserialize_any;

use super::parameter::Parameter;

/// A type that the model can fill in: anything that derives `Deserialize` and `JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "the model cannot fill in a `{Self}`",
    label = "this type has no JSON schema, or cannot be read from JSON",
    note = "put `#[haft::argument]` on the declaration of `{Self}`, or of the type in it that lacks it",
    note = "or derive `Deserialize` and `JsonSchema` for it, as `haft::serde` and `haft::schemars` have them",
    note = "what the program gives, and not the model, is taken by reference: `&{Self}`"
)]
pub trait Argument: Sized {
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn read(json: &str) -> Result<Self, serde_json::Error>;
    #[doc(hidden)]
    fn read_at(json: &str) -> Option<(Self, usize)>;
    #[doc(hidden)]
    fn absent() -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Argument for T {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    // One value off the front of a text, and its length: what `read` would say of just that part. (What follows it is
    // the caller's to look at.)
    fn read_at(json: &str) -> Option<(Self, usize)> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let value = T::deserialize(&mut deserializer).ok()?;
        // The iterator is only asked where it would begin.
        match deserializer.into_iter::<IgnoredAny>().byte_offset() {
            // A type that takes nothing from the text would take it for fitting, whatever stands there.
            0 => None,
            length => Some((value, length)),
        }
    }

    // Asked as serde asks for a missing field, so that aliases of `Option` and transparent wrappers count too.
    fn absent() -> Option<Self> {
        T::deserialize(Nothing).ok()
    }
}

/// What an [`Argument`] can do, for places that must not bind `T`.
pub(super) struct Kind<T> {
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(super) read: fn(&str) -> Result<T, serde_json::Error>,
    pub(super) read_at: fn(&str) -> Option<(T, usize)>,
    pub(super) absent: fn() -> Option<T>,
}

/// A row of the table.
#[must_use]
pub fn parameter<T: Argument>(key: &'static str, description: &'static str) -> Parameter<T> {
    let kind = Kind {
        schema: T::schema,
        read: T::read,
        read_at: T::read_at,
        absent: T::absent,
    };
    Parameter::new(key, description, kind)
}

/// A field that is not there.
struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = Missing;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Missing> {
        Err(Missing::custom("missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Missing> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
