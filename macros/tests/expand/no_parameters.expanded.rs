/// Tell the time.
async fn now() {
    clock()
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct now {}
const _: () = {
    impl now {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "now";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Tell the time.";
    }
    #[automatically_derived]
    impl ::haft::__private::Listed for now {
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
    impl<__State> ::haft::Tool<__State> for now {
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
                },
            )
        }
        fn call<'call>(
            &'call self,
            __call: ::haft::Call<'call, __State>,
        ) -> ::haft::ToolFuture<'call> {
            let __input = ::haft::Call::arguments(&__call);
            ::std::boxed::Box::pin(async move {
                let () = ::haft::__private::read(&__parameters(), __input)?;
                match ::haft::__private::returned::<(), _>(now().await) {
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
