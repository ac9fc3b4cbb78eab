//! [`TextEditor`]: the handler of the text editor tools, over any store.

mod commands;

use std::fmt;
use std::path::Path;
use std::sync::Mutex;

use super::files::{Directory, FileStore, Workspace};
use super::history::History;
use crate::anthropic::tools::{TEXT_EDITOR_20250728, TextEditorCommand, UndoableEditorCommand};
use crate::error::Error;
use crate::tool::{
    Call, Field, ProviderTool, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput,
};

const DESCRIPTION: &str = "Show, make and edit text files. Paths begin with `/`. A view has line numbers, which are no part \
                           of the file; of a directory it shows what is in it, two levels deep.";

const MAX_CHARACTERS: u32 = 100_000;

/// The handler of [`TEXT_EDITOR_20250728`], or of an [older version](Self::version): the model shows, makes and edits files
/// in a directory, or in a [`FileStore`] of one's own.
///
/// It is a [`Tool`] for toolkits of any state, by the name `text_editor` or [another](Self::named). The directory is `/`
/// for the model, or [what it is told](Self::rooted_at); nothing outside of it can be reached. The model reads the texts of
/// Anthropic's demonstration. An edit replaces a text that occurs just once, or puts lines between others, and keeps all
/// else as it is: line ends, tabs, and whether the last line has an end. `create` makes a file where none is. Edits are
/// made one after the other.
///
/// ```
/// use haft::handlers::TextEditor;
/// use haft::serde_json::json;
/// use haft::Toolkit;
///
/// # let project = std::env::temp_dir().join(format!("haft-editor-{}", std::process::id()));
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let editor = TextEditor::open(&project)?.with_max_characters(20_000);
/// let kit: Toolkit = Toolkit::new().with(editor)?;
/// let create = json!({"command": "create", "path": "/src/main.rs", "file_text": "fn main() {}\n"});
/// kit.call("text_editor", create).await;
/// let replace = json!({
///     "command": "str_replace",
///     "path": "/src/main.rs",
///     "old_str": "{}",
///     "new_str": "{ println!(\"Hello\") }",
/// });
/// assert!(kit.call("text_editor", replace).await.text().starts_with("The file /src/main.rs has been edited."));
/// assert_eq!(
///     std::fs::read_to_string(project.join("src/main.rs")).unwrap(),
///     "fn main() { println!(\"Hello\") }\n"
/// );
/// # std::fs::remove_dir_all(project).unwrap();
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextEditor<T = Directory> {
    definition: ToolDefinition,
    files: Workspace<T>,
    version: TextEditorVersion,
    max_characters: Option<u32>,
    /// Looked at only by whoever has the turn.
    history: Mutex<History>,
}

/// Which text editor tool a [`TextEditor`] handles: any of the constants.
///
/// ```
/// use haft::anthropic::tools::TEXT_EDITOR_20250124;
/// use haft::handlers::TextEditorVersion;
///
/// let version = TextEditorVersion::from(TEXT_EDITOR_20250124);
/// assert!(version.has_undo());
/// ```
#[derive(Clone, Debug)]
pub struct TextEditorVersion(Version);

#[derive(Clone, Debug)]
enum Version {
    Undoable(ProviderTool<UndoableEditorCommand>),
    Plain(ProviderTool<TextEditorCommand>),
}

impl TextEditorVersion {
    /// Whether the model can take back its edits.
    #[must_use]
    pub const fn has_undo(&self) -> bool {
        matches!(self.0, Version::Undoable(_))
    }

    fn definition(&self, max_characters: Option<u32>) -> Result<ToolDefinition, Error> {
        match &self.0 {
            Version::Undoable(tool) => tool.definition("text_editor", DESCRIPTION),
            Version::Plain(tool) => {
                let tool = tool.clone();
                let knows_limit = tool.kind() == TEXT_EDITOR_20250728.kind();
                let tool = match max_characters.filter(|_| knows_limit) {
                    Some(limit) => tool.with_field("max_characters", Field::Number(limit)),
                    None => tool,
                };
                tool.definition("text_editor", DESCRIPTION)
            }
        }
    }

    /// The command of a call; the path, where its last edit is to be taken back.
    fn read<S>(&self, call: &Call<'_, S>) -> Result<Result<TextEditorCommand, String>, ToolError> {
        Ok(match &self.0 {
            Version::Undoable(tool) => tool.read(call)?.without_undo(),
            Version::Plain(tool) => Ok(tool.read(call)?),
        })
    }
}

impl From<ProviderTool<TextEditorCommand>> for TextEditorVersion {
    fn from(tool: ProviderTool<TextEditorCommand>) -> Self {
        Self(Version::Plain(tool))
    }
}

impl From<ProviderTool<UndoableEditorCommand>> for TextEditorVersion {
    fn from(tool: ProviderTool<UndoableEditorCommand>) -> Self {
        Self(Version::Undoable(tool))
    }
}

impl TextEditor<Directory> {
    /// The files in `directory`, which is made where it is missing. A file that is edited keeps its mode. [`Directory`]
    /// says how files are kept, and opens one with other limits for [`new`](Self::new).
    ///
    /// # Errors
    /// Where the directory cannot be made or opened.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(Directory::open(directory)?.keep_modes(true))
    }
}

impl<T: FileStore> TextEditor<T> {
    /// The files in a store.
    ///
    /// # Errors
    /// Never, as things are.
    pub fn new(store: T) -> Result<Self, Error> {
        let version = TextEditorVersion::from(TEXT_EDITOR_20250728);
        Ok(Self {
            definition: version.definition(None)?,
            files: Workspace::new(store, ""),
            version,
            max_characters: None,
            history: Mutex::default(),
        })
    }

    /// Under another name in the toolkit; on the wire it has the API's all the same.
    ///
    /// # Errors
    /// Where the name is not 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fn named(mut self, name: impl Into<String>) -> Result<Self, Error> {
        self.definition = self.definition.renamed(name.into())?;
        Ok(self)
    }

    /// As the handler of another version of the tool. With those up to January 2025, `undo_edit` takes back the last
    /// edit of a file that nothing has changed since: of the last 100 edits, as long as the older texts have no more than
    /// 16 MiB.
    ///
    /// ```
    /// use haft::anthropic::tools::TEXT_EDITOR_20250124;
    /// use haft::handlers::TextEditor;
    /// use haft::serde_json::json;
    /// use haft::Toolkit;
    ///
    /// # let project = std::env::temp_dir().join(format!("haft-undo-{}", std::process::id()));
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let editor = TextEditor::open(&project)?.version(TEXT_EDITOR_20250124);
    /// let kit: Toolkit = Toolkit::new().with(editor)?;
    /// let undo = json!({"command": "undo_edit", "path": "/a.txt"});
    /// let create = json!({"command": "create", "path": "/a.txt", "file_text": "one"});
    /// kit.call("text_editor", create).await;
    /// assert_eq!(
    ///     kit.call("text_editor", undo).await.text(),
    ///     "Error: No edit history found for /a.txt."
    /// );
    /// # std::fs::remove_dir_all(project).unwrap();
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn version(mut self, version: impl Into<TextEditorVersion>) -> Self {
        self.version = version.into();
        self.redefined()
    }

    /// How many characters of a file the model is shown at a time; 100,000 if not set. It is told where a text is cut, and
    /// newer definitions say the limit beforehand.
    #[must_use]
    pub fn with_max_characters(mut self, max_characters: u32) -> Self {
        self.max_characters = Some(max_characters);
        self.redefined()
    }

    /// The path that the model knows the root by, such as `/repo`; `/` if not set. All paths of the model begin with it.
    ///
    /// Where the model hears of files by other tools, too, this is what those call the directory.
    #[must_use]
    pub fn rooted_at(mut self, root: impl AsRef<str>) -> Self {
        self.files.set_root(root.as_ref());
        self
    }

    /// With a definition that is changed, such as by `|definition| definition.approval(true)` or by an option.
    #[must_use]
    pub fn with_definition(
        mut self,
        change: impl FnOnce(ToolDefinition) -> ToolDefinition,
    ) -> Self {
        self.definition = change(self.definition);
        self
    }

    fn redefined(mut self) -> Self {
        // It cannot fail: the name is one.
        if let Ok(tool) = self.version.definition(self.max_characters) {
            self.definition = self.definition.of_tool(&tool);
        }
        self
    }
}

impl<S, T: FileStore> Tool<S> for TextEditor<T> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        let command = self.version.read(&call);
        Box::pin(async move {
            let told = match command? {
                Ok(command) => self.run(command).await,
                Err(path) => self.undo(&path).await,
            };
            told.map(ToolOutput::text)
        })
    }
}

impl<T> fmt::Debug for TextEditor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextEditor")
            .field("definition", &self.definition)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
