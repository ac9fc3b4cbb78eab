//! Whatever a model sends, a call gives a result: nothing panics, and what is refused is told why.
#![no_main]
#![allow(dead_code, reason = "what is read is only printed")]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use haft::{Nullable, RawJson, ToolCall, Toolkit, argument, tool, toolkit};
use libfuzzer_sys::fuzz_target;

#[argument]
#[derive(Debug)]
enum Units {
    Celsius,
    Fahrenheit,
}

#[argument]
#[derive(Debug)]
#[serde(tag = "op")]
enum Shape {
    Leaf { r: f64, label: Option<String> },
    Pair { left: Box<Self>, right: Box<Self> },
    Dot,
}

#[argument]
#[derive(Debug)]
#[serde(untagged)]
enum Either {
    Text(String),
    Numbers(Vec<i64>),
    Shape { shape: Shape, note: Nullable<String> },
}

/// Takes plain arguments.
#[tool]
async fn plain(
    #[arg(min_len = 1, max_len = 5, pattern = "^[a-z]*$")] a: String,
    #[arg(default = 3, min = 1, max = 9)] b: u8,
    c: Option<Units>,
    d: Option<Vec<i32>>,
    e: Option<f32>,
) -> String {
    format!("{a} {b} {c:?} {d:?} {e:?}")
}

/// Takes everything else.
#[tool]
async fn deep(
    a: Option<Shape>,
    b: Option<Vec<Either>>,
    c: BTreeMap<String, Nullable<u16>>,
    d: Option<haft::serde_json::Value>,
    e: Option<(u8, char)>,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e:?}")
}

static KIT: LazyLock<Toolkit> = LazyLock::new(|| toolkit![plain, deep]);

fuzz_target!(|data: &str| {
    let Ok(input) = RawJson::parse(data) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    for name in ["plain", "deep"] {
        let call = ToolCall::new("1", name, input.clone());
        let result = runtime.block_on(KIT.run(&call));
        let text = result.text();
        assert!(!text.starts_with(&format!("Error: Tool '{name}' panicked")), "{text}");
        let told = format!("Error: Invalid input for tool '{name}': ");
        assert!(!result.is_error() || text.len() > told.len(), "{text}");
    }
});
