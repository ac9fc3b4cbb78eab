//! [`Memory`]: the handler of the memory tool, over any store, and [`FileMemory`], over a directory.

use std::fmt;
use std::path::Path;

use super::files::text::{self, Lines, NotReplaced};
use super::files::{Directory, FileKind, FileStore, Target, Workspace};
use crate::anthropic::tools::{MEMORY_20250818, MemoryCommand};
use crate::error::Error;
use crate::tool::{Call, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput};

const DESCRIPTION: &str = "Notes that are kept between conversations, as text files under /memories. Look at the directory \
                           /memories before anything else, and write down what is to be known later.";

const ROOT: &str = "/memories";

/// As many as line numbers have room for.
const MAX_LINES: usize = 999_999;

const MAX_CHARACTERS: u32 = 100_000;

/// How many lines around a change are shown.
const CONTEXT: usize = 2;

/// The handler of [`MEMORY_20250818`] over a directory: notes that the model keeps between conversations.
///
/// ```
/// use haft::handlers::FileMemory;
/// use haft::serde_json::json;
/// use haft::{Toolkit, tool, toolkit};
///
/// /// Tell the time.
/// #[tool]
/// async fn time() -> String {
///     "noon".to_owned()
/// }
///
/// # let notes = std::env::temp_dir().join(format!("haft-memory-{}", std::process::id()));
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = toolkit![time].with(FileMemory::open(&notes)?)?;
/// let create = json!({"command": "create", "path": "/memories/milk.txt", "file_text": "Buy milk.\n"});
/// kit.call("memory", create).await;
/// assert_eq!(std::fs::read_to_string(notes.join("memories/milk.txt")).unwrap(), "Buy milk.\n");
/// let view = json!({"command": "view", "path": "/memories/milk.txt"});
/// assert_eq!(
///     kit.call("memory", view).await.text(),
///     "Here's the content of /memories/milk.txt with line numbers:\n     1\tBuy milk.\n     2\t"
/// );
/// let delete = json!({"command": "delete", "path": "/memories"});
/// assert_eq!(
///     kit.call("memory", delete).await.text(),
///     "Error: Cannot delete the /memories directory itself"
/// );
/// # std::fs::remove_dir_all(notes).unwrap();
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type FileMemory = Memory<Directory>;

/// The handler of [`MEMORY_20250818`] over a [`FileStore`]: [`FileMemory`] keeps the notes in a directory, and a store of
/// one's own wherever it likes.
///
/// It is a [`Tool`] for toolkits of any state, by the name `memory` or [another](Self::named). The model reads the texts
/// of Anthropic's own handler. Paths begin with `/memories`, which is the store's root and cannot be deleted or renamed,
/// and have no `..`. An edit replaces a text that occurs just once, or puts lines between others, and keeps all else as it
/// is, line ends too. Edits are made one after the other.
///
/// ```
/// use haft::Toolkit;
/// use haft::handlers::FileMemory;
///
/// # let directory = std::env::temp_dir().join(format!("haft-named-{}", std::process::id()));
/// let notes = FileMemory::open(&directory)?.named("notes")?.with_max_characters(10_000);
/// let kit: Toolkit = Toolkit::new().with(notes)?;
/// assert_eq!(kit.names().collect::<Vec<_>>(), ["notes"]);
/// # std::fs::remove_dir_all(directory).unwrap();
/// # Ok::<(), haft::Error>(())
/// ```
pub struct Memory<T = Directory> {
    definition: ToolDefinition,
    files: Workspace<T>,
    max_characters: u32,
}

impl Memory<Directory> {
    /// Notes in `directory`, which is made where it is missing. They lie in its folder `memories`, as those of Anthropic's
    /// own handlers do, so that the directory goes with both. [`Directory`] says how files are kept.
    ///
    /// # Errors
    /// Where the directory cannot be made or opened.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(Directory::open(directory.as_ref().join("memories"))?)
    }
}

impl<T: FileStore> Memory<T> {
    /// Notes in a store.
    ///
    /// # Errors
    /// Never, as things are.
    pub fn new(store: T) -> Result<Self, Error> {
        Ok(Self {
            definition: MEMORY_20250818.definition("memory", DESCRIPTION)?,
            files: Workspace::new(store, ROOT),
            max_characters: MAX_CHARACTERS,
        })
    }

    /// Under another name in the toolkit; on the wire it is `memory` all the same.
    ///
    /// # Errors
    /// Where the name is not 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fn named(mut self, name: impl Into<String>) -> Result<Self, Error> {
        self.definition = self.definition.renamed(name.into())?;
        Ok(self)
    }

    /// How many characters of a file the model is shown at a time; 100,000 if not set. It is told where a text is cut.
    #[must_use]
    pub fn with_max_characters(mut self, max_characters: u32) -> Self {
        self.max_characters = max_characters;
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

    async fn run(&self, command: MemoryCommand) -> Result<String, ToolError> {
        let files = &self.files;
        match command {
            MemoryCommand::View { path, view_range } => {
                self.view(&files.target(&path)?, view_range).await
            }
            MemoryCommand::Create { path, file_text } => {
                match files.create(&files.target(&path)?, &file_text).await? {
                    true => Ok(format!("File created successfully at: {path}")),
                    false => Err(ToolError::new(format!("File {path} already exists"))),
                }
            }
            MemoryCommand::StrReplace {
                path,
                old_str,
                new_str,
            } => {
                let new = new_str.unwrap_or_default();
                self.str_replace(&files.target(&path)?, &old_str, &new)
                    .await
            }
            MemoryCommand::Insert {
                path,
                insert_line,
                insert_text,
            } => {
                self.insert(&files.target(&path)?, insert_line, &insert_text)
                    .await
            }
            MemoryCommand::Delete { path } => self.delete(&files.target(&path)?).await,
            MemoryCommand::Rename { old_path, new_path } => {
                self.rename(&files.target(&old_path)?, &files.target(&new_path)?)
                    .await
            }
        }
    }

    async fn view(
        &self,
        target: &Target<'_>,
        range: Option<[i64; 2]>,
    ) -> Result<String, ToolError> {
        let shown = target.shown;
        match self.files.look(target).await? {
            None => Err(ToolError::new(format!(
                "The path {shown} does not exist. Please provide a valid path."
            ))),
            Some(info) if info.kind() == FileKind::Directory => {
                self.view_directory(target, info.size()).await
            }
            Some(info) if info.kind() == FileKind::File => {
                let content = self.files.read(target).await?;
                let lines = chosen(shown, &content, range)?;
                let numbered = lines.numbered(self.max_characters);
                Ok(format!(
                    "Here's the content of {shown} with line numbers:\n{numbered}"
                ))
            }
            Some(_) => Err(ToolError::new(format!("Unsupported file type for {shown}"))),
        }
    }

    async fn view_directory(&self, target: &Target<'_>, size: u64) -> Result<String, ToolError> {
        let shown = target.shown;
        let listing = self.files.listing(target).await?;
        let mut lines = vec![
            format!(
                "Here're the files and directories up to 2 levels deep in {shown}, excluding hidden items:"
            ),
            format!("{}\t{shown}", text::size(size)),
        ];
        let line = |(info, path): &(super::FileInfo, String)| {
            format!("{}\t{path}", text::size(info.size()))
        };
        lines.extend(listing.entries.iter().map(line));
        lines.extend(listing.notice());
        Ok(lines.join("\n"))
    }

    async fn str_replace(
        &self,
        target: &Target<'_>,
        old: &str,
        new: &str,
    ) -> Result<String, ToolError> {
        let shown = target.shown;
        self.must_be_file(target).await?;
        let turn = self.files.turn().await;
        let change = |content: &str| {
            let replaced = text::replace_once(content, old, new);
            let replaced = replaced.map_err(|why| not_replaced(&why, shown, old))?;
            Ok((replaced.text, replaced.line))
        };
        let edited = self.files.edit(&turn, target, change).await?;
        let first = edited.told.saturating_sub(CONTEXT);
        let end = edited.told + CONTEXT + 1;
        let snippet = Lines::from(&edited.after, first, end - first);
        Ok(format!(
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{}",
            snippet.numbered(self.max_characters)
        ))
    }

    async fn insert(
        &self,
        target: &Target<'_>,
        behind: i64,
        lines: &str,
    ) -> Result<String, ToolError> {
        self.must_be_file(target).await?;
        let turn = self.files.turn().await;
        let change = |content: &str| {
            let inserted = text::insert_lines(content, behind, lines.trim_end_matches('\n'));
            let mut inserted = inserted.map_err(|count| {
                ToolError::new(format!(
                    "Invalid `insert_line` parameter: {behind}. It should be within the range [0, {count}]."
                ))
            })?;
            if !inserted.ends_with('\n') {
                inserted.push('\n');
            }
            Ok((inserted, ()))
        };
        self.files.edit(&turn, target, change).await?;
        Ok(format!("The file {} has been edited.", target.shown))
    }

    async fn must_be_file(&self, target: &Target<'_>) -> Result<(), ToolError> {
        match self.files.kind(target).await? {
            FileKind::File => Ok(()),
            _ => Err(ToolError::new(format!(
                "The path {} is not a file.",
                target.shown
            ))),
        }
    }

    async fn delete(&self, target: &Target<'_>) -> Result<String, ToolError> {
        if target.path.is_root() {
            return Err(ToolError::new(
                "Cannot delete the /memories directory itself",
            ));
        }
        let shown = target.shown;
        match self.files.remove(target).await? {
            true => Ok(format!("Successfully deleted {shown}")),
            false => Err(absent(shown)),
        }
    }

    async fn rename(&self, from: &Target<'_>, to: &Target<'_>) -> Result<String, ToolError> {
        if from.path.is_root() {
            return Err(ToolError::new(
                "Cannot rename the /memories directory itself",
            ));
        }
        let (old, new) = (from.shown, to.shown);
        match self.files.rename(from, to).await? {
            true => Ok(format!("Successfully renamed {old} to {new}")),
            false => Err(absent(old)),
        }
    }
}

fn absent(shown: &str) -> ToolError {
    ToolError::new(format!("The path {shown} does not exist"))
}

/// The lines that a range means, as the reference takes it: it never complains.
fn chosen<'a>(
    shown: &str,
    content: &'a str,
    range: Option<[i64; 2]>,
) -> Result<Lines<'a>, ToolError> {
    let count = content.matches('\n').count() + 1;
    if count > MAX_LINES {
        return Err(ToolError::new(format!(
            "File {shown} exceeds maximum line limit of 999,999 lines."
        )));
    }
    let Some([first, last]) = range else {
        return Ok(Lines::all(content));
    };
    let skipped = usize::try_from(first).unwrap_or(0).saturating_sub(1);
    let end = match usize::try_from(last) {
        Ok(end) => end,
        Err(_) if last == -1 => count,
        // Counted from the end.
        Err(_) => count.saturating_sub(usize::try_from(last.unsigned_abs()).unwrap_or(count)),
    };
    Ok(Lines::from(content, skipped, end.saturating_sub(skipped)))
}

fn not_replaced(why: &NotReplaced, shown: &str, old: &str) -> ToolError {
    ToolError::new(match why {
        NotReplaced::Absent => format!(
            "No replacement was performed, old_str `{old}` did not appear verbatim in {shown}."
        ),
        NotReplaced::Repeated(lines) => {
            let lines: Vec<_> = lines.iter().map(usize::to_string).collect();
            let lines = lines.join(", ");
            format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please ensure \
                 it is unique"
            )
        }
        NotReplaced::Empty => "No replacement was performed, since old_str is empty.".to_owned(),
    })
}

impl<S, T: FileStore> Tool<S> for Memory<T> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        let command = MEMORY_20250818.read(&call);
        Box::pin(async move { self.run(command?).await.map(ToolOutput::text) })
    }
}

impl<T> fmt::Debug for Memory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::{Value, json};
    use tempfile::TempDir;

    use super::*;
    use crate::Toolkit;

    /// Answers a command as it does a model, in a directory with these files.
    struct Notes {
        kit: Toolkit,
        directory: TempDir,
    }

    impl Notes {
        fn with(files: &[(&str, &str)]) -> Self {
            let directory = tempfile::tempdir().unwrap();
            let memory = FileMemory::open(directory.path()).unwrap();
            for (name, text) in files {
                let path = directory.path().join("memories").join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            let kit = Toolkit::new().with(memory).unwrap();
            Self { kit, directory }
        }

        async fn told(&self, command: Value) -> String {
            self.kit.call("memory", command).await.text()
        }

        async fn view(&self, path: &str, range: Value) -> String {
            self.told(json!({"command": "view", "path": path, "view_range": range}))
                .await
        }

        async fn replace(&self, path: &str, old: &str, new: &str) -> String {
            let command =
                json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new});
            self.told(command).await
        }

        async fn insert(&self, path: &str, line: i64, text: &str) -> String {
            let command = json!({"command": "insert", "path": path, "insert_line": line, "insert_text": text});
            self.told(command).await
        }

        fn text(&self, name: &str) -> String {
            std::fs::read_to_string(self.directory.path().join("memories").join(name)).unwrap()
        }
    }

    #[tokio::test]
    async fn a_file_is_viewed_with_line_numbers() {
        let notes = Notes::with(&[("a.txt", "one\r\ntwo\nthree\n")]);
        let head = "Here's the content of /memories/a.txt with line numbers:\n";
        for (range, shown) in [
            (
                json!(null),
                "     1\tone\r\n     2\ttwo\n     3\tthree\n     4\t",
            ),
            (json!([2, 3]), "     2\ttwo\n     3\tthree"),
            (json!([3, -1]), "     3\tthree\n     4\t"),
            // The reference takes any range.
            (json!([-5, 1]), "     1\tone\r"),
            (json!([3, 99]), "     3\tthree\n     4\t"),
            (json!([1, -3]), "     1\tone\r"),
            (json!([1, -99]), ""),
            (json!([3, 2]), ""),
            (json!([9, -1]), ""),
        ] {
            let told = notes.view("/memories/a.txt", range.clone()).await;
            assert_eq!(told, format!("{head}{shown}"), "{range}");
        }
    }

    #[tokio::test]
    async fn a_directory_is_viewed_two_levels_deep() {
        let notes = Notes::with(&[
            ("b.txt", &"x".repeat(1536)),
            (".hidden", ""),
            ("a/deep.txt", "12"),
            ("a/deeper/not_shown.txt", ""),
            ("a/.hidden/x", ""),
            ("empty.txt", ""),
        ]);
        let told = notes.view("/memories", json!(null)).await;
        // What a directory's size is, the file system decides.
        let lines = told.lines().map(|line| match line.split_once('\t') {
            Some((_, path)) if path.ends_with('/') || path == "/memories" => path,
            _ => line,
        });
        assert_eq!(
            lines.collect::<Vec<_>>(),
            [
                "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:",
                "/memories",
                "/memories/a/",
                "2B\t/memories/a/deep.txt",
                "/memories/a/deeper/",
                "1.5K\t/memories/b.txt",
                "0B\t/memories/empty.txt",
            ]
        );
        let told = notes.view("/memories/a/", json!([1, 2])).await;
        assert!(told.contains("\n2B\t/memories/a/deep.txt"), "{told}");
    }

    #[tokio::test]
    async fn a_long_listing_is_cut() {
        let notes = Notes::with(&[("dir/a.txt", "")]);
        for n in 0..2000 {
            let path = notes.directory.path().join(format!("memories/{n:04}.txt"));
            std::fs::write(path, "").unwrap();
        }
        let told = notes.view("/memories", json!(null)).await;
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(lines.len(), 2 + 2000 + 1);
        assert_eq!(lines[2001], "0B\t/memories/1999.txt");
        assert_eq!(
            lines[2002],
            "[Cut off: only the first 2000 entries are shown.]"
        );
    }

    #[tokio::test]
    async fn a_text_is_replaced_and_shown() {
        let notes = Notes::with(&[("a.txt", "1\n2\n3\n4\n5\n6\n")]);
        assert_eq!(
            notes.replace("/memories/a.txt", "4\n", "four\nand\n").await,
            concat!(
                "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n",
                "     2\t2\n     3\t3\n     4\tfour\n     5\tand\n     6\t5"
            )
        );
        assert_eq!(notes.text("a.txt"), "1\n2\n3\nfour\nand\n5\n6\n");
        assert_eq!(
            notes.replace("/memories/a.txt", "seven", "").await,
            "Error: No replacement was performed, old_str `seven` did not appear verbatim in /memories/a.txt."
        );
        assert_eq!(
            notes.replace("/memories/a.txt", "\n", "").await,
            "Error: No replacement was performed. Multiple occurrences of old_str `\n` in lines: 1, 2, 3, 4, 5, 6, 7. \
             Please ensure it is unique"
        );
        let left_out =
            json!({"command": "str_replace", "path": "/memories/a.txt", "old_str": "and\n"});
        assert!(notes.told(left_out).await.contains("     5\t5"));
        assert_eq!(notes.text("a.txt"), "1\n2\n3\nfour\n5\n6\n");
    }

    #[tokio::test]
    async fn lines_are_inserted() {
        let notes = Notes::with(&[("a.txt", "1\n2")]);
        let edited = "The file /memories/a.txt has been edited.";
        assert_eq!(notes.insert("/memories/a.txt", 0, "zero\n\n").await, edited);
        assert_eq!(notes.text("a.txt"), "zero\n1\n2\n");
        assert_eq!(notes.insert("/memories/a.txt", 3, "three").await, edited);
        assert_eq!(notes.text("a.txt"), "zero\n1\n2\nthree\n");
        for line in [-1, 5] {
            assert_eq!(
                notes.insert("/memories/a.txt", line, "x").await,
                format!(
                    "Error: Invalid `insert_line` parameter: {line}. It should be within the range [0, 4]."
                )
            );
        }
    }

    #[tokio::test]
    async fn files_are_made_renamed_and_deleted() {
        let notes = Notes::with(&[("a.txt", "a")]);
        let create = |path: &str| json!({"command": "create", "path": path, "file_text": "new"});
        let rename =
            |old: &str, new: &str| json!({"command": "rename", "old_path": old, "new_path": new});
        let delete = |path: &str| json!({"command": "delete", "path": path});
        for (command, told) in [
            (
                create("/memories/b/c.txt"),
                "File created successfully at: /memories/b/c.txt",
            ),
            (
                create("/memories/b/c.txt"),
                "Error: File /memories/b/c.txt already exists",
            ),
            (
                create("/memories/b"),
                "Error: File /memories/b already exists",
            ),
            (create("/memories"), "Error: File /memories already exists"),
            (
                create("/memories/a.txt/b"),
                "Error: The path /memories/a.txt/b leads through something that is not a directory.",
            ),
            (
                rename("/memories/b", "/memories/d/e"),
                "Successfully renamed /memories/b to /memories/d/e",
            ),
            (
                rename("/memories/d/e/c.txt", "/memories/a.txt"),
                "Error: The destination /memories/a.txt already exists",
            ),
            (
                rename("/memories/x", "/memories/y"),
                "Error: The path /memories/x does not exist",
            ),
            (
                rename("/memories/d", "/memories/a.txt/d"),
                "Error: The path /memories/a.txt/d leads through something that is not a directory.",
            ),
            (
                rename("/memories/d", "/memories/d/e/f"),
                "Error: The path /memories/d cannot be used: a directory cannot be moved into itself",
            ),
            (delete("/memories/d"), "Successfully deleted /memories/d"),
            (
                delete("/memories/d"),
                "Error: The path /memories/d does not exist",
            ),
            (
                delete("/memories/a.txt/"),
                "Successfully deleted /memories/a.txt/",
            ),
        ] {
            assert_eq!(notes.told(command.clone()).await, told, "{command}");
        }
        assert_eq!(
            std::fs::read_dir(notes.directory.path().join("memories"))
                .unwrap()
                .count(),
            0
        );
    }

    #[tokio::test]
    async fn what_is_not_there_is_told() {
        let notes = Notes::with(&[("a/b.txt", "")]);
        let missing = "Error: The path /memories/x does not exist. Please provide a valid path.";
        assert_eq!(notes.view("/memories/x", json!(null)).await, missing);
        assert_eq!(notes.replace("/memories/x", "a", "b").await, missing);
        assert_eq!(notes.insert("/memories/x", 0, "b").await, missing);
        let no_file = "Error: The path /memories/a is not a file.";
        assert_eq!(notes.replace("/memories/a", "a", "b").await, no_file);
        assert_eq!(notes.insert("/memories/a", 0, "b").await, no_file);
    }

    #[tokio::test]
    async fn what_is_too_much_is_told() {
        let notes = Notes::with(&[("lines.txt", &"\n".repeat(999_999))]);
        assert_eq!(
            notes.view("/memories/lines.txt", json!([1, 2])).await,
            "Error: File /memories/lines.txt exceeds maximum line limit of 999,999 lines."
        );
        let directory = tempfile::tempdir().unwrap();
        let store = Directory::open(directory.path()).unwrap().with_max_bytes(4);
        let memory = Memory::new(store).unwrap().with_max_characters(3);
        let kit: Toolkit = Toolkit::new().with(memory).unwrap();
        let too_large = "Error: File /memories/a exceeds maximum size limit of 4 bytes.";
        let create =
            |text: &str| json!({"command": "create", "path": "/memories/a", "file_text": text});
        assert_eq!(kit.call("memory", create("12345")).await.text(), too_large);
        assert!(!kit.call("memory", create("1234")).await.is_error());
        let view = json!({"command": "view", "path": "/memories/a"});
        assert_eq!(
            kit.call("memory", view.clone()).await.text(),
            "Here's the content of /memories/a with line numbers:\n     1\t123\n[Cut off in line 1: at most 3 \
             characters are shown. View the rest with `view_range`.]"
        );
        let insert = json!({"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": ""});
        assert_eq!(kit.call("memory", insert).await.text(), too_large);
        std::fs::write(directory.path().join("a"), "12345").unwrap();
        assert_eq!(kit.call("memory", view).await.text(), too_large);
    }

    #[tokio::test]
    async fn a_command_that_is_none_is_a_bad_argument() {
        let notes = Notes::with(&[]);
        let told = notes.told(json!({"command": "view"})).await;
        assert_eq!(
            told,
            "Error: Invalid input for tool 'memory': path: required, but missing"
        );
        let told = notes
            .told(json!({"command": "format", "path": "/memories"}))
            .await;
        assert!(
            told.starts_with("Error: Invalid input for tool 'memory': "),
            "{told}"
        );
    }

    #[test]
    fn it_works_outside_of_a_runtime() {
        let notes = Notes::with(&[("a.txt", "a")]);
        let command = json!({"command": "delete", "path": "/memories/a.txt"});
        let told = notes.told(command).now_or_never();
        assert_eq!(
            told.as_deref(),
            Some("Successfully deleted /memories/a.txt")
        );
    }

    #[test]
    fn its_name_is_the_program_s_to_choose() {
        let directory = tempfile::tempdir().unwrap();
        let memory = FileMemory::open(directory.path()).unwrap();
        let memory = memory.with_definition(|definition| definition.approval(true));
        let memory = memory.named("notes").unwrap();
        let definition = Tool::<()>::definition(&memory);
        assert_eq!(definition.name(), "notes");
        assert!(definition.needs_approval());
        assert!(memory.named("my notes").is_err());
        // Any state will do.
        struct State;
        let memory = FileMemory::open(directory.path()).unwrap();
        let kit: Toolkit = Toolkit::<State>::new()
            .with(memory)
            .unwrap()
            .with_state(State);
        assert_eq!(kit.len(), 1);
    }
}
