//! [`ScriptedModel`]: a model whose replies are written down.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::api::Api;
use crate::error::{Answer, Error, ErrorKind, is_transient};
use crate::json::RawJson;
use crate::message::{Content, Message, Reply, Role, StopReason, ToolCall, Usage};
use crate::provider::{ModelCall, Provider, ProviderFuture};
use crate::request::Request;

/// A model that gives the replies that a test writes down, in order, and keeps what it was asked.
///
/// A clone shares the script and the requests, so that a test can look at them while a runner has the model.
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Request, Runner, Toolkit};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = ScriptedModel::new().text("Hello!");
/// let mut runner = Runner::new(model.clone(), Toolkit::new(), Request::new("any").user("Hi"));
/// assert_eq!(runner.run_to_completion().await?.reply.text(), "Hello!");
/// assert_eq!(model.requests()[0].messages[0].text(), "Hi");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    steps: VecDeque<Step>,
    requests: Vec<Request>,
}

#[derive(Debug)]
enum Step {
    Reply(ScriptedReply),
    Failure(u16, String),
}

/// One reply of a [`ScriptedModel`].
///
/// ```
/// use haft::StopReason;
/// use haft::testing::{ScriptedModel, ScriptedReply};
/// use haft::serde_json::json;
///
/// let reply = ScriptedReply::new().text("Let me look.").call("search", json!({"q": "haft"}));
/// let cut = ScriptedReply::new().text("Once upon a").stop_reason(StopReason::MaxTokens);
/// let model = ScriptedModel::new().reply(reply).reply(cut);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScriptedReply {
    blocks: Vec<Block>,
    stop_reason: Option<StopReason>,
    usage: Usage,
}

#[derive(Clone, Debug)]
enum Block {
    Text(String),
    Call { name: String, input: RawJson },
}

impl ScriptedReply {
    /// A reply without anything in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The model says this.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    /// The model calls this tool. The ids of calls are made from the place in the script, such as `call_1_2`.
    #[must_use]
    pub fn call(mut self, name: impl Into<String>, input: impl Into<RawJson>) -> Self {
        self.blocks.push(Block::Call {
            name: name.into(),
            input: input.into(),
        });
        self
    }

    /// Why the model stopped; by default `ToolUse` with calls and `EndTurn` without.
    #[must_use]
    pub fn stop_reason(mut self, reason: StopReason) -> Self {
        self.stop_reason = Some(reason);
        self
    }

    /// The tokens that it took.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// The reply as the `turn`th of a script.
    pub(super) fn build(self, turn: usize, model: &str) -> Reply {
        let mut calls = 0;
        let content: Vec<_> = self
            .blocks
            .into_iter()
            .map(|block| match block {
                Block::Text(text) => Content::text(text),
                Block::Call { name, input } => {
                    calls += 1;
                    Content::ToolCall(ToolCall::new(format!("call_{turn}_{calls}"), name, input))
                }
            })
            .collect();
        let usual = if calls > 0 {
            StopReason::ToolUse
        } else {
            StopReason::EndTurn
        };
        let stop_reason = self.stop_reason.unwrap_or(usual);
        let raw = raw(&content, &stop_reason);
        Reply::new(Message::new(Role::Assistant, content), stop_reason)
            .with_id(format!("reply_{turn}"))
            .with_model(model)
            .with_usage(self.usage)
            .with_raw(raw)
    }
}

/// There is no API behind this, so its raw form is only for people.
fn raw(content: &[Content], stop_reason: &StopReason) -> RawJson {
    let blocks: Vec<Value> = content
        .iter()
        .map(|block| match block.as_tool_call() {
            Some(call) => {
                json!({"id": call.id(), "name": call.name(), "input": call.input().to_value()})
            }
            None => json!({"text": block.as_text()}),
        })
        .collect();
    RawJson::from(json!({"content": blocks, "stop_reason": stop_reason.as_str()}))
}

impl ScriptedModel {
    /// A model with an empty script.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Then it says this, and ends its turn.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.reply(ScriptedReply::new().text(text))
    }

    /// Then it makes these calls.
    #[must_use]
    pub fn calls<N: Into<String>, I: Into<RawJson>>(
        self,
        calls: impl IntoIterator<Item = (N, I)>,
    ) -> Self {
        self.reply(
            calls
                .into_iter()
                .fold(ScriptedReply::new(), |reply, (name, input)| {
                    reply.call(name, input)
                }),
        )
    }

    /// Then it gives this reply.
    #[must_use]
    pub fn reply(self, reply: ScriptedReply) -> Self {
        self.step(Step::Reply(reply))
    }

    /// Then the server fails with this status.
    #[must_use]
    pub fn fails(self, status: u16, message: impl Into<String>) -> Self {
        self.step(Step::Failure(status, message.into()))
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .requests
            .clone()
    }

    fn step(self, step: Step) -> Self {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .steps
            .push_back(step);
        self
    }

    fn answer(&self, request: &Request) -> Result<Reply, Error> {
        let mut script = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        script.requests.push(request.clone());
        let turn = script.requests.len();
        match script.steps.pop_front() {
            Some(Step::Reply(reply)) => Ok(reply.build(turn, &request.model)),
            Some(Step::Failure(status, message)) => Err(failure(status, message)),
            None => Err(Error::new(
                ErrorKind::Script,
                format!(
                    "the script has no reply for request {turn}; write one more, or look why it is asked for"
                ),
            )),
        }
    }
}

fn failure(status: u16, message: String) -> Error {
    let line = format!("the scripted model answered {status}: {message}");
    Error::new(ErrorKind::Api, line).with_answer(Answer {
        status,
        retryable: is_transient(status),
        message: Some(message),
        ..Answer::default()
    })
}

impl Provider for ScriptedModel {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ProviderFuture<'a> {
        Box::pin(async move { self.answer(call.request()) })
    }
}
