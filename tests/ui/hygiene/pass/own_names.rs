// A crate with items of all the names that an expansion could mean by a shorter path.
#![allow(
    dead_code,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unused_macros
)]

mod alloc {}
mod core {}
mod haft {}
mod haft_macros {}
mod schemars {}
mod serde {}
mod serde_json {}
mod std {}

struct Arc;
struct Box;
struct Call;
struct Err;
struct ErrorKind;
struct None;
struct Ok;
struct OnceLock;
struct Option;
struct Parameter;
struct Pin;
struct Result;
struct Self_;
struct Some;
struct String;
struct Tool;
struct ToolDefinition;
struct ToolFuture;
struct Vec;
struct Value;

trait Argument {}
trait AsRef {}
trait Clone {}
trait Default {}
trait Deserialize {}
trait Deserializer {}
trait Drop {}
trait Fn {}
trait FnOnce {}
trait From {}
trait FromBoxed {}
trait FromDisplay {}
trait FromError {}
trait FromToolError {}
trait FromUnknown {}
trait Future {}
trait Into {}
trait IntoToolOutput {}
trait Iterator {}
trait JsonSchema {}
trait Send {}
trait Sized {}
trait Sync {}
trait ToolReturn {}

macro_rules! assert {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! concat {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! debug_assert {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! format {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! format_args {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! matches {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! panic {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! unreachable {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! vec {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

macro_rules! write {
    ($($any:tt)*) => {
        compile_error!("not this one")
    };
}

#[::haft::argument]
#[derive(::std::fmt::Debug)]
struct City {
    /// Its name.
    name: ::std::string::String,
    country: ::std::option::Option<::std::string::String>,
}

#[::haft::argument]
#[derive(::std::fmt::Debug)]
#[serde(tag = "kind")]
enum Shape {
    Circle { radius: u8 },
    Square,
}

const TEXT: &str = "Get the weather.";

#[::haft::tool(description = TEXT)]
async fn get_weather(
    city: City,
    shape: ::std::option::Option<Shape>,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    ::std::result::Result::Ok(::std::format!("{city:?} {shape:?}"))
}

/// Fail.
#[::haft::tool]
fn fail(day: ::std::string::String) -> ::std::result::Result<u8, ::std::num::ParseIntError> {
    day.parse()
}

mod primitive {
    struct bool;
    struct char;
    struct i64;
    struct str;
    struct u8;
    struct usize;

    /// Wait.
    #[::haft::tool]
    pub async fn wait(seconds: ::core::primitive::u8) -> ::core::primitive::u8 {
        seconds
    }
}

async fn check() {
    let kit: ::haft::Toolkit = ::haft::toolkit![get_weather, fail, primitive::wait];
    let input = ::haft::serde_json::json!({"city": {"name": "Tokyo"}, "shape": {"kind": "Square"}});
    let expected = "City { name: \"Tokyo\", country: None } Some(Square)";
    ::std::assert_eq!(kit.call("get_weather", input).await.text(), expected);
    let result = kit
        .call("fail", ::haft::serde_json::json!({"day": "x"}))
        .await;
    ::std::assert_eq!(result.text(), "Error: invalid digit found in string");
    let result = kit
        .call("wait", ::haft::serde_json::json!({"seconds": 3}))
        .await;
    ::std::assert_eq!(result.text(), "3");
}

fn main() {
    ::tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(check());
}
