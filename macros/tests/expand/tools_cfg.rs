#[cfg(unix)]
#[tools]
impl Shell {
    /// Run a program.
    #[tool]
    #[cfg(feature = "shell")]
    #[deprecated]
    fn run(&self, program: String, #[cfg(unix)] #[arg(default = 0)] mode: u32) -> String {
        program
    }
}
