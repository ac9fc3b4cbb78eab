fn expanded() {
    ::haft::__private::from_distinct(::std::vec![])
}
