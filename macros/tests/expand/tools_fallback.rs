#[tools(nme = x)]
impl Shell {
    /// Run a program.
    #[tool(blocking)]
    async fn run(&mut self, program: String, arguments: &[String]) -> String {
        program
    }

    /// Stop it.
    #[tool]
    fn stop(&self) {}
}
