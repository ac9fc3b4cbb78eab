/// Run a program.
#[tool]
#[cfg(feature = "shell")]
async fn run(
    #[cfg(unix)] mode: u32,
    program: String,
    #[cfg(windows)]
    #[cfg(feature = "admin")]
    elevated: bool,
) -> String {
    program
}
