/// Make a text.
async fn str() -> String {
    String::new()
}
::core::compile_error! {
    "tool `str` must not be named like a primitive type\nnote: that type would be hidden; rename the function, and write `#[tool(name = \"str\")]`"
}
