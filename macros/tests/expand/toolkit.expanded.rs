fn expanded() {
    const _: () = {
        use ::haft::__private::is_distinct as __is_distinct;
        const __NAMES: &[&::core::primitive::str] = &[
            <add as ::haft::__private::Listed>::TOOL_NAME,
            <weather::get_weather as ::haft::__private::Listed>::TOOL_NAME,
            <greet as ::haft::__private::Listed>::TOOL_NAME,
        ];
        const _: () = __is_distinct(__NAMES, 1usize);
        const _: () = __is_distinct(__NAMES, 2usize);
    };
    ::haft::__private::from_distinct(
        ::std::vec![
            ::std::sync::Arc::new(< add as ::haft::__private::Listed > ::TOOL),
            ::std::sync::Arc::new(< weather::get_weather as ::haft::__private::Listed >
            ::TOOL), ::std::sync::Arc::new(< greet as ::haft::__private::Listed > ::TOOL)
        ],
    )
}
