//! What ends a shell, what is told then, and that nothing is left of it.

use std::fs;
use std::time::{Duration, Instant};

use haft::handlers::Bash;
use haft::serde_json::json;

use super::state::folder;
use super::{LONG, NEW, NEXT, Shell, assert_dead, is_alive, wait_until};

#[tokio::test]
async fn the_end_of_the_shell_is_told_and_the_next_command_has_a_new_one() {
    let shell = Shell::new();
    let next = |end: &str| format!("{end}; {NEXT}");
    for (command, told) in [
        (
            "echo bye; exit 3",
            next("bye\n[the shell ended with exit code 3"),
        ),
        (
            "trap 'echo trapped' EXIT; exit 4",
            next("trapped\n[the shell ended with exit code 4"),
        ),
        ("kill -9 $$", next("[the shell was killed by signal 9")),
        ("exec false", next("[the shell ended with exit code 1")),
        (
            "exec sh -c 'sleep 0.1; echo other; exit 5'",
            next("other\n[the shell ended with exit code 5"),
        ),
        (
            "set -e; echo a; false; echo b",
            next("a\n[the shell ended with exit code 1"),
        ),
    ] {
        shell.call("x=5").await;
        assert_eq!(shell.fail(command).await, told, "{command}");
        assert_eq!(
            shell.run("echo \"[$x]\"").await,
            format!("{NEW}[]"),
            "{command}"
        );
        assert_eq!(shell.run("echo again").await, "again");
    }
    // Who ends it well has not failed; but the state is lost.
    assert_eq!(
        shell.run("exec true").await,
        next("[the shell ended with exit code 0")
    );
    assert_eq!(shell.run("true").await, NEW);
}

#[tokio::test]
async fn a_shell_that_ends_between_two_calls_is_replaced() {
    let shell = Shell::new();
    let pid = shell.run("(sleep 0.05; kill -9 $$) & echo $$").await;
    wait_until("the shell is dead", || !is_alive(&pid));
    assert_eq!(shell.run("echo here").await, format!("{NEW}here"));
}

#[tokio::test]
async fn jobs_of_a_shell_that_ended_are_killed() {
    let shell = Shell::new();
    let told = shell
        .call("sleep 1000 & echo $!; (while :; do sleep 1; done) & echo $!; exit")
        .await;
    let pids: Vec<_> = told.text().lines().take(2).map(str::to_owned).collect();
    assert_dead(&pids.join(" "));
}

#[tokio::test]
async fn a_timeout_kills_the_command_and_its_children_and_keeps_what_they_wrote() {
    let shell = Shell::of(Bash::builder().timeout(Duration::from_secs(1)));
    let told = shell
        .fail("x=5; trap '' TERM INT HUP; echo $$; sleep 1000 & echo $!; setsid sleep 1000 & echo $!; sh -c 'echo $$; sleep 1000'")
        .await;
    let (pids, end) = told.split_once("\n[").unwrap();
    assert_eq!(
        end,
        format!(
            "bash command timed out after 1s; it was killed, and with it the shell and its background jobs; {NEXT}"
        )
    );
    assert_eq!(pids.lines().count(), 4, "{told}");
    assert_dead(pids);
    assert_eq!(shell.run("echo \"[$x]\"").await, format!("{NEW}[]"));
}

#[tokio::test]
async fn endless_output_ends_by_the_timeout() {
    let limit = Duration::from_secs(1);
    let shell = Shell::of(Bash::builder().timeout(limit).output_limit(8));
    for (command, kept) in [
        ("yes", "y\ny\ny\ny"),
        ("cat /dev/zero", "\0\0\0\0\0\0\0\0"),
        ("yes >&2", "y\ny\ny\ny"),
    ] {
        let told = shell.fail(command).await;
        let told = told.strip_prefix(NEW).unwrap_or(&told);
        let (head, rest) = told.split_once('\n').unwrap();
        assert!(head.starts_with("[output truncated: the first "), "{told}");
        assert!(rest.contains("timed out after 1s"), "{told}");
        // It is cut anywhere.
        assert!(
            rest.starts_with(kept) || rest.starts_with("\ny\ny\ny\ny"),
            "{told:?}"
        );
    }
    assert!(shell.run("echo well").await.ends_with("well"));
}

#[tokio::test]
async fn a_job_that_writes_without_end_does_not_keep_a_command_from_ending() {
    let shell = Shell::of(Bash::builder().timeout(LONG).output_limit(100));
    assert!(!shell.call("yes &").await.is_error());
    let begun = Instant::now();
    while !shell.run("true").await.contains("y\ny") {
        assert!(begun.elapsed() < LONG);
    }
    assert!(shell.call("kill %1; wait").await.text().len() < 400);
}

#[tokio::test]
async fn nothing_is_left_when_it_is_dropped() {
    let shell = Shell::new();
    let pids = shell
        .run(
            "sleep 1000 & echo $!
            (trap '' TERM HUP; while :; do sleep 1; done) & echo $!
            setsid sleep 1000 & echo $!
            (setsid sh -c 'sleep 1000 & echo $!; exec >&- 2>&-; sleep 1000' &)
            set -m; sleep 1000 & echo $!
            nohup sleep 1000 >/dev/null & echo $!; disown -a
            echo $$",
        )
        .await;
    let pids: Vec<_> = pids
        .lines()
        .filter(|line| line.parse::<u32>().is_ok())
        .collect();
    assert!(pids.len() >= 6, "{pids:?}");
    drop(shell);
    let left: Vec<_> = pids.iter().filter(|pid| is_alive(pid)).collect();
    assert!(
        left.is_empty(),
        "they are dead when the drop returns: {left:?}"
    );
}

#[tokio::test]
async fn a_dropped_future_interrupts_its_command() {
    let shell = Shell::new();
    let folder = folder("dropped");
    let file = folder.join("pids");
    let command = format!(
        "x=5; sleep 1000 & echo $! $$ >{0}.part; mv {0}.part {0}; sleep 1000",
        file.display()
    );
    let begun = async {
        while !file.exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::select! {
        result = shell.call(&command) => panic!("{}", result.text()),
        () = begun => {}
    }
    let pids = fs::read_to_string(&file).unwrap();
    assert_dead(&pids);
    assert_eq!(shell.run("echo \"[$x]\"").await, format!("{NEW}[]"));
    // One that had not begun leaves the shell as it is.
    shell.call("x=6").await;
    let first = shell.call("sleep 0.05; echo first");
    let second = tokio::time::timeout(Duration::from_millis(1), async {
        shell.call("x=7").await;
        std::future::pending::<()>().await
    });
    let (first, second) = tokio::join!(first, second);
    assert!(second.is_err());
    assert_eq!(first.text(), "first");
    assert_eq!(shell.run("echo $x").await, "6");
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_restart_heals_whatever_was_done() {
    let shell = Shell::new();
    shell
        .call("set -u; PATH=; cd /; IFS=x; readonly IFS PATH; echo() { :; }")
        .await;
    let result = shell
        .0
        .call("bash", json!({"command": "ignored", "restart": true}))
        .await;
    assert_eq!(result.text(), "bash session restarted");
    assert_eq!(
        shell.run("set -- 'a b'; echo $1 $nothing; ls -d /").await,
        "a b\n/"
    );
}
