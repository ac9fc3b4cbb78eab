// Which errors the model can be told, and what it reads of them: an error's sources too.
use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

use haft::serde_json::json;
use haft::{ToolError, Toolkit, tool, toolkit};

#[derive(Debug)]
struct Outer(ParseIntError);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such day")
    }
}

impl Error for Outer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

struct Printed;

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("printed")
    }
}

type Answer<T = u8, E = Outer> = Result<T, E>;

mod io {
    pub type Result<T> = std::result::Result<T, super::Outer>;
}

fn outer() -> Outer {
    Outer("x".parse::<u8>().unwrap_err())
}

macro_rules! errors {
    ($($name:ident: $type:ty = $value:expr, $text:expr;)*) => {
        $(
            /// Fail.
            #[tool]
            async fn $name() -> $type {
                Err($value)
            }
        )*

        async fn check() {
            let kit: Toolkit = toolkit![$($name),*];
            $(
                let result = kit.call(stringify!($name), json!({})).await;
                assert_eq!(result.text(), concat!("Error: ", $text), stringify!($name));
                assert!(result.is_error());
            )*
        }
    };
}

errors! {
    tool_error: Result<String, ToolError> = ToolError::new("a"), "a";
    std_error: Result<String, ParseIntError> = outer().0, "invalid digit found in string";
    with_source: Result<u8, Outer> = outer(), "no such day: invalid digit found in string";
    alias: Answer = outer(), "no such day: invalid digit found in string";
    alias_of_module: io::Result<u8> = outer(), "no such day: invalid digit found in string";
    alias_with_error: Answer<u8, String> = "a".to_owned(), "a";
    string: Result<(), String> = "a".to_owned(), "a";
    slice: Result<(), &'static str> = "a", "a";
    printed: Result<(), Printed> = Printed, "printed";
    anyhow_error: Result<(), anyhow::Error> = anyhow::Error::new(outer()).context("a"),
        "a: no such day: invalid digit found in string";
    anyhow_alias: anyhow::Result<()> = anyhow::anyhow!("a"), "a";
    boxed: Result<(), Box<dyn Error + Send + Sync>> = outer().into(),
        "no such day: invalid digit found in string";
    boxed_alone: Result<(), Box<dyn Error>> = outer().into(), "no such day";
}

/// Fail by `?`.
#[tool]
async fn question_mark(day: String) -> Result<u8, ToolError> {
    Ok(day.parse::<u8>()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    check().await;
    let kit: Toolkit = toolkit![question_mark];
    let result = kit.call("question_mark", json!({"day": "x"})).await;
    assert_eq!(result.text(), "Error: invalid digit found in string");
}
