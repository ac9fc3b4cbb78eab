/// Tell the time.
fn now() -> String {
    clock()
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct now {}
const _: () = {
    use ::haft as __haft;
    impl now {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "now";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Tell the time.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for now {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> () {
        ()
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for now {
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
                let () = __haft::__private::read(&__parameters(), __input)?;
                match __haft::__private::returned::<String, _>(now()) {
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
    __haft::__collected!(now);
};
