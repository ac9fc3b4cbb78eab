/// Make a text.
async fn str() -> String {
    String::new()
}
const _: () = {
    fn __types_str() {
        let _ = ::haft::__private::returned::<String, _>;
    }
};
::core::compile_error! {
    "tool `str` must not be named like a primitive type\nnote: that type would be hidden; rename the function, and write `#[tool(name = \"str\")]`"
}
