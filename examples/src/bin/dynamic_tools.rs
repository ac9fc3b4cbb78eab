//! How do I make tools whose names and schemas are known only when the program runs?
//!
//! `cargo run --bin dynamic_tools`

use haft::serde_json::{Value, json};
use haft::{FunctionTool, Request, Runner, ToolError, Toolkit, argument};

/// What a configuration file or a database could hold.
const TABLES: [(&str, &[&str]); 2] = [
    ("customers", &["name", "city"]),
    ("orders", &["number", "total"]),
];

#[argument]
struct Sum {
    /// The numbers to add.
    numbers: Vec<f64>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    // The schema comes from the type of the arguments ...
    let sum = FunctionTool::new::<Sum, _>("sum", "Add numbers.", |sum: Sum| async move {
        sum.numbers.iter().fold(0.0, |a, b| a + b)
    })?;
    let mut kit = Toolkit::new().with(sum)?;
    // ... or is data, one tool for each table.
    for (table, columns) in TABLES {
        kit = kit.with(search(table, columns)?)?;
    }

    let request = Request::new("claude-opus-5-5").user("Which customers live in Oslo?");
    let end = Runner::new(haft::provider_from_env()?, kit, request)
        .run_to_completion()
        .await?;
    println!("{}", end.reply.text());
    Ok(())
}

/// A tool that searches one table by one of its columns.
fn search(table: &'static str, columns: &[&str]) -> Result<FunctionTool, haft::Error> {
    let schema = json!({
        "type": "object",
        "properties": {
            "column": {"type": "string", "enum": columns},
            "value": {"type": "string", "description": "What the column must contain."},
        },
        "required": ["column", "value"],
        "additionalProperties": false,
    });
    FunctionTool::from_schema(
        format!("search_{table}"),
        format!("Search the {table}."),
        schema,
        move |input: Value| async move {
            let text = |key: &str| {
                input
                    .get(key)
                    .and_then(Value::as_str)
                    .ok_or_else(|| ToolError::new(format!("`{key}` must be a text")))
            };
            Ok::<_, ToolError>(format!(
                "no row of {table} has {:?} in {}",
                text("value")?,
                text("column")?
            ))
        },
    )
}
