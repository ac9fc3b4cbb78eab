//! [`TestModel`]: a model that calls every tool once.

use super::ScriptedReply;
use super::sample;
use crate::api::Api;
use crate::json::RawJson;
use crate::message::Message;
use crate::provider::{ModelCall, Provider};
use crate::stream::ReplyStream;

/// A model that calls every tool once, with arguments made from its schema, then says what came back and ends.
///
/// It needs no key and no network, so a program shows what it does. It is no test of what a model would do: it does
/// not understand a word.
///
/// ```
/// use haft::testing::TestModel;
/// use haft::{Request, Runner, tool, toolkit};
///
/// /// Adds two integers.
/// #[tool]
/// async fn add(a: u8, b: u8) -> u8 {
///     a + b
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let mut runner = Runner::new(TestModel::new(), toolkit![add], Request::new("any").user("Go"));
/// let end = runner.run_to_completion().await?;
/// assert_eq!(end.reply.text(), "The test model called add and was told: 0");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TestModel {}

impl TestModel {
    /// The model.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Provider for TestModel {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let turn = call.request().messages.len();
        answer(call).stream(turn, "test-model", call.is_streamed())
    }
}

/// What the last message leads to: results are told, anything else is answered by calls.
fn answer(call: ModelCall<'_>) -> ScriptedReply {
    if let Some(last) = call.request().messages.last()
        && last.tool_results().next().is_some()
    {
        return ScriptedReply::new().text(told(last));
    }
    let calls = call
        .functions()
        .fold(ScriptedReply::new(), |reply, definition| {
            let input = sample::sample(definition.input_schema());
            reply.call(definition.name(), RawJson::from(input))
        });
    if call.functions().next().is_none() {
        calls.text("The test model was given no tools to call.")
    } else {
        calls
    }
}

fn told(message: &Message) -> String {
    let lines = message.tool_results().map(|result| {
        let text = result.text();
        let text = if text.is_empty() { "nothing" } else { &text };
        format!(
            "The test model called {} and was told: {text}",
            result.name()
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
