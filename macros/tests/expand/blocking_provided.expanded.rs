/// Hash a file.
fn hash_file(root: &Root, call: &CallContext, path: String) -> String {
    hash(root, &path)
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct hash_file {}
const _: () = {
    use ::haft as __haft;
    impl hash_file {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "hash_file";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Hash a file.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for hash_file {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (__haft::__private::Parameter<String>, ()) {
        use __haft::__private::parameter as __parameter;
        (__parameter::<String>("path", ""), ())
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for hash_file
    where
        __State: __haft::__private::Provide<Root>,
        __State: __haft::__private::Provide<CallContext>,
        __State: ::core::marker::Send + ::core::marker::Sync + 'static,
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
            let __owned = __haft::__private::own(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = __haft::__private::read(&__parameters(), __input)?;
                __haft::__private::run_blocking(move || {
                        let __lent0 = __haft::__private::Provide::<
                            Root,
                        >::provide_in(
                            __haft::__private::Owned::state(&__owned),
                            __haft::__private::Owned::context(&__owned),
                        );
                        let __lent1 = __haft::__private::Provide::<
                            CallContext,
                        >::provide_in(
                            __haft::__private::Owned::state(&__owned),
                            __haft::__private::Owned::context(&__owned),
                        );
                        match __haft::__private::returned::<
                            String,
                            _,
                        >(hash_file(__lent0, __lent1, __arg0)) {
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
                    .await
            })
        }
    }
};
