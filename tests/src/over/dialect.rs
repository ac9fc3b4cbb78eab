//! [`Dialect`]: an API, and a [`Writer`] of what it says.

use haft::serde_json::{Value, json};
use haft::{Api, Content, Reply, StreamEvent, StreamedBlock};

use super::{anthropic, chat, responses};

/// An API that scripts are told over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Anthropic,
    Responses,
    Chat,
}

/// Writes one reply as its API does.
pub(super) trait Writer: Send {
    /// The frames of an event, none where the API does not tell it. The last one has all of a stream's end.
    fn frames(&mut self, event: &StreamEvent) -> String;

    /// The body of a reply that comes whole.
    fn body(&mut self, reply: &Reply) -> Value;
}

impl Dialect {
    pub(super) const ALL: [Self; 3] = [Self::Anthropic, Self::Responses, Self::Chat];

    /// Its name in `HAFT_OVER`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Responses => "responses",
            Self::Chat => "chat",
        }
    }

    pub(super) const fn api(self) -> Api {
        match self {
            Self::Anthropic => Api::ANTHROPIC_MESSAGES,
            Self::Responses => Api::OPENAI_RESPONSES,
            Self::Chat => Api::OPENAI_CHAT,
        }
    }

    /// For a reply of this model.
    pub(super) fn writer(self, model: &str) -> Box<dyn Writer> {
        match self {
            Self::Anthropic => Box::new(anthropic::Writer::new(model)),
            Self::Responses => Box::new(responses::Writer::new(model)),
            Self::Chat => Box::new(chat::Writer::new(model)),
        }
    }

    /// The body of an answer that is no reply.
    pub(super) fn error(self, status: u16, message: &str) -> Value {
        match self {
            Self::Anthropic => {
                let kind = match status {
                    429 => "rate_limit_error",
                    529 => "overloaded_error",
                    500.. => "api_error",
                    _ => "invalid_request_error",
                };
                json!({"type": "error", "error": {"type": kind, "message": message}})
            }
            Self::Responses | Self::Chat => {
                let kind = match status {
                    429 => "rate_limit_exceeded",
                    500.. => "server_error",
                    _ => "invalid_request_error",
                };
                json!({"error": {"message": message, "type": kind, "param": null, "code": null}})
            }
        }
    }
}

/// Keeps to what a stream must tell: of each block its start, its parts and its end, though a script may leave some out.
#[derive(Debug, Default)]
pub(super) struct Filled {
    /// By the index of a block: whether a part of it was told.
    blocks: Vec<bool>,
}

impl Filled {
    /// The event, behind what is missing before it.
    pub(super) fn events(&mut self, event: StreamEvent) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        match &event {
            StreamEvent::BlockStart { .. } => self.blocks.push(false),
            StreamEvent::TextDelta { index, .. }
            | StreamEvent::ThinkingDelta { index, .. }
            | StreamEvent::InputDelta { index, .. } => {
                if let Some(has_part) = self.blocks.get_mut(*index) {
                    *has_part = true;
                }
            }
            StreamEvent::BlockStop(block) if self.blocks.get(block.index()) == Some(&false) => {
                events.extend(part(block.index(), block.content()));
            }
            StreamEvent::Restart => self.blocks.clear(),
            StreamEvent::Reply(reply) => {
                let untold = reply.content().iter().enumerate().skip(self.blocks.len());
                events.extend(untold.flat_map(|(index, block)| whole(index, block)));
            }
            _ => {}
        }
        events.push(event);
        events
    }
}

/// The events of a block that was not told.
fn whole(index: usize, block: &Content) -> Vec<StreamEvent> {
    let content = block.clone();
    let mut events = vec![StreamEvent::BlockStart { index, content }];
    events.extend(part(index, block));
    let block = StreamedBlock::new(index, block.clone());
    events.push(StreamEvent::BlockStop(block));
    events
}

/// All of a block as one part, where it has any.
fn part(index: usize, block: &Content) -> Option<StreamEvent> {
    match block {
        Content::Text(text) if !text.text.is_empty() => {
            let text = text.text.clone();
            Some(StreamEvent::TextDelta { index, text })
        }
        Content::Thinking(thinking) if !thinking.text.is_empty() => {
            let text = thinking.text.clone();
            Some(StreamEvent::ThinkingDelta { index, text })
        }
        Content::ToolCall(call) => {
            let json = call.input().as_str().to_owned();
            Some(StreamEvent::InputDelta { index, json })
        }
        _ => None,
    }
}

/// A frame with its event's name.
pub(super) fn named_frame(event: &Value) -> String {
    let name = event.get("type").and_then(Value::as_str);
    format!("event: {}\ndata: {event}\n\n", name.unwrap_or_default())
}

/// An object with the fields of two; those of the second count.
pub(super) fn merged(first: Value, second: Value) -> Value {
    let objects = [first, second].into_iter();
    let fields = objects.filter_map(|object| match object {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    Value::Object(fields.flatten().collect())
}
