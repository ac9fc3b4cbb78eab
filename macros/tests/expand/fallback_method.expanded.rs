/// Find a user.
async fn find(&self, name: String) -> String {
    name
}
::core::compile_error! {
    "tool `find` must be a free function\nnote: for a method, put `#[tools]` above the `impl` block"
}
