//! What lasts from call to call, and where it goes on.

use std::fs;
use std::time::Duration;

use haft::Runner;
use haft::handlers::Bash;
use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft_tests::lines::{request, results};

use super::{LONG, Shell, assert_dead, is_alive, wait_until};

#[tokio::test]
async fn directory_variables_functions_options_and_files_last() {
    let shell = Shell::new();
    let told = shell
        .run("cd /usr; x=5; export Y=6; f() { echo \"f $1\"; }; declare -A m=([a]=1); shopt -s extglob; exec 5</etc/passwd; alias z=ls")
        .await;
    assert_eq!(told, "");
    assert_eq!(
        shell
            .run("pwd; echo $x; sh -c 'echo $Y'; f 7; echo ${m[a]}; shopt extglob; head -c 5 <&5; alias z")
            .await,
        "/usr\n5\n6\nf 7\n1\nextglob        \ton\nroot:alias z='ls'"
    );
    let first = shell.run("echo $$").await;
    assert_eq!(shell.run("echo $$").await, first);
}

#[tokio::test]
async fn a_restart_begins_where_the_first_shell_did_and_ends_all_that_ran() {
    let shell = Shell::of(
        Bash::builder()
            .timeout(LONG)
            .directory("/usr")
            .env("GIVEN", "1"),
    );
    let pids = shell
        .run("cd /; x=5; unset GIVEN; sleep 1000 & setsid sleep 1000 & (set -m; sleep 1000 &) ; pgrep -s 0; echo $!")
        .await;
    assert!(pids.lines().count() >= 3, "{pids}");
    let result = shell.0.call("bash", json!({"restart": true})).await;
    assert_eq!(result.text(), "bash session restarted");
    assert!(!result.is_error());
    let before_that: Vec<_> = pids.lines().filter(|pid| is_alive(pid)).collect();
    assert!(
        before_that.is_empty(),
        "they are dead when it is told: {before_that:?}"
    );
    assert_eq!(shell.run("pwd; echo \"[$x] $GIVEN\"").await, "/usr\n[] 1");
}

#[tokio::test]
async fn background_jobs_run_on_and_nobody_waits_for_them() {
    let shell = Shell::new();
    // They hold the output open, and one is a shell that has a copy of all that is open in ours.
    let pids = shell
        .run("sleep 1000 & echo $!; (while :; do sleep 0.05; done) & echo $!; jobs -p | wc -l")
        .await;
    let [sleep, subshell, jobs] = pids.lines().collect::<Vec<_>>()[..] else {
        panic!("{pids}");
    };
    assert_eq!(jobs.trim(), "2");
    assert!(is_alive(sleep) && is_alive(subshell));
    assert_eq!(shell.run("jobs -p | wc -l").await.trim(), "2");
    drop(shell);
    assert_dead(&format!("{sleep} {subshell}"));
}

#[tokio::test]
async fn what_a_job_writes_later_comes_with_the_next_command() {
    let shell = Shell::new();
    let folder = folder("later");
    let go = folder.join("go");
    let done = folder.join("done");
    let job = format!(
        "(until [ -e {go} ]; do sleep 0.01; done; head -c 1000000 /dev/zero; echo late; touch {done}) & echo started",
        go = go.display(),
        done = done.display()
    );
    assert_eq!(shell.run(&job).await, "started");
    fs::write(&go, "").unwrap();
    // Between two calls it is read what jobs write, or else this one would stand still.
    wait_until("the job is done", || done.exists());
    let told = shell.run("echo now").await;
    assert!(told.ends_with("\0late\nnow"), "{}", told.len());
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn calls_of_one_turn_run_one_after_the_other_in_their_order() {
    let command = |n: usize| format!("echo begin {n}; sleep 0.01; log+=' {n}'; echo $log");
    let calls = (0..8).map(|n| ("bash", json!({"command": command(n)})));
    let model = ScriptedModel::new().calls(calls).text("Done.");
    let mut runner = Runner::new(model, Shell::new().0, request());
    runner.run_to_completion().await.unwrap();
    let mut log = String::new();
    let expected = (0..8).map(|n| {
        log = format!("{log} {n}").trim().to_owned();
        format!("begin {n}\n{log}")
    });
    assert_eq!(results(&runner.messages()), expected.collect::<Vec<_>>());
}

#[test]
fn it_needs_no_runtime_to_begin_and_outlives_those_it_is_called_in() {
    let shell = Shell::new();
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        // Without a timer, and without what sockets need.
        builder.build().unwrap()
    };
    assert_eq!(
        runtime().block_on(shell.run("x=5; sleep 0.05; echo a")),
        "a"
    );
    assert_eq!(runtime().block_on(shell.run("echo $x")), "5");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_clock_is_no_timeout() {
    let shell = Shell::of(Bash::builder().timeout(Duration::from_secs(50)));
    assert_eq!(shell.run("sleep 0.1; echo a").await, "a");
}

/// A folder of a test's own.
pub(super) fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("haft-bash-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
