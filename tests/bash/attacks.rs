//! Commands that try to end before their end, to break the shell, or to make a call wait for ever.

use std::time::Duration;

use haft::handlers::Bash;
use tokio::task::JoinSet;

use super::{NEW, NEXT, Shell};

/// The shell is as before: it has its state, and tells outputs and exit codes.
async fn is_well(shell: &Shell, after: &str) {
    let told = shell.call("builtin echo $kept").await.text();
    assert_eq!(told, "kept", "after {after}");
    assert_eq!(
        shell.fail("builtin echo x; builtin false").await,
        "x\n[exit code: 1]",
        "after {after}"
    );
}

async fn kept() -> Shell {
    let shell = Shell::new();
    assert_eq!(shell.run("kept=kept").await, "");
    shell
}

#[tokio::test]
async fn an_end_mark_cannot_be_printed() {
    let shell = kept().await;
    // Numbers of earlier commands are to be had, and whatever a shell knows of itself.
    assert_eq!(shell.run("set -o history").await, "");
    let prints = [
        "history; fc -l 2>&1; history | sed 's/.*printf[^0-9a-f]*//'",
        "env; set; declare -p; declare -f; cat /proc/$$/environ /proc/$$/cmdline | tr '\\0' '\\n'",
        "set -x; set -v; : a; set +x +v",
        "echo '?0'; echo '?0' >&2; printf '?0\\n%032d\\n' 0; printf '\\0?0\\0\\n'",
        "history | grep -o '[0-9a-f]\\{32\\}' | while read n; do echo $n; printf '?0\\n%s\\n' $n; done",
        "for i in {1..300}; do echo '?0'; echo $RANDOM; done",
    ];
    for attack in prints {
        let told = shell
            .fail(&format!(
                "{attack}\nsleep 0.02; builtin echo the end; (exit 9)"
            ))
            .await;
        assert!(
            told.ends_with("the end\n[exit code: 9]"),
            "{attack}: {told}"
        );
        is_well(&shell, attack).await;
    }
}

#[tokio::test]
async fn an_end_mark_cannot_be_written_to_what_is_open_either() {
    let shell = kept().await;
    let numbers = "h=$(history | grep -o '[0-9a-f]\\{32\\}'); ";
    let writes = [
        "for n in {3..255}; do echo '?0' >&$n; done",
        "for n in {3..255}; do printf '?0\\n%s\\n' $h >&$n; done",
        "for n in {3..255}; do printf '%5000s' x >&$n; done",
        "for f in /proc/self/fd/*; do [ -p $f ] || echo '?0' >$f; done",
        "for f in /proc/$$/fd/*; do printf '?0\\n%s\\n' $h >$f; done",
        "sh -c 'for f in /proc/self/fd/* /proc/$PPID/fd/*; do echo ?0 >$f; done'",
    ];
    assert_eq!(shell.run("set -o history").await, "");
    for attack in writes {
        let command = format!(
            "{{ {numbers}{attack}; }} >/dev/null 2>&1\nsleep 0.05; builtin echo the end; (exit 9)"
        );
        let told = shell.fail(&command).await;
        assert!(
            told.ends_with("the end\n[exit code: 9]"),
            "{attack}: {told}"
        );
        is_well(&shell, attack).await;
    }
}

#[tokio::test]
async fn no_process_that_a_command_starts_has_the_socket() {
    let shell = kept().await;
    let told = shell
        .run("ls -l /proc/self/fd; sh -c 'ls -l /proc/$$/fd'; (ls -l /proc/self/fd) | cat")
        .await;
    assert!(told.contains("pipe:"), "{told}");
    assert!(!told.contains("socket:"), "{told}");
    assert_eq!(
        shell.fail("echo x >&78").await.lines().last(),
        Some("[exit code: 1]")
    );
}

#[tokio::test]
async fn what_is_not_whole_is_an_error_and_the_shell_goes_on() {
    let shell = kept().await;
    for (command, told) in [
        ("echo 'no end", "unexpected EOF"),
        ("echo \"no end", "unexpected EOF"),
        ("echo `no end", "unexpected EOF"),
        ("if true; then echo a", "syntax error"),
        ("f() {", "syntax error"),
        ("}", "syntax error"),
        ("case x in", "syntax error"),
        ("a=(", "unexpected EOF"),
        ("(( 1 + ", "unexpected EOF"),
        ("readonly r=1; r=2; echo no", "readonly variable"),
    ] {
        let result = shell.call(command).await;
        assert!(
            result.is_error() && result.text().contains(told),
            "{command}: {}",
            result.text()
        );
        is_well(&shell, command).await;
    }
    assert!(shell.run("cat <<END\nhello").await.ends_with("hello"));
    assert_eq!(shell.run("echo 'a\\' b\\").await, "a\\ b\\");
    for flow in ["break", "continue", "return 2", "break 99"] {
        assert!(
            shell.run(&format!("{flow}; echo on")).await.ends_with("on"),
            "{flow}"
        );
    }
    is_well(&shell, "all").await;
}

#[tokio::test]
async fn a_fault_of_bash_itself_is_told_as_its_end() {
    // Bash 5.2.15 spoils its memory on this, and is aborted then or soon after; others only complain.
    let shell = Shell::new();
    let told = shell.fail("echo $(no end").await;
    assert!(
        told.contains("unexpected EOF") || told.contains("was killed by signal"),
        "{told}"
    );
    for _ in 0..4 {
        let told = shell.call("echo here").await.text();
        assert!(
            told.contains("here") || told.contains("was killed by signal"),
            "{told}"
        );
    }
    let result = shell
        .0
        .call("bash", haft::serde_json::json!({"restart": true}))
        .await;
    assert_eq!(result.text(), "bash session restarted");
    assert_eq!(shell.run("echo here").await, "here");
}

#[tokio::test]
async fn traps_options_and_names_of_builtins_do_no_harm() {
    let shell = kept().await;
    for (command, told) in [
        (
            "trap 'builtin echo debug; kept=kept' DEBUG; builtin echo a; trap - DEBUG",
            "debug\na\ndebug",
        ),
        (
            "trap 'echo caught' ERR; false || true; ls /nothing 2>/dev/null; trap - ERR",
            "caught",
        ),
        ("trap 'echo no' EXIT RETURN", ""),
        (
            "echo() { :; }; printf() { :; }; eval() { :; }; read() { :; }; exec() { :; }; exit() { :; }",
            "",
        ),
        (
            "command() { :; }; set() { :; }; unset() { :; }; test() { :; }; true() { :; }",
            "",
        ),
        (
            "set -f; set -o posix; set +o posix; shopt -s extglob nullglob failglob",
            "",
        ),
        (
            "IFS='0?'; PS4='$(exit 3)'; set -x; set +x; BASH_XTRACEFD=2",
            "",
        ),
        ("readonly IFS OPTIND; LC_ALL=C; POSIXLY_CORRECT=1", ""),
        ("exec >/dev/null", ""),
        ("exec 0<&- 1>&- 2>&-", ""),
        ("exec 77>&- 78>&- 3<&0 4>&1 255>/dev/null", ""),
        ("cat <&3; builtin echo x >&4 2>&1", "x"),
    ] {
        let result = shell.call(command).await;
        assert!(!result.is_error(), "{command}: {}", result.text());
        assert!(result.text().contains(told), "{command}: {}", result.text());
        is_well(&shell, command).await;
    }
}

#[tokio::test]
async fn aliases_do_not_reach_what_the_shell_is_sent() {
    let shell = Shell::new();
    let command = "shopt -s expand_aliases; alias builtin=false printf=false eval=false exec=false";
    assert_eq!(shell.run(command).await, "");
    assert_eq!(shell.fail("builtin").await, "[exit code: 1]");
    assert_eq!(shell.run("echo here").await, "here");
}

#[tokio::test]
async fn a_shell_that_cannot_go_on_is_told_and_replaced() {
    let shell = Shell::new();
    let all = "for n in {3..255}; do eval \"exec $n>&-\"; done; echo closed";
    let told = shell.call(all).await.text();
    assert!(told.contains("closed\n") && told.ends_with(NEXT), "{told}");
    assert_eq!(shell.run("echo well").await, format!("{NEW}well"));
    let mut all = JoinSet::new();
    for command in [
        "builtin() { :; }",
        "set -n",
        "kill -STOP $$",
        "cat /proc/$$/fd/255",
        "while :; do :; done",
        "trap '' TERM; sleep 1000",
        "exec sleep 1000",
    ] {
        all.spawn(async move {
            let shell = Shell::of(Bash::builder().timeout(Duration::from_secs(1)));
            let told = shell.fail(command).await;
            assert!(told.contains("timed out after 1s"), "{command}: {told}");
            assert_eq!(shell.run("builtin echo well").await, format!("{NEW}well"));
        });
    }
    assert_eq!(all.join_all().await.len(), 7);
}

#[tokio::test]
async fn a_command_that_speaks_the_protocol_ends_early_and_harms_no_other() {
    let shell = Shell::new();
    // It finds the shell's copy of the socket, asks, reads the number from the shell's own script, and says it.
    let speak = "for n in {10..30}; do [ -S /proc/$$/fd/$n ] && s=$n; done
        echo '?0' >&$s
        read -r -u 255 asks; read -r -u 255 tells
        [[ $tells =~ [0-9a-f]{32} ]]; echo ${BASH_REMATCH[0]} >&$s
        spoken=1; sleep 0.1; false";
    assert_eq!(shell.run(speak).await, "");
    let told = shell.fail("echo $spoken; false").await;
    assert_eq!(told, "1\n[exit code: 1]");
    assert_eq!(shell.run("echo a").await, "a");
}
