/// Delete a file.
async fn delete_file(path: String) -> std::io::Result<()> {
    remove(path).await
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct delete_file {}
const _: () = {
    impl delete_file {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "delete_file";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Delete a file.";
    }
    #[automatically_derived]
    impl ::haft::__private::Listed for delete_file {
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
    impl<__State> ::haft::Tool<__State> for delete_file {
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
                        .with_title("Delete a file")
                        .destructive(true)
                        .idempotent(true)
                        .open_world(false)
                        .strict(true)
                        .exclusive(true)
                        .approval(true)
                        .with_timeout(::core::time::Duration::new(1u64, 500000000u32))
                        .option("defer_loading", ::haft::__private::json("true"))
                        .option(
                            "cache_control",
                            ::haft::__private::json(
                                "{\"type\":\"ephemeral\",\"ttl\":[\"1h\",null,-0.5]}",
                            ),
                        )
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
                match ::haft::__private::returned::<
                    std::io::Result<()>,
                    _,
                >(delete_file(__arg0).await) {
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
        }
    }
};
