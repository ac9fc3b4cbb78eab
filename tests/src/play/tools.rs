//! The recorded client's tools, each answering with the recorded results.
#![allow(
    clippy::indexing_slicing,
    reason = "what a JSON value does not have is null"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use haft::serde_json::{Map, Value};
use haft::{
    Api, Call, Content, Error, FunctionTool, RawJson, Tool, ToolDefinition, ToolError, ToolFuture,
    ToolOutput, Toolkit,
};

use super::speaks::Speaks;
use crate::recording::RecordedResult;

/// A function of a body, as its API has it.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) schema: Value,
    /// What else is said of it.
    pub(super) rest: Map<String, Value>,
}

impl Function {
    /// Out of fields, with the schema under `key`.
    pub(super) fn read(fields: &Map<String, Value>, key: &str) -> Option<Self> {
        let mut rest = fields.clone();
        let name = rest.shift_remove("name")?.as_str()?.to_owned();
        let schema = rest.shift_remove(key).filter(Value::is_object)?;
        Some(Self { name, schema, rest })
    }
}

/// The function tools of a body.
pub(super) fn toolkit(
    speaks: &dyn Speaks,
    body: &Value,
    results: &BTreeMap<String, RecordedResult>,
) -> Result<Toolkit, Error> {
    let results = Arc::new(results.clone());
    let functions = speaks.functions(body).into_iter();
    functions
        .map(|function| recorded(function, speaks.api(), Arc::clone(&results)))
        .try_fold(Toolkit::new(), |kit, tool| kit.with(tool?))
}

/// A tool of the recorded client, declared as a program would that has its schema as data.
fn recorded(
    function: Function,
    api: Api,
    results: Arc<BTreeMap<String, RecordedResult>>,
) -> Result<Recorded, Error> {
    let never_run =
        |_: Value| async { Err::<String, _>(ToolError::new("answered by the recording")) };
    let text = |key: &str| {
        function
            .rest
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let description = text("description").to_owned();
    let mut tool =
        FunctionTool::from_schema(function.name, &*description, function.schema, never_run)?;
    for (key, value) in function.rest {
        tool = match (key.as_str(), &value) {
            ("description", _) if !description.is_empty() => tool,
            ("strict", Value::Bool(strict)) => tool.strict(*strict),
            _ => tool.option(key, value),
        };
    }
    Ok(Recorded {
        definition: tool.definition().clone(),
        api,
        results,
    })
}

/// A tool that answers each call as it was answered when the conversation was recorded.
struct Recorded {
    definition: ToolDefinition,
    api: Api,
    results: Arc<BTreeMap<String, RecordedResult>>,
}

impl<S> Tool<S> for Recorded {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        let id = call.context().call_id();
        let output = self
            .results
            .get(id)
            .map(|result| self.output(result))
            .ok_or_else(|| ToolError::new(format!("no result for {id}")));
        Box::pin(std::future::ready(output))
    }
}

impl Recorded {
    /// Blocks without a neutral form (files, references to tools) go out as they were recorded.
    fn output(&self, result: &RecordedResult) -> ToolOutput {
        let block = |block: &Value| match block["text"].as_str() {
            Some(text) if block["type"] == "text" || block["type"] == "input_text" => {
                Content::text(text)
            }
            _ => Content::other(self.api.clone(), RawJson::from(block.clone())),
        };
        let output = ToolOutput::new(result.content.iter().map(block));
        if result.is_error {
            output.as_error()
        } else {
            output
        }
    }
}
