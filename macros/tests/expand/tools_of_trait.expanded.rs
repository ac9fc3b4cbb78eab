impl Run for Shell {
    /// Run a program.
    async fn run(&self, program: String) -> String {
        program
    }
}
::core::compile_error! {
    "`#[tools]` must not stand on the `impl` of a trait\nnote: make a block of methods that call those of the trait"
}
