/// Delete a file.
async fn delete_file(path: String) -> std::io::Result<()> {
    remove(path).await
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct delete_file {}
const _: () = {
    use ::haft as __haft;
    impl delete_file {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "delete_file";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Delete a file.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for delete_file {
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
    impl<__State> __haft::Tool<__State> for delete_file {
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
                        .with_title("Delete a file")
                        .destructive(true)
                        .idempotent(true)
                        .open_world(false)
                        .strict(true)
                        .exclusive(true)
                        .approval(true)
                        .with_timeout(::core::time::Duration::new(1u64, 500000000u32))
                        .option("defer_loading", __haft::__private::json("true"))
                        .option(
                            "cache_control",
                            __haft::__private::json(
                                "{\"type\":\"ephemeral\",\"ttl\":[\"1h\",null,-0.5]}",
                            ),
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
                match __haft::__private::returned::<
                    std::io::Result<()>,
                    _,
                >(delete_file(__arg0).await) {
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
