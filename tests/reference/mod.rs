//! The schemas of the reference data, as tools.

use std::fs;

use haft::FunctionTool;
use haft::serde_json::{self, Value, json};
use haft_tests::recording::shared_or_skip;

/// The file of that name in the reference data.
pub(crate) fn rows(test_name: &str, file: &str) -> Option<Vec<Value>> {
    let path = shared_or_skip(test_name)?.join("schema").join(file);
    Some(serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
}

/// A text of a row, which is empty where there is none.
pub(crate) fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// A tool with this schema under a key (tools take objects), for which it asks that it be strict.
pub(crate) fn strict_tool(schema: &Value) -> FunctionTool {
    let mut it = schema.clone();
    let mut whole = json!({"type": "object", "properties": {}, "required": ["it"]});
    for definitions in ["$defs", "definitions"] {
        if let Some(taken) = it
            .as_object_mut()
            .and_then(|it| it.shift_remove(definitions))
        {
            whole[definitions] = taken;
        }
    }
    whole["properties"]["it"] = it;
    FunctionTool::from_schema("t", "", whole, |input: Value| async { input })
        .unwrap()
        .strict(true)
}
