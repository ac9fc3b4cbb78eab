async fn find(name: String) -> String {
    name
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct find {}
const _: () = {
    use ::haft as __haft;
    const __DESCRIPTION: &'static ::core::primitive::str = {
        use __haft::__private::description as __description;
        __description(texts::FIND)
    };
    impl find {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "find";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = __DESCRIPTION;
    }
    #[automatically_derived]
    impl __haft::__private::Listed for find {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (__haft::__private::Parameter<String>, ()) {
        use __haft::__private::parameter as __parameter;
        (__parameter::<String>("name", ""), ())
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for find {
        fn definition(&self) -> &__haft::ToolDefinition {
            static DEFINITION: ::std::sync::OnceLock<__haft::ToolDefinition> = ::std::sync::OnceLock::new();
            ::std::sync::OnceLock::get_or_init(
                &DEFINITION,
                || {
                    __haft::__private::define(
                        Self::NAME,
                        Self::DESCRIPTION,
                        &__parameters(),
                    )
                },
            )
        }
        fn call<'call>(
            &'call self,
            __call: __haft::Call<'call, __State>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = __haft::__private::read(&__parameters(), __input)?;
                match __haft::__private::returned::<String, _>(find(__arg0).await) {
                    ::core::result::Result::Ok(__output) => __output,
                    ::core::result::Result::Err(__error) => {
                        use __haft::__private::{
                            FromBoxed as _, FromDisplay as _, FromError as _,
                            FromToolError as _, FromUnknown as _,
                        };
                        ::core::result::Result::Err(
                            (&&&&&__error).__kind().convert(__error.0),
                        )
                    }
                }
            })
        }
    }
};
