//! From a call to its result: whatever goes wrong becomes a result that the model can read.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::api::Api;
use crate::arguments::{self, Input};
use crate::error::short;
use crate::json::RawJson;
use crate::message::{Content, Identity, ToolCall, ToolResult};
use crate::tool::{
    Call, CallContext, Lent, NAME_LENGTH, Runs, Tool, ToolDefinition, ToolError, ToolErrorKind,
    ToolOutput,
};
use crate::toolkit::Toolkit;

/// How many names of tools a model is reminded of.
const NAMES: usize = 50;
/// The state of a toolkit that has none.
static STATELESS: LazyLock<Arc<()>> = LazyLock::new(Arc::default);

impl Toolkit {
    /// Runs one tool with the given arguments, for a test or a loop of one's own.
    ///
    /// It does not fail: whatever goes wrong is in the result, in the words that a model would
    /// read. For input as text, as a model would write it (a key twice, an escape), make a
    /// [`ToolCall`] and [`run`](Self::run) it.
    ///
    /// ```
    /// # use haft::tool;
    /// use haft::{Toolkit, toolkit};
    /// use haft::serde_json::json;
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let kit: Toolkit = toolkit![add];
    /// assert_eq!(kit.call("add", json!({"a": 2, "b": 3})).await.text(), "5");
    /// let result = kit.call("plus", json!({})).await;
    /// assert!(result.is_error());
    /// assert_eq!(result.text(), "Error: Tool 'plus' not found. Available tools: add");
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn call(&self, name: &str, input: Value) -> ToolResult {
        let call = ToolCall::new("call_1", name, RawJson::from_value(&input));
        self.run(&call).await
    }

    /// Runs one call of a reply, for a loop of one's own. As [`call`](Self::call), with the call's own id and the
    /// arguments as the model wrote them.
    ///
    /// A [`Runner`](crate::Runner) does this by itself. Where a program wants to do it, the results that it appends
    /// are the answers of the calls, and the runner does not run them:
    ///
    /// ```
    /// # use haft::tool;
    /// use haft::testing::ScriptedModel;
    /// use haft::{Content, Message, Request, Role, Runner, Toolkit, toolkit};
    /// use haft::serde_json::json;
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let kit: Toolkit = toolkit![add];
    /// let model = ScriptedModel::new().calls([("add", json!({"a": 2, "b": 3}))]).text("It is 5.");
    /// let mut runner = Runner::new(model, kit.clone(), Request::new("any").user("What is 2 and 3?"));
    /// while let Some(reply) = runner.next_message().await? {
    ///     let mut results = Vec::new();
    ///     for call in reply.tool_calls() {
    ///         let result = kit.run(call).await;
    ///         println!("{} of {} gave {}", call.name(), call.input(), result.text());
    ///         results.push(Content::ToolResult(result));
    ///     }
    ///     if !results.is_empty() {
    ///         runner.append_messages([Message::new(Role::User, results)]);
    ///     }
    /// }
    /// assert_eq!(runner.last_message().map(|reply| reply.text()).as_deref(), Some("It is 5."));
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn run(&self, call: &ToolCall) -> ToolResult {
        match run(self, call, Lent::default()).await {
            Some(result) => result,
            // Without a token nothing is cancelled.
            None => ToolResult::error(call, "Error: cancelled"),
        }
    }
}

/// Runs one call to its end; `None` where it was cancelled on the way.
pub(crate) async fn run(toolkit: &Toolkit, call: &ToolCall, lent: Lent) -> Option<ToolResult> {
    match toolkit
        .get(call.name())
        .filter(|tool| is_meant(tool.definition(), call))
    {
        Some(tool) => run_tool(tool, call, lent).await,
        None => Some(ToolResult::error(
            call,
            not_found(toolkit, call, lent.api.as_ref()),
        )),
    }
}

async fn run_tool(tool: &dyn Tool, call: &ToolCall, lent: Lent) -> Option<ToolResult> {
    let context = CallContext::new(call.identity(), lent);
    let definition = tool.definition();
    if let Some(refused) = without_arguments(definition, call) {
        return Some(refused);
    }
    // It may have been cancelled since it was decided that it runs.
    let seen: &CallContext = &context;
    if seen.token().is_some_and(CancellationToken::is_cancelled) {
        return None;
    }
    let limit = definition.timeout();
    // The call itself stands inside, since a tool may also panic before it gives its future.
    let running = within(limit, async {
        let input = call.input().as_str();
        tool.call(Call::new(definition, input, &context, &STATELESS))
            .await
    });
    // Unwind safety: what the future held is dropped with it, and the toolkit is only read.
    let running = AssertUnwindSafe(running).catch_unwind();
    let ended = match seen.token() {
        None => running.await,
        Some(token) => until_cancelled(running, token, seen).await?,
    };
    let call = CallContext::into_identity(context);
    Some(match ended {
        Ok(Ok(returned)) => result(call, returned),
        Ok(Err(TimedOut(limit))) => {
            let text = format!(
                "Error: Tool '{}' timed out after {limit:?}",
                call.wire_name()
            );
            error(call, text)
        }
        Err(panic) => {
            let text = format!("Error: {}", panicked(call.wire_name(), &*panic));
            error(call, text)
        }
    })
}

/// How long a tool that has looked at its token may take to end after it was cancelled.
const GRACE: Duration = Duration::from_secs(5);

/// What the call comes to; `None` where it was cancelled. A tool that has looked at its token is given the time to
/// end in its own way.
async fn until_cancelled<T>(
    running: impl Future<Output = T>,
    token: &CancellationToken,
    context: &CallContext,
) -> Option<T> {
    let mut running = pin!(running);
    // The tool first: what it did in the moment of the end is not lost.
    match select(running.as_mut(), pin!(token.cancelled())).await {
        Either::Left((ended, _)) => Some(ended),
        Either::Right(_) if context.is_watched() => within(Some(GRACE), running).await.ok(),
        Either::Right(_) => None,
    }
}

/// A call took longer than its tool may.
struct TimedOut(Duration);

/// A future that is dropped when its time is over.
async fn within<F: Future>(limit: Option<Duration>, future: F) -> Result<F::Output, TimedOut> {
    match limit {
        Some(limit) if has_timer() => tokio::time::timeout(limit, future)
            .await
            .map_err(|_| TimedOut(limit)),
        _ => Ok(future.await),
    }
}

/// Whether there is a timer to be had. A tokio runtime may be without one, which cannot be asked: making a timer
/// panics there. A call must not fail for that, so it is tried; the panic's message is for the programmer.
fn has_timer() -> bool {
    Handle::try_current().is_ok() && catch_unwind(|| tokio::time::sleep(Duration::ZERO)).is_ok()
}

/// What the model is told of arguments that are no object: no tool has to look for that, nor one that wants the text.
fn without_arguments(definition: &ToolDefinition, call: &ToolCall) -> Option<ToolResult> {
    let input = call.input();
    let is_sound = input.is_object() || arguments::are_left_out(input.as_str());
    if is_sound {
        return None;
    }
    refusal(definition, call)
}

/// What the model is told of arguments that the tool's schema refuses.
pub(crate) fn refusal(definition: &ToolDefinition, call: &ToolCall) -> Option<ToolResult> {
    let refused = arguments::refusal(Input::new(definition, call.input().as_str()))?;
    Some(failed(Arc::clone(call.identity()), &refused))
}

/// What the model is told of what a tool gave.
pub(crate) fn result(call: Arc<Identity>, returned: Result<ToolOutput, ToolError>) -> ToolResult {
    match returned {
        Ok(output) => succeeded(call, output),
        Err(error) => failed(call, &error),
    }
}

fn error(call: Arc<Identity>, text: String) -> ToolResult {
    ToolResult::with_parts(call, vec![Content::text(text)], true)
}

fn succeeded(call: Arc<Identity>, output: ToolOutput) -> ToolResult {
    let (mut content, structured, is_error) = output.into_parts();
    if let Some(kind) = content.iter().find_map(misplaced) {
        let text = format!(
            "Error: Tool '{}' returned {kind}, which a result cannot hold",
            call.wire_name()
        );
        return error(call, text);
    }
    let has_words = |block: &Content| block.as_text().is_some() && !block.is_blank_text();
    if is_error && !content.iter().any(has_words) {
        content.insert(0, Content::text(without_words(call.wire_name())));
    }
    ToolResult::with_parts(call, content, is_error).with_structured(structured)
}

fn failed(call: Arc<Identity>, error: &ToolError) -> ToolResult {
    let text = match error.kind() {
        ToolErrorKind::InvalidInput => {
            format!(
                "Error: Invalid input for tool '{}': {}",
                call.wire_name(),
                error.message()
            )
        }
        ToolErrorKind::Failed if error.message().trim().is_empty() => {
            without_words(call.wire_name())
        }
        ToolErrorKind::Failed => format!("Error: {}", error.message()),
    };
    let more = error
        .content()
        .iter()
        .filter(|block| misplaced(block).is_none());
    let content = [Content::text(text)]
        .into_iter()
        .chain(more.cloned())
        .collect();
    ToolResult::with_parts(call, content, true)
}

/// A block that only messages hold, by name.
fn misplaced(block: &Content) -> Option<&'static str> {
    match block {
        Content::ToolCall(_) => Some("a call"),
        Content::ToolResult(_) => Some("a result"),
        Content::Thinking(_) => Some("reasoning"),
        _ => None,
    }
}

/// An error result is never empty: a model that reads nothing takes it for success.
fn without_words(name: &str) -> String {
    format!("Error: Tool '{name}' failed and gave no reason")
}

fn panicked(name: &str, panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    match message {
        Some(message) => format!("Tool '{name}' panicked: {message}"),
        None => format!("Tool '{name}' panicked"),
    }
}

/// A toolset is called by its members, and nothing else is.
fn is_meant(definition: &ToolDefinition, call: &ToolCall) -> bool {
    let provided = definition.provided();
    let is_toolset = provided.is_some_and(|provided| provided.runs == Runs::AsToolset);
    is_toolset == call.toolset().is_some()
}

/// Tells the names that there are, as the model knows them, the likeliest first.
fn not_found(toolkit: &Toolkit, call: &ToolCall, api: Option<&Api>) -> String {
    let name = call.wire_name();
    if let Some(toolset) = call.toolset() {
        let (toolset, name) = (short(toolset, NAME_LENGTH), short(name, NAME_LENGTH));
        return format!("Error: Toolset '{toolset}' member '{name}' not found");
    }
    // What is called by itself: no toolset, and nothing that the API runs.
    let runs_here = |definition: &&ToolDefinition| {
        let provided = definition.provided();
        provided.is_none_or(|provided| provided.runs == Runs::AtClient)
    };
    let tools = toolkit.definitions().filter(runs_here);
    let name_of = |definition| {
        api.map_or_else(
            || ToolDefinition::name(definition),
            |api| definition.wire_name(api),
        )
    };
    let mut names: Vec<_> = tools.map(name_of).collect();
    names.sort_by_cached_key(|known| strsim::damerau_levenshtein(name, known));
    names.truncate(NAMES);
    let name = short(name, NAME_LENGTH);
    let names = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    };
    format!("Error: Tool '{name}' not found. Available tools: {names}")
}
