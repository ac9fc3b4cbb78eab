//! [`Parameter`]: one row of a function's table of parameters, and the table as nested pairs.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::Error as Missing;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

use super::object::Object;
use super::problem::Problems;
use crate::schema::Property;

/// A type that the model can fill in: anything that derives `Deserialize` and `JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "the model cannot fill in a `{Self}`",
    label = "this type has no JSON schema, or cannot be read from JSON",
    note = "put `#[haft::argument]` on the declaration of `{Self}`, or of the type in it that lacks it",
    note = "or derive `Deserialize` and `JsonSchema` for it, as `haft::serde` and `haft::schemars` have them"
)]
pub trait Argument: Sized {
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn read(json: &str) -> Result<Self, serde_json::Error>;
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

    // Asked as serde asks for a missing field, so that aliases of `Option` and transparent wrappers count too.
    fn absent() -> Option<Self> {
        T::deserialize(Nothing).ok()
    }
}

/// One parameter: its key, what the model is told of it, and how its type is described and read.
///
/// The type is bound where a row is made, by [`parameter`], and nowhere else: so a type that does not fit gives one
/// error, at its place in the user's signature.
pub struct Parameter<T> {
    key: &'static str,
    description: &'static str,
    schema: fn(&mut SchemaGenerator) -> Schema,
    read: fn(&str) -> Result<T, serde_json::Error>,
    absent: fn() -> Option<T>,
    is_optional: fn() -> bool,
}

impl<T> fmt::Debug for Parameter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameter")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// A row of the table.
#[must_use]
pub fn parameter<T: Argument>(key: &'static str, description: &'static str) -> Parameter<T> {
    Parameter {
        key,
        description,
        schema: T::schema,
        read: T::read,
        absent: T::absent,
        is_optional: || T::absent().is_some(),
    }
}

impl<T> Parameter<T> {
    fn property(&self) -> Property {
        Property {
            key: self.key,
            description: self.description,
            is_optional: self.is_optional,
            schema: self.schema,
        }
    }

    fn value(&self, object: &Object<'_>, problems: &mut Problems) -> Option<T> {
        match object.get(self.key) {
            Some(json) => (self.read)(json)
                .map_err(|error| problems.unfit(self.key, &error))
                .ok(),
            None => (self.absent)().or_else(|| {
                problems.missing(self.key);
                None
            }),
        }
    }
}

/// A function's table of parameters: rows as nested pairs, `(first, (second, ()))`, which have no limit.
pub trait Parameters {
    /// The arguments, nested in the same way.
    type Values;

    /// Reads all, also after one that does not fit; `None` where any does not.
    fn read(&self, object: &Object<'_>, problems: &mut Problems) -> Option<Self::Values>;

    /// Shows each row to `look`, in order.
    fn for_each(&self, look: &mut dyn FnMut(Property));
}

impl Parameters for () {
    type Values = ();

    fn read(&self, _: &Object<'_>, _: &mut Problems) -> Option<()> {
        Some(())
    }

    fn for_each(&self, _: &mut dyn FnMut(Property)) {}
}

impl<T, Rest: Parameters> Parameters for (Parameter<T>, Rest) {
    type Values = (T, Rest::Values);

    fn read(&self, object: &Object<'_>, problems: &mut Problems) -> Option<Self::Values> {
        let first = self.0.value(object, problems);
        let rest = self.1.read(object, problems);
        first.zip(rest)
    }

    fn for_each(&self, look: &mut dyn FnMut(Property)) {
        look(self.0.property());
        self.1.for_each(look);
    }
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
