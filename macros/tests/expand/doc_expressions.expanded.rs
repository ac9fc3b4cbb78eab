/// Get the weather.
///
#[doc = include_str!("weather.md")]
/// For cities only.
async fn get_weather(city: String) -> String {
    city
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct get_weather {}
const _: () = {
    use ::haft as __haft;
    const __DESCRIPTION: &'static ::core::primitive::str = {
        use __haft::__private::description as __description;
        __description(
            ::core::concat!(
                "Get the weather.\n\n", include_str!("weather.md"), "\nFor cities only."
            ),
        )
    };
    impl get_weather {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "get_weather";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = __DESCRIPTION;
    }
    #[automatically_derived]
    impl __haft::__private::Listed for get_weather {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (__haft::__private::Parameter<String>, ()) {
        use __haft::__private::parameter as __parameter;
        (
            __parameter::<
                String,
            >(
                "city",
                const {
                    __haft::__private::text(::core::concat!(concat!("The", " city.")))
                },
            ),
            (),
        )
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for get_weather {
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
                match __haft::__private::returned::<
                    String,
                    _,
                >(get_weather(__arg0).await) {
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
