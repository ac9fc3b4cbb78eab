#[tools(name = pulls, crate = crate::haft)]
impl Github {
    /// Merge a pull request.
    #[tool(name = "merge_pull", blocking)]
    fn merge(&self, token: &Token, call: &CallContext, number: u32) -> Result<(), String> {
        self.post(token, number)
    }
}
