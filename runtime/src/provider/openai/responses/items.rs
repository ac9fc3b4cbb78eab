//! From messages to items: as they came, where they came from this API, else written from their neutral form.

use std::borrow::Cow;

use bytes::Bytes;

use super::calls::CallKind;
use super::wire::{self, OutContent, OutItem};
use super::{API, parts, results};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role, ToolCall, sendable};
use crate::provider::body::{push, write};
use crate::provider::ids::fitting;
use crate::raw_object::{RawObject, list as list_of, string};
use crate::surrogates::replace_lone_surrogates;
use crate::toolkit::Names;

/// The items of one message; nothing where nothing of it is to be sent.
///
/// # Errors
/// Where it has a block that cannot be sent.
pub(super) fn items(message: &Message, names: &Names) -> Result<Bytes, Error> {
    let mut list = List::default();
    match (message.native(&API), message.role()) {
        (Some(native), _) => echo(&mut list, native),
        (None, Role::Assistant) => turn(&mut list, message, names),
        (None, Role::System) => {
            let blocks = sendable(message.content()).map(|(_, block)| block);
            list.message("system", parts::content(blocks)?);
        }
        (None, Role::User) => user(&mut list, message, names)?,
    }
    let mut bytes = list.bytes;
    replace_lone_surrogates(&mut bytes);
    Ok(bytes.into())
}

/// Items as JSON, joined.
struct List {
    bytes: Vec<u8>,
    is_first: bool,
}

impl Default for List {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            is_first: true,
        }
    }
}

impl List {
    fn add(&mut self, item: &OutItem<'_>) {
        let mut bytes = Vec::new();
        write(&mut bytes, item);
        self.add_raw(&bytes);
    }

    fn add_raw(&mut self, item: &[u8]) {
        push(&mut self.bytes, &mut self.is_first, item);
    }

    fn message(&mut self, role: &'static str, content: Option<OutContent<'_>>) {
        if let Some(content) = content {
            self.add(&OutItem::Message { role, content });
        }
    }
}

/// The items as they came, in order, also those in which nothing is said: reasoning must be followed by the item that it
/// came with. Where a cut reply ends in it, that item has never come, and the API would refuse it by itself.
fn echo(list: &mut List, native: &Native) {
    let Some(frame) = &native.frame else {
        let end = native.blocks.iter().rposition(|item| !is_reasoning(item));
        for item in native.blocks.iter().take(end.map_or(0, |end| end + 1)) {
            list.add_raw(with_fitting_id(item).bytes());
        }
        return;
    };
    // A message of a body that was read: its parts in its frame.
    let content = match &native.blocks[..] {
        [text] if text.as_str().starts_with('"') => text.clone(),
        parts => list_of(parts),
    };
    let mut fields = RawObject::parse(frame).unwrap_or_default();
    fields.set("content", content);
    list.add_raw(fields.compose().bytes());
}

/// A turn of another API. Reasoning, and what only that API understands, is left out.
fn turn(list: &mut List, message: &Message, names: &Names) {
    for (_, block) in sendable(message.content()) {
        match block {
            Content::Text(block) => {
                let content = OutContent::Text(block.text.as_str().into());
                list.message("assistant", Some(content));
            }
            Content::ToolCall(call) => add_call(list, call, names),
            Content::Other(other) if other.api == API => list.add_raw(other.json.bytes()),
            _ => {}
        }
    }
}

fn add_call(list: &mut List, call: &ToolCall, names: &Names) {
    let id = call_id(call.id());
    let kind = names.kind(call.name()).and_then(CallKind::of_tool);
    let input = call.input();
    list.add(&match kind.filter(|_| input.is_object()) {
        Some(kind) => OutItem::Fields(kind.write(call, &id, names.wire(call.name()))),
        None => OutItem::FunctionCall {
            kind: "function_call",
            call_id: id,
            name: names.wire(call.name()),
            arguments: arguments(input),
        },
    });
}

/// The arguments of a call, which are an object.
fn arguments(input: &RawJson) -> Cow<'_, str> {
    if !input.is_object() {
        return "{}".into();
    }
    let mut text = input.bytes().to_vec();
    replace_lone_surrogates(&mut text);
    if text == input.as_str().as_bytes() {
        return input.as_str().into();
    }
    String::from_utf8(text).unwrap_or_default().into()
}

/// Results, each an item, then what else is said.
fn user(list: &mut List, message: &Message, names: &Names) -> Result<(), Error> {
    let mut behind = Vec::new();
    for result in message.tool_results() {
        let item = results::item(result, names, &mut behind)?;
        list.add(&item);
    }
    let others = sendable(message.content()).map(|(_, block)| block);
    let others = others.filter(|block| block.as_tool_result().is_none());
    let (items, others): (Vec<_>, Vec<_>) = others.partition(|block| is_item(block));
    for item in items.into_iter().filter_map(Content::as_other) {
        list.add_raw(item.json.bytes());
    }
    let own = parts::content(others.into_iter())?;
    if behind.is_empty() {
        list.message("user", own);
    } else {
        behind.extend(parts::list(own));
        list.message("user", Some(OutContent::Parts(behind)));
    }
    Ok(())
}

/// Whether a block of this API is an item by itself, such as the answer to a request for approval, and no part.
fn is_item(block: &Content) -> bool {
    let own = block.as_other().filter(|other| other.api == API);
    own.is_some_and(|other| !other.kind.starts_with("input_"))
}

fn is_reasoning(item: &RawJson) -> bool {
    let known = item.decode::<wire::Kind>();
    known.is_ok_and(|known| known.kind == "reasoning")
}

/// An item as it came, but for an id that the API would refuse: its result has the one that fits, too.
fn with_fitting_id(item: &RawJson) -> Cow<'_, RawJson> {
    let known: Option<wire::CallId> = serde_json::from_str(item.as_str()).ok();
    let Some(Cow::Owned(id)) = known.as_ref().map(|known| call_id(&known.call_id)) else {
        return Cow::Borrowed(item);
    };
    let mut fields = RawObject::parse(item).unwrap_or_default();
    fields.set("call_id", string(&id));
    Cow::Owned(fields.compose())
}

/// The longest id of a call that the API takes.
const LONGEST_ID: usize = 64;

/// An id that the API takes.
pub(super) fn call_id(id: &str) -> Cow<'_, str> {
    fitting(id, |id| id.len() <= LONGEST_ID)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn message(role: Role, blocks: Vec<(Content, Value)>) -> Message {
        let (content, native): (Vec<_>, Vec<Value>) = blocks.into_iter().unzip();
        let native = Native {
            api: API,
            model: "m".to_owned(),
            frame: None,
            blocks: native.into_iter().map(RawJson::from).collect(),
        };
        Message::with_native(role, content, Some(native))
    }

    fn sent(message: &Message) -> Value {
        let items = items(message, &Names::NONE).unwrap();
        let list = [&b"["[..], &items[..], b"]"].concat();
        serde_json::from_slice(&list).unwrap()
    }

    #[test]
    fn a_call_and_its_result_have_the_same_id_however_long() {
        let id = "x".repeat(70);
        let call = ToolCall::new(&id, "f", RawJson::empty_object());
        let item = json!({"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"});
        let result = crate::message::ToolResult::new(&call, vec![Content::text("done")]);
        let turn = message(Role::Assistant, vec![(Content::ToolCall(call), item)]);
        let answer = Message::new(Role::User, vec![Content::ToolResult(result)]);
        let (call, result) = (sent(&turn), sent(&answer));
        assert_eq!(call[0]["call_id"], result[0]["call_id"]);
        assert!(call[0]["call_id"].as_str().unwrap().len() <= LONGEST_ID);
        assert_eq!(call[0]["name"], "f");
    }

    #[test]
    fn reasoning_that_nothing_follows_is_left_out() {
        let thought = || (Content::thinking("Hm."), json!({"type": "reasoning", "id": "rs", "summary": []}));
        let says = (Content::text("Hi."), json!({"type": "message", "role": "assistant", "content": "Hi."}));
        let turn = message(Role::Assistant, vec![thought(), says, thought(), thought()]);
        let kinds = |sent: Value| {
            let items = sent.as_array().unwrap().iter();
            items.map(|item| item["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(kinds(sent(&turn)), ["reasoning", "message"]);
        assert!(kinds(sent(&message(Role::Assistant, vec![thought()]))).is_empty());
    }
}
