//! What the editor does at each command, and what it tells.

use std::sync::PoisonError;

use super::super::files::text::{self, Lines, NotReplaced};
use super::super::files::{FileKind, FileStore, Target};
use super::super::history::{Edit, History};
use super::{MAX_CHARACTERS, TextEditor};
use crate::anthropic::tools::TextEditorCommand;
use crate::tool::ToolError;

/// How many lines around a change are shown.
const CONTEXT: usize = 4;

const REVIEW: &str =
    "Review the changes and make sure they are as expected. Edit the file again if necessary.";
const REVIEW_INSERTED: &str = "Review the changes and make sure they are as expected (correct indentation, no duplicate \
                               lines, etc). Edit the file again if necessary.";

impl<T: FileStore> TextEditor<T> {
    pub(super) async fn run(&self, command: TextEditorCommand) -> Result<String, ToolError> {
        match command {
            TextEditorCommand::View { path, view_range } => {
                self.view(&self.target(&path)?, view_range).await
            }
            TextEditorCommand::Create { path, file_text } => {
                self.create(&self.target(&path)?, &file_text).await
            }
            TextEditorCommand::StrReplace {
                path,
                old_str,
                new_str,
            } => {
                let new = new_str.unwrap_or_default();
                self.str_replace(&self.target(&path)?, &old_str, &new).await
            }
            TextEditorCommand::Insert {
                path,
                insert_line,
                insert_text,
            } => {
                self.insert(&self.target(&path)?, insert_line, &insert_text)
                    .await
            }
        }
    }

    fn target<'a>(&self, path: &'a str) -> Result<Target<'a>, ToolError> {
        if !path.starts_with('/') {
            let root = self.files.root().trim_end_matches('/');
            return Err(ToolError::new(format!(
                "The path {path} is not an absolute path, it should start with `/`. Maybe you meant {root}/{path}?"
            )));
        }
        self.files.target(path)
    }

    async fn view(
        &self,
        target: &Target<'_>,
        range: Option<[i64; 2]>,
    ) -> Result<String, ToolError> {
        if self.files.kind(target).await? != FileKind::Directory {
            let content = self.files.read(target).await?;
            let lines = chosen(&content, range)?;
            return Ok(self.numbered(target.shown, lines));
        }
        if range.is_some() {
            return Err(ToolError::new(
                "The `view_range` parameter is not allowed when `path` points to a directory.",
            ));
        }
        let shown = target.shown;
        let listing = self.files.listing(target).await?;
        let mut lines = vec![
            format!(
                "Here's the files and directories up to 2 levels deep in {shown}, excluding hidden items:"
            ),
            shown.to_owned(),
        ];
        let notice = listing.notice();
        lines.extend(listing.entries.into_iter().map(|(_, path)| path));
        lines.extend(notice);
        Ok(lines.join("\n") + "\n")
    }

    async fn create(&self, target: &Target<'_>, text: &str) -> Result<String, ToolError> {
        let shown = target.shown;
        match self.files.create(target, text).await? {
            true => Ok(format!("File created successfully at: {shown}")),
            false => Err(ToolError::new(format!(
                "File already exists at: {shown}. Cannot overwrite files using command `create`."
            ))),
        }
    }

    async fn str_replace(
        &self,
        target: &Target<'_>,
        old: &str,
        new: &str,
    ) -> Result<String, ToolError> {
        let shown = target.shown;
        let change = |content: &str| {
            let replaced = text::replace_once(content, old, new);
            let replaced = replaced.map_err(|why| not_replaced(why, shown, old))?;
            Ok((replaced.text, replaced.line))
        };
        let (after, line) = self.edit(target, change).await?;
        let end = line + CONTEXT + new.matches('\n').count() + 1;
        let first = line.saturating_sub(CONTEXT);
        let snippet = Lines::from(&after, first, end - first);
        let snippet = self.numbered(&format!("a snippet of {shown}"), snippet);
        Ok(format!(
            "The file {shown} has been edited. {snippet}{REVIEW}"
        ))
    }

    async fn insert(
        &self,
        target: &Target<'_>,
        behind: i64,
        lines: &str,
    ) -> Result<String, ToolError> {
        let change = |content: &str| match text::insert_lines(content, behind, lines) {
            Ok(after) => Ok((after, ())),
            Err(count) => Err(ToolError::new(format!(
                "Invalid `insert_line` parameter: {behind}. It should be within the range of lines of the file: [0, \
                 {count}]"
            ))),
        };
        let (after, ()) = self.edit(target, change).await?;
        let behind = usize::try_from(behind).unwrap_or_default();
        let end = behind + text::count_lines(lines).max(1) + CONTEXT;
        let first = behind.saturating_sub(CONTEXT);
        let snippet = Lines::from(&after, first, end - first);
        let snippet = self.numbered("a snippet of the edited file", snippet);
        let shown = target.shown;
        Ok(format!(
            "The file {shown} has been edited. {snippet}{REVIEW_INSERTED}"
        ))
    }

    /// Edits a file, and remembers what it was where that can be asked for.
    async fn edit<R>(
        &self,
        target: &Target<'_>,
        change: impl Fn(&str) -> Result<(String, R), ToolError>,
    ) -> Result<(String, R), ToolError> {
        self.must_be_no_directory(target).await?;
        let turn = self.files.turn().await;
        let edited = self.files.edit(&turn, target, change).await?;
        if self.version.has_undo() {
            let edit = Edit::new(&target.path, edited.before, &edited.after);
            self.remember(|history| history.push(edit));
        }
        Ok((edited.after, edited.told))
    }

    pub(super) async fn undo(&self, path: &str) -> Result<String, ToolError> {
        let target = self.target(path)?;
        self.must_be_no_directory(&target).await?;
        let turn = self.files.turn().await;
        let last = self.remember(|history| history.last(&target.path).cloned());
        let Some(edit) = last else {
            return Err(ToolError::new(format!("No edit history found for {path}.")));
        };
        let change = |content: &str| match edit.made(content) {
            true => Ok((edit.before.clone(), ())),
            false => Err(ToolError::new(format!(
                "The last edit to {path} was not undone, since the file was changed otherwise after it."
            ))),
        };
        let text = self.files.edit(&turn, &target, change).await?.after;
        // Only now: a call that is dropped before has undone nothing.
        self.remember(|history| history.pop(&target.path));
        let numbered = self.numbered(path, Lines::all(&text));
        Ok(format!(
            "Last edit to {path} undone successfully. {numbered}"
        ))
    }

    fn remember<R>(&self, with: impl FnOnce(&mut History) -> R) -> R {
        // Each change of it is whole.
        with(&mut self.history.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn must_be_no_directory(&self, target: &Target<'_>) -> Result<(), ToolError> {
        match self.files.kind(target).await? {
            FileKind::Directory => Err(ToolError::new(format!(
                "The path {} is a directory and only the `view` command can be used on directories",
                target.shown
            ))),
            _ => Ok(()),
        }
    }

    fn numbered(&self, of: &str, lines: Lines<'_>) -> String {
        let numbered = lines.numbered(self.max_characters.unwrap_or(MAX_CHARACTERS));
        format!("Here's the result of running `cat -n` on {of}:\n{numbered}\n")
    }
}

/// The lines that a range means.
fn chosen(content: &str, range: Option<[i64; 2]>) -> Result<Lines<'_>, ToolError> {
    let Some([first, last]) = range else {
        return Ok(Lines::all(content));
    };
    let count = content.matches('\n').count() + 1;
    let within = |line: i64| usize::try_from(line).ok().filter(|line| *line <= count);
    let wrong =
        |what: String| ToolError::new(format!("Invalid `view_range`: [{first}, {last}]. {what}"));
    let Some(from) = within(first).filter(|from| *from > 0) else {
        return Err(wrong(format!(
            "Its first element `{first}` should be within the range of lines of the file: [1, {count}]"
        )));
    };
    if last == -1 {
        return Ok(Lines::from(content, from - 1, count));
    }
    if last < first {
        return Err(wrong(format!(
            "Its second element `{last}` should be larger or equal than its first `{first}`"
        )));
    }
    let Some(to) = within(last) else {
        return Err(wrong(format!(
            "Its second element `{last}` should be smaller than the number of lines in the file: `{count}`"
        )));
    };
    Ok(Lines::from(content, from - 1, to + 1 - from))
}

fn not_replaced(why: NotReplaced, shown: &str, old: &str) -> ToolError {
    ToolError::new(match why {
        NotReplaced::Absent => format!(
            "No replacement was performed, old_str `{old}` did not appear verbatim in {shown}."
        ),
        NotReplaced::Repeated(mut lines) => {
            lines.dedup();
            format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines {lines:?}. Please ensure \
                 it is unique"
            )
        }
        NotReplaced::Empty => "No replacement was performed, since old_str is empty.".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tempfile::TempDir;

    use super::super::TextEditor;
    use crate::Toolkit;
    use crate::anthropic::tools::{TEXT_EDITOR_20241022, TEXT_EDITOR_20250429};

    struct Project {
        kit: Toolkit,
        directory: TempDir,
    }

    impl Project {
        fn with(files: &[(&str, &str)], set_up: impl FnOnce(TextEditor) -> TextEditor) -> Self {
            let directory = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = directory.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            let editor = set_up(TextEditor::open(directory.path()).unwrap());
            let kit = Toolkit::new().with(editor).unwrap();
            Self { kit, directory }
        }

        async fn told(&self, command: Value) -> String {
            self.kit.call("text_editor", command).await.text()
        }

        async fn view(&self, path: &str, range: Value) -> String {
            self.told(json!({"command": "view", "path": path, "view_range": range}))
                .await
        }

        fn text(&self, name: &str) -> String {
            std::fs::read_to_string(self.directory.path().join(name)).unwrap()
        }
    }

    fn replace(path: &str, old: &str, new: &str) -> Value {
        json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new})
    }

    fn insert(path: &str, line: i64, text: &str) -> Value {
        json!({"command": "insert", "path": path, "insert_line": line, "new_str": text})
    }

    #[tokio::test]
    async fn a_file_is_viewed_as_cat_does() {
        let project = Project::with(&[("a.txt", "one\n\ttwo\n")], |editor| editor);
        assert_eq!(
            project.view("/a.txt", json!(null)).await,
            "Here's the result of running `cat -n` on /a.txt:\n     1\tone\n     2\t\ttwo\n     3\t\n"
        );
        assert_eq!(
            project.view("/a.txt", json!([2, 2])).await,
            "Here's the result of running `cat -n` on /a.txt:\n     2\t\ttwo\n"
        );
        assert!(
            project
                .view("/a.txt", json!([2, -1]))
                .await
                .ends_with("\n     3\t\n")
        );
        for (range, why) in [
            (
                [0, 1],
                "first element `0` should be within the range of lines of the file: [1, 3]",
            ),
            (
                [4, -1],
                "first element `4` should be within the range of lines of the file: [1, 3]",
            ),
            (
                [2, 1],
                "second element `1` should be larger or equal than its first `2`",
            ),
            (
                [2, -2],
                "second element `-2` should be larger or equal than its first `2`",
            ),
            (
                [1, 4],
                "second element `4` should be smaller than the number of lines in the file: `3`",
            ),
        ] {
            let [first, last] = range;
            assert_eq!(
                project.view("/a.txt", json!(range)).await,
                format!("Error: Invalid `view_range`: [{first}, {last}]. Its {why}")
            );
        }
    }

    #[tokio::test]
    async fn a_directory_is_viewed_two_levels_deep() {
        let files = [
            ("a/b.txt", ""),
            ("a/b/c.txt", ""),
            (".git/config", ""),
            ("c.txt", ""),
        ];
        let project = Project::with(&files, |editor| editor);
        assert_eq!(
            project.view("/", json!(null)).await,
            "Here's the files and directories up to 2 levels deep in /, excluding hidden items:\n/\n/a/\n/a/b/\n\
             /a/b.txt\n/c.txt\n"
        );
        assert_eq!(
            project.view("/a", json!([1, 2])).await,
            "Error: The `view_range` parameter is not allowed when `path` points to a directory."
        );
    }

    #[tokio::test]
    async fn a_text_is_replaced_and_shown() {
        let text: String = (1..=12).map(|n| format!("{n:02}\n")).collect();
        let project = Project::with(&[("a.txt", &text)], |editor| editor);
        assert_eq!(
            project.told(replace("/a.txt", "06\n", "six\n$&\n")).await,
            concat!(
                "The file /a.txt has been edited. Here's the result of running `cat -n` on a snippet of /a.txt:\n",
                "     2\t02\n     3\t03\n     4\t04\n     5\t05\n     6\tsix\n     7\t$&\n",
                "     8\t07\n     9\t08\n    10\t09\n    11\t10\n    12\t11\n",
                "Review the changes and make sure they are as expected. Edit the file again if necessary."
            )
        );
        assert_eq!(project.text("a.txt"), text.replace("06\n", "six\n$&\n"));
        assert_eq!(
            project.told(replace("/a.txt", "0", "x")).await,
            "Error: No replacement was performed. Multiple occurrences of old_str `0` in lines [1, 2, 3, 4, 5, 8, 9, 10, \
             11]. Please ensure it is unique"
        );
        assert_eq!(
            project.told(replace("/a.txt", "13", "x")).await,
            "Error: No replacement was performed, old_str `13` did not appear verbatim in /a.txt."
        );
        assert_eq!(
            project.told(replace("/a.txt", "", "x")).await,
            "Error: No replacement was performed, since old_str is empty."
        );
    }

    #[tokio::test]
    async fn lines_are_inserted_and_shown() {
        let project = Project::with(&[("a.txt", "1\r\n2\r\n3")], |editor| editor);
        assert_eq!(
            project.told(insert("/a.txt", 2, "two\r\nand\r\n")).await,
            concat!(
                "The file /a.txt has been edited. Here's the result of running `cat -n` on a snippet of the edited file:\n",
                "     1\t1\r\n     2\t2\r\n     3\ttwo\r\n     4\tand\r\n     5\t3\n",
                "Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). ",
                "Edit the file again if necessary."
            )
        );
        assert_eq!(project.text("a.txt"), "1\r\n2\r\ntwo\r\nand\r\n3");
        let told = project.told(insert("/a.txt", 5, "end")).await;
        assert!(told.contains("\n     2\t2\r\n"), "{told}");
        assert!(!told.contains("\n     1\t"), "{told}");
        assert_eq!(project.text("a.txt"), "1\r\n2\r\ntwo\r\nand\r\n3\nend");
        assert_eq!(
            project.told(insert("/a.txt", 7, "x")).await,
            "Error: Invalid `insert_line` parameter: 7. It should be within the range of lines of the file: [0, 6]"
        );
    }

    #[tokio::test]
    async fn what_cannot_be_is_told() {
        let project = Project::with(&[("a/b.txt", "x")], |editor| editor);
        let create = |path: &str| json!({"command": "create", "path": path, "file_text": ""});
        for (command, told) in [
            (
                create("/a/b.txt"),
                "Error: File already exists at: /a/b.txt. Cannot overwrite files using command `create`.",
            ),
            (
                create("/a"),
                "Error: File already exists at: /a. Cannot overwrite files using command `create`.",
            ),
            (
                replace("/a", "x", "y"),
                "Error: The path /a is a directory and only the `view` command can be used on directories",
            ),
            (
                insert("/b", 0, "y"),
                "Error: The path /b does not exist. Please provide a valid path.",
            ),
            (
                create("b.txt"),
                "Error: The path b.txt is not an absolute path, it should start with `/`. Maybe you meant /b.txt?",
            ),
            (
                create("/../b.txt"),
                "Error: Path /../b.txt would escape / directory",
            ),
        ] {
            assert_eq!(project.told(command).await, told);
        }
        assert_eq!(project.text("a/b.txt"), "x");
    }

    #[tokio::test]
    async fn the_root_may_have_a_name() {
        let project = Project::with(&[("a.txt", "x")], |editor| editor.rooted_at("/repo/"));
        assert!(
            project
                .view("/repo", json!(null))
                .await
                .ends_with("\n/repo\n/repo/a.txt\n")
        );
        assert!(
            project
                .view("/repo/a.txt", json!(null))
                .await
                .contains("\tx")
        );
        assert_eq!(
            project.view("/repository/a.txt", json!(null)).await,
            "Error: Path must start with /repo, got: /repository/a.txt"
        );
        assert!(
            project
                .view("a.txt", json!(null))
                .await
                .ends_with("Maybe you meant /repo/a.txt?")
        );
    }

    #[tokio::test]
    async fn edits_are_taken_back_in_turn() {
        let project = Project::with(&[("a.txt", "one")], |editor| {
            editor.version(TEXT_EDITOR_20241022)
        });
        let undo = || json!({"command": "undo_edit", "path": "/a.txt"});
        project.told(replace("/a.txt", "one", "two")).await;
        project.told(insert("/a.txt", 1, "three")).await;
        assert_eq!(
            project.told(undo()).await,
            "Last edit to /a.txt undone successfully. Here's the result of running `cat -n` on /a.txt:\n     1\ttwo\n"
        );
        let path = project.directory.path().join("a.txt");
        std::fs::write(&path, "other").unwrap();
        assert_eq!(
            project.told(undo()).await,
            "Error: The last edit to /a.txt was not undone, since the file was changed otherwise after it."
        );
        assert_eq!(project.text("a.txt"), "other");
        std::fs::write(&path, "two").unwrap();
        project.told(undo()).await;
        assert_eq!(project.text("a.txt"), "one");
        assert_eq!(
            project.told(undo()).await,
            "Error: No edit history found for /a.txt."
        );
    }

    #[tokio::test]
    async fn a_limit_holds_and_is_in_the_definition_that_knows_it() {
        let project = Project::with(&[("a.txt", "one\ntwo\n")], |editor| {
            editor.with_max_characters(5)
        });
        assert!(project.view("/a.txt", json!(null)).await.ends_with(
            "     1\tone\n[Cut off after line 1: at most 5 characters are shown. View the rest with `view_range`.]\n"
        ));
        let fields = |editor: TextEditor| {
            let kit: Toolkit = Toolkit::new().with(editor.named("edit").unwrap()).unwrap();
            let provided = kit.get("edit").unwrap().definition().provided().cloned();
            json!(provided.unwrap())
        };
        let editor = || TextEditor::open(project.directory.path()).unwrap();
        assert_eq!(
            fields(editor().with_max_characters(7))["fields"],
            json!({"max_characters": 7})
        );
        let older = fields(
            editor()
                .with_max_characters(7)
                .version(TEXT_EDITOR_20250429),
        );
        assert_eq!(
            (&older["fields"], &older["type"]),
            (&Value::Null, &json!("text_editor_20250429"))
        );
        let oldest = fields(editor().version(TEXT_EDITOR_20241022));
        assert_eq!(oldest["wire_name"], "str_replace_editor");
    }
}
