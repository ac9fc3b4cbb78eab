impl Shell {
    /// Run a program.
    async fn run(&mut self, program: String, arguments: &[String]) -> String {
        program
    }
    /// Stop it.
    fn stop(&self) {}
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
            __haft::__private::from_methods([Self::__tool_stop()])
        }
        /// The tools of this block, with this value as their state.
        pub fn into_toolkit(self) -> __haft::Toolkit {
            __haft::Toolkit::with_state(
                { __haft::__private::from_methods([Self::__tool_stop()]) },
                self,
            )
        }
        fn __types_run() {
            use __haft::__private::parameter as __parameter;
            let _ = __parameter::<String>("program", "");
            let _ = __haft::__private::returned::<String, _>;
        }
        fn __tool_stop() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            __method(
                __haft::__private::define(
                    "stop",
                    "Stop it.",
                    &Self::__parameters_stop(),
                ),
                Self::__call_stop,
            )
        }
        #[allow(clippy::unused_unit)]
        fn __parameters_stop() -> () {
            ()
        }
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        fn __call_stop<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            let __state = __haft::Call::state(&__call);
            ::std::boxed::Box::pin(async move {
                let () = __haft::__private::read(&Self::__parameters_stop(), __input)?;
                match __haft::__private::returned::<(), _>(Self::stop(__state)) {
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
::core::compile_error! {
    "`#[tools]` must not have a key `nme`\nnote: the keys of `#[tools]` are `name`, `crate`"
}
::core::compile_error! {
    "tool `run` must not be `async` and `blocking`\nnote: it is for a plain `fn`; in an `async fn`, await what takes time"
}
::core::compile_error! {
    "tool `run` must not take another `self` than `&self`\nnote: all calls share the state: write `&self`, or no `self`"
}
::core::compile_error! {
    "tool `run` must take a `Vec`, not a slice\nnote: an argument is a value of the call's own"
}
