//! From the items of the API, as JSON, to their neutral form: one block for each.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::calls::{CallKind, FUNCTION_OUTPUT};
use super::{API, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Identity, Thinking, ToolCall};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::failure::{misplaced, place};
use crate::provider::ids::Ids;
use crate::raw_object::{RawObject, string};

/// The items of a reply.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) blocks: Blocks,
    /// What was said in place of an answer.
    pub(super) refusal: Option<String>,
    /// Whether a call was cut off.
    pub(super) is_cut: bool,
}

/// Reads the items of a reply.
///
/// # Errors
/// Where a known item has not what it must have.
pub(super) fn output(body: &RawJson, list: &RawValue, asked: Asked<'_>) -> Result<Output, Error> {
    let list: Vec<&RawValue> = serde_json::from_str(list.get())
        .map_err(|_| Error::protocol("`output` is no list of items"))?;
    let (mut output, mut ids) = (Output::default(), Ids::default());
    let mut calls = HashSet::new();
    for (at, raw) in list.into_iter().enumerate() {
        let json = RawJson::part_of(body.bytes(), raw);
        let item = item_apart(&json, at, asked, |id| calls.contains(id));
        let item = item.map_err(|reason| misplaced("output", at, &reason))?;
        let call = item.content.as_tool_call();
        calls.extend(call.map(|call| call.id().to_owned()));
        output.is_cut |= item.is_cut;
        if let Some(refusal) = item.refusal {
            output.refusal.get_or_insert_default().push_str(&refusal);
        }
        output.blocks.push((item.content, item.json));
    }
    output.set_answered_aside();
    for block in &output.blocks.content {
        ids.claim(block)?;
    }
    Ok(output)
}

impl Output {
    /// What the API has answered itself is no call of the program's: its own shell, for one.
    fn set_answered_aside(&mut self) {
        let others = self.blocks.content.iter().filter_map(Content::as_other);
        let outputs = others.filter(|other| CallKind::is_output(&other.kind));
        let answered: Vec<_> = outputs
            .filter_map(|other| {
                other
                    .json
                    .to_value()
                    .get("call_id")?
                    .as_str()
                    .map(str::to_owned)
            })
            .collect();
        for (block, json) in self.blocks.content.iter_mut().zip(&self.blocks.native) {
            let is_answered = |call: &ToolCall| answered.iter().any(|id| id == call.id());
            if block.as_tool_call().is_some_and(is_answered) {
                *block = Content::other(API, json.clone());
            }
        }
    }
}

/// One item that was read.
pub(super) struct Item {
    pub(super) content: Content,
    /// What goes back.
    pub(super) json: RawJson,
    refusal: Option<String>,
    is_cut: bool,
}

impl Item {
    fn whole(content: Content, json: RawJson) -> Self {
        Self {
            content,
            json,
            refusal: None,
            is_cut: false,
        }
    }
}

/// Reads an item, of which a call gets an id of its own where another one of the reply has its id.
pub(super) fn item_apart(
    json: &RawJson,
    at: usize,
    asked: Asked<'_>,
    is_taken: impl Fn(&str) -> bool,
) -> Result<Item, String> {
    let read = item(json, at, asked)?;
    match read.content.as_tool_call() {
        Some(call) if is_taken(call.id()) => {
            item(&with_call_id(json, &asked.missing_id(at)), at, asked)
        }
        _ => Ok(read),
    }
}

/// An item with another id of its call.
pub(super) fn with_call_id(json: &RawJson, id: &str) -> RawJson {
    let mut fields = RawObject::parse(json).unwrap_or_default();
    fields.set("call_id", string(id));
    fields.compose()
}

/// Reads an item of the model's.
pub(super) fn item(json: &RawJson, at: usize, asked: Asked<'_>) -> Result<Item, String> {
    let wire: wire::Item<'_> = match serde_json::from_str(json.as_str()) {
        Ok(wire) => wire,
        Err(error) => return unread(json, &error),
    };
    match wire.kind.as_deref() {
        Some("message") => Ok(message(json, &wire)),
        None if wire.role.is_some() => Ok(message(json, &wire)),
        None => Err("an item without a `type`".to_owned()),
        Some("reasoning") => {
            let content = Content::Thinking(Thinking {
                text: reasoning(&wire),
            });
            Ok(Item::whole(content, json.clone()))
        }
        Some("function_call") => function_call(json, wire, at, asked),
        Some(kind) => match CallKind::of_call(kind) {
            Some(kind) if !is_run_by_api(&wire) => call(json, &wire, kind, at, asked),
            _ => Ok(Item::whole(other(json, kind, asked), json.clone())),
        },
    }
}

/// A known kind with a payload that is not its own is an error; an unknown kind may have any.
fn unread(json: &RawJson, error: &serde_json::Error) -> Result<Item, String> {
    const KNOWN: &[&str] = &["message", "reasoning", "function_call"];
    match json.decode::<wire::Kind>() {
        Ok(wire::Kind { kind })
            if !KNOWN.contains(&kind.as_str()) && CallKind::of_call(&kind).is_none() =>
        {
            Ok(Item::whole(Content::other(API, json.clone()), json.clone()))
        }
        Ok(wire::Kind { kind }) => Err(format!("a `{kind}` item is {}", place(error))),
        Err(_) => Err("an item without a `type`".to_owned()),
    }
}

/// A shell in a container of the API's.
fn is_run_by_api(wire: &wire::Item<'_>) -> bool {
    let environment = wire.environment.as_ref().and_then(|it| it.kind.as_deref());
    environment.is_some_and(|kind| kind.starts_with("container"))
}

/// An item without a neutral form. Of a call that the API runs, the tool is known by the type.
fn other(json: &RawJson, kind: &str, asked: Asked<'_>) -> Content {
    let mut content = Content::other(API, json.clone());
    let Content::Other(other) = &mut content else {
        return content;
    };
    let tool = kind.strip_suffix("_call").map(str::to_owned);
    // Servers are told apart by the label that the program has given them.
    let label = || {
        json.to_value()
            .get("server_label")?
            .as_str()
            .map(str::to_owned)
    };
    let tool = if kind.starts_with("mcp_") {
        label()
    } else {
        tool
    };
    other.tool = tool.map(|tool| asked.names.own_of_server(&tool).to_owned());
    content
}

fn parts(raw: Option<&RawValue>) -> Vec<wire::Part> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// What the model says; a refusal is not part of it.
fn message(json: &RawJson, wire: &wire::Item<'_>) -> Item {
    let text = wire
        .content
        .map(|raw| serde_json::from_str::<String>(raw.get()));
    let (text, refusal) = match text {
        Some(Ok(text)) => (text, None),
        _ => {
            let mut said = String::new();
            let mut refusal: Option<String> = None;
            for part in parts(wire.content) {
                said.push_str(part.text.as_deref().unwrap_or_default());
                if let Some(words) = part.refusal {
                    refusal.get_or_insert_default().push_str(&words);
                }
            }
            (said, refusal)
        }
    };
    Item {
        refusal,
        ..Item::whole(Content::text(text), json.clone())
    }
}

/// What is shown of reasoning: its summary, each part a paragraph, else the reasoning itself.
fn reasoning(wire: &wire::Item<'_>) -> String {
    let texts = |raw| -> Vec<String> {
        let parts = parts(raw).into_iter();
        parts.filter_map(|part| part.text).collect()
    };
    let summary = texts(wire.summary);
    if summary.is_empty() {
        texts(wire.content).concat()
    } else {
        summary.join(PARAGRAPH)
    }
}

/// What stands between the parts of a summary.
pub(super) const PARAGRAPH: &str = "\n\n";

/// Whether an item says of itself that it is not whole.
pub(super) fn is_incomplete(json: &RawJson) -> bool {
    let known = serde_json::from_str::<wire::Status>(json.as_str());
    known.is_ok_and(|known| is_cut(known.status.as_ref()))
}

fn is_cut(status: Option<&Value>) -> bool {
    status.is_some_and(|status| status == "incomplete")
}

/// The id of a call, and whether the server gave none.
fn call_id(wire: &wire::Item<'_>, at: usize, asked: Asked<'_>) -> (String, bool) {
    let given = [&wire.call_id, &wire.id].into_iter().flatten();
    let mut given = given.filter(|id| !id.is_empty());
    match given.next() {
        Some(id) => (id.clone(), wire.call_id.as_ref() != Some(id)),
        None => (asked.missing_id(at), true),
    }
}

fn function_call(
    json: &RawJson,
    wire: wire::Item<'_>,
    at: usize,
    asked: Asked<'_>,
) -> Result<Item, String> {
    let (id, is_new) = call_id(&wire, at, asked);
    let is_cut = is_cut(wire.status.as_ref());
    let name = wire.name.filter(|name| !name.is_empty());
    let name = name.ok_or("a `function_call` without `name`")?;
    // Some servers have an object here; the API takes nothing but its text.
    let is_text = wire.arguments.is_none_or(|raw| raw.get().starts_with('"'));
    let text = wire.arguments.map(|raw| {
        let text = serde_json::from_str::<String>(raw.get());
        text.unwrap_or_else(|_| raw.get().to_owned())
    });
    let text = text.filter(|text| !matches!(text.trim(), "" | "null"));
    let is_none = text.is_none();
    let input = text.map_or_else(RawJson::empty_object, RawJson::from_text);
    let arguments = if is_none || !input.is_object() {
        Some("{}")
    } else {
        (!is_text).then_some(input.as_str())
    };
    let mut fields = (is_new || arguments.is_some()).then(|| RawObject::parse(json));
    if let Some(Ok(fields)) = &mut fields {
        if is_new {
            fields.set("call_id", string(&id));
        }
        if let Some(arguments) = arguments {
            fields.set("arguments", string(arguments));
        }
    }
    let sent = match fields {
        Some(Ok(fields)) => fields.compose(),
        _ => json.clone(),
    };
    let mut identity = asked.names.identity(id, name, None);
    if let Some(caller) = wire.caller.filter(|caller| !caller.is_null()) {
        let answer = [("type", FUNCTION_OUTPUT.into()), ("caller", caller)];
        let answer = answer.map(|(key, value)| (key.to_owned(), value));
        identity = identity.answered_by(Map::from_iter(answer));
    }
    Ok(Item {
        is_cut,
        ..Item::whole(call_of(identity, input), sent)
    })
}

fn call_of(identity: Arc<Identity>, input: RawJson) -> Content {
    Content::ToolCall(ToolCall::of_identity(identity, input))
}

/// A call of a tool that is known by its type.
fn call(
    json: &RawJson,
    wire: &wire::Item<'_>,
    kind: CallKind,
    at: usize,
    asked: Asked<'_>,
) -> Result<Item, String> {
    let (id, is_new) = call_id(wire, at, asked);
    let input = kind
        .read(json, wire)
        .ok_or_else(|| format!("a `{}` item without its input", kind.call))?;
    let mut answer = kind.answer(&input);
    if let Some(caller) = wire.caller.as_ref().filter(|caller| !caller.is_null()) {
        answer.insert("caller".to_owned(), caller.clone());
    }
    let name = wire.name.clone().unwrap_or_else(|| kind.tool.to_owned());
    let identity = asked.names.identity(id.clone(), name, None);
    let sent = match RawObject::parse(json) {
        Ok(mut fields) if is_new => {
            fields.set("call_id", string(&id));
            fields.compose()
        }
        _ => json.clone(),
    };
    Ok(Item {
        is_cut: is_cut(wire.status.as_ref()),
        ..Item::whole(call_of(identity.answered_by(answer), input), sent)
    })
}

/// The type that the fields of an item tell.
pub(super) fn kind_of_fields(fields: &Map<String, Value>) -> Option<&str> {
    fields.get("type")?.as_str()
}
