//! How a default or an example becomes the JSON that the model is shown: chosen by method resolution, where its type
//! is known.
//!
//! `__shown!(value)` says `(&&&&tag).__shown_by().show(value)`, and the trait for the most references wins, as in
//! `tool/error_tag.rs`: [`ShowSerialize`], then [`ShowUnit`] for enums without data, then [`ShowUnknown`], which fits
//! any argument and fails with a readable error, then [`ShowNothing`] for what is no argument and has its error.

use std::marker::PhantomData;
use std::mem::discriminant;

use serde::Serialize;
use serde_json::Value;

use super::argument::Argument;
use crate::schema;

/// A value of type `T` as JSON, or why it has none.
#[derive(Debug)]
pub struct Shown<T> {
    json: Result<Value, String>,
    of: PhantomData<fn(&T)>,
}

impl<T> Shown<T> {
    const fn new(json: Result<Value, String>) -> Self {
        Self {
            json,
            of: PhantomData,
        }
    }

    pub(super) fn into_json(self) -> Result<Value, String> {
        self.json
    }
}

/// The type of the value that is shown.
#[derive(Debug)]
pub struct ShownTag<T>(PhantomData<fn(&T)>);

impl<T> ShownTag<T> {
    /// That of this value.
    #[must_use]
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

/// It can be serialized.
#[derive(Debug)]
pub struct BySerialize;

/// It is made of names.
#[derive(Debug)]
pub struct ByName;

/// It cannot be shown.
#[derive(Debug)]
pub struct ByNothing;

/// Nothing is said of it.
#[derive(Debug)]
pub struct BySilence;

/// For anything that serde can write.
pub trait ShowSerialize {
    /// How it is shown.
    fn __shown_by(&self) -> BySerialize {
        BySerialize
    }
}

impl<T: Serialize> ShowSerialize for &&&ShownTag<T> {}

impl BySerialize {
    /// As serde writes it.
    #[must_use]
    pub fn show<T: Serialize>(self, value: &T) -> Shown<T> {
        Shown::new(serde_json::to_value(value).map_err(|error| {
            format!("cannot be shown to the model ({error}); give one that can be serialized")
        }))
    }
}

/// For enums without data, and lists of them.
pub trait ShowUnit {
    /// How it is shown.
    fn __shown_by(&self) -> ByName {
        ByName
    }
}

impl<T: ShowEnum> ShowUnit for &&ShownTag<T> {}

impl ByName {
    /// By the names that its schema has.
    #[must_use]
    pub fn show<T: ShowEnum>(self, value: &T) -> Shown<T> {
        Shown::new(value.show_enum().ok_or_else(|| {
            "cannot be shown to the model, since no name of its schema stands for it; \
             derive `haft::serde::Serialize` for its type"
                .to_owned()
        }))
    }
}

/// An enum without data, as `#[argument]` has seen.
pub trait UnitEnum {}

/// An enum without data, or something made of nothing else.
pub trait ShowEnum {
    #[doc(hidden)]
    fn show_enum(&self) -> Option<Value>;
}

impl<T: UnitEnum + Argument> ShowEnum for T {
    // Its names are serde's to know, so each name of the schema is read, until one is the value.
    fn show_enum(&self) -> Option<Value> {
        let is_this = |name: &&Value| {
            T::read(&name.to_string()).is_ok_and(|read| discriminant(&read) == discriminant(self))
        };
        schema::names(T::schema).iter().find(is_this).cloned()
    }
}

impl<T: ShowEnum> ShowEnum for Option<T> {
    fn show_enum(&self) -> Option<Value> {
        self.as_ref().map_or(Some(Value::Null), T::show_enum)
    }
}

impl<T: ShowEnum> ShowEnum for Vec<T> {
    fn show_enum(&self) -> Option<Value> {
        self.iter()
            .map(T::show_enum)
            .collect::<Option<_>>()
            .map(Value::Array)
    }
}

/// For every other argument: fits, so that the error speaks of the type and not of missing methods.
pub trait ShowUnknown {
    /// How it is shown.
    fn __shown_by(&self) -> ByNothing {
        ByNothing
    }
}

impl<T: Argument> ShowUnknown for &ShownTag<T> {}

/// For a type that is no argument. That is one error already, at the type.
pub trait ShowNothing {
    /// How it is shown.
    fn __shown_by(&self) -> BySilence {
        BySilence
    }
}

impl<T> ShowNothing for ShownTag<T> {}

impl BySilence {
    /// Never runs.
    #[must_use]
    pub fn show<T>(self, _: &T) -> Shown<T> {
        Shown::new(Err(String::new()))
    }
}

/// A default or example that the model can be shown.
#[diagnostic::on_unimplemented(
    message = "the default or example of a `{Self}` cannot be shown to the model",
    label = "this value cannot be written as JSON",
    note = "derive `haft::serde::Serialize` for `{Self}`, below `#[haft::argument]` if it has that, else with `#[serde(crate = \"haft::serde\")]` where serde is no dependency"
)]
pub trait ShownToModel {}

impl ByNothing {
    /// Never compiles; its bound is the message.
    #[must_use]
    pub fn show<T: ShownToModel>(self, _: &T) -> Shown<T> {
        Shown::new(Err(String::new()))
    }
}

/// The JSON of a default or an example, `&T`, for the schema.
#[doc(hidden)]
#[macro_export]
macro_rules! __shown {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{
            ShowNothing as _, ShowSerialize as _, ShowUnit as _, ShowUnknown as _,
        };
        #[allow(clippy::needless_borrow)]
        let __shown = (&&&&$crate::__private::ShownTag::of($value))
            .__shown_by()
            .show($value);
        __shown
    }};
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use crate::__private::{Parameter, Parameters, UnitEnum, define, parameter};

    /// The schema of `a`, and the faults of the definition.
    fn described<T>(row: Parameter<T>) -> (Value, Vec<String>)
    where
        (Parameter<T>, ()): Parameters,
    {
        let definition = define("t", "", &(row, ()));
        let schema = definition.input_schema();
        assert_eq!(schema["required"].as_array().map(Vec::is_empty), Some(true));
        (
            schema["properties"]["a"].clone(),
            definition.faults().to_vec(),
        )
    }

    macro_rules! default {
        ($type:ty, $value:expr) => {
            described(
                parameter::<$type>("a", "").with_default(|| $value, |value| crate::__shown!(value)),
            )
        };
    }

    #[derive(Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Units {
        /// As most have it.
        #[allow(dead_code, reason = "only its name is looked at")]
        Celsius,
        #[serde(alias = "f")]
        Fahrenheit,
        #[serde(skip)]
        Kelvin,
    }
    impl UnitEnum for Units {}

    #[test]
    fn a_default_is_shown_as_serde_writes_it() {
        assert_eq!(
            default!(u32, 10),
            (
                json!({"type": "integer", "minimum": 0, "default": 10}),
                vec![]
            )
        );
        assert_eq!(
            default!(Vec<String>, vec!["x".into()]).0["default"],
            json!(["x"])
        );
        // Null is how an optional key is left out.
        assert_eq!(
            default!(Option<u8>, None).0,
            json!({"type": "integer", "minimum": 0, "maximum": 255})
        );
        assert_eq!(
            default!(crate::Nullable<u8>, crate::Nullable(None)),
            (
                json!({"type": ["integer", "null"], "minimum": 0, "maximum": 255, "default": null}),
                vec![]
            )
        );
    }

    #[test]
    fn an_enum_without_data_is_shown_by_its_name() {
        let (schema, faults) = default!(Units, Units::Fahrenheit);
        assert_eq!(schema["default"], "fahrenheit");
        assert_eq!(faults, [""; 0]);
        assert_eq!(
            default!(Option<Units>, Some(Units::Celsius)).0["default"],
            "celsius"
        );
        assert_eq!(
            default!(Vec<Option<Units>>, vec![Some(Units::Celsius), None]).0["default"],
            json!(["celsius", null])
        );
        assert_eq!(
            default!(Units, Units::Kelvin).1,
            [
                "$.properties.a.default: cannot be shown to the model, since no name of its schema stands for it; \
                 derive `haft::serde::Serialize` for its type"
            ]
        );
    }

    #[test]
    fn a_default_that_the_model_could_not_send_is_a_fault() {
        assert_eq!(
            default!(f64, f64::NAN).1,
            [
                "$.properties.a.default: is shown to the model as null, which cannot be read back \
                 (expected a number, got null); make what its type serializes what it deserializes"
            ]
        );
        let (schema, faults) = default!(Vec<f64>, vec![f64::INFINITY]);
        assert_eq!(schema.get("default"), None);
        assert_eq!(faults.len(), 1);
    }

    #[test]
    fn examples_are_listed_and_each_is_looked_at() {
        static LIMITS: crate::__private::Range<u8> = crate::__private::Range {
            max: Some(9),
            ..crate::__private::Range::NONE
        };
        let row = parameter::<Option<u8>>("a", "").with_examples(
            |examples| {
                Vec::push(examples, Some(3));
                Vec::push(examples, None);
                Vec::push(examples, Some(10));
                Vec::push(examples, Some(9));
            },
            |value| crate::__shown!(value),
        );
        assert_eq!(
            described(crate::__private::with_range(row, &LIMITS)),
            (
                json!({"type": "integer", "minimum": 0, "maximum": 9, "examples": [3, 9]}),
                vec![
                    "$.properties.a.examples[1]: is the key left out, which is no example; remove it"
                        .to_owned(),
                    "$.properties.a.examples[2]: is outside the parameter's bounds \
                     (must be at most 9, got 10); change it or them"
                        .to_owned(),
                ]
            )
        );
    }
}
