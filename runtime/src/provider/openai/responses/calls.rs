//! The calls that are items of a type of their own: where their input is, and what answers them.

use serde_json::{Map, Value, json};

use super::wire;
use crate::json::RawJson;
use crate::message::ToolCall;

/// A call of a tool that is known by its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallKind {
    /// The `type` of the tool's definition.
    pub(super) tool: &'static str,
    /// The `type` of a call's item.
    pub(super) call: &'static str,
    /// The `type` of the item that answers it.
    pub(super) output: &'static str,
    input: Input,
}

/// Where the input of a call is.
#[derive(Clone, Copy, Debug)]
enum Input {
    /// A text in `input`: the field of an object all the same, so that another API's function takes it.
    Text,
    /// An object in this field.
    Object(&'static str),
    /// A list of actions, or a single one, and what is to be approved with them.
    Actions,
}

const KINDS: [CallKind; 6] = [
    CallKind {
        tool: "custom",
        call: "custom_tool_call",
        output: "custom_tool_call_output",
        input: Input::Text,
    },
    CallKind {
        tool: "shell",
        call: "shell_call",
        output: "shell_call_output",
        input: Input::Object("action"),
    },
    CallKind {
        tool: "local_shell",
        call: "local_shell_call",
        output: "local_shell_call_output",
        input: Input::Object("action"),
    },
    CallKind {
        tool: "apply_patch",
        call: "apply_patch_call",
        output: "apply_patch_call_output",
        input: Input::Object("operation"),
    },
    CallKind {
        tool: "computer",
        call: "computer_call",
        output: "computer_call_output",
        input: Input::Actions,
    },
    CallKind {
        tool: "computer_use_preview",
        call: "computer_call",
        output: "computer_call_output",
        input: Input::Actions,
    },
];

/// How many commands a shell's call has, where it has several; it is not sent.
pub(super) const COMMANDS: &str = "commands";

/// The answer to a function.
pub(super) const FUNCTION_OUTPUT: &str = "function_call_output";

impl CallKind {
    /// By the type of the tool's definition.
    pub(super) fn of_tool(tool: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.tool == tool)
    }

    /// By the type of a call's item.
    pub(super) fn of_call(call: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.call == call)
    }

    /// Whether an item of this type answers a call of the program's.
    pub(super) fn is_output(kind: &str) -> bool {
        kind == FUNCTION_OUTPUT || KINDS.iter().any(|own| own.output == kind)
    }

    /// The input in a call's item; none where it is missing.
    pub(super) fn read(self, item: &RawJson, wire: &wire::Item<'_>) -> Option<RawJson> {
        let part = |raw| RawJson::part_of(item.bytes(), raw);
        match self.input {
            Input::Text => {
                let text: String = part(wire.input?).decode().ok()?;
                Some(json!({ "input": text }).into())
            }
            Input::Object("operation") => wire.operation.map(part),
            Input::Object(_) => wire.action.map(part),
            Input::Actions => {
                let actions = match (wire.actions, wire.action) {
                    (Some(actions), _) => part(actions).to_value(),
                    (None, Some(action)) => json!([part(action).to_value()]),
                    (None, None) => return None,
                };
                let mut input = Map::from_iter([("actions".to_owned(), actions)]);
                let checks = wire.pending_safety_checks.map(|raw| part(raw).to_value());
                if let Some(checks) = checks.filter(|checks| *checks != json!([])) {
                    input.insert("pending_safety_checks".to_owned(), checks);
                }
                Some(Value::Object(input).into())
            }
        }
    }

    /// A call as an item, where there is none to echo.
    pub(super) fn write(self, call: &ToolCall, id: &str, name: &str) -> Map<String, Value> {
        let mut item = Map::new();
        let mut put = |key: &str, value: Value| item.insert(key.to_owned(), value);
        put("type", self.call.into());
        put("call_id", id.into());
        let input = call.input().to_value();
        match self.input {
            Input::Text => {
                let text = input.get("input").and_then(Value::as_str);
                put("name", name.into());
                put("input", text.unwrap_or(call.input().as_str()).into());
            }
            Input::Object(field) => {
                if self.tool == "local_shell" {
                    // The API has no other for it, and wants none else that it has not given.
                    put("id", id.into());
                }
                put(field, input);
                put("status", "completed".into());
            }
            Input::Actions => {
                let field = |key| input.get(key).cloned().unwrap_or_else(|| json!([]));
                put("id", id.into());
                put("actions", field("actions"));
                put("pending_safety_checks", field("pending_safety_checks"));
                put("status", "completed".into());
            }
        }
        item
    }

    /// What the answer to a call says of itself, beside what it comes to.
    pub(super) fn answer(self, input: &RawJson) -> Map<String, Value> {
        let mut answer = Map::from_iter([("type".to_owned(), self.output.into())]);
        if self.tool != "shell" {
            return answer;
        }
        let input = input.to_value();
        let limit = input.get("max_output_length");
        if let Some(limit) = limit.filter(|limit| !limit.is_null()) {
            answer.insert("max_output_length".to_owned(), limit.clone());
        }
        let commands = input.get("commands").and_then(Value::as_array);
        if let Some(commands) = commands.filter(|commands| commands.len() > 1) {
            answer.insert(COMMANDS.to_owned(), commands.len().into());
        }
        answer
    }
}
