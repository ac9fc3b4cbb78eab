#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "anthropic"),
    allow(
        dead_code,
        unused_imports,
        reason = "what a message keeps for its API is dead where there is none"
    )
)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod api;
mod arguments;
mod dispatch;
mod encoded;
mod error;
mod history;
mod json;
mod message;
mod nearest;
mod provide;
mod provider;
mod request;
mod runner;
mod schema;
pub mod testing;
mod tool;
mod toolkit;
#[cfg(feature = "http")]
mod transport;

pub use futures_util::{Stream, StreamExt};
/// Makes a struct a toolkit's state: each field is [provided](Provide) to the tools that ask for its
/// type by reference.
///
/// ```
/// use haft::{State, Toolkit, tool, toolkit};
/// use haft::serde_json::json;
///
/// struct Users(Vec<&'static str>);
/// struct Greeting(&'static str);
///
/// #[derive(State)]
/// struct App {
///     users: Users,
///     greeting: Greeting,
///     #[state(skip)]
///     started: std::time::Instant,
/// }
///
/// /// Greet a user.
/// #[tool]
/// async fn greet(users: &Users, greeting: &Greeting, name: String) -> Result<String, String> {
///     match users.0.contains(&&*name) {
///         true => Ok(format!("{} {name}", greeting.0)),
///         false => Err(format!("there is no {name}")),
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let app = App {
///     users: Users(vec!["Ada"]),
///     greeting: Greeting("Good morning,"),
///     started: std::time::Instant::now(),
/// };
/// let kit: Toolkit = toolkit![greet].with_state(app);
/// assert_eq!(kit.call("greet", json!({"name": "Ada"})).await.text(), "Good morning, Ada");
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Two fields of one type do not compile: a tool asks for a type, and could not say which is meant.
///
/// | key | meaning |
/// |---|---|
/// | `skip`, above a field | it is not provided |
/// | `crate = ::path`, above the struct | where haft is, if it is renamed |
pub use haft_macros::State;
/// Makes a struct or an enum fit for the arguments of a tool.
///
/// It derives `Deserialize` and `JsonSchema`, through haft's own copies, so that no version has to match, and refuses
/// keys that the type does not have, as its schema says.
///
/// ```
/// use haft::{argument, tool};
///
/// /// Where to look.
/// #[argument]
/// struct Area {
///     /// The name of a city or country.
///     place: String,
///     /// In kilometres; 10 if left out.
///     radius: Option<f64>,
/// }
///
/// #[argument]
/// #[serde(rename_all = "snake_case")]
/// enum Order {
///     /// The cheapest first.
///     Price,
///     Distance,
/// }
///
/// /// Search for hotels.
/// #[tool]
/// async fn search_hotels(area: Area, order: Option<Order>) -> String {
///     format!("no hotel in {}", area.place)
/// }
/// ```
///
/// All attributes of serde and schemars are the type's own to use. `#[argument]` stands above them and above every
/// derive. A type that derives both traits already needs no `#[argument]`.
///
/// | key | meaning |
/// |---|---|
/// | `crate = ::path` | where haft is, if it is renamed |
pub use haft_macros::argument;
/// Makes a tool of a function.
///
/// The function stays as it is, and can be called as before. Beside it stands a type of the same name, which is what
/// [`toolkit!`] takes.
///
/// ```
/// use haft::{Toolkit, tool, toolkit};
/// use haft::serde_json::json;
///
/// /// Count the words of a text.
/// #[tool]
/// async fn count_words(
///     /// The text to count in.
///     text: String,
///     /// Only words of at least so many letters.
///     at_least: Option<usize>,
/// ) -> usize {
///     text.split_whitespace().filter(|word| word.chars().count() >= at_least.unwrap_or(1)).count()
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// // A function ...
/// assert_eq!(count_words("to be or not".into(), Some(3)).await, 1);
/// // ... and a tool.
/// let kit: Toolkit = toolkit![count_words];
/// assert_eq!(kit.call("count_words", json!({"text": "to be or not"})).await.text(), "4");
/// assert_eq!(count_words::DESCRIPTION, "Count the words of a text.");
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # What the model reads
///
/// The function's doc comment is the tool's description, and the doc comment of a parameter its text. The schema comes
/// from the types: an `Option` is a key that may be left out, and an enum without data is a list of names. A leading
/// underscore is not part of a key.
///
/// # What may stand in the signature
///
/// - **References** to what the program has, which the model does not see: `&CallContext` is the
///   call's [context](CallContext), and any other `&T` is the `T` of the toolkit's state, bound by
///   [`Toolkit::with_state`] (see [`Provide`]).
/// - **Parameters** of any type that has `Deserialize` and `JsonSchema`: numbers, `String`, `bool`, `Vec`, `Option`,
///   maps, `serde_json::Value`, and types with [`#[argument]`](macro@argument). They are taken by value, since the
///   values come from the model: `String` and `Vec<T>` for `&str` and `&[T]`.
/// - **Results** that a model can be told: text, numbers, `bool`, `()`, [`Content`], `Vec<Content>`, [`ToolOutput`],
///   `serde_json::Value`, [`Json`] for anything that can be serialized, and `Option` and `Result` of these.
/// - **Errors** of any type that can be printed. The model reads the message and those of its sources,
///   `outer: inner`; [`ToolError`] chooses the words itself.
/// - `async fn` or plain `fn`. Lifetimes may be generic; types and constants may not.
///
/// # Keys
///
/// | key | meaning |
/// |---|---|
/// | `name = "..."` | the tool's name; by default the function's. 1 to 64 of `A-Z a-z 0-9 _ -` |
/// | `description = "..."`, or a path to a `&str` constant | by default the doc comment. One of the two must be there |
/// | `crate = ::path` | where haft is, if it is renamed |
///
/// # The type beside the function
///
/// It takes the function's name among the module's types, so a module or type of that name there clashes; a file with
/// one tool is best not named like it. It has the constants `NAME` and `DESCRIPTION`, and `count_words {}` is the value
/// that [`Toolkit::with`] takes.
pub use haft_macros::tool;
#[cfg(feature = "http")]
pub use reqwest;
pub use {schemars, serde, serde_json};

pub use self::api::Api;
pub use self::error::{Error, ErrorKind};
pub use self::json::RawJson;
pub use self::message::{
    Content, Document, Image, Message, Other, Refusal, Reply, Role, SearchResult, Source,
    StopReason, Text, Thinking, ToolCall, ToolResult, Usage,
};
pub use self::provide::Provide;
#[cfg(feature = "anthropic")]
pub use self::provider::anthropic;
pub use self::provider::{ModelCall, Provider, ProviderFuture, provider_from_env};
pub use self::request::{Request, ToolChoice};
pub use self::runner::{Decision, End, Outcome, Runner};
pub use self::tool::{
    Call, CallContext, FunctionTool, IntoToolOutput, Json, Tool, ToolDefinition, ToolError,
    ToolFuture, ToolHandler, ToolOutput, ToolReturn,
};
pub use self::toolkit::Toolkit;
