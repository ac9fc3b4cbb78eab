/// Notes kept between conversations.
async fn notes(store: &Store, command: MemoryCommand) -> Result<String, StoreError> {
    store.run(command).await
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct notes {}
const _: () = {
    use ::haft as __haft;
    impl notes {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "notes";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Notes kept between conversations.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for notes {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    fn __parameters() -> __haft::__private::Whole<MemoryCommand> {
        use __haft::__private::whole as __whole;
        __whole::<MemoryCommand, _>(haft::anthropic::tools::MEMORY_20250818)
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for notes
    where
        __State: __haft::__private::Provide<Store>,
    {
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
            let __lent0 = __haft::__private::Provide::<
                Store,
            >::provide_in(__haft::Call::state(&__call), __haft::Call::context(&__call));
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = __haft::__private::read(&__parameters(), __input)?;
                match __haft::__private::returned::<
                    Result<String, StoreError>,
                    _,
                >(notes(__lent0, __arg0).await) {
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
