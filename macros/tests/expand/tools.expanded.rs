impl Github {
    const PAGE: u32 = 30;
    /// List open issues.
    pub async fn issues(
        &self,
        repository: String,
        page: u32,
    ) -> anyhow::Result<Json<Vec<Issue>>> {
        self.list(repository, page).await
    }
    /// Tell the rules.
    fn rules() -> &'static str {
        RULES
    }
    async fn list(
        &self,
        repository: String,
        page: u32,
    ) -> anyhow::Result<Json<Vec<Issue>>> {
        todo!()
    }
}
const _: () = {
    use ::haft as __haft;
    #[allow(clippy::self_named_constructors, unused_qualifications)]
    impl Github
    where
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        /// The tools of this block. Their state is this type: see `with_state`.
        pub fn tools() -> __haft::Toolkit<Self> {
            __haft::__private::from_methods([
                Self::__tool_issues(),
                Self::__tool_rules(),
            ])
        }
        /// The tools of this block, with this value as their state.
        pub fn into_toolkit(self) -> __haft::Toolkit {
            __haft::Toolkit::with_state(
                {
                    __haft::__private::from_methods([
                        Self::__tool_issues(),
                        Self::__tool_rules(),
                    ])
                },
                self,
            )
        }
        fn __tool_issues() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            __method(
                __haft::__private::define(
                        "issues",
                        "List open issues.",
                        &Self::__parameters_issues(),
                    )
                    .read_only(true),
                Self::__call_issues,
            )
        }
        #[allow(clippy::unused_unit)]
        fn __parameters_issues() -> (
            __haft::__private::Parameter<String>,
            (__haft::__private::Parameter<u32>, ()),
        ) {
            use __haft::__private::parameter as __parameter;
            use __haft::__private::must as __must;
            type __Type1 = u32;
            const __MAX1: <__Type1 as __haft::__private::Number>::Bound = { 100 };
            const __DEFAULT1: <__Type1 as __haft::__private::Number>::Bound = {
                <Github>::PAGE
            };
            static __RANGE1: __haft::__private::Range<
                <__Type1 as __haft::__private::Number>::Bound,
            > = __haft::__private::Range::NONE.max(__MAX1);
            const _: () = {
                const __HOLDS: ::core::primitive::bool = __DEFAULT1 <= __MAX1;
                __must(
                    __HOLDS,
                    "tool `issues` must have a default that its `max` allows\nnote: a call without `page` would be given it; change one of the two",
                )
            };
            (
                __parameter::<String>("repository", "owner/name"),
                (
                    __haft::__private::with_range::<
                        __Type1,
                    >(
                        __parameter::<u32>("page", "")
                            .with_default(
                                || __DEFAULT1,
                                |__value| __haft::__shown!(__value),
                            ),
                        &__RANGE1,
                    ),
                    (),
                ),
            )
        }
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        fn __call_issues<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            let __state = __haft::Call::state(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, (__arg1, ())) = __haft::__private::read(
                    &Self::__parameters_issues(),
                    __input,
                )?;
                match __haft::__private::returned::<
                    anyhow::Result<Json<Vec<Issue>>>,
                    _,
                >(Self::issues(__state, __arg0, __arg1).await) {
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
        fn __tool_rules() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            __method(
                __haft::__private::define(
                    "rules",
                    "Tell the rules.",
                    &Self::__parameters_rules(),
                ),
                Self::__call_rules,
            )
        }
        #[allow(clippy::unused_unit)]
        fn __parameters_rules() -> () {
            ()
        }
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        fn __call_rules<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            ::std::boxed::Box::pin(async move {
                let () = __haft::__private::read(&Self::__parameters_rules(), __input)?;
                match __haft::__private::returned::<&'static str, _>(Self::rules()) {
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
