/// Find a user.
async fn find(&self, name: String) -> String {
    name
}
::core::compile_error! {
    "tool `find` must be a free function\nnote: move it out of the `impl` block, and call the method in it"
}
