fn expanded() {
    ::core::compile_error! {
        "`toolkit!` must list tools by their paths\nnote: write `toolkit![add, weather::get_weather]`"
    }
    ::haft::Toolkit::new()
}
