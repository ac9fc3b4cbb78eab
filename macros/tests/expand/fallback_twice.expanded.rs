/// Find a user.
#[inline]
async fn find(name: String) -> String {
    name
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct find {}
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
    fn __types_find() {
        use __haft::__private::parameter as __parameter;
        let _ = __parameter::<String>("name", "");
        let _ = __haft::__private::returned::<String, _>;
    }
};
::core::compile_error! {
    "tool `find` must have `#[tool]` once\nnote: remove it here or before"
}
