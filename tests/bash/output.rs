//! What a model reads of a command.

use haft::anthropic::tools::BASH_20241022;
use haft::handlers::{Bash, CommandEnd, CommandOutput};
use haft::serde_json::{self, json};
use haft::{ErrorKind, Tool, ToolError, Toolkit};

use super::{LONG, Shell};

#[tokio::test]
async fn both_outputs_come_in_their_order_and_an_exit_code_is_told() {
    let shell = Shell::new();
    assert_eq!(
        shell
            .run("for i in 1 2 3; do echo out$i; echo error$i >&2; done")
            .await,
        "out1\nerror1\nout2\nerror2\nout3\nerror3"
    );
    assert_eq!(shell.run("true").await, "");
    assert_eq!(shell.run("printf '\\n a\\n\\n'").await, "\n a");
    assert_eq!(shell.fail("false").await, "[exit code: 1]");
    assert_eq!(
        shell.fail("echo no; (exit 42)").await,
        "no\n[exit code: 42]"
    );
    assert_eq!(
        shell
            .fail("sh -c 'kill -9 $$'; (exit $?)")
            .await
            .lines()
            .last(),
        Some("[exit code: 137]")
    );
}

#[tokio::test]
async fn what_is_no_text_is_made_text() {
    let shell = Shell::new();
    assert_eq!(
        shell.run(r"printf 'a\xff\x00b\xc3'").await,
        "a\u{fffd}\0b\u{fffd}"
    );
    assert_eq!(
        shell.run(r"printf '\e[1;31mred\e[0m \e]0;title\a|'").await,
        "red |"
    );
    assert_eq!(shell.run("printf 'größe €'").await, "größe €");
    // The whole of it comes, and what follows is not spoilt.
    assert_eq!(
        shell.run(r"head -c 50000 /dev/zero | tr '\0' '\377'").await,
        "\u{fffd}".repeat(50_000)
    );
    assert_eq!(shell.run("echo after").await, "after");
}

#[tokio::test]
async fn long_output_is_told_from_its_end_with_how_much_is_left_out() {
    let shell = Shell::of(Bash::builder().timeout(LONG).output_limit(10));
    assert_eq!(shell.run("printf 0123456789").await, "0123456789");
    assert_eq!(
        shell.run("printf 0123456789A").await,
        "[output truncated: the first 1 bytes are left out]\n123456789A"
    );
    assert_eq!(
        shell
            .run("head -c 10000000 /dev/zero; printf 0123456789")
            .await,
        "[output truncated: the first 10000000 bytes are left out]\n0123456789"
    );
    assert_eq!(
        shell
            .fail("printf 0123456789A; exit_code() { return 3; }; exit_code")
            .await,
        "[output truncated: the first 1 bytes are left out]\n123456789A\n[exit code: 3]"
    );
    let shell = Shell::new();
    let told = shell.run("head -c 102401 /dev/zero | tr '\\0' x").await;
    let mark = "[output truncated: the first 1 bytes are left out]\n";
    assert_eq!(told, format!("{mark}{}", "x".repeat(100 << 10)));
}

#[tokio::test]
async fn commands_have_no_input() {
    let shell = Shell::new();
    assert_eq!(shell.run("cat; read x || echo none").await, "none");
    assert_eq!(
        shell.run("cat <&0; cat /dev/stdin; echo none").await,
        "none"
    );
    // There is no terminal to ask either, where `setsid` is there.
    let asked = shell
        .run("setsid true 2>/dev/null && { : </dev/tty; } 2>&1; true")
        .await;
    assert!(asked.contains("/dev/tty: No such device"), "{asked}");
}

#[tokio::test]
async fn a_command_of_a_megabyte_runs() {
    let shell = Shell::new();
    let long = "it's \"a\" line\\n of $code\n".repeat(40_000);
    let told = shell
        .run(&format!("x=$(cat <<'END'\n{long}END\n); echo ${{#x}}"))
        .await;
    assert_eq!(told, (long.len() - 1).to_string());
    assert_eq!(shell.run("echo ${#x}").await, told);
}

#[tokio::test]
async fn what_is_no_command_is_refused_in_words() {
    let shell = Shell::new();
    assert_eq!(shell.fail("").await, "bash: command is required");
    assert_eq!(
        shell.fail("echo a\0b").await,
        "bash: a command cannot have a NUL character in it"
    );
    let result = shell.0.call("bash", json!({})).await;
    assert!(
        result
            .text()
            .contains("give a `command`, or `restart` as true"),
        "{}",
        result.text()
    );
    assert_eq!(shell.run(" ").await, "");
    assert_eq!(shell.run("# nothing").await, "");
}

#[tokio::test]
async fn secrets_of_the_program_stay_there() {
    // The variables are set for a process of their own, which is this test once more.
    const INNER: &str = "HAFT_INNER_TEST";
    if std::env::var_os(INNER).is_none() {
        let test = "output::secrets_of_the_program_stay_there";
        let status = std::process::Command::new("sh")
            .args(["-c", "exec 9</etc/passwd; exec \"$0\" --exact \"$1\""])
            .arg(std::env::current_exe().unwrap())
            .arg(test)
            .env(INNER, "1")
            .envs([
                ("ANTHROPIC_API_KEY", "fake-1"),
                ("Some_Token", "fake-2"),
                ("DB_PASSWORD", "fake-3"),
                ("PLAIN", "seen"),
                ("BASH_ENV", "/dev/null/fake-4"),
            ])
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let shell = Shell::new();
    let told = shell
        .run("env; set; cat /proc/$$/environ; echo $PLAIN")
        .await;
    assert!(!told.contains("fake-"), "{told}");
    assert!(told.ends_with("seen"), "{told}");
    // Neither is what it has open.
    assert!(
        std::fs::read_link("/proc/self/fd/9")
            .unwrap()
            .ends_with("passwd")
    );
    assert_eq!(
        shell
            .run("ls -l /proc/$$/fd | grep passwd || echo no")
            .await,
        "no"
    );
    let open = Bash::builder()
        .timeout(LONG)
        .withhold(|name| name == "PLAIN");
    let shell = Shell::of(open.env("GIVEN_TOKEN", "given"));
    assert_eq!(
        shell
            .run("echo $ANTHROPIC_API_KEY $Some_Token $PLAIN $GIVEN_TOKEN $TERM")
            .await,
        "fake-1 fake-2 given dumb"
    );
}

#[test]
fn what_cannot_be_spawned_is_an_error_without_paths() {
    for builder in [
        Bash::builder().program("/no/such/bash"),
        Bash::builder().program("true"),
    ] {
        let error = builder.spawn().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert_eq!(
            error.to_string(),
            "bash could not be started: is it installed, and in `PATH`?"
        );
    }
    let error = Bash::builder()
        .directory("/no/such/folder")
        .spawn()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "bash was not started: its working directory is no directory"
    );
}

#[tokio::test]
async fn its_definition_is_the_apis_under_a_name_of_ones_own() {
    let bash = Bash::spawn().unwrap().named("shell").unwrap();
    let definition = Tool::<()>::definition(&bash);
    assert!(!definition.is_exclusive());
    assert_eq!(definition.name(), "shell");
    assert!(Bash::spawn().unwrap().named("").is_err());
    let bash = bash
        .version(BASH_20241022)
        .with_definition(|it| it.approval(true));
    assert_eq!(Tool::<()>::definition(&bash).name(), "shell");
    assert!(Tool::<()>::definition(&bash).needs_approval());
    let provided = serde_json::to_value(Tool::<()>::definition(&bash)).unwrap()["provided"].take();
    assert_eq!(provided["type"], "bash_20241022");
    assert_eq!(provided["wire_name"], "bash");
    let kit: Toolkit = Toolkit::new().with(bash).unwrap();
    assert_eq!(
        kit.call("shell", json!({"command": "echo $((1 + 1))"}))
            .await
            .text(),
        "2"
    );
}

/// A shell that notes what it is asked for, to see what the tool makes of it.
struct Noting(Vec<String>);

impl haft::handlers::Shell for Noting {
    async fn run(&mut self, command: &str) -> Result<CommandOutput, ToolError> {
        self.0.push(command.to_owned());
        match command {
            "lost" => Err(ToolError::new("the container is gone")),
            _ => Ok(CommandOutput::new(self.0.join(","), CommandEnd::Exited(0))),
        }
    }

    async fn restart(&mut self) -> Result<(), ToolError> {
        self.0.clear();
        Ok(())
    }
}

#[tokio::test]
async fn another_shell_can_stand_behind_it_and_the_toolkit_may_have_state() {
    let bash = Bash::new(Noting(Vec::new())).unwrap();
    let kit: Toolkit<u32> = Toolkit::new().with(bash).unwrap();
    let shell = Shell(kit.with_state(7));
    assert_eq!(shell.run("a").await, "a");
    assert_eq!(shell.run("b").await, "a,b");
    assert_eq!(shell.fail("lost").await, "the container is gone");
    let result = shell.0.call("bash", json!({"restart": true})).await;
    assert_eq!(result.text(), "bash session restarted");
    assert_eq!(shell.run("c").await, "c");
}
