/// Find a user.
fn find_user(#[cfg(unix)] db: &Db, id: u64) -> String {
    look_up(id)
}
#[doc(hidden)]
#[allow(clippy::exhaustive_structs, non_camel_case_types)]
struct find_user {}
const _: () = {
    impl find_user {
        /// The name that the model calls the tool by.
        pub const NAME: &'static ::core::primitive::str = "find_user";
        /// What the model is told about the tool.
        pub const DESCRIPTION: &'static ::core::primitive::str = "Find a user.";
    }
    #[automatically_derived]
    impl ::haft::__private::Listed for find_user {
        type Tool = Self;
        const TOOL: Self = Self {};
        const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
    }
    #[allow(clippy::unused_unit)]
    fn __parameters() -> (::haft::__private::Parameter<u64>, ()) {
        use ::haft::__private::parameter as __parameter;
        (__parameter::<u64>("id", ""), ())
    }
    #[cfg(unix)]
    type __Bounded0 = Db;
    #[cfg(not(all(unix)))]
    type __Bounded0 = ::haft::CallContext;
    #[automatically_derived]
    #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
    impl<__State> ::haft::Tool<__State> for find_user
    where
        __State: ::haft::__private::Provide<__Bounded0>,
    {
        fn definition(&self) -> &::haft::ToolDefinition {
            static DEFINITION: ::std::sync::OnceLock<::haft::ToolDefinition> = ::std::sync::OnceLock::new();
            ::std::sync::OnceLock::get_or_init(
                &DEFINITION,
                || {
                    ::haft::__private::define(
                        Self::NAME,
                        Self::DESCRIPTION,
                        &__parameters(),
                    )
                },
            )
        }
        fn call<'call>(
            &'call self,
            __call: ::haft::Call<'call, __State>,
        ) -> ::haft::ToolFuture<'call> {
            let __input = ::haft::Call::arguments(&__call);
            #[cfg(unix)]
            let __lent0 = ::haft::__private::Provide::<
                Db,
            >::provide_in(::haft::Call::state(&__call), ::haft::Call::context(&__call));
            ::std::boxed::Box::pin(async move {
                let (__arg0, ()) = ::haft::__private::read(&__parameters(), __input)?;
                match ::haft::__private::returned::<
                    String,
                    _,
                >(find_user(#[cfg(unix)] __lent0, __arg0)) {
                    ::core::result::Result::Ok(__output) => __output,
                    ::core::result::Result::Err(__error) => {
                        use ::haft::__private::{
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
