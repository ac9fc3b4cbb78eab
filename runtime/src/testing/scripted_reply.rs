//! [`ScriptedReply`]: one reply that a test writes down, whole or as a stream.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use serde_json::{Value, json};

use crate::api::Api;
use crate::error::{Error, ErrorKind};
use crate::json::RawJson;
use crate::message::{Content, Message, Other, Reply, Role, StopReason, ToolCall, Usage};
use crate::stream::{ReplyStream, StreamEvent, StreamedBlock};

/// One reply of a [`ScriptedModel`](super::ScriptedModel).
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
    parts: Vec<Part>,
    stop_reason: Option<StopReason>,
    usage: Usage,
    container: Option<String>,
}

#[derive(Clone, Debug)]
enum Part {
    Block(Content),
    Call { name: String, input: RawJson },
    SetAside,
    Wait(Duration),
    Break,
}

impl ScriptedReply {
    /// A reply without anything in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The model says this.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.content(Content::text(text))
    }

    /// The model thinks this.
    #[must_use]
    pub fn thinking(self, text: impl Into<String>) -> Self {
        self.content(Content::thinking(text))
    }

    /// The model calls this tool. The ids of calls are made from the place in the script, such as `call_1_2`.
    #[must_use]
    pub fn call(self, name: impl Into<String>, input: impl Into<RawJson>) -> Self {
        self.part(Part::Call {
            name: name.into(),
            input: input.into(),
        })
    }

    /// A block of any kind.
    #[must_use]
    pub fn content(self, content: Content) -> Self {
        self.part(Part::Block(content))
    }

    /// Another model answers from here on: calls so far are neither run nor answered.
    #[must_use]
    pub fn set_aside(self) -> Self {
        self.part(Part::SetAside)
    }

    /// The model takes its time before what follows; in a stream, what stands before is there by then.
    ///
    /// ```
    /// use std::time::Duration;
    /// use haft::testing::ScriptedReply;
    /// use haft::serde_json::json;
    ///
    /// let first = ScriptedReply::new().call("look", json!({"at": "left"}));
    /// let both = first.wait(Duration::from_millis(300)).call("look", json!({"at": "right"}));
    /// ```
    #[must_use]
    pub fn wait(self, time: Duration) -> Self {
        self.part(Part::Wait(time))
    }

    /// The connection breaks here.
    #[must_use]
    pub fn breaks(self) -> Self {
        self.part(Part::Break)
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

    /// The provider's container that it worked in.
    #[must_use]
    pub fn container(mut self, id: impl Into<String>) -> Self {
        self.container = Some(id.into());
        self
    }

    fn part(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// The reply as the `turn`th of a script: whole, or as it arrives.
    pub(super) fn stream(
        self,
        turn: usize,
        model: &str,
        is_streamed: bool,
    ) -> ReplyStream<'static> {
        let steps = self.play(turn, model);
        let is_wanted = move |step: &Step| match step {
            Step::Told(event) => is_streamed || matches!(event, StreamEvent::Reply(_)),
            Step::Wait(_) | Step::Failed(_) => true,
        };
        let events = stream::iter(steps.into_iter().filter(is_wanted));
        ReplyStream::new(events.filter_map(|step| async {
            match step {
                Step::Told(event) => Some(Ok(event)),
                Step::Failed(error) => Some(Err(error)),
                Step::Wait(time) => {
                    tokio::time::sleep(time).await;
                    None
                }
            }
        }))
    }

    /// What happens, in order.
    fn play(self, turn: usize, model: &str) -> Vec<Step> {
        let (mut steps, mut content, mut calls) = (Vec::new(), Vec::new(), 0);
        let begun = Usage {
            output: 0,
            reasoning: 0,
            ..self.usage.clone()
        };
        steps.push(Step::Told(StreamEvent::Usage(begun)));
        for part in self.parts {
            match part {
                Part::Wait(time) => steps.push(Step::Wait(time)),
                Part::Break => {
                    steps.push(Step::Failed(broken()));
                    return steps;
                }
                Part::SetAside => {
                    set_aside(&mut content);
                    steps.push(Step::Told(StreamEvent::SetAside));
                }
                Part::Block(block) => push(&mut steps, &mut content, block),
                Part::Call { name, input } => {
                    calls += 1;
                    let call = ToolCall::new(format!("call_{turn}_{calls}"), name, input);
                    push(&mut steps, &mut content, Content::ToolCall(call));
                }
            }
        }
        let has_calls = content.iter().any(|block| block.as_tool_call().is_some());
        let usual = if has_calls {
            StopReason::ToolUse
        } else {
            StopReason::EndTurn
        };
        let stop_reason = self.stop_reason.unwrap_or(usual);
        let raw = raw(&content, &stop_reason);
        let reply = Reply::new(Message::new(Role::Assistant, content), stop_reason)
            .with_id(format!("reply_{turn}"))
            .with_model(model)
            .with_usage(self.usage.clone())
            .with_container(self.container)
            .with_raw(raw);
        steps.push(Step::Told(StreamEvent::Usage(self.usage)));
        steps.push(Step::Told(StreamEvent::Reply(reply)));
        steps
    }
}

enum Step {
    Told(StreamEvent),
    Failed(Error),
    Wait(Duration),
}

/// A block as a stream tells it: its start, its parts, and the whole.
fn push(steps: &mut Vec<Step>, content: &mut Vec<Content>, block: Content) {
    let index = content.len();
    let mut parts = Vec::new();
    let start = match &block {
        Content::Text(text) => {
            let words = text.text.split_inclusive(' ').map(str::to_owned);
            parts.extend(words.map(|text| StreamEvent::TextDelta { index, text }));
            Content::text("")
        }
        Content::Thinking(thinking) => {
            let text = thinking.text.clone();
            parts.push(StreamEvent::ThinkingDelta { index, text });
            Content::thinking("")
        }
        Content::ToolCall(call) => {
            let json = call.input().as_str().to_owned();
            parts.push(StreamEvent::InputDelta { index, json });
            Content::ToolCall(ToolCall::new(
                call.id(),
                call.name(),
                RawJson::empty_object(),
            ))
        }
        other => other.clone(),
    };
    let begun = StreamEvent::BlockStart {
        index,
        content: start,
    };
    let whole = StreamEvent::BlockStop(StreamedBlock::new(index, block.clone()));
    let events = [begun].into_iter().chain(parts).chain([whole]);
    steps.extend(events.map(Step::Told));
    content.push(block);
}

/// Calls so far are no calls any more.
fn set_aside(content: &mut [Content]) {
    for block in content {
        if let Some(call) = block.as_tool_call() {
            *block = Content::Other(Other {
                api: Api::TESTING,
                kind: "tool_use".to_owned(),
                tool: None,
                json: json!({"id": call.id(), "name": call.name()}).into(),
            });
        }
    }
}

fn broken() -> Error {
    Error::new(
        ErrorKind::Connection,
        "the scripted model's connection broke",
    )
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
