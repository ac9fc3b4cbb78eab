//! From messages to bytes: as they came, where they came from this API, else written from their neutral form.

use std::borrow::Cow;

use bytes::Bytes;
use serde_json::Value;

use super::server::{CallIds, Quirks, Reasoning};
use super::wire::{OutCall, OutContent, OutFunctionCall, OutMessage, OutPart};
use super::{API, parts, reasoning};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role, Source, ToolCall, ToolResult, sendable};
use crate::provider::body::NO_REASON;
use crate::provider::ids::{fitting, in_nine};
use crate::provider::openai::written::{List, arguments, in_frame};
use crate::raw_object::{RawObject, list as list_of, string};
use crate::toolkit::Names;

/// One message, which may be several here; nothing where nothing of it is to be sent.
///
/// # Errors
/// Where it has a block that cannot be sent.
pub(super) fn message(message: &Message, quirks: Quirks, names: &Names) -> Result<Bytes, Error> {
    let writer = Writer { quirks, names };
    let mut list = List::default();
    match (message.native(&API), message.role()) {
        (Some(native), Role::Assistant) => writer.echo_turn(&mut list, message, native),
        (Some(native), role) => writer.echo(&mut list, role, native),
        (None, Role::Assistant) => writer.turn(&mut list, message),
        (None, Role::System) => {
            if let Some(content) = instructions(message.content())? {
                list.add(&said("system", Some(content)));
            }
        }
        (None, Role::User) => writer.user(&mut list, message)?,
    }
    Ok(list.finish())
}

/// Texts that stand by themselves, as one text where nothing else is said of them.
fn instructions(content: &[Content]) -> Result<Option<OutContent<'_>>, Error> {
    let content = parts::content(sendable(content).map(|(_, block)| block))?;
    let Some(OutContent::Parts(parts)) = &content else {
        return Ok(content);
    };
    let plain = parts.iter().map(|part| match part {
        OutPart::Text {
            text,
            options: None,
        } => Some(&**text),
        _ => None,
    });
    let plain: Option<Vec<_>> = plain.collect();
    let joined = plain.map(|texts| OutContent::Text(texts.join("\n\n").into()));
    Ok(joined.or(content))
}

fn said<'a>(role: &'static str, content: Option<OutContent<'a>>) -> OutMessage<'a> {
    OutMessage {
        role,
        content,
        reasoning_content: None,
        tool_call_id: None,
        tool_calls: Vec::new(),
    }
}

const fn word(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    }
}

struct Writer<'a> {
    quirks: Quirks,
    names: &'a Names,
}

impl Writer<'_> {
    /// A message of a body that was read: its parts in its frame, or, where it has none, results that are messages each.
    fn echo(&self, list: &mut List, role: Role, native: &Native) {
        let Some(frame) = &native.frame else {
            for message in &native.blocks {
                list.add_raw(self.echo_result(message).bytes());
            }
            return;
        };
        let mut fields = in_frame(frame, &native.blocks);
        if fields.get("role").is_none() {
            fields.set("role", string(word(role)));
        }
        list.add_raw(fields.compose().bytes());
    }

    /// A result as it came, for the id that its call is sent with.
    fn echo_result(&self, message: &RawJson) -> RawJson {
        const ID: &str = "tool_call_id";
        if self.quirks.call_ids != CallIds::Any
            && let Ok(mut fields) = RawObject::parse(message)
            && let Some(id) = fields.get(ID).and_then(|id| id.decode::<String>().ok())
        {
            fields.set(ID, string(&self.id(&id)));
            return fields.compose();
        }
        message.clone()
    }

    /// A turn as it came, but for what this server does not take back.
    fn echo_turn(&self, list: &mut List, message: &Message, native: &Native) {
        let frame = native.frame.as_ref().map(RawObject::parse);
        let mut frame = frame.and_then(Result::ok).unwrap_or_default();
        let mut fields = RawObject::default();
        fields.set("role", string("assistant"));
        fields.set(
            "content",
            frame.take("content").unwrap_or_else(RawJson::null),
        );
        let mut calls = Vec::new();
        let mut is_said = false;
        for (block, json) in message.content().iter().zip(&native.blocks) {
            match block {
                Content::Thinking(_) => {
                    let mut own = RawObject::parse(json).unwrap_or_default();
                    if let Some(parts) = own.take(reasoning::PARTS) {
                        fields.set("content", self.content(parts));
                    }
                    frame.update(own);
                }
                Content::Text(_) => {
                    is_said = true;
                    fields.set("content", self.content(json.clone()));
                }
                Content::ToolCall(call) => {
                    is_said = true;
                    calls.push(self.echo_call(call, json));
                }
                _ => {}
            }
        }
        for (key, value) in frame.into_fields() {
            let is_reasoning = reasoning::FIELDS.contains(&&*key);
            if self.goes_back(&key) && (is_reasoning || says(&value.to_value())) {
                is_said |= !is_reasoning;
                fields.set(&key, value);
            }
        }
        if !calls.is_empty() {
            self.require_reasoning(&mut fields, message);
            fields.set("tool_calls", list_of(&calls));
        }
        if is_said {
            list.add_raw(fields.compose().bytes());
        }
    }

    /// A content as this server takes it.
    fn content(&self, content: RawJson) -> RawJson {
        if self.quirks.takes_thinking_parts {
            return content;
        }
        reasoning::without_parts(&content).unwrap_or(content)
    }

    /// Sets the reasoning of a turn with calls, where the server wants some and the turn's own had it in another field.
    fn require_reasoning(&self, fields: &mut RawObject, message: &Message) {
        const FIELD: &str = "reasoning_content";
        if self.quirks.reasoning == Reasoning::Required && fields.get(FIELD).is_none() {
            let thoughts = message.content().iter().filter_map(|block| match block {
                Content::Thinking(thinking) => Some(thinking.text.as_str()),
                _ => None,
            });
            fields.set(FIELD, string(&thoughts.collect::<String>()));
        }
    }

    /// Whether a field beside content and calls goes back.
    fn goes_back(&self, key: &str) -> bool {
        // Those of OpenAI's own body, and `prefix`, which a program sets itself.
        const KNOWN: [&str; 5] = ["audio", "function_call", "name", "prefix", "refusal"];
        if reasoning::FIELDS.contains(&key) {
            return match self.quirks.reasoning {
                Reasoning::Dropped => false,
                Reasoning::Echoed => true,
                Reasoning::Required => key == "reasoning_content",
            };
        }
        self.quirks.keeps_unknown_fields || KNOWN.contains(&key)
    }

    /// A call as it came, by an id that this server takes.
    fn echo_call(&self, call: &ToolCall, json: &RawJson) -> RawJson {
        let id = self.id(call.id());
        let is_whole = self.quirks.keeps_unknown_fields && id == call.id();
        if is_whole {
            return json.clone();
        }
        let Ok(mut fields) = RawObject::parse(json) else {
            return json.clone();
        };
        fields.set("id", string(&id));
        if !self.quirks.keeps_unknown_fields {
            fields.retain(|key| matches!(key, "id" | "type" | "function" | "custom"));
        }
        fields.compose()
    }

    /// A turn of another API: what it said, joined, since no text may stand behind a call here.
    fn turn(&self, list: &mut List, message: &Message) {
        let texts = sendable(message.content()).filter_map(|(_, block)| block.as_text());
        let text: String = texts.collect();
        let content = (!text.is_empty()).then_some(OutContent::Text(text.into()));
        let calls: Vec<_> = message.tool_calls().map(|call| self.call(call)).collect();
        let is_required = self.quirks.reasoning == Reasoning::Required && !calls.is_empty();
        if content.is_some() || !calls.is_empty() {
            list.add(&OutMessage {
                reasoning_content: is_required.then_some(""),
                tool_calls: calls,
                ..said("assistant", content)
            });
        }
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> OutCall<'a> {
        let input = call.input();
        OutCall {
            id: self.id(call.id()),
            kind: "function",
            function: OutFunctionCall {
                name: self.names.wire(call.name()),
                arguments: arguments(input),
            },
        }
    }

    /// Results, each a message, then what else is said: behind a turn, nothing may stand before its results.
    fn user(&self, list: &mut List, message: &Message) -> Result<(), Error> {
        let mut behind = Vec::new();
        for result in message.tool_results() {
            list.add(&self.result(result, &mut behind)?);
        }
        let others = sendable(message.content()).map(|(_, block)| block);
        let others = others.filter(|block| block.as_tool_result().is_none());
        let own = parts::content(others)?;
        if behind.is_empty() {
            if own.is_some() {
                list.add(&said("user", own));
            }
            return Ok(());
        }
        match own {
            Some(OutContent::Text(text)) => behind.push(OutPart::Text {
                text,
                options: None,
            }),
            Some(OutContent::Parts(parts)) => behind.extend(parts),
            None => {}
        }
        list.add(&said("user", Some(OutContent::Parts(behind))));
        Ok(())
    }

    /// One result. What it may not hold comes behind all results, with a word on whose it is.
    fn result<'a>(
        &self,
        result: &'a ToolResult,
        behind: &mut Vec<OutPart<'a>>,
    ) -> Result<OutMessage<'a>, Error> {
        let fits = |block: &Content| {
            self.quirks.takes_images_in_results
                || !matches!(block, Content::Image(_)) && !is_file(block)
        };
        let blocks = || sendable(result.content()).map(|(_, block)| block);
        let content = parts::content(blocks().filter(|block| fits(block)))?;
        let media = parts::content(blocks().filter(|block| !fits(block)))?;
        let has_media = media.is_some();
        let id = self.id(result.call_id());
        if let Some(OutContent::Parts(media)) = media {
            let tool = self.names.wire(result.name());
            let of = if tool.is_empty() {
                format!("From the result of the call {id}:")
            } else {
                format!("From the result of `{tool}` ({id}):")
            };
            behind.push(OutPart::Text {
                text: of.into(),
                options: None,
            });
            behind.extend(media);
        }
        let content = content.unwrap_or_else(|| {
            OutContent::Text(match (result.is_error(), has_media) {
                (true, _) => NO_REASON.into(),
                (false, true) => "The result is in the next message.".into(),
                (false, false) => "".into(),
            })
        });
        Ok(OutMessage {
            tool_call_id: Some(id),
            ..said("tool", Some(content))
        })
    }

    /// An id that the server takes: the same one for a call and its result.
    fn id<'a>(&self, id: &'a str) -> Cow<'a, str> {
        match self.quirks.call_ids {
            CallIds::Any => id.into(),
            CallIds::Longest(longest) => fitting(id, |id| id.len() <= longest),
            CallIds::Nine => in_nine(id),
        }
    }
}

/// Whether a field says anything: some servers fill in each that there is, with nothing.
fn says(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => fields.values().any(says),
    }
}

/// A document that is more than text.
fn is_file(block: &Content) -> bool {
    matches!(block, Content::Document(document) if !matches!(document.source, Source::Text(_)))
}
