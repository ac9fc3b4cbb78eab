/// Run a program.
#[cfg(feature = "shell")]
async fn run(
    #[cfg(unix)]
    mode: u32,
    program: String,
    #[cfg(windows)]
    #[cfg(feature = "admin")]
    elevated: bool,
) -> String {
    program
}
#[cfg(feature = "shell")]
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct run {}
#[cfg(feature = "shell")]
const _: () = {
    use ::haft as __haft;
    impl run {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "run";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Run a program.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for run {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[cfg(unix)]
    type __Row0<__Rest> = (__haft::__private::Parameter<u32>, __Rest);
    #[cfg(not(all(unix)))]
    type __Row0<__Rest> = __Rest;
    #[cfg(windows)]
    #[cfg(feature = "admin")]
    type __Row2<__Rest> = (__haft::__private::Parameter<bool>, __Rest);
    #[cfg(not(all(windows, feature = "admin")))]
    type __Row2<__Rest> = __Rest;
    #[allow(clippy::unused_unit)]
    fn __parameters() -> __Row0<(__haft::__private::Parameter<String>, __Row2<()>)> {
        use __haft::__private::parameter as __parameter;
        {
            let __rest = (
                __parameter::<String>("program", ""),
                {
                    let __rest = ();
                    #[cfg(windows)]
                    #[cfg(feature = "admin")]
                    let __rest = (__parameter::<bool>("elevated", ""), __rest);
                    __rest
                },
            );
            #[cfg(unix)]
            let __rest = (__parameter::<u32>("mode", ""), __rest);
            __rest
        }
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for run {
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
                let __rest = __haft::__private::read(&__parameters(), __input)?;
                #[cfg(unix)]
                let (__arg0, __rest) = __rest;
                let (__arg1, __rest) = __rest;
                #[cfg(windows)]
                #[cfg(feature = "admin")]
                let (__arg2, __rest) = __rest;
                let () = __rest;
                match __haft::__private::returned::<
                    String,
                    _,
                >(
                    run(
                            #[cfg(unix)]
                            __arg0,
                            __arg1,
                            #[cfg(windows)]
                            #[cfg(feature = "admin")]
                            __arg2,
                        )
                        .await,
                ) {
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
