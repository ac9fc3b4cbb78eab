#[tools]
impl Github {
    const PAGE: u32 = 30;

    /// List open issues.
    #[tool(read_only)]
    pub async fn issues(
        &self,
        /// owner/name
        repository: String,
        #[arg(default = Self::PAGE, max = 100)] page: u32,
    ) -> anyhow::Result<Json<Vec<Issue>>> {
        self.list(repository, page).await
    }

    /// Tell the rules.
    #[tool]
    fn rules() -> &'static str {
        RULES
    }

    async fn list(&self, repository: String, page: u32) -> anyhow::Result<Json<Vec<Issue>>> {
        todo!()
    }
}
