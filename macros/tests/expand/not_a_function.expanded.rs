/// A user.
struct User {
    name: String,
}
::core::compile_error! {
    "`#[tool]` must stand on a function\nnote: write it above an `async fn` or a plain `fn`"
}
