/// Hash a file.
fn hash_file(path: String) -> std::io::Result<String> {
    hash(&path)
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct hash_file {}
const _: () = {
    impl hash_file {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "hash_file";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Hash a file.";
    }
    #[automatically_derived]
    impl ::haft::__private::Listed for hash_file {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (::haft::__private::Parameter<String>, ()) {
        use ::haft::__private::parameter as __parameter;
        (__parameter::<String>("path", ""), ())
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> ::haft::Tool<__State> for hash_file
    where
        __State: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        fn definition(&self) -> &::haft::ToolDefinition {
            static DEFINITION: ::std::sync::OnceLock<::haft::ToolDefinition> = ::std::sync::OnceLock::new();
            ::std::sync::OnceLock::get_or_init(
                &DEFINITION,
                || {
                    ::haft::__private::define(
                            Self::NAME,
                            Self::DESCRIPTION,
                            &__parameters(),
                        )
                        .with_timeout(::core::time::Duration::new(120u64, 0u32))
                },
            )
        }
        fn call<'call>(
            &'call self,
            __call: ::haft::Call<'call, __State>,
        ) -> ::haft::ToolFuture<'call> {
            let __input = ::haft::Call::arguments(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = ::haft::__private::read(&__parameters(), __input)?;
                ::haft::__private::run_blocking(move || {
                        match ::haft::__private::returned::<
                            std::io::Result<String>,
                            _,
                        >(hash_file(__arg0)) {
                            ::core::result::Result::Ok(__output) => __output,
                            ::core::result::Result::Err(__error) => {
                                use ::haft::__private::{
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
