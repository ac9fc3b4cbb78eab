impl<'a, T: Item, const N: usize> Shelf<'a, T, N>
where
    T: Clone,
{
    /// Put something on the shelf.
    async fn put(&self, items: Vec<T>, place: HashMap<String, T>) -> Option<String> {
        self.push(items, place)
    }
}
const _: () = {
    use ::haft as __haft;
    #[allow(clippy::self_named_constructors, unused_qualifications)]
    impl<'a, T: Item, const N: usize> Shelf<'a, T, N>
    where
        T: Clone,
        T: ::core::marker::Send + ::core::marker::Sync + 'static,
        Self: 'static,
    {
        /// The tools of this block. Their state is this type: see `with_state`.
        pub fn tools() -> __haft::Toolkit<Self> {
            __haft::__private::from_methods([Self::__tool_put()])
        }
        /// The tools of this block, with this value as their state.
        pub fn into_toolkit(self) -> __haft::Toolkit {
            __haft::Toolkit::with_state(
                { __haft::__private::from_methods([Self::__tool_put()]) },
                self,
            )
        }
        fn __tool_put() -> __haft::__private::Method<Self> {
            use __haft::__private::method as __method;
            __method(
                __haft::__private::define(
                    "put",
                    "Put something on the shelf.",
                    &Self::__parameters_put(),
                ),
                Self::__call_put,
            )
        }
        #[allow(clippy::unused_unit)]
        fn __parameters_put() -> (
            __haft::__private::Parameter<Vec<T>>,
            (__haft::__private::Parameter<HashMap<String, T>>, ()),
        ) {
            use __haft::__private::parameter as __parameter;
            (
                __parameter::<Vec<T>>("items", ""),
                (__parameter::<HashMap<String, T>>("place", ""), ()),
            )
        }
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        fn __call_put<'call>(
            __call: __haft::Call<'call, Self>,
        ) -> __haft::ToolFuture<'call> {
            let __input = __haft::Call::arguments(&__call);
            let __state = __haft::Call::state(&__call);
            ::std::boxed::Box::pin(async move {
                let (__arg0, (__arg1, ())) = __haft::__private::read(
                    &Self::__parameters_put(),
                    __input,
                )?;
                match __haft::__private::returned::<
                    Option<String>,
                    _,
                >(Self::put(__state, __arg0, __arg1).await) {
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
