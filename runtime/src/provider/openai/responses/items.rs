//! From messages to items: as they came, where they came from this API, else written from their neutral form.

use std::borrow::Cow;

use bytes::Bytes;

use super::calls::{CallKind, FUNCTION_OUTPUT};
use super::wire::{self, OutContent, OutItem};
use super::{API, parts, results};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role, ToolCall, sendable};
use crate::provider::ids::fitting;
use crate::provider::openai::written::{List, arguments, in_frame};
use crate::raw_object::{RawObject, string};
use crate::toolkit::Names;

/// What the server knows that the items go to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) names: &'a Names,
    /// OpenAI's own tools, so also the items of their types.
    pub(super) has_own_tools: bool,
}

/// The items of one message; nothing where nothing of it is to be sent.
///
/// # Errors
/// Where it has a block that cannot be sent.
pub(super) fn items(message: &Message, known: Known<'_>) -> Result<Bytes, Error> {
    let mut list = List::default();
    match (message.native(&API), message.role()) {
        (Some(native), _) if known.takes(native) => echo(&mut list, native),
        (Some(native), _) => echo_neutral(&mut list, message, native, known)?,
        (None, Role::Assistant) => turn(&mut list, message, known),
        (None, Role::System) => {
            let blocks = sendable(message.content()).map(|(_, block)| block);
            add_message(&mut list, "system", parts::content(blocks)?);
        }
        (None, Role::User) => user(&mut list, message, known)?,
    }
    Ok(list.finish())
}

impl Known<'_> {
    /// Whether it takes all items as they came.
    fn takes(self, native: &Native) -> bool {
        self.has_own_tools || native.frame.is_some() || !native.blocks.iter().any(is_of_own_tool)
    }
}

/// Whether an item is of one of OpenAI's own tools.
fn is_of_own_tool(item: &RawJson) -> bool {
    const PLAIN: [&str; 4] = ["message", "reasoning", "function_call", FUNCTION_OUTPUT];
    let kind = item.decode::<wire::Kind>();
    kind.is_ok_and(|known| !PLAIN.contains(&known.kind.as_str()))
}

/// The items for a server that has none of OpenAI's own tools: their calls and results are those of functions there, and
/// what OpenAI has run is left out.
fn echo_neutral(
    list: &mut List,
    message: &Message,
    native: &Native,
    known: Known<'_>,
) -> Result<(), Error> {
    let mut behind = Vec::new();
    for (block, item) in message.content().iter().zip(&native.blocks) {
        match block {
            _ if !is_of_own_tool(item) => list.add_raw(with_fitting_id(item).bytes()),
            Content::ToolCall(call) => add_call(list, call, known.names),
            Content::ToolResult(result) => list.add(&results::item(result, known, &mut behind)?),
            _ => {}
        }
    }
    Ok(())
}

fn add_message(list: &mut List, role: &'static str, content: Option<OutContent<'_>>) {
    if let Some(content) = content {
        list.add(&OutItem::Message { role, content });
    }
}

/// The items as they came, in order, also those in which nothing is said: reasoning must be followed by the item that it
/// came with.
fn echo(list: &mut List, native: &Native) {
    let Some(frame) = &native.frame else {
        for item in &native.blocks {
            list.add_raw(with_fitting_id(item).bytes());
        }
        return;
    };
    // A message of a body that was read: its parts in its frame.
    list.add_raw(in_frame(frame, &native.blocks).compose().bytes());
}

/// A turn of another API. Reasoning, and what only that API understands, is left out.
fn turn(list: &mut List, message: &Message, known: Known<'_>) {
    for (_, block) in sendable(message.content()) {
        match block {
            Content::Text(block) => {
                let content = OutContent::Text(block.text.as_str().into());
                add_message(list, "assistant", Some(content));
            }
            Content::ToolCall(call) => add_call(list, call, known.names),
            Content::Other(other) if other.api == API && known.has_own_tools => {
                list.add_raw(other.json.bytes())
            }
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

/// Results, each an item, then what else is said.
fn user(list: &mut List, message: &Message, known: Known<'_>) -> Result<(), Error> {
    let mut behind = Vec::new();
    for result in message.tool_results() {
        let item = results::item(result, known, &mut behind)?;
        list.add(&item);
    }
    let others = sendable(message.content()).map(|(_, block)| block);
    let others = others.filter(|block| block.as_tool_result().is_none());
    let (items, others): (Vec<_>, Vec<_>) = others.partition(|block| is_item(block));
    let items = items.into_iter().filter(|_| known.has_own_tools);
    for item in items.filter_map(Content::as_other) {
        list.add_raw(item.json.bytes());
    }
    let own = parts::content(others.into_iter())?;
    if behind.is_empty() {
        add_message(list, "user", own);
    } else {
        behind.extend(parts::list(own));
        add_message(list, "user", Some(OutContent::Parts(behind)));
    }
    Ok(())
}

/// Whether a block of this API is an item by itself, such as the answer to a request for approval, and no part.
fn is_item(block: &Content) -> bool {
    let own = block.as_other().filter(|other| other.api == API);
    own.is_some_and(|other| !other.kind.starts_with("input_"))
}

/// An item as it came, but for an id that the API would refuse: its result has the one that fits, too.
fn with_fitting_id(item: &RawJson) -> Cow<'_, RawJson> {
    let Ok(wire::CallId { call_id: raw }) = serde_json::from_str(item.as_str()) else {
        return Cow::Borrowed(item);
    };
    let text: Option<String> = serde_json::from_str(raw.get()).ok();
    let id = call_id(text.as_deref().unwrap_or(raw.get()));
    if raw.get() == "null" || text.as_deref() == Some(&*id) {
        return Cow::Borrowed(item);
    }
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
    use crate::message::ToolResult;

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
        sent_to(message, true)
    }

    fn sent_to(message: &Message, has_own_tools: bool) -> Value {
        let names = &Names::NONE;
        let items = items(
            message,
            Known {
                names,
                has_own_tools,
            },
        )
        .unwrap();
        let list = [&b"["[..], &items[..], b"]"].concat();
        serde_json::from_slice(&list).unwrap()
    }

    #[test]
    fn a_call_and_its_result_have_the_same_id_however_long() {
        let id = "x".repeat(70);
        let call = ToolCall::new(&id, "f", RawJson::empty_object());
        let item = json!({"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"});
        let result = ToolResult::new(&call, vec![Content::text("done")]);
        let turn = message(Role::Assistant, vec![(Content::ToolCall(call), item)]);
        let answer = Message::new(Role::User, vec![Content::ToolResult(result)]);
        let (call, result) = (sent(&turn), sent(&answer));
        assert_eq!(call[0]["call_id"], result[0]["call_id"]);
        assert!(call[0]["call_id"].as_str().unwrap().len() <= LONGEST_ID);
        assert_eq!(call[0]["name"], "f");
    }

    #[test]
    fn a_server_without_openais_tools_gets_functions_in_their_place() {
        let action = json!({"commands": ["ls"]});
        let call = ToolCall::new("c1", "shell", action.clone().into());
        let item = json!({"type": "shell_call", "call_id": "c1", "action": action});
        let search = json!({"type": "web_search_call", "id": "ws_1"});
        let answer = serde_json::Map::from_iter([("type".to_owned(), json!("shell_call_output"))]);
        let identity = call.identity().answered_by(answer);
        let result = ToolResult::with_parts(identity, vec![Content::text("a.txt")], false);
        let turn = message(
            Role::Assistant,
            vec![
                (Content::other(API, search.clone().into()), search.clone()),
                (Content::ToolCall(call), item.clone()),
            ],
        );
        let answer = Message::new(Role::User, vec![Content::ToolResult(result)]);
        assert_eq!(sent(&turn), json!([search, item]));
        assert_eq!(sent(&answer)[0]["type"], "shell_call_output");
        let function = json!({"type": "function_call", "call_id": "c1", "name": "shell", "arguments": action.to_string()});
        assert_eq!(sent_to(&turn, false), json!([function]));
        let output = json!({"type": FUNCTION_OUTPUT, "call_id": "c1", "output": "a.txt"});
        assert_eq!(sent_to(&answer, false), json!([output]));
    }
}
