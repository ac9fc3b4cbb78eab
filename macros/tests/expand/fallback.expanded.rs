/// For people.
#[cfg(unix)]
pub async fn find(name: &str) -> String {
    name.to_owned()
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
pub struct find {}
#[cfg(unix)]
const _: () = {
    use ::haft as __haft;
    impl find {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "find";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for find {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[automatically_derived]
    impl<__State> __haft::Tool<__State> for find {
        fn definition(&self) -> &__haft::ToolDefinition {
            ::core::unreachable!()
        }
        fn call<'call>(
            &'call self,
            _: __haft::Call<'call, __State>,
        ) -> __haft::ToolFuture<'call> {
            ::core::unreachable!()
        }
    }
    #[cfg(unix)]
    fn __types_find() {
        let _ = __haft::__private::returned::<String, _>;
    }
};
::core::compile_error! {
    "tool `find` must not have a key `nme`\nnote: the keys of `#[tool]` are `name`, `description`, `title`, `read_only`, `destructive`, `idempotent`, `open_world`, `exclusive`, `approval`, `timeout`, `blocking`, `collect`, `strict`, `provider`, `option`, `crate`"
}
::core::compile_error! {
    "tool `find` must have a description\nnote: tell the model what the tool does, in a doc comment or as `description = \"...\"`"
}
::core::compile_error! {
    "tool `find` must take `String`, not `&str`\nnote: an argument is a value of the call's own"
}
