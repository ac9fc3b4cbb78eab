// Functions, methods and generic types handle a provider's tools, with state beside the input.
use haft::anthropic::tools::{BashCommand, MEMORY_20250818, MemoryCommand};
use haft::{CallContext, Toolkit, tool, toolkit, tools};

struct Store;

/// Notes.
#[tool(provider = MEMORY_20250818, name = "my_notes", approval)]
async fn notes(store: &Store, r#type: MemoryCommand, context: &CallContext) -> String {
    let Store = store;
    format!("{:?} {}", r#type, context.call_id())
}

struct Shells<T>(T);

#[tools]
impl<T: AsRef<str> + Send + Sync + 'static> Shells<T> {
    /// A shell.
    #[tool(provider = ::haft::anthropic::tools::BASH_20250124, blocking)]
    fn shell(&self, command: BashCommand) -> String {
        format!("{} {command:?}", self.0.as_ref())
    }
}

fn main() {
    let kit: Toolkit = toolkit![notes].with_state(Store);
    let kit = kit.extend(Shells("$").into_toolkit()).unwrap();
    assert_eq!(kit.names().collect::<Vec<_>>(), ["my_notes", "shell"]);
}
