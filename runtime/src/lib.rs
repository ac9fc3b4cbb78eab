#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(all(feature = "anthropic", feature = "openai")),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "what codecs share, and what a message keeps for its API, is used by each in part"
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
pub mod guide;
#[cfg(any(feature = "files", feature = "x11", all(feature = "bash", unix)))]
pub mod handlers;
mod history;
mod joined;
mod json;
mod message;
mod nearest;
mod nullable;
mod output;
mod provide;
mod provider;
#[cfg(feature = "http")]
mod raw_object;
mod request;
mod runner;
mod schema;
mod stream;
#[cfg(feature = "http")]
mod surrogates;
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
/// The schema is what the model is told of, so it is the judge of what comes: bounds of a field
/// (`#[schemars(range(min = 1))]`, `length`, `regex`) are enforced, and what the schema does not have is refused. That
/// holds for serde's `alias`, and for values that `other` would catch. A struct with `flatten` takes unknown keys, as
/// its schema says.
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
///   `outer: inner`; [`ToolError`] chooses the words itself. A panic is caught, and the model reads its message.
/// - `async fn` or plain `fn`. Lifetimes may be generic; types and constants may not.
///
/// Methods become tools in a [`#[tools]`](macro@tools) block.
///
/// # Keys
///
/// | key | meaning |
/// |---|---|
/// | `name = "..."` | the tool's name; by default the function's. 1 to 64 of `A-Z a-z 0-9 _ -` |
/// | `description = "..."`, or a path to a `&str` constant | by default the doc comment. One of the two must be there |
/// | `title = "..."` | a name for people, who are asked for approval or look at an MCP client |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | [`Hints`] of what it does; `open_world = false` says that it does not |
/// | `exclusive` | it runs alone: no other call of the reply beside it ([more](ToolDefinition::exclusive)) |
/// | `approval` | a [`Runner`] stops and asks before it runs ([more](ToolDefinition::approval)) |
/// | `timeout = "30s"`, with `ms`, `s`, `m` or `h` | when it is over, the future is dropped and the model told. Not on a plain `fn` without `blocking`; with it, the thread runs on ([more](ToolDefinition::with_timeout)) |
/// | `blocking` | a plain `fn` runs on tokio's pool of blocking threads. Without it, it runs inline, and holds up what else runs there |
/// | `collect` | [`Toolkit::collect`](Toolkit) finds it; needs haft's feature `collect`, and a tool without state |
/// | `strict` | the provider is asked to keep the model's arguments to the schema; `strict = false` asks it not to |
/// | `provider = PATH` | the function handles a tool that a provider defines, such as `haft::anthropic::tools::MEMORY_20250818`; its one argument by value is that tool's input (see the page `provider_tools` of the [`guide`]) |
/// | `option(key = value, ...)` | fields of the definition that only some providers know, as JSON: `option(defer_loading = true, cache_control = {"type": "ephemeral"})` |
/// | `crate = ::path` | where haft is, if it is renamed |
///
/// ```
/// use haft::{Toolkit, tool, toolkit};
///
/// /// Delete a file for good.
/// #[tool(title = "Delete a file", destructive, approval, timeout = "5s")]
/// async fn delete_file(path: String) -> std::io::Result<()> {
///     # let _ = path;
///     // ...
///     Ok(())
/// }
///
/// let kit: Toolkit = toolkit![delete_file];
/// let definition = kit.get("delete_file").map(|tool| tool.definition().clone());
/// assert!(definition.is_some_and(|definition| definition.needs_approval()));
/// ```
///
/// # Keys of `#[arg]`
///
/// They stand above a parameter that the model gives, and appear in the schema. What they forbid is
/// told to the model before the function runs.
///
/// | key | meaning |
/// |---|---|
/// | `description = "..."`, or a path | by default the doc comment |
/// | `rename = "..."` | the key, by default the parameter's name |
/// | `default`, `default = EXPR` | for a key that is left out, or null: `Default::default()`, or the value, evaluated at each call. Not for an `Option`, which is `None` then |
/// | `example = EXPR`, any number | shown to the model |
/// | `min`, `max`, `exclusive_min`, `exclusive_max`, `multiple_of` | of numbers |
/// | `min_len`, `max_len`, `pattern` | of text: characters (Unicode code points), and a regular expression that must match somewhere in it |
/// | `min_items`, `max_items` | of lists |
///
/// ```
/// use haft::{Toolkit, argument, tool, toolkit};
/// use haft::serde_json::json;
///
/// #[argument]
/// enum Class {
///     Economy,
///     Business,
/// }
///
/// const MOST: u32 = 9;
///
/// /// Search for flights.
/// #[tool]
/// async fn search_flights(
///     /// The airport.
///     #[arg(rename = "from", pattern = "^[A-Z]{3}$", example = "FRA")]
///     origin: String,
///     #[arg(default = 1, min = 1, max = MOST)] seats: u32,
///     #[arg(default = Class::Economy)] class: Class,
/// ) -> String {
///     format!("{seats} from {origin}")
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = toolkit![search_flights];
/// let result = kit.call("search_flights", json!({"from": "FRA"})).await;
/// assert_eq!(result.text(), "1 from FRA");
/// let result = kit.call("search_flights", json!({"from": "Frankfurt", "seats": 10})).await;
/// assert_eq!(
///     result.text(),
///     "Error: Invalid input for tool 'search_flights': from: must match the pattern `^[A-Z]{3}$`\n\
///      seats: must be at most 9, got 10"
/// );
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Bounds, defaults and examples have the parameter's type, so that `min = 1` on an `f64` is written
/// `1.0`; of an `Option`, that of what is in it. A string literal stands for a `String` too. The
/// compiler compares them: a default beside a bound of numbers is a constant, and one that is out of
/// bounds does not compile. What it cannot know (a pattern, a value that is no constant) is told by
/// [`testing::check`], and when the toolkit meets a provider. A type of one's own has its bounds on
/// its fields, by schemars' `range` and `length`; they are enforced too. A default or an example is written into the schema,
/// so it is an enum without data, or can be serialized (`#[derive(haft::serde::Serialize)]` below
/// `#[argument]`).
///
/// # The type beside the function
///
/// It takes the function's name among the module's types, so a module or type of that name there clashes; a file with
/// one tool is best not named like it. It has the constants `NAME` and `DESCRIPTION`, and `count_words {}` is the value
/// that [`Toolkit::with`] takes. [`guide::same_name_type`] has more.
pub use haft_macros::tool;
/// Makes a tool of each `#[tool]` method of an `impl` block, with the type as their state.
///
/// ```
/// use haft::{Json, Toolkit, tools};
/// use haft::serde_json::json;
///
/// struct Github {
///     issues: Vec<String>,
/// }
///
/// #[tools]
/// impl Github {
///     /// List the titles of open issues.
///     #[tool]
///     async fn issues(&self, /// Only those with this word in the title.
///         word: Option<String>) -> Json<Vec<&str>> {
///         let wanted = |title: &&String| word.as_ref().is_none_or(|word| title.contains(word));
///         Json(self.issues.iter().filter(wanted).map(String::as_str).collect())
///     }
///
///     /// Tell the rules of this repository.
///     #[tool(read_only)]
///     fn rules() -> &'static str {
///         "Be kind."
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let github = Github { issues: vec!["Build fails".into(), "Typo".into()] };
/// let kit: Toolkit = github.into_toolkit();
/// assert_eq!(kit.names().collect::<Vec<_>>(), ["issues", "rules"]);
/// let result = kit.call("issues", json!({"word": "Typo"})).await;
/// assert_eq!(result.text(), r#"["Typo"]"#);
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The block gets two functions beside its own:
///
/// - `Github::tools()` is the [`Toolkit<Github>`](Toolkit), to be bound by [`Toolkit::with_state`];
/// - `github.into_toolkit()` is the toolkit with this value as its state.
///
/// A further block of the same type has a name, and gives a function of that name; the toolkits are
/// joined before they are bound:
///
/// ```
/// # use haft::{Toolkit, tools};
/// # struct Github;
/// # #[tools]
/// # impl Github {
/// #     /// Tell the rules.
/// #     #[tool]
/// #     fn rules() -> &'static str { "Be kind." }
/// # }
/// #[tools(name = pulls)]
/// impl Github {
///     /// Merge a pull request.
///     #[tool(destructive, approval)]
///     async fn merge(&self, number: u32) -> String {
///         format!("merged {number}")
///     }
/// }
///
/// let kit: Toolkit = Github::tools().extend(Github::pulls())?.with_state(Github);
/// assert_eq!(kit.len(), 2);
/// # Ok::<(), haft::Error>(())
/// ```
///
/// # What may stand in the block
///
/// - Methods with [`#[tool]`](macro@tool), and all its keys but `crate` and `collect`. They take
///   `&self` or no `self`; the state is shared by all calls, so what changes in it is behind a lock.
///   `&CallContext` and, as [`Provide`]d by the type, other references are taken too.
/// - Whatever else: it stays as it is.
///
/// The type may be generic; it must be `Send`, `Sync` and `'static`, as every state. The methods
/// cannot be named in [`toolkit!`].
///
/// # Keys
///
/// | key | meaning |
/// |---|---|
/// | `name = other` | the function that gives the toolkit, in place of `tools`; there is no `into_toolkit` then |
/// | `crate = ::path` | where haft is, if it is renamed |
pub use haft_macros::tools;
#[cfg(feature = "http")]
pub use reqwest;
pub use tokio_util::sync::CancellationToken;
pub use {schemars, serde, serde_json};

pub use self::api::Api;
pub use self::arguments::ToolInput;
pub use self::error::{Error, ErrorKind};
pub use self::history::repair;
pub use self::json::RawJson;
pub use self::message::{
    Content, Document, Image, Message, Other, Refusal, Reply, Role, SearchResult, Source,
    StopReason, Text, Thinking, ToolCall, ToolResult, Usage,
};
pub use self::nullable::Nullable;
pub use self::output::OutputSchema;
pub use self::provide::Provide;
#[cfg(feature = "anthropic")]
pub use self::provider::anthropic;
#[cfg(feature = "openai")]
pub use self::provider::openai;
pub use self::provider::{ModelCall, Provider, ToolChange, provider_from_env};
pub use self::request::{Request, ToolChoice};
pub use self::runner::{
    CapPolicy, Decision, End, Event, Hook, HookCall, HookError, HookFuture, Outcome, RunState,
    Runner, TurnStream,
};
pub use self::schema::Dialect;
pub use self::stream::{ReplyStream, StreamEvent, StreamedBlock};
pub use self::tool::{
    Call, CallContext, FunctionTool, Hints, IntoToolOutput, Json, ProviderTool, Tool,
    ToolDefinition, ToolError, ToolFuture, ToolHandler, ToolOutput, ToolReturn,
};
pub use self::toolkit::Toolkit;
