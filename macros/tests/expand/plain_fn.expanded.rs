/// Add two numbers.
#[must_use]
fn add(mut a: i64, _b: i64) -> i64 {
    a += _b;
    a
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct add {}
const _: () = {
    use ::haft as __haft;
    impl add {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "add";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Add two numbers.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for add {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (
        __haft::__private::Parameter<i64>,
        (__haft::__private::Parameter<i64>, ()),
    ) {
        use __haft::__private::parameter as __parameter;
        (__parameter::<i64>("a", ""), (__parameter::<i64>("b", ""), ()))
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for add {
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
                let (__arg0, (__arg1, ())) = __haft::__private::read(
                    &__parameters(),
                    __input,
                )?;
                match __haft::__private::returned::<i64, _>(add(__arg0, __arg1)) {
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
