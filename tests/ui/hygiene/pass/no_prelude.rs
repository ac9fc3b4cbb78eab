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
}

/// Not by serde's `json!`, which needs the prelude.
fn json(text: &str) -> ::haft::serde_json::Value {
    ::std::result::Result::unwrap(::haft::serde_json::from_str(text))
}

fn main() {
    let runtime = ::tokio::runtime::Builder::new_current_thread().build();
    ::std::result::Result::unwrap(runtime).block_on(check());
}
