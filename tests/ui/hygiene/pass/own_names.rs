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
struct CallContext;
struct Items;
struct Length;
struct Method;
struct Nullable;
struct Owned;
struct Probe;
struct Range;
struct Toolkit;
struct UnitEnum;

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
trait List {}
trait Listed {}
trait Number {}
trait ProbeOtherwise {}
trait Provide {}
trait Serialize {}
trait ShowNothing {}
trait ShowSerialize {}
trait ShowUnit {}
trait ShowUnknown {}
trait Text {}

fn define() {}
fn description() {}
fn from_distinct() {}
fn from_methods() {}
fn from_text() {}
fn is_distinct() {}
fn json() {}
fn method() {}
fn must() {}
fn own() {}
fn parameter() {}
fn read() {}
fn returned() {}
fn run_blocking() {}
fn with_range() {}

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

#[::haft::argument]
#[derive(::std::fmt::Debug)]
enum Class {
    Economy,
    Business,
}

/// Search for flights.
#[::haft::tool(
    title = "Flights",
    read_only,
    exclusive,
    timeout = "5s",
    blocking,
    strict,
    option(defer_loading = true)
)]
fn search(
    call: &::haft::CallContext,
    #[arg(rename = "from", pattern = "^[A-Z]{3}$", min_len = 3, example = "FRA")]
    origin: ::std::string::String,
    #[arg(default = 2, min = LEAST, max = 9, multiple_of = LEAST, example = 3)] seats: u32,
    #[arg(default = Class::Business, example = Class::Economy)] class: Class,
    #[arg(default = "all", max_len = 9)] text: ::std::string::String,
    #[arg(min_items = 1, max_items = 3)] legs: ::std::option::Option<::std::vec::Vec<u8>>,
    #[arg(max = 3, example = 1)] bags: ::std::option::Option<u8>,
    floor: ::haft::Nullable<i8>,
) -> ::std::string::String {
    ::std::format!(
        "{} {origin} {seats} {class:?} {text} {legs:?} {bags:?} {floor:?}",
        call.tool_name()
    )
}

const LEAST: u32 = 1;

/// Found by itself.
#[::haft::tool(collect)]
async fn found() {}

struct Github;

#[::haft::tools]
impl Github {
    /// List open issues.
    #[::haft::tool]
    async fn issues(
        &self,
        own: &Github,
        #[arg(default = 3, max = 9)] page: u32,
        #[cfg(all())] word: ::std::option::Option<::std::string::String>,
    ) -> ::std::result::Result<::std::string::String, ::std::fmt::Error> {
        let _ = own;
        ::std::result::Result::Ok(::std::format!("{page} {word:?}"))
    }

    /// Count.
    #[::haft::tool(blocking)]
    fn count(&self) -> usize {
        1
    }
}

async fn check_keys() {
    let kit: ::haft::Toolkit = ::haft::toolkit![search, found];
    let input = ::haft::serde_json::json!({"from": "FRA", "floor": null});
    ::std::assert_eq!(
        kit.call("search", input).await.text(),
        "search FRA 2 Business all None None Nullable(None)"
    );
    ::std::assert_eq!(::haft::Toolkit::collect().unwrap().len(), 1);
    let kit = Github.into_toolkit();
    let result = kit.call("issues", ::haft::serde_json::json!({})).await;
    ::std::assert_eq!(result.text(), "3 None");
    let result = kit.call("count", ::haft::serde_json::json!({})).await;
    ::std::assert_eq!(result.text(), "1");
    ::std::assert_eq!(Github::tools().with_state(Github).len(), 2);
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
    pub async fn wait(#[arg(max = 9)] seconds: ::core::primitive::u8) -> ::core::primitive::u8 {
        seconds
    }

    pub struct Clock;

    #[::haft::tools]
    impl Clock {
        /// Ring.
        #[::haft::tool(blocking)]
        pub fn ring(#[arg(default = "ding", min_len = 1)] sound: ::std::string::String) {
            let _ = sound;
        }
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
    check_keys().await;
}

fn main() {
    ::tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(check());
}
