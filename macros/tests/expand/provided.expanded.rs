/// Find a user.
async fn find_user<'a>(
    db: &'a Db,
    context: &CallContext,
    id: u64,
    store: &dyn Store,
) -> String {
    look_up(db, context, id, store).await
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct find_user {}
const _: () = {
    use ::haft as __haft;
    impl find_user {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "find_user";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Find a user.";
    }
    #[automatically_derived]
    impl __haft::__private::Listed for find_user {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (__haft::__private::Parameter<u64>, ()) {
        use __haft::__private::parameter as __parameter;
        (__parameter::<u64>("id", ""), ())
    }
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> __haft::Tool<__State> for find_user
    where
        __State: __haft::__private::Provide<Db>,
        __State: __haft::__private::Provide<CallContext>,
        __State: __haft::__private::Provide<dyn Store>,
    {
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
            let __lent0 = __haft::__private::Provide::<
                Db,
            >::provide_in(__haft::Call::state(&__call), __haft::Call::context(&__call));
            let __lent1 = __haft::__private::Provide::<
                CallContext,
            >::provide_in(__haft::Call::state(&__call), __haft::Call::context(&__call));
            let __lent2 = __haft::__private::Provide::<
                dyn Store,
            >::provide_in(__haft::Call::state(&__call), __haft::Call::context(&__call));
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = __haft::__private::read(&__parameters(), __input)?;
                match __haft::__private::returned::<
                    String,
                    _,
                >(find_user(__lent0, __lent1, __arg0, __lent2).await) {
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
