// A crate without the prelude: an expansion names all that it needs by its whole path.
#![no_implicit_prelude]
#![deny(warnings)]

mod arguments {
    // Of the prelude, what schemars' derive needs.
    use ::std::convert::{From as _, Into as _};

    #[::haft::argument]
    #[derive(::std::fmt::Debug)]
    pub(crate) struct City {
        /// Its name.
        name: ::std::string::String,
        country: ::std::option::Option<::std::string::String>,
    }

    #[::haft::argument]
    #[derive(::std::fmt::Debug)]
    pub(crate) enum Units {
        /// As in the north.
        Celsius,
        Fahrenheit,
    }

    #[::haft::argument]
    #[derive(::std::fmt::Debug)]
    #[serde(tag = "kind")]
    pub(crate) enum Shape {
        Circle { radius: u8 },
        Square(Side),
    }

    #[::haft::argument]
    #[derive(::std::fmt::Debug)]
    pub(crate) struct Side {
        side: u8,
    }

    #[::haft::argument]
    #[derive(::std::fmt::Debug)]
    pub(crate) struct Flat {
        #[serde(flatten)]
        side: Side,
    }

    #[::haft::argument]
    #[derive(::std::fmt::Debug)]
    pub(crate) struct Pair(u8, u8);
}

use self::arguments::{City, Flat, Pair, Shape, Units};

mod bounds {
    #[derive(::std::clone::Clone, ::std::marker::Copy, ::std::fmt::Debug)]
    pub(crate) enum Class {
        Economy,
        Business,
    }

    // By hand, since schemars' derive needs the prelude.
    impl ::haft::schemars::JsonSchema for Class {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::std::convert::From::from("Class")
        }

        fn json_schema(_: &mut ::haft::schemars::SchemaGenerator) -> ::haft::schemars::Schema {
            let schema = r#"{"type": "string", "enum": ["Economy", "Business"]}"#;
            ::std::result::Result::unwrap(::haft::serde_json::from_str(schema))
        }
    }

    impl<'de> ::haft::serde::Deserialize<'de> for Class {
        fn deserialize<D: ::haft::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let name = <::std::string::String as ::haft::serde::Deserialize>::deserialize(from)?;
            ::std::result::Result::Ok(match name.as_str() {
                "Business" => Class::Business,
                _ => Class::Economy,
            })
        }
    }

    impl ::haft::serde::Serialize for Class {
        fn serialize<S: ::haft::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            to.serialize_str(match self {
                Class::Economy => "Economy",
                Class::Business => "Business",
            })
        }
    }

    impl ::std::default::Default for Class {
        fn default() -> Self {
            Class::Economy
        }
    }
}

use self::bounds::Class;

const MOST: u32 = 9;
const CODE: &str = "^[A-Z]{3}$";

/// Search for flights.
#[::haft::tool(
    title = "Flights",
    read_only,
    destructive = false,
    idempotent,
    open_world,
    exclusive,
    approval,
    timeout = "5s",
    blocking,
    strict = false,
    option(defer_loading = true, cache_control = {"type": "ephemeral"})
)]
fn search(
    context: &::haft::CallContext,
    #[arg(description = TEXT, rename = "from", pattern = CODE, min_len = 3, max_len = 3, example = "FRA")]
    origin: ::std::string::String,
    #[arg(default = 2, min = 1, max = MOST, multiple_of = 1, example = 3)] seats: u32,
    #[arg(default = 0.5, exclusive_min = 0.0, exclusive_max = 1.0)] share: f64,
    #[arg(default)] class: Class,
    #[arg(default = Class::Business, example = Class::Economy)] other: Class,
    #[arg(default = "all", max_len = MOST as usize)] text: ::std::string::String,
    #[arg(min_items = 1, max_items = 3)] legs: ::std::option::Option<::std::vec::Vec<u8>>,
    #[arg(max = 3, example = 1)] bags: ::std::option::Option<u8>,
    #[cfg(all())]
    #[arg(default = ::std::vec::Vec::new())]
    tags: ::std::vec::Vec<::std::string::String>,
    floor: ::haft::Nullable<i8>,
    map: ::std::option::Option<::std::collections::BTreeMap<::std::string::String, bool>>,
) -> ::std::string::String {
    ::std::format!(
        "{} {origin} {seats} {share} {class:?} {other:?} {text} {legs:?} {bags:?} {tags:?} {floor:?} {map:?}",
        context.tool_name()
    )
}

/// Found by itself.
#[::haft::tool(collect)]
async fn found() {}

struct Github<T> {
    name: T,
}

#[::haft::tools]
impl<T> Github<T>
where
    T: ::std::fmt::Display + ::std::marker::Send + ::std::marker::Sync + 'static,
{
    const PAGE: u32 = 3;

    /// List open issues.
    #[::haft::tool(name = "issues")]
    async fn list(
        &self,
        whole: &Github<T>,
        #[arg(default = Self::PAGE, max = 9)] page: u32,
        #[cfg(all())] word: ::std::option::Option<::std::string::String>,
    ) -> ::std::result::Result<::std::string::String, ::std::fmt::Error> {
        ::std::result::Result::Ok(::std::format!(
            "{} {} {page} {word:?}",
            self.name,
            whole.name
        ))
    }

    /// Count.
    #[::haft::tool(blocking)]
    fn count(&self, context: &::haft::CallContext) -> usize {
        context.tool_name().len()
    }
}

#[::haft::tools(name = pulls)]
impl Github<u8> {
    /// Merge.
    #[::haft::tool]
    async fn merge(number: u32) -> u32 {
        number
    }
}

async fn check_keys() {
    let kit: ::haft::Toolkit = ::haft::toolkit![search, found];
    let result = kit
        .call("search", json(r#"{"from": "FRA", "floor": null}"#))
        .await;
    ::std::assert_eq!(
        result.text(),
        "search FRA 2 0.5 Economy Business all None None [] Nullable(None) None"
    );
    let all = ::std::result::Result::unwrap(::haft::Toolkit::collect());
    ::std::assert_eq!(all.len(), 1);
    let kit = ::std::result::Result::unwrap(Github::tools().extend(Github::pulls()));
    let kit: ::haft::Toolkit = kit.with_state(Github { name: 7 });
    ::std::assert_eq!(kit.call("issues", json("{}")).await.text(), "7 7 3 None");
    ::std::assert_eq!(kit.call("count", json("{}")).await.text(), "5");
    ::std::assert_eq!(
        kit.call("merge", json(r#"{"number": 4}"#)).await.text(),
        "4"
    );
    ::std::assert_eq!(Github { name: "a" }.into_toolkit().len(), 2);
}

/// Get the weather.
#[::haft::tool]
async fn get_weather(
    /// The city.
    city: City,
    units: ::std::option::Option<Units>,
    #[cfg(all())] shape: Shape,
    #[cfg(any())] missing: Missing,
    flat: Flat,
    pair: Pair,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    ::std::result::Result::Ok(::std::format!(
        "{city:?} {units:?} {shape:?} {flat:?} {pair:?}"
    ))
}

/// Do nothing.
#[::haft::tool(name = "nothing")]
fn wait() {}

/// Fail.
#[doc = ::std::concat!("And ", "that is all.")]
#[::haft::tool]
async fn fail(
    #[doc = ::std::concat!("A ", "day.")] day: ::std::string::String,
) -> ::std::result::Result<u8, ::std::num::ParseIntError> {
    str::parse(&day)
}

const TEXT: &str = "Fail.";

#[::haft::tool(description = TEXT)]
async fn fail_otherwise() -> ::std::result::Result<(), ::haft::ToolError> {
    ::std::result::Result::Err(::haft::ToolError::new("a"))
}

async fn check() {
    let kit: ::haft::Toolkit = ::haft::toolkit![get_weather, self::wait, fail, fail_otherwise];
    let input = json(
        r#"{
            "city": {"name": "Tokyo"},
            "units": "Celsius",
            "shape": {"kind": "Square", "side": 1},
            "flat": {"side": 0},
            "pair": [2, 3]
        }"#,
    );
    let expected = "City { name: \"Tokyo\", country: None } Some(Celsius) Square(Side { side: 1 }) \
        Flat { side: Side { side: 0 } } Pair(2, 3)";
    ::std::assert_eq!(kit.call("get_weather", input).await.text(), expected);
    let result = kit.call("fail", json(r#"{"day": "x"}"#)).await;
    ::std::assert_eq!(result.text(), "Error: invalid digit found in string");
    let result = kit.call("fail_otherwise", json("{}")).await;
    ::std::assert_eq!(result.text(), "Error: a");
    ::std::assert_eq!(fail::DESCRIPTION, "Fail.\nAnd that is all.");
    ::std::assert!(kit.get("nothing").is_some());
    let _ = Shape::Circle { radius: 1 };
    check_keys().await;
}

/// Not by serde's `json!`, which needs the prelude.
fn json(text: &str) -> ::haft::serde_json::Value {
    ::std::result::Result::unwrap(::haft::serde_json::from_str(text))
}

fn main() {
    let runtime = ::tokio::runtime::Builder::new_current_thread().build();
    ::std::result::Result::unwrap(runtime).block_on(check());
}
