/// Search for flights.
async fn search_flights(#[cfg(unix)] seats: u32) -> String {
    look_up(seats).await
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
    #[cfg(unix)]
    type __Row0<__Rest> = (__haft::__private::Parameter<u32>, __Rest);
    #[cfg(not(all(unix)))]
    type __Row0<__Rest> = __Rest;
    #[allow(clippy::unused_unit)]
    fn __parameters() -> __Row0<()> {
        use __haft::__private::parameter as __parameter;
        use __haft::__private::must as __must;
        #[cfg(unix)]
        type __Type0 = u32;
        #[cfg(unix)]
        const __MIN0: <__Type0 as __haft::__private::Number>::Bound = { LEAST };
        #[cfg(unix)]
        const __DEFAULT0: <__Type0 as __haft::__private::Number>::Bound = { 1 };
        #[cfg(unix)]
        static __RANGE0: __haft::__private::Range<
            <__Type0 as __haft::__private::Number>::Bound,
        > = __haft::__private::Range::NONE.min(__MIN0);
        #[cfg(unix)]
        const _: () = {
            const __HOLDS: ::core::primitive::bool = __DEFAULT0 >= __MIN0;
            __must(
                __HOLDS,
                "tool `search_flights` must have a default that its `min` allows\nnote: a call without `seats` would be given it; change one of the two",
            )
        };
        {
            let __rest = ();
            #[cfg(unix)]
            let __rest = (
                __haft::__private::with_range::<
                    __Type0,
                >(
                    __parameter::<u32>("seats", "")
                        .with_default(
                            || __DEFAULT0,
                            |__value| __haft::__shown!(__value),
                        ),
                    &__RANGE0,
                ),
                __rest,
            );
            __rest
        }
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
                let __rest = __haft::__private::read(&__parameters(), __input)?;
                #[cfg(unix)]
                let (__arg0, __rest) = __rest;
                let () = __rest;
                match __haft::__private::returned::<
                    String,
                    _,
                >(search_flights(#[cfg(unix)] __arg0).await) {
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
