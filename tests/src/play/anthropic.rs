//! What the play needs to know of the Messages API: the provider, and the recorded client's tools.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use haft::anthropic::Anthropic;
use haft::serde_json::Value;
use haft::{
    Api, Call, Content, Error, FunctionTool, RawJson, Tool, ToolDefinition, ToolError, ToolFuture,
    ToolOutput, Toolkit,
};

use crate::recording::{RecordedRequest, RecordedResult};

/// Long enough that no recorded request is streamed because of what it could take.
const PLAIN: Duration = Duration::from_secs(24 * 3600);
/// So many tokens that a request is streamed, since they could take longer than that.
pub(super) const STREAMED: u64 = 128_000 * 100;

/// A provider for a server under test, with the version of the API that was recorded.
pub(super) fn provider(
    base_url: &str,
    recorded: Option<&RecordedRequest>,
    max_retries: usize,
) -> Result<Anthropic, Error> {
    let builder = Anthropic::builder()
        .api_key("none")
        .base_url(base_url)
        .timeout(PLAIN)
        .max_retries(max_retries);
    match recorded.and_then(|request| request.headers.get("anthropic-version")) {
        Some(version) => builder.api_version(version),
        None => builder,
    }
    .build()
}

/// The function tools of a body, each answering with the recorded results.
pub(super) fn toolkit(
    body: &Value,
    results: &BTreeMap<String, RecordedResult>,
) -> Result<Toolkit, Error> {
    let results = Arc::new(results.clone());
    let tools = body["tools"].as_array().into_iter().flatten();
    let functions = tools.filter(|tool| tool.get("input_schema").is_some());
    functions
        .map(|tool| function(tool, Arc::clone(&results)))
        .try_fold(Toolkit::new(), |kit, tool| kit.with(tool?))
}

/// A tool of the recorded client, declared as a program would that has its schema as data.
fn function(
    tool: &Value,
    results: Arc<BTreeMap<String, RecordedResult>>,
) -> Result<Recorded, Error> {
    let text = |key: &str| tool[key].as_str().unwrap_or_default();
    let never_run =
        |_: Value| async { Err::<String, _>(ToolError::new("answered by the recording")) };
    let mut function = FunctionTool::from_schema(
        text("name"),
        text("description"),
        tool["input_schema"].clone(),
        never_run,
    )?;
    for (key, value) in tool.as_object().into_iter().flatten() {
        function = match (key.as_str(), value) {
            ("name" | "input_schema", _) => function,
            ("description", _) if !text("description").is_empty() => function,
            ("strict", Value::Bool(strict)) => function.strict(*strict),
            _ => function.option(key, value.clone()),
        };
    }
    Ok(Recorded {
        definition: function.definition().clone(),
        results,
    })
}

/// A tool that answers each call as it was answered when the conversation was recorded.
struct Recorded {
    definition: ToolDefinition,
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
            .map(output)
            .ok_or_else(|| ToolError::new(format!("no result for {id}")));
        Box::pin(std::future::ready(output))
    }
}

/// Blocks without a neutral form (files, references to tools) go out as they were recorded.
fn output(result: &RecordedResult) -> ToolOutput {
    let output = ToolOutput::new(
        result
            .content
            .iter()
            .map(|block| match block["text"].as_str() {
                Some(text) if block["type"] == "text" => Content::text(text),
                _ => Content::other(Api::ANTHROPIC_MESSAGES, RawJson::from(block.clone())),
            }),
    );
    if result.is_error {
        output.as_error()
    } else {
        output
    }
}
