/// Add numbers.
fn add(first: i64) -> i64 {
    first
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct add {}
const _: () = {
    use ::haft as __haft;
    impl add {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "add";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for add {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[automatically_derived]
    impl<__State> __haft::Tool<__State> for add {
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
    fn __types_add() {
        use __haft::__private::parameter as __parameter;
        let _ = __parameter::<i64>("first", "");
        let _ = __haft::__private::returned::<i64, _>;
    }
};
::core::compile_error! {
    "tool `add` must have a fixed number of arguments\nnote: take a `Vec` for any number"
}
