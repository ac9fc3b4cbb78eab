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
    const __DESCRIPTION: &'static ::core::primitive::str = {
        use ::haft::__private::description as __description;
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
    impl ::haft::__private::Listed for get_weather {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (::haft::__private::Parameter<String>, ()) {
        use ::haft::__private::parameter as __parameter;
        (
            __parameter::<
                String,
            >(
                "city",
                const {
                    ::haft::__private::text(::core::concat!(concat!("The", " city.")))
                },
            ),
            (),
        )
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> ::haft::Tool<__State> for get_weather {
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
                let (__arg0, ()) = ::haft::__private::read(&__parameters(), __input)?;
                match ::haft::__private::returned::<
                    String,
                    _,
                >(get_weather(__arg0).await) {
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
