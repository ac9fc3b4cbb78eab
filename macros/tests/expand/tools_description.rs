#[tools]
impl Shell {
    #[doc = include_str!("run.md")]
    #[tool]
    fn r#run(&self) {}
}
