/// Notes kept between conversations.
#[tool(provider = haft::anthropic::tools::MEMORY_20250818)]
async fn notes(store: &Store, command: MemoryCommand) -> Result<String, StoreError> {
    store.run(command).await
}
