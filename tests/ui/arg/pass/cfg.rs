// What is said of a parameter that is not there is not looked at.
#![deny(warnings)]

use haft::{Tool, tool};

/// Run a program.
#[tool]
async fn run(
    #[cfg(all())]
    #[arg(default = 3, min = 1, max = 9, example = 4)]
    times: u8,
    #[cfg(any())]
    #[arg(default = MISSING, min = MISSING, example = MISSING)]
    times: Missing,
    #[arg(rename = "program", default = "ls", min_len = 1)] name: String,
) -> String {
    format!("{name} {times}")
}

fn main() {
    let schema = Tool::<()>::definition(&run {}).input_schema();
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["times", "program"]);
}
