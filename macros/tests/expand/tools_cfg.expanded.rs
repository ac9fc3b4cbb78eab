#[cfg(unix)]
impl Shell {
    /// Run a program.
    #[cfg(feature = "shell")]
    #[deprecated]
    fn run(&self, program: String, #[cfg(unix)] mode: u32) -> String {
        program
    }
}
#[cfg(unix)]
const _: () = {
    use ::haft as __haft;
    #[cfg(feature = "shell")]
    #[cfg(unix)]
    #[allow(non_camel_case_types)]
    type __Row1_run<__Rest> = (__haft::__private::Parameter<u32>, __Rest);
    #[cfg(feature = "shell")]
    #[cfg(not(all(unix)))]
    #[allow(non_camel_case_types)]
    type __Row1_run<__Rest> = __Rest;
    #[allow(clippy::self_named_constructors, unused_qualifications)]
    impl Shell
    where
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        /// The tools of this block. Their state is this type: see `with_state`.
        pub fn tools() -> __haft::Toolkit<Self> {
            __haft::__private::from_methods([
                #[cfg(feature = "shell")]
                Self::__tool_run(),
            ])
        }
        /// The tools of this block, with this value as their state.
        pub fn into_toolkit(self) -> __haft::Toolkit {
            __haft::Toolkit::with_state(
                {
                    __haft::__private::from_methods([
                        #[cfg(feature = "shell")]
                        Self::__tool_run(),
                    ])
                },
                self,
            )
        }
        #[cfg(feature = "shell")]
        fn __tool_run() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            __method(
                __haft::__private::define(
                    "run",
                    "Run a program.",
                    &Self::__parameters_run(),
                ),
                Self::__call_run,
            )
        }
        #[cfg(feature = "shell")]
        #[allow(clippy::unused_unit)]
        fn __parameters_run() -> (__haft::__private::Parameter<String>, __Row1_run<()>) {
            use __haft::__private::parameter as __parameter;
            #[cfg(unix)]
            type __Type1 = u32;
            (
                __parameter::<String>("program", ""),
                {
                    let __rest = ();
                    #[cfg(unix)]
                    let __rest = (
                        __parameter::<u32>("mode", "")
                            .with_default(|| 0, |__value| __haft::__shown!(__value)),
                        __rest,
                    );
                    __rest
                },
            )
        }
        #[cfg(feature = "shell")]
        #[allow(
            deprecated,
            clippy::needless_borrow,
            unused_imports,
            unused_qualifications
        )]
        fn __call_run<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            let __state = __haft::Call::state(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, __rest) = __haft::__private::read(
                    &Self::__parameters_run(),
                    __input,
                )?;
                #[cfg(unix)]
                let (__arg1, __rest) = __rest;
                let () = __rest;
                match __haft::__private::returned::<
                    String,
                    _,
                >(Self::run(__state, __arg0, #[cfg(unix)] __arg1)) {
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
