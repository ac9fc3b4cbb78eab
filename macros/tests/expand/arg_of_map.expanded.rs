/// Count words.
fn count(words: HashMap<String, u32>) -> usize {
    words.len()
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct count {}
const _: () = {
    use ::haft as __haft;
    impl count {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "count";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Count words.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for count {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (__haft::__private::Parameter<HashMap<String, u32>>, ()) {
        use __haft::__private::parameter as __parameter;
        use __haft::__private::must as __must;
        #[allow(unused_imports)]
        use __haft::__private::ProbeOtherwise as _;
        type __Type0 = HashMap<String, u32>;
        const _: () = {
            const __HOLDS: ::core::primitive::bool = !__haft::__private::Probe::<
                __Type0,
            >::HAS_NUMBER_KEYS;
            __must(
                __HOLDS,
                "tool `count` must not take a map whose keys are numbers or booleans\nnote: keys of JSON are strings; take `String` keys, or a `Vec` of a struct",
            )
        };
        (__parameter::<HashMap<String, u32>>("words", ""), ())
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for count {
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
                match __haft::__private::returned::<usize, _>(count(__arg0)) {
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
