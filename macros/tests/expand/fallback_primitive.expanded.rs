/// Make a text.
async fn str() -> String {
    String::new()
}
const _: () = {
    use ::haft as __haft;
    fn __types_str() {
        let _ = __haft::__private::returned::<String, _>;
    }
};
::core::compile_error! {
    "tool `str` must not be named like a primitive type\nnote: that type would be hidden; rename the function, and write `#[tool(name = \"str\")]`"
}
