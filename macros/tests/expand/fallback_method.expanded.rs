/// Find a user.
async fn find(&self, name: String) -> String {
    name
}
::core::compile_error! {
    "tool `find` must be a free function\nnote: write `#[tools]` on the `impl` block, for its methods with `#[tool]`"
}
