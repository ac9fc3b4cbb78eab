/// Find a user.
#[inline]
async fn find(name: String) -> String {
    name
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
struct find {}
const _: () = {
    impl find {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "find";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "";
        #[doc(hidden)]
        pub const __TOOL: Self = Self {};
    }
    #[automatically_derived]
    impl<__State> ::haft::Tool<__State> for find {
        fn definition(&self) -> &::haft::ToolDefinition {
            ::core::unreachable!()
        }
        fn call<'call>(
            &'call self,
            _: ::haft::Call<'call, __State>,
        ) -> ::haft::ToolFuture<'call> {
            ::core::unreachable!()
        }
    }
};
::core::compile_error! {
    "tool `find` must have `#[tool]` once\nnote: remove it here or before"
}
