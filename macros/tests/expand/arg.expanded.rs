/// Search for flights.
async fn search_flights(
    origin: String,
    seats: u32,
    class: Class,
    stops: Vec<String>,
    airlines: Option<Vec<String>>,
    currency: String,
    discount: Option<f64>,
) -> String {
    look_up(origin, seats).await
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct search_flights {}
const _: () = {
    use ::haft as __haft;
    impl search_flights {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "search_flights";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Search for flights.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for search_flights {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (
        __haft::__private::Parameter<String>,
        (
            __haft::__private::Parameter<u32>,
            (
                __haft::__private::Parameter<Class>,
                (
                    __haft::__private::Parameter<Vec<String>>,
                    (
                        __haft::__private::Parameter<Option<Vec<String>>>,
                        (
                            __haft::__private::Parameter<String>,
                            (__haft::__private::Parameter<Option<f64>>, ()),
                        ),
                    ),
                ),
            ),
        ),
    ) {
        use __haft::__private::parameter as __parameter;
        use __haft::__private::must as __must;
        #[allow(unused_imports)]
        use __haft::__private::ProbeOtherwise as _;
        type __Type0 = String;
        const __MIN_LEN0: ::core::primitive::usize = { 3 };
        const __MAX_LEN0: ::core::primitive::usize = { 3 };
        const __PATTERN0: &::core::primitive::str = { "^[A-Z]{3}$" };
        static __LENGTH0: __haft::__private::Length = __haft::__private::Length::matching(
                __PATTERN0,
            )
            .min(__MIN_LEN0)
            .max(__MAX_LEN0);
        type __Type1 = u32;
        const __MIN1: <__Type1 as __haft::__private::Number>::Bound = { 1 };
        const __MAX1: <__Type1 as __haft::__private::Number>::Bound = { MOST };
        const __MULTIPLE_OF1: <__Type1 as __haft::__private::Number>::Bound = { 1 };
        const __DEFAULT1: <__Type1 as __haft::__private::Number>::Bound = { 1 };
        const __EXAMPLE1_0: <__Type1 as __haft::__private::Number>::Bound = { 2 };
        static __RANGE1: __haft::__private::Range<
            <__Type1 as __haft::__private::Number>::Bound,
        > = __haft::__private::Range::NONE
            .min(__MIN1)
            .max(__MAX1)
            .multiple_of(__MULTIPLE_OF1);
        type __Type2 = Class;
        type __Type3 = Vec<String>;
        type __Type4 = Option<Vec<String>>;
        const __MAX_ITEMS4: ::core::primitive::usize = { 5 };
        static __ITEMS4: __haft::__private::Items = __haft::__private::Items::NONE
            .max(__MAX_ITEMS4);
        type __Type5 = String;
        const __MAX_LEN5: ::core::primitive::usize = { LONGEST };
        static __LENGTH5: __haft::__private::Length = __haft::__private::Length::NONE
            .max(__MAX_LEN5);
        type __Type6 = Option<f64>;
        const __EXCLUSIVE_MIN6: <__Type6 as __haft::__private::Number>::Bound = { 0.0 };
        const __EXCLUSIVE_MAX6: <__Type6 as __haft::__private::Number>::Bound = { 1.0 };
        static __RANGE6: __haft::__private::Range<
            <__Type6 as __haft::__private::Number>::Bound,
        > = __haft::__private::Range::NONE
            .exclusive_min(__EXCLUSIVE_MIN6)
            .exclusive_max(__EXCLUSIVE_MAX6);
        const _: () = {
            const __HOLDS: ::core::primitive::bool = __MIN1 <= __MAX1;
            __must(
                __HOLDS,
                "tool `search_flights` must leave values between `min` and `max`\nnote: nothing could be given for `seats`; change one of the two",
            )
        };
        const _: () = {
            const __HOLDS: ::core::primitive::bool = __DEFAULT1 <= __MAX1;
            __must(
                __HOLDS,
                "tool `search_flights` must have a default that its `max` allows\nnote: a call without `seats` would be given it; change one of the two",
            )
        };
        const _: () = {
            const __HOLDS: ::core::primitive::bool = __EXAMPLE1_0 <= __MAX1;
            __must(
                __HOLDS,
                "tool `search_flights` must have an example that its `max` allows\nnote: the model would be shown a `seats` that the tool refuses",
            )
        };
        const _: () = {
            const __HOLDS: ::core::primitive::bool = !__haft::__private::Probe::<
                __Type2,
            >::IS_OPTION;
            __must(
                __HOLDS,
                "tool `search_flights` must not have a default for an `Option`\nnote: left out, it is `None`; take what is in it with the default, or no default",
            )
        };
        const _: () = {
            const __HOLDS: ::core::primitive::bool = 3usize <= __MAX_LEN5;
            __must(
                __HOLDS,
                "tool `search_flights` must have a default that its `max_len` allows\nnote: a call without `currency` would be given it; change one of the two",
            )
        };
        (
            __haft::__private::with_length::<
                __Type0,
            >(
                __parameter::<String>("from", "The airport, as three letters."),
                &__LENGTH0,
            ),
            (
                __haft::__private::with_range::<
                    __Type1,
                >(
                    __parameter::<u32>("seats", "")
                        .with_default(|| __DEFAULT1, |__value| __haft::__shown!(__value))
                        .with_examples(
                            |__examples| {
                                ::std::vec::Vec::push(__examples, __EXAMPLE1_0);
                            },
                            |__value| __haft::__shown!(__value),
                        ),
                    &__RANGE1,
                ),
                (
                    __parameter::<Class>("class", "")
                        .with_default(
                            || Class::Economy,
                            |__value| __haft::__shown!(__value),
                        ),
                    (
                        __parameter::<Vec<String>>("stops", "")
                            .with_default(
                                <__Type3 as ::core::default::Default>::default,
                                |__value| __haft::__shown!(__value),
                            ),
                        (
                            __haft::__private::with_items::<
                                __Type4,
                            >(
                                __parameter::<Option<Vec<String>>>("airlines", "")
                                    .with_examples(
                                        |__examples| {
                                            ::std::vec::Vec::push(
                                                __examples,
                                                ::core::option::Option::Some(
                                                    __haft::__private::from_text("Lufthansa"),
                                                ),
                                            );
                                            ::std::vec::Vec::push(
                                                __examples,
                                                ::core::option::Option::Some(AIRLINE.to_owned()),
                                            );
                                        },
                                        |__value| __haft::__shown!(__value),
                                    ),
                                &__ITEMS4,
                            ),
                            (
                                __haft::__private::with_length::<
                                    __Type5,
                                >(
                                    __parameter::<String>("currency", "")
                                        .with_default(
                                            || __haft::__private::from_text("EUR"),
                                            |__value| __haft::__shown!(__value),
                                        ),
                                    &__LENGTH5,
                                ),
                                (
                                    __haft::__private::with_range::<
                                        __Type6,
                                    >(
                                        __parameter::<Option<f64>>("discount", "")
                                            .with_examples(
                                                |__examples| {
                                                    ::std::vec::Vec::push(
                                                        __examples,
                                                        ::core::option::Option::Some(0.5),
                                                    );
                                                },
                                                |__value| __haft::__shown!(__value),
                                            ),
                                        &__RANGE6,
                                    ),
                                    (),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        )
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for search_flights {
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
                let (
                    __arg0,
                    (__arg1, (__arg2, (__arg3, (__arg4, (__arg5, (__arg6, ())))))),
                ) = __haft::__private::read(&__parameters(), __input)?;
                match __haft::__private::returned::<
                    String,
                    _,
                >(
                    search_flights(
                            __arg0,
                            __arg1,
                            __arg2,
                            __arg3,
                            __arg4,
                            __arg5,
                            __arg6,
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
