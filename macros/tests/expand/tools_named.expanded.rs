impl Github {
    /// Merge a pull request.
    fn merge(
        &self,
        token: &Token,
        call: &CallContext,
        number: u32,
    ) -> Result<(), String> {
        self.post(token, number)
    }
}
const _: () = {
    use crate::haft as __haft;
    #[allow(clippy::self_named_constructors, unused_qualifications)]
    impl Github
    where
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        /// The tools of this block. Their state is this type: see `with_state`.
        pub fn pulls() -> __haft::Toolkit<Self> {
            __haft::__private::from_methods([Self::__tool_merge()])
        }
        fn __tool_merge() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            __method(
                __haft::__private::define(
                    "merge_pull",
                    "Merge a pull request.",
                    &Self::__parameters_merge(),
                ),
                Self::__call_merge,
            )
        }
        #[allow(clippy::unused_unit)]
        fn __parameters_merge() -> (__haft::__private::Parameter<u32>, ()) {
            use __haft::__private::parameter as __parameter;
            (__parameter::<u32>("number", ""), ())
        }
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        fn __call_merge<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            let __owned = __haft::__private::own(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = __haft::__private::read(
                    &Self::__parameters_merge(),
                    __input,
                )?;
                __haft::__private::run_blocking(move || {
                        let __state = __haft::__private::Owned::state(&__owned);
                        let __lent0 = __haft::__private::Provide::<
                            Token,
                        >::provide_in(
                            __haft::__private::Owned::state(&__owned),
                            __haft::__private::Owned::context(&__owned),
                        );
                        let __lent1 = __haft::__private::Provide::<
                            CallContext,
                        >::provide_in(
                            __haft::__private::Owned::state(&__owned),
                            __haft::__private::Owned::context(&__owned),
                        );
                        match __haft::__private::returned::<
                            Result<(), String>,
                            _,
                        >(Self::merge(__state, __lent0, __lent1, __arg0)) {
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
                    .await
            })
        }
    }
};
