#[tools]
impl Run for Shell {
    /// Run a program.
    #[tool]
    async fn run(&self, program: String) -> String {
        program
    }
}
