impl Shell {
    #[doc = include_str!("run.md")]
    fn r#run(&self) {}
}
const _: () = {
    use ::haft as __haft;
    #[allow(clippy::self_named_constructors, unused_qualifications)]
    impl Shell
    where
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        /// The tools of this block. Their state is this type: see `with_state`.
        pub fn tools() -> __haft::Toolkit<Self> {
            __haft::__private::from_methods([Self::__tool_run()])
        }
        /// The tools of this block, with this value as their state.
        pub fn into_toolkit(self) -> __haft::Toolkit {
            __haft::Toolkit::with_state(
                { __haft::__private::from_methods([Self::__tool_run()]) },
                self,
            )
        }
        fn __tool_run() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            const __DESCRIPTION: &'static ::core::primitive::str = {
                use __haft::__private::description as __description;
                __description(::core::concat!(include_str!("run.md")))
            };
            __method(
                __haft::__private::define(
                    "run",
                    __DESCRIPTION,
                    &Self::__parameters_run(),
                ),
                Self::__call_run,
            )
        }
        #[allow(clippy::unused_unit)]
        fn __parameters_run() -> () {
            ()
        }
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        fn __call_run<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            let __state = __haft::Call::state(&__call);
            ::std::boxed::Box::pin(async move {
                let () = __haft::__private::read(&Self::__parameters_run(), __input)?;
                match __haft::__private::returned::<(), _>(Self::r#run(__state)) {
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
