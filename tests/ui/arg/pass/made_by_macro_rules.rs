// Types, expressions and literals that another macro hands on.
#![deny(warnings)]

use haft::{Tool, serde_json::json, tool};

const LEAST: u8 = 1;

macro_rules! count {
    ($name:ident, $type:ty, $least:expr, $most:literal, $default:expr, $docs:literal, $key:literal) => {
        #[doc = $docs]
        #[tool]
        fn $name(
            #[arg(default = $default, min = $least, max = $most, example = $most, description = $docs, rename = $key)]
            number: $type,
            #[arg(default = $docs, max_len = 20)] text: String,
            #[arg(max = $most)] again: Option<$type>,
        ) -> String {
            format!("{number} {text} {again:?}")
        }
    };
}

count!(
    small,
    u8,
    LEAST,
    9,
    LEAST + 1,
    "Count little.",
    "small-number"
);
count!(large, i64, -9, 1_000, -1, "Count much.", "largeNumber");
count!(
    precise,
    f64,
    -0.5,
    0.5,
    0.0,
    "Count well.",
    "precise_number"
);

fn main() {
    let schema = Tool::<()>::definition(&small {}).input_schema();
    assert_eq!(
        schema["properties"]["small-number"],
        json!({
            "description": "Count little.", "type": "integer", "minimum": 1, "maximum": 9, "default": 2,
            "examples": [9],
        })
    );
    assert_eq!(
        Tool::<()>::definition(&large {}).description(),
        "Count much."
    );
    assert_eq!(precise(0.1, String::new(), None), "0.1  None");
}
