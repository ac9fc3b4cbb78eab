//! Attacks on the handlers that keep files: nothing outside of their directory is read or changed, and nothing in it is
//! lost.
#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use haft::anthropic::tools::TEXT_EDITOR_20250124;
use haft::handlers::{Directory, FileError, FileMemory, FilePath, FileStore, Memory, TextEditor};
use haft::serde_json::{Value, json};
use haft::testing::ScriptedModel;
use haft::{Request, Runner, Toolkit};
use nix::sys::stat::{Mode, umask};
use nix::unistd::mkfifo;
use tempfile::TempDir;
use tokio::task::JoinSet;

const SECRET: &str = "the secret of the host";

/// A directory with notes in it, and beside it what is not the model's business.
struct Host {
    directory: TempDir,
    kit: Arc<Toolkit>,
}

impl Host {
    /// The memory and the editor are over the same files.
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let notes = directory.path().join("notes");
        let memory = FileMemory::open(&notes).unwrap();
        let editor = TextEditor::open(notes.join("memories")).unwrap();
        let editor = editor.version(TEXT_EDITOR_20250124);
        let kit = Toolkit::new().with(memory).unwrap().with(editor).unwrap();
        let host = Self {
            directory,
            kit: Arc::new(kit),
        };
        for beside in ["outside", "memories-evil", "notes/memories-evil"] {
            let beside = host.directory.path().join(beside);
            fs::create_dir(&beside).unwrap();
            fs::write(beside.join("secret.txt"), SECRET).unwrap();
        }
        host
    }

    /// A place in the directory of the notes.
    fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join("notes/memories").join(path)
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What a tool answers, which never tells of the host.
    async fn call(&self, tool: &str, command: &Value) -> (bool, String) {
        let call = self.kit.call(tool, command.clone());
        // A pipe that is waited for would be so for ever.
        let result = tokio::time::timeout(Duration::from_secs(60), call)
            .await
            .unwrap();
        let text = result.text();
        let host = self.directory.path().to_str().unwrap();
        assert!(!text.contains(host), "{command} tells {text}");
        assert!(!text.contains(SECRET), "{command} tells {text}");
        (result.is_error(), text)
    }

    async fn memory(&self, command: Value) -> String {
        self.call("memory", &command).await.1
    }

    async fn editor(&self, command: Value) -> String {
        self.call("text_editor", &command).await.1
    }

    /// Everything on the host, but for what the notes have at some path.
    fn tree(&self) -> BTreeMap<PathBuf, String> {
        tree(self.directory.path())
    }

    /// Each command at this path fails, of the memory and of the editor, and changes nothing at all.
    async fn is_refused(&self, path: &str) {
        let before = self.tree();
        for (tool, command) in commands(path) {
            let (is_error, told) = self.call(tool, &command).await;
            assert!(is_error, "{tool}: {command} tells {told}");
            assert_eq!(self.tree(), before, "{tool}: {command} changed something");
        }
    }
}

/// All that can be asked for at a path.
fn commands(path: &str) -> Vec<(&'static str, Value)> {
    let shared = [
        json!({"command": "view", "path": path}),
        json!({"command": "create", "path": path, "file_text": "x"}),
        json!({"command": "str_replace", "path": path, "old_str": "secret", "new_str": "x"}),
        json!({"command": "insert", "path": path, "insert_line": 0, "insert_text": "x"}),
    ];
    let of_memory = [
        json!({"command": "delete", "path": path}),
        json!({"command": "rename", "old_path": path, "new_path": "/memories/moved"}),
        json!({"command": "rename", "old_path": "/memories/own.txt", "new_path": path}),
    ];
    // The editor has the same files at its root.
    let at_editor = path.strip_prefix("/memories").unwrap_or(path);
    let of_editor = shared.iter().map(|command| {
        let mut command = command.clone();
        command["path"] = json!(at_editor);
        ("text_editor", command)
    });
    let undo = json!({"command": "undo_edit", "path": at_editor});
    let of_memory = shared.iter().cloned().chain(of_memory);
    let of_memory = of_memory.map(|command| ("memory", command));
    let of_editor = of_editor.chain([("text_editor", undo)]);
    of_memory
        .collect::<Vec<_>>()
        .into_iter()
        .chain(of_editor)
        .collect()
}

/// What stands below a directory: kinds, modes, contents, and where links lead.
fn tree(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut tree = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            let mut what = format!("{:o}", metadata.permissions().mode());
            if metadata.is_symlink() {
                what += fs::read_link(&path).unwrap().to_str().unwrap();
            } else if metadata.is_dir() {
                open.push(path.clone());
            } else if metadata.is_file() && metadata.len() < 1 << 20 {
                what += &String::from_utf8_lossy(&fs::read(&path).unwrap());
            }
            tree.insert(path, what);
        }
    }
    tree
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn no_draft_is_left(host: &Host) {
    let drafts = host.tree().into_keys().filter(|path| {
        let name = path.file_name().unwrap();
        name.as_bytes().starts_with(b".tmp-")
    });
    assert_eq!(drafts.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_path_that_leads_out_is_refused() {
    let host = Host::new();
    host.write("own.txt", "my own secret");
    host.write("d/own.txt", "my own secret");
    for path in [
        "/memories/..",
        "/memories/../x",
        "/memories/../memories-evil/secret.txt",
        "/memories/../../outside/secret.txt",
        "/memories/d/../../../outside/secret.txt",
        "/memories/d/..",
        "/memories/d/../own.txt",
        "/memories//../../outside/secret.txt",
        "/memories/./../memories-evil/secret.txt",
        "/memories/own.txt/../../memories-evil/secret.txt",
        "/memories/a\0b",
        "/memories/own.txt/x",
    ] {
        host.is_refused(path).await;
    }
    let deep = format!("/memories{}", "/d".repeat(65));
    host.is_refused(&deep).await;
}

#[tokio::test]
async fn a_path_that_does_not_begin_with_the_root_is_refused() {
    let host = Host::new();
    host.write("own.txt", "my own secret");
    let outside = host.directory.path().join("outside/secret.txt");
    let outside = outside.to_str().unwrap().to_owned();
    let before = host.tree();
    for path in [
        "/memories-evil/secret.txt",
        "/memories-evil",
        "/memoriesX",
        "/memories\\..\\x",
        "/etc/passwd",
        "/",
        "",
        "memories/own.txt",
        "own.txt",
        "../outside/secret.txt",
        "//memories/own.txt",
        " /memories/own.txt",
        "/MEMORIES/own.txt",
    ] {
        for (tool, command) in commands(path) {
            if tool == "memory" {
                let told = host.memory(command.clone()).await;
                assert_eq!(
                    told,
                    format!("Error: Path must start with /memories, got: {path}")
                );
                assert_eq!(host.tree(), before, "{command}");
            }
        }
    }
    // An absolute path of the host is one below the root, where nothing is.
    let result = host
        .kit
        .call("text_editor", json!({"command": "view", "path": outside}));
    assert_eq!(
        result.await.text(),
        format!("Error: The path {outside} does not exist. Please provide a valid path.")
    );
    for path in ["own.txt", "", "../x", "./own.txt"] {
        let told = host.editor(json!({"command": "view", "path": path})).await;
        assert!(
            told.starts_with(&format!("Error: The path {path} is not an absolute path")),
            "{told}"
        );
    }
}

#[tokio::test]
async fn the_words_for_a_path_that_leads_out() {
    let host = Host::new();
    symlink("../../outside", host.at("up")).unwrap();
    for path in ["/memories/../x", "/memories/up/secret.txt", "/memories/up"] {
        let view = json!({"command": "view", "path": path});
        let expected = format!("Error: Path {path} would escape /memories directory");
        assert_eq!(host.memory(view).await, expected);
    }
}

#[tokio::test]
async fn a_link_that_leads_out_is_refused_and_not_listed() {
    let host = Host::new();
    host.write("own.txt", "my own secret");
    host.write("d/own.txt", "my own secret");
    symlink("/etc", host.at("etc")).unwrap();
    symlink("/etc/passwd", host.at("passwd")).unwrap();
    symlink("../../outside", host.at("up")).unwrap();
    symlink("../../outside/secret.txt", host.at("secret.txt")).unwrap();
    symlink("../../outside/new.txt", host.at("dangling_out")).unwrap();
    symlink("../../../outside/secret.txt", host.at("d/secret.txt")).unwrap();
    symlink("up/secret.txt", host.at("twice")).unwrap();
    symlink("../memories", host.at("round")).unwrap();
    symlink(host.at("own.txt"), host.at("absolute")).unwrap();
    for path in [
        "/memories/etc",
        "/memories/etc/passwd",
        "/memories/etc/haft-was-here",
        "/memories/passwd",
        "/memories/up",
        "/memories/up/secret.txt",
        "/memories/up/new.txt",
        "/memories/up/new/new.txt",
        "/memories/secret.txt",
        "/memories/dangling_out",
        "/memories/d/secret.txt",
        "/memories/twice",
        "/memories/round/own.txt",
        "/memories/absolute",
    ] {
        host.is_refused(path).await;
    }
    let view = json!({"command": "view", "path": "/memories"});
    let told = host.memory(view).await;
    let listed = told
        .lines()
        .skip(2)
        .filter_map(|line| line.split_once('\t'));
    let listed: Vec<_> = listed.map(|(_, path)| path).collect();
    assert_eq!(
        listed,
        ["/memories/d/", "/memories/d/own.txt", "/memories/own.txt"]
    );
    let told = host.editor(json!({"command": "view", "path": "/"})).await;
    assert!(told.ends_with("\n/\n/d/\n/d/own.txt\n/own.txt\n"), "{told}");
}

#[tokio::test]
async fn links_that_lead_nowhere_are_as_nothing() {
    let host = Host::new();
    symlink("nothing", host.at("dangling")).unwrap();
    symlink("loop_b", host.at("loop_a")).unwrap();
    symlink("loop_a", host.at("loop_b")).unwrap();
    symlink("itself", host.at("itself")).unwrap();
    for path in [
        "/memories/dangling",
        "/memories/loop_a",
        "/memories/itself",
        "/memories/itself/x",
    ] {
        let told = host.memory(json!({"command": "view", "path": path})).await;
        let missing =
            format!("Error: The path {path} does not exist. Please provide a valid path.");
        assert_eq!(told, missing);
        let create = json!({"command": "create", "path": path, "file_text": "x"});
        assert!(host.call("memory", &create).await.0);
    }
    let told = host
        .memory(json!({"command": "view", "path": "/memories"}))
        .await;
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(!host.at("nothing").exists());
    // The link itself can be removed.
    let delete = json!({"command": "delete", "path": "/memories/dangling"});
    assert_eq!(
        host.memory(delete).await,
        "Successfully deleted /memories/dangling"
    );
    assert!(host.at("dangling").symlink_metadata().is_err());
}

#[tokio::test]
async fn links_that_stay_inside_are_followed_and_kept() {
    let host = Host::new();
    host.write("d/own.txt", "one\n");
    symlink("d/own.txt", host.at("link.txt")).unwrap();
    symlink("d", host.at("link")).unwrap();
    symlink("../link.txt", host.at("d/back.txt")).unwrap();
    let replace = |path: &str, old: &str, new: &str| json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new});
    host.memory(replace("/memories/link.txt", "one", "two"))
        .await;
    host.editor(replace("/link/back.txt", "two", "three")).await;
    assert_eq!(host.text("d/own.txt"), "three\n");
    let told = host
        .memory(json!({"command": "view", "path": "/memories"}))
        .await;
    for shown in [
        "6B\t/memories/link.txt",
        "6B\t/memories/link/own.txt",
        "6B\t/memories/d/back.txt",
    ] {
        assert!(told.contains(shown), "{told}");
    }
    let create = json!({"command": "create", "path": "/memories/link/new.txt", "file_text": "new"});
    host.memory(create).await;
    assert_eq!(host.text("d/new.txt"), "new");
    // About the link, and not about what it leads to.
    let rename =
        json!({"command": "rename", "old_path": "/memories/link", "new_path": "/memories/renamed"});
    host.memory(rename).await;
    host.memory(json!({"command": "delete", "path": "/memories/renamed"}))
        .await;
    assert!(host.at("renamed").symlink_metadata().is_err());
    assert_eq!(host.text("d/own.txt"), "three\n");
    assert!(host.at("link.txt").symlink_metadata().unwrap().is_symlink());
    no_draft_is_left(&host);
}

/// Swaps a directory and a link to the outside, and a file and a link, until it is told to stop.
fn swap(notes: &Path, stop: &AtomicBool, swaps: &AtomicUsize) {
    while !stop.load(Ordering::Relaxed) {
        for (name, target) in [
            ("d", "../../outside"),
            ("f.txt", "../../outside/secret.txt"),
        ] {
            let (place, aside) = (notes.join(name), notes.join(format!("{name}.aside")));
            fs::rename(&place, &aside).unwrap();
            // A call may have made something of that name by now.
            if symlink(target, &place).is_ok() {
                swaps.fetch_add(1, Ordering::Relaxed);
                thread::yield_now();
            }
            loop {
                let _ = fs::remove_file(&place);
                let _ = fs::remove_dir_all(&place);
                if fs::rename(&aside, &place).is_ok() {
                    break;
                }
            }
            thread::yield_now();
        }
    }
}

#[tokio::test]
async fn a_link_that_is_swapped_in_leads_nowhere() {
    let host = Host::new();
    host.write("d/secret.txt", "own\n");
    host.write("f.txt", "own\n");
    let outside = tree(&host.directory.path().join("outside"));
    let (stop, swaps) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let swapper = {
        let (notes, stop, swaps) = (host.at(""), Arc::clone(&stop), Arc::clone(&swaps));
        thread::spawn(move || swap(&notes, &stop, &swaps))
    };
    let mut answers = [0, 0];
    let mut round = 0;
    // Until both kinds of answer came, and a good many of them.
    while round < 150 || (answers.contains(&0) && round < 10_000) {
        round += 1;
        let (secret, new) = (
            "/memories/d/secret.txt",
            format!("/memories/d/{round}/new.txt"),
        );
        for command in [
            json!({"command": "view", "path": secret}),
            json!({"command": "view", "path": "/memories/f.txt"}),
            json!({"command": "view", "path": "/memories"}),
            json!({"command": "insert", "path": secret, "insert_line": 0, "insert_text": "x"}),
            json!({"command": "str_replace", "path": secret, "old_str": "secret", "new_str": "x"}),
            json!({"command": "insert", "path": "/memories/f.txt", "insert_line": 0, "insert_text": "x"}),
            json!({"command": "create", "path": new, "file_text": "x"}),
            json!({"command": "rename", "old_path": new, "new_path": format!("/memories/d/{round}.txt")}),
            json!({"command": "delete", "path": format!("/memories/d/{round}")}),
        ] {
            let (is_error, _) = host.call("memory", &command).await;
            answers[usize::from(is_error)] += 1;
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    assert!(answers[0] > 0 && answers[1] > 0, "{answers:?}");
    assert!(swaps.load(Ordering::Relaxed) > 10);
    assert_eq!(tree(&host.directory.path().join("outside")), outside);
    no_draft_is_left(&host);
}

#[tokio::test]
async fn deleting_does_not_follow_links() {
    let host = Host::new();
    host.write("d/inner/own.txt", "own");
    symlink("../../../outside", host.at("d/up")).unwrap();
    symlink(
        "../../../../outside/secret.txt",
        host.at("d/inner/secret.txt"),
    )
    .unwrap();
    symlink("/etc", host.at("d/etc")).unwrap();
    fs::write(host.at("d").join(OsStr::from_bytes(b"\xff")), "").unwrap();
    mkfifo(&host.at("d/pipe"), Mode::S_IRWXU).unwrap();
    let mut expected = host.tree();
    expected.retain(|path, _| !path.starts_with(host.at("d")));
    let delete = json!({"command": "delete", "path": "/memories/d"});
    assert_eq!(
        host.memory(delete).await,
        "Successfully deleted /memories/d"
    );
    assert_eq!(host.tree(), expected);
}

#[tokio::test]
async fn the_root_stays() {
    let host = Host::new();
    host.write("own.txt", "my own secret");
    let before = host.tree();
    for path in ["/memories", "/memories/", "/memories/.", "/memories//./"] {
        let delete = json!({"command": "delete", "path": path});
        assert_eq!(
            host.memory(delete).await,
            "Error: Cannot delete the /memories directory itself"
        );
        let rename = json!({"command": "rename", "old_path": path, "new_path": "/memories/x"});
        assert_eq!(
            host.memory(rename).await,
            "Error: Cannot rename the /memories directory itself"
        );
        let rename =
            json!({"command": "rename", "old_path": "/memories/own.txt", "new_path": path});
        let taken = format!("Error: The destination {path} already exists");
        assert_eq!(host.memory(rename).await, taken);
        assert_eq!(host.tree(), before);
    }
}

#[tokio::test]
async fn nothing_is_renamed_over_something() {
    let host = Host::new();
    host.write("a.txt", "a");
    host.write("b.txt", "b");
    host.write("d/own.txt", "own");
    fs::create_dir(host.at("empty")).unwrap();
    symlink("nothing", host.at("dangling")).unwrap();
    let before = host.tree();
    for from in ["/memories/a.txt", "/memories/d"] {
        for to in ["b.txt", "d", "empty", "dangling", "a.txt"] {
            let to = format!("/memories/{to}");
            let rename = json!({"command": "rename", "old_path": from, "new_path": to});
            let taken = format!("Error: The destination {to} already exists");
            assert_eq!(host.memory(rename).await, taken);
            assert_eq!(host.tree(), before);
        }
    }
    // Nor by a store that is asked at once, without the look before it.
    let store = Directory::open(host.at("")).unwrap();
    let path = |text| FilePath::new(text).unwrap();
    for (from, to) in [("a.txt", "b.txt"), ("d", "empty"), ("a.txt", "dangling")] {
        let renamed = store.rename(&path(from), &path(to)).await;
        assert!(
            matches!(renamed, Err(FileError::AlreadyExists)),
            "{renamed:?}"
        );
        assert_eq!(host.tree(), before);
    }
}

#[tokio::test]
async fn what_is_no_regular_file_is_refused_without_waiting() {
    let host = Host::new();
    host.write("own.txt", "my own secret");
    mkfifo(&host.at("pipe"), Mode::S_IRWXU).unwrap();
    let _socket = UnixListener::bind(host.at("socket")).unwrap();
    symlink("pipe", host.at("link")).unwrap();
    for name in ["pipe", "socket"] {
        host.is_refused(&format!("/memories/{name}")).await;
    }
    for name in ["pipe", "socket", "link"] {
        let view = json!({"command": "view", "path": format!("/memories/{name}")});
        let expected = format!("Error: Unsupported file type for /memories/{name}");
        assert_eq!(host.memory(view).await, expected);
        let view = json!({"command": "view", "path": format!("/{name}")});
        let expected = format!("Error: path '/{name}' is not a regular file");
        assert_eq!(host.editor(view).await, expected);
    }
    let told = host
        .memory(json!({"command": "view", "path": "/memories"}))
        .await;
    assert!(told.ends_with("\n13B\t/memories/own.txt"), "{told}");
    assert_eq!(told.lines().count(), 3);
}

#[tokio::test]
async fn a_huge_file_is_refused() {
    let host = Host::new();
    let file = fs::File::create(host.at("huge")).unwrap();
    file.set_len(1 << 40).unwrap();
    let limit = "exceeds maximum size limit of 10485760 bytes.";
    for command in [
        json!({"command": "view", "path": "/memories/huge", "view_range": [1, 2]}),
        json!({"command": "str_replace", "path": "/memories/huge", "old_str": "a", "new_str": "b"}),
        json!({"command": "insert", "path": "/memories/huge", "insert_line": 0, "insert_text": "b"}),
    ] {
        assert_eq!(
            host.memory(command).await,
            format!("Error: File /memories/huge {limit}")
        );
    }
    let view = json!({"command": "view", "path": "/huge"});
    assert_eq!(
        host.editor(view).await,
        format!("Error: File /huge {limit}")
    );
    assert_eq!(fs::metadata(host.at("huge")).unwrap().len(), 1 << 40);
    // Nor is one made so large.
    let text = "x".repeat(10 * 1024 * 1024 + 1);
    let create = json!({"command": "create", "path": "/memories/d/new", "file_text": text});
    assert_eq!(
        host.memory(create).await,
        format!("Error: File /memories/d/new {limit}")
    );
    assert!(!host.at("d").exists());
}

#[tokio::test]
async fn what_is_no_text_is_refused_and_kept() {
    let host = Host::new();
    fs::write(host.at("binary"), b"\x00a\xffb").unwrap();
    fs::write(host.at("").join(OsStr::from_bytes(b"na\xffme.txt")), "own").unwrap();
    fs::create_dir(host.at("").join(OsStr::from_bytes(b"dir\xff"))).unwrap();
    let before = host.tree();
    for command in [
        json!({"command": "view", "path": "/memories/binary"}),
        json!({"command": "str_replace", "path": "/memories/binary", "old_str": "a", "new_str": "b"}),
        json!({"command": "insert", "path": "/memories/binary", "insert_line": 0, "insert_text": "b"}),
    ] {
        let told = host.memory(command).await;
        assert_eq!(told, "Error: path '/memories/binary' is not valid utf-8");
    }
    let view = json!({"command": "view", "path": "/binary"});
    assert_eq!(
        host.editor(view).await,
        "Error: path '/binary' is not valid utf-8"
    );
    // What has no name that the model could write is not shown.
    let told = host
        .memory(json!({"command": "view", "path": "/memories"}))
        .await;
    assert!(told.ends_with("\n4B\t/memories/binary"), "{told}");
    assert_eq!(told.lines().count(), 3);
    assert_eq!(host.tree(), before);
}

#[tokio::test]
async fn a_text_is_put_in_as_it_is() {
    let host = Host::new();
    let new = "$& $1 $$ \\1 \\n {0} %s\r\n\u{2028}\t";
    for (tool, path) in [("memory", "/memories/a.txt"), ("text_editor", "/b.txt")] {
        let create = json!({"command": "create", "path": path, "file_text": "a\r\nb\rc"});
        host.call(tool, &create).await;
        let replace =
            json!({"command": "str_replace", "path": path, "old_str": "b", "new_str": new});
        assert!(!host.call(tool, &replace).await.0);
    }
    assert_eq!(host.text("a.txt"), format!("a\r\n{new}\rc"));
    assert_eq!(host.text("b.txt"), host.text("a.txt"));
}

#[tokio::test]
async fn edits_at_the_same_time_are_all_kept() {
    let directory = tempfile::tempdir().unwrap();
    let store = Directory::open(directory.path()).unwrap();
    // Two handlers do not take turns with each other: there, an edit is made anew.
    let one = Memory::new(store.clone()).unwrap();
    let other = Memory::new(store).unwrap().named("other").unwrap();
    let kit = Arc::new(Toolkit::new().with(one).unwrap().with(other).unwrap());
    fs::write(directory.path().join("a.txt"), "begin\n").unwrap();
    let mut calls = JoinSet::new();
    for n in 0..40 {
        let kit: Arc<Toolkit> = Arc::clone(&kit);
        calls.spawn(async move {
            let insert = json!({
                "command": "insert", "path": "/memories/a.txt", "insert_line": 1, "insert_text": format!("line {n}"),
            });
            let tool = if n % 2 == 0 { "memory" } else { "other" };
            kit.call(tool, insert).await.text()
        });
    }
    while let Some(told) = calls.join_next().await {
        assert_eq!(told.unwrap(), "The file /memories/a.txt has been edited.");
    }
    let text = fs::read_to_string(directory.path().join("a.txt")).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.remove(0), "begin");
    lines.sort_unstable();
    let mut expected: Vec<_> = (0..40).map(|n| format!("line {n}")).collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn calls_of_one_reply_do_not_lose_each_other_s_edits() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.txt"), "").unwrap();
    let kit: Toolkit = Toolkit::new()
        .with(TextEditor::open(directory.path()).unwrap())
        .unwrap();
    let insert = |n: usize| json!({"command": "insert", "path": "/a.txt", "insert_line": 0, "insert_text": n.to_string()});
    let calls: Vec<_> = (0..8).map(|n| ("text_editor", insert(n))).collect();
    let model = ScriptedModel::new().calls(calls).text("done");
    let request = Request::new("any").user("Write eight lines.");
    let end = Runner::new(model, kit, request)
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!(end.reply.text(), "done");
    let text = fs::read_to_string(directory.path().join("a.txt")).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["0", "1", "2", "3", "4", "5", "6", "7"]);
}

#[tokio::test]
async fn an_edit_of_what_is_no_longer_so_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let store = Directory::open(directory.path()).unwrap();
    let path = FilePath::new("a.txt").unwrap();
    store.create(&path, "one").await.unwrap();
    // As a call that was dropped may do late.
    let late = store.replace(&path, "none", "late").await;
    assert!(matches!(late, Err(FileError::Changed)), "{late:?}");
    store.replace(&path, "one", "two").await.unwrap();
    assert!(matches!(
        store.create(&path, "x").await,
        Err(FileError::AlreadyExists)
    ));
    assert_eq!(store.read(&path).await.unwrap(), "two");
    let root = FilePath::default();
    assert!(store.remove(&root).await.is_err() && store.rename(&root, &path).await.is_err());
    assert_eq!(store.read(&path).await.unwrap(), "two");
}

#[tokio::test]
async fn new_files_are_for_the_owner_alone() {
    // Nothing is left to chance. (Of the whole process; the other tests do not mind.)
    umask(Mode::empty());
    let host = Host::new();
    let create = |path: &str| json!({"command": "create", "path": path, "file_text": "one"});
    let replace = |path: &str| json!({"command": "str_replace", "path": path, "old_str": "one", "new_str": "two"});
    host.memory(create("/memories/a/b/c.txt")).await;
    host.editor(create("/d/e/f.txt")).await;
    host.write("g.txt", "one");
    host.memory(json!({"command": "rename", "old_path": "/memories/g.txt", "new_path": "/memories/h/i/g.txt"}))
        .await;
    for directory in ["", "../", "a", "a/b", "d", "d/e", "h", "h/i"] {
        assert_eq!(mode(&host.at(directory)), 0o700, "{directory}");
    }
    for (path, edit) in [("a/b/c.txt", "memory"), ("d/e/f.txt", "text_editor")] {
        assert_eq!(mode(&host.at(path)), 0o600, "{path}");
        let root = if edit == "memory" { "/memories" } else { "" };
        host.call(edit, &replace(&format!("{root}/{path}"))).await;
        assert_eq!(
            (mode(&host.at(path)), host.text(path)),
            (0o600, "two".to_owned())
        );
    }
    // The editor works on what others use, too.
    for (name, before, tool, path, after) in [
        ("note.txt", 0o644, "memory", "/memories/note.txt", 0o600),
        ("run.sh", 0o755, "text_editor", "/run.sh", 0o755),
        ("root.sh", 0o4755, "text_editor", "/root.sh", 0o755),
    ] {
        host.write(name, "one");
        fs::set_permissions(host.at(name), fs::Permissions::from_mode(before)).unwrap();
        host.call(tool, &replace(path)).await;
        assert_eq!(
            (mode(&host.at(name)), host.text(name)),
            (after, "two".to_owned())
        );
    }
}

#[tokio::test]
async fn what_fails_leaves_nothing_behind() {
    let host = Host::new();
    host.write("own.txt", "my own secret");
    let before = host.tree();
    let long = format!("/memories/{}", "x".repeat(300));
    let create = json!({"command": "create", "path": long, "file_text": "x"});
    let told = host.memory(create).await;
    assert!(
        told.starts_with(&format!("Error: The path {long} cannot be used: ")),
        "{told}"
    );
    let rename = json!({"command": "rename", "old_path": "/memories/own.txt", "new_path": long});
    assert!(host.call("memory", &rename).await.0);
    assert_eq!(host.tree(), before);
}

#[tokio::test]
async fn what_a_hard_link_shares_is_not_written() {
    let host = Host::new();
    let outside = host.directory.path().join("outside/shared.txt");
    fs::write(&outside, "one").unwrap();
    fs::hard_link(&outside, host.at("shared.txt")).unwrap();
    let replace = json!({"command": "str_replace", "path": "/memories/shared.txt", "old_str": "one", "new_str": "two"});
    host.memory(replace).await;
    assert_eq!(host.text("shared.txt"), "two");
    assert_eq!(fs::read_to_string(outside).unwrap(), "one");
}

#[test]
fn a_directory_that_cannot_be_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let error = FileMemory::open(&file).unwrap_err();
    assert_eq!(error.kind(), haft::ErrorKind::Configuration);
    let error = TextEditor::open(&file).unwrap_err();
    assert!(error.to_string().contains("cannot be opened"), "{error}");
}
