//! Hooks: when each is asked, what each answer does, and what becomes of one that fails.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::time::Duration;

use haft::serde_json::{Value, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Decision, Error, ErrorKind, Event, Hook, HookCall, HookError, HookFuture, Outcome, RawJson,
    Reply, Request, Runner, StopReason, StreamExt, ToolDefinition, ToolOutput, ToolResult, Toolkit,
    tool, toolkit,
};
use haft_tests::lines::{self, calls, history, outcome, request, results};
use haft_tests::log::Log;
use tokio::time::{sleep, timeout};

/// A hook that writes down what it is asked, and answers as a test says.
struct Asked {
    name: &'static str,
    log: Log,
    before: fn(&str) -> Result<Decision, HookError>,
    after: fn(&ToolResult) -> Result<Option<ToolOutput>, HookError>,
    interrupted: fn() -> Result<Option<Decision>, HookError>,
    request: fn(&mut Request) -> Result<(), HookError>,
    reply: fn() -> Result<(), HookError>,
    /// How long it thinks about a call, before and after.
    takes: Duration,
}

impl Asked {
    fn new(name: &'static str, log: &Log) -> Self {
        Self {
            name,
            log: log.clone(),
            before: |_| Ok(Decision::Allow),
            after: |_| Ok(None),
            interrupted: || Ok(None),
            request: |_| Ok(()),
            reply: || Ok(()),
            takes: Duration::ZERO,
        }
    }

    fn write(&self, line: &str) {
        self.log.write(format!("{}{line}", self.name));
    }

    async fn think(&self) {
        if !self.takes.is_zero() {
            sleep(self.takes).await;
        }
    }
}

impl Hook for Asked {
    fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
        let name = call.call().name();
        self.write(&format!(" before {name}"));
        Box::pin(async move {
            self.think().await;
            (self.before)(name)
        })
    }

    fn after_call<'a>(
        &'a self,
        call: HookCall<'a>,
        result: &'a ToolResult,
    ) -> HookFuture<'a, Option<ToolOutput>> {
        let (name, input) = (call.call().name(), call.call().input());
        self.write(&format!(" after {name} {input} = {}", result.text()));
        Box::pin(async move {
            self.think().await;
            (self.after)(result)
        })
    }

    fn interrupted_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Option<Decision>> {
        self.write(&format!(" interrupted {}", call.call().name()));
        Box::pin(async { (self.interrupted)() })
    }

    fn before_request<'a>(&'a self, request: &'a mut Request) -> HookFuture<'a, ()> {
        self.write(&format!(" request {}", request.messages.len()));
        Box::pin(async { (self.request)(request) })
    }

    fn after_reply<'a>(&'a self, reply: &'a Reply) -> HookFuture<'a, ()> {
        self.write(&format!(" reply {:?}", reply.text()));
        Box::pin(async { (self.reply)() })
    }
}

async fn end(runner: &mut Runner) -> String {
    outcome(&runner.run_to_completion().await.unwrap().outcome)
}

/// A run of a call of `a`, to its end; the results of its calls.
async fn results_with(hook: impl Hook + 'static, log: &Log) -> Vec<String> {
    let kit = log.toolkit(&["a"]).unwrap();
    let mut runner = Runner::new(calls(&["a"]), kit, request()).hook(hook);
    assert_eq!(end(&mut runner).await, "completed");
    results(&runner.messages())
}

#[tokio::test]
async fn hooks_are_asked_in_order_about_all_that_a_run_does() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let mut runner = Runner::new(calls(&["a"]), kit, request()).hook(Asked::new("1", &log));
    runner.add_hook(Asked::new("2", &log));
    assert_eq!(end(&mut runner).await, "completed");
    let expected = [
        "1 request 1",
        "2 request 1",
        "1 reply \"\"",
        "2 reply \"\"",
        "1 before a",
        "2 before a",
        "+a",
        "-a",
        "1 after a {} = a done",
        "2 after a {} = a done",
        "1 request 3",
        "2 request 3",
        "1 reply \"Done.\"",
        "2 reply \"Done.\"",
    ];
    assert_eq!(log.lines(), expected);
}

/// Writes down what it knows of a call.
struct Knows(Log);

impl Hook for Knows {
    fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
        let title = call.definition().map(ToolDefinition::name);
        self.0
            .write(format!("{} {title:?} in {}", call.call().id(), call.turn()));
        Box::pin(async { Ok(Decision::Allow) })
    }
}

#[tokio::test]
async fn a_hook_knows_the_call_its_tool_and_its_turn() {
    for eager in [false, true] {
        let log = Log::new();
        let kit = Log::new().toolkit(&["a"]).unwrap();
        let model = ScriptedModel::new()
            .calls([("a", json!({})), ("none", json!({}))])
            .calls([("a", json!({}))])
            .text("Done.");
        let mut runner = Runner::new(model, kit, request())
            .hook(Knows(log.clone()))
            .eager(eager);
        while let Some(turn) = runner.next_streaming().await.unwrap() {
            turn.into_reply().await.unwrap();
        }
        let expected = [
            "call_1_1 Some(\"a\") in 1",
            "call_1_2 None in 1",
            "call_2_1 Some(\"a\") in 2",
        ];
        assert_eq!(log.lines(), expected);
    }
}

#[tokio::test]
async fn the_first_hook_that_does_not_allow_decides() {
    let log = Log::new();
    let kit = log.toolkit(&["a", "b"]).unwrap();
    let model = calls(&["a", "b"]);
    let mut runner = Runner::new(model, kit, request())
        .hook(Asked {
            before: |name| {
                Ok(match name {
                    "a" => Decision::Answer(ToolOutput::text("from 1")),
                    _ => Decision::Allow,
                })
            },
            ..Asked::new("1", &log)
        })
        .hook(Asked {
            before: |_| Ok(Decision::Deny("from 2".into())),
            ..Asked::new("2", &log)
        });
    assert_eq!(end(&mut runner).await, "completed");
    let told = ["from 1", "Error: Tool 'b' was denied: from 2"];
    assert_eq!(results(&runner.messages()), told);
    let count = |line| log.count(line);
    assert_eq!(
        (
            count("1 before a"),
            count("2 before a"),
            count("2 before b")
        ),
        (1, 0, 1)
    );
    // All of them see what it came to.
    assert_eq!(
        (count("2 after a {} = from 1"), count("+a"), count("+b")),
        (1, 0, 0)
    );
}

#[tokio::test]
async fn a_denied_call_is_told_with_the_reason_if_there_is_one() {
    let deny = |reason: &'static str| match reason {
        "" => |_: &str| Ok(Decision::Deny(String::new())),
        _ => |_: &str| Ok(Decision::Deny("not today".into())),
    };
    for (reason, told) in [
        ("", "Error: Tool 'a' was denied"),
        ("not today", "Error: Tool 'a' was denied: not today"),
    ] {
        let log = Log::new();
        let hook = Asked {
            before: deny(reason),
            ..Asked::new("1", &log)
        };
        assert_eq!(results_with(hook, &log).await, [told]);
        assert_eq!(log.count("+a"), 0);
    }
}

#[tokio::test]
async fn a_hook_may_answer_with_an_error() {
    let log = Log::new();
    let hook = Asked {
        before: |_| Ok(Decision::Answer(ToolOutput::text("no disk").as_error())),
        ..Asked::new("1", &log)
    };
    let kit = log.toolkit(&["a"]).unwrap();
    let mut runner = Runner::new(calls(&["a"]), kit, request()).hook(hook);
    assert_eq!(end(&mut runner).await, "completed");
    let messages = runner.messages();
    let result = messages[2].tool_results().next().unwrap();
    assert_eq!(
        (result.text().as_str(), result.is_error()),
        ("no disk", true)
    );
}

/// Says it again.
#[tool]
async fn echo(text: String) -> String {
    text
}

fn echo_call() -> ScriptedModel {
    ScriptedModel::new()
        .calls([("echo", json!({"text": "secret"}))])
        .text("Done.")
}

fn replace(_: &str) -> Result<Decision, HookError> {
    Ok(Decision::Replace(json!({"text": "***"}).into()))
}

#[tokio::test]
async fn a_call_runs_with_the_input_of_a_hook_and_the_history_keeps_the_models() {
    let log = Log::new();
    let hook = Asked {
        before: replace,
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(echo_call(), toolkit![echo], request()).hook(hook);
    let mut started = Vec::new();
    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        if let Event::ToolStarted(call) = event.unwrap() {
            started.push(call.input().to_string());
        }
    }
    drop(events);
    assert_eq!(started, [r#"{"text":"***"}"#]);
    let lines = history(&runner.messages());
    assert_eq!(lines[1], r#"assistant: call_1_1 echo {"text":"secret"}"#);
    assert_eq!(lines[2], "user: call_1_1 = ***");
    // It is the model's call, as the model wrote it, for every hook.
    assert_eq!(log.count(r#"1 after echo {"text":"secret"} = ***"#), 1);
}

#[tokio::test]
async fn a_hook_sees_what_a_call_has_run_with() {
    struct Inputs(Log);
    impl Hook for Inputs {
        fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
            self.0.write(format!("before {}", call.input()));
            let replaced = replace("");
            Box::pin(async { replaced })
        }

        fn after_call<'a>(
            &'a self,
            call: HookCall<'a>,
            _: &'a ToolResult,
        ) -> HookFuture<'a, Option<ToolOutput>> {
            self.0.write(format!("after {}", call.input()));
            Box::pin(async { Ok(None) })
        }
    }
    let log = Log::new();
    let hook = Inputs(log.clone());
    let mut runner = Runner::new(echo_call(), toolkit![echo], request()).hook(hook);
    end(&mut runner).await;
    assert_eq!(
        log.lines(),
        [r#"before {"text":"secret"}"#, r#"after {"text":"***"}"#]
    );
}

#[tokio::test]
async fn an_input_of_a_hook_is_judged_as_a_models() {
    let log = Log::new();
    let hook = Asked {
        before: |_| Ok(Decision::Replace(RawJson::empty_object())),
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(echo_call(), toolkit![echo], request()).hook(hook);
    end(&mut runner).await;
    let told = "Error: Invalid input for tool 'echo': text: required, but missing";
    assert_eq!(results(&runner.messages()), [told]);
}

#[tokio::test]
async fn a_call_that_a_hook_suspends_waits_for_the_program() {
    let decisions = [
        (Decision::Allow, "secret"),
        (
            Decision::Replace(json!({"text": "public"}).into()),
            "public",
        ),
        (Decision::Answer(ToolOutput::text("said")), "said"),
        (
            Decision::Deny("hush".into()),
            "Error: Tool 'echo' was denied: hush",
        ),
    ];
    for (decision, told) in decisions {
        let log = Log::new();
        let hook = Asked {
            before: |_| Ok(Decision::Suspend),
            ..Asked::new("1", &log)
        };
        let mut runner = Runner::new(echo_call(), toolkit![echo], request()).hook(hook);
        assert_eq!(end(&mut runner).await, "awaiting [call_1_1]");
        assert_eq!(
            end(&mut runner).await,
            "awaiting [call_1_1]",
            "and nobody is asked again"
        );
        runner.decide("call_1_1", decision.clone()).unwrap();
        assert_eq!(end(&mut runner).await, "completed", "{decision:?}");
        assert_eq!(results(&runner.messages()), [told]);
        assert_eq!(log.count("1 before echo"), 1, "{decision:?}");
        let seen = format!("1 after echo {{\"text\":\"secret\"}} = {told}");
        assert_eq!(log.count(&seen), 1, "{decision:?}: {:?}", log.lines());
    }
}

#[tokio::test]
async fn the_program_may_leave_a_call_waiting() {
    let log = Log::new();
    let hook = Asked {
        before: |_| Ok(Decision::Suspend),
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(echo_call(), toolkit![echo], request()).hook(hook);
    end(&mut runner).await;
    runner.decide("call_1_1", Decision::Suspend).unwrap();
    assert_eq!(end(&mut runner).await, "awaiting [call_1_1]");
}

#[tokio::test]
async fn a_call_that_cannot_run_does_not_wait_for_the_program() {
    let log = Log::new();
    let hook = Asked {
        before: |_| Ok(Decision::Suspend),
        ..Asked::new("1", &log)
    };
    let model = ScriptedModel::new()
        .calls([("echo", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, toolkit![echo], request()).hook(hook);
    assert_eq!(end(&mut runner).await, "completed");
    let told = "Error: Invalid input for tool 'echo': text: required, but missing";
    assert_eq!(results(&runner.messages()), [told]);
}

/// A toolkit with `a`, and `ask`, which needs approval.
fn with_approval(log: &Log) -> Toolkit {
    let ask = log.tool("ask", Duration::ZERO).unwrap();
    let ask = ask.with(|definition| definition.approval(true));
    log.toolkit(&["a"]).unwrap().with(ask).unwrap()
}

#[tokio::test]
async fn a_hook_that_allows_does_not_stand_for_the_programs_approval() {
    let log = Log::new();
    let model = calls(&["a", "ask"]);
    let hook = Asked::new("1", &log);
    let mut runner = Runner::new(model, with_approval(&log), request()).hook(hook);
    assert_eq!(end(&mut runner).await, "awaiting [call_1_2]");
    assert_eq!((log.count("-a"), log.count("+ask")), (1, 0));
    runner.decide("call_1_2", Decision::Allow).unwrap();
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(results(&runner.messages()), ["a done", "ask done"]);
    assert_eq!(
        (
            log.count("1 before ask"),
            log.count("1 after ask {} = ask done")
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_hook_may_spare_the_program_a_question() {
    for (before, told) in [
        (deny as fn(&str) -> _, "Error: Tool 'ask' was denied: no"),
        (answer, "known"),
    ] {
        let log = Log::new();
        let hook = Asked {
            before,
            ..Asked::new("1", &log)
        };
        let mut runner = Runner::new(calls(&["ask"]), with_approval(&log), request()).hook(hook);
        assert_eq!(end(&mut runner).await, "completed");
        assert_eq!(results(&runner.messages()), [told]);
    }
}

fn deny(_: &str) -> Result<Decision, HookError> {
    Ok(Decision::Deny("no".into()))
}

fn answer(_: &str) -> Result<Decision, HookError> {
    Ok(Decision::Answer(ToolOutput::text("known")))
}

#[tokio::test]
async fn a_hook_may_answer_for_a_tool_without_a_handler() {
    let log = Log::new();
    let person = ToolDefinition::new("person", "", json!({"type": "object"})).unwrap();
    let hook = Asked {
        before: answer,
        ..Asked::new("1", &log)
    };
    let request = request().tool(person);
    let mut runner = Runner::new(calls(&["person"]), Toolkit::new(), request).hook(hook);
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(results(&runner.messages()), ["known"]);
}

#[tokio::test]
async fn an_input_of_a_hook_still_waits_for_approval() {
    /// Says it again, if it may.
    #[tool(approval)]
    async fn shout(text: String) -> String {
        text.to_uppercase()
    }
    let log = Log::new();
    let hook = Asked {
        before: |_| Ok(Decision::Replace(json!({"text": "quiet"}).into())),
        ..Asked::new("1", &log)
    };
    let model = ScriptedModel::new()
        .calls([("shout", json!({"text": "loud"}))])
        .text("Done.");
    let mut runner = Runner::new(model, toolkit![shout], request()).hook(hook);
    assert_eq!(end(&mut runner).await, "awaiting [call_1_1]");
    // What a person agrees to is what runs.
    let Some(Outcome::AwaitingApproval { calls }) = runner.outcome() else {
        panic!("{:?}", runner.outcome());
    };
    assert_eq!(calls[0].input().as_str(), r#"{"text":"quiet"}"#);
    runner.decide("call_1_1", Decision::Allow).unwrap();
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(results(&runner.messages()), ["QUIET"]);
}

#[tokio::test]
async fn a_hook_that_fails_or_panics_before_a_call_denies_it() {
    let cases: [(fn(&str) -> _, _); 2] = [
        (
            |_| Err("no rules".into()),
            "Error: Tool 'a' was denied: no rules",
        ),
        (
            |_| panic!("oh"),
            "Error: Tool 'a' was denied: the hook panicked",
        ),
    ];
    for (before, told) in cases {
        let log = Log::new();
        let hook = Asked {
            before,
            ..Asked::new("1", &log)
        };
        assert_eq!(results_with(hook, &log).await, [told]);
        assert_eq!(log.count("+a"), 0);
    }
}

#[tokio::test]
async fn a_hook_that_fails_or_panics_after_a_call_withholds_the_result() {
    let cases: [(fn(&ToolResult) -> _, _); 2] = [
        (
            |_| Err("no eyes".into()),
            "Error: the result of tool 'a' is withheld: no eyes",
        ),
        (
            |_| panic!("oh"),
            "Error: the result of tool 'a' is withheld: the hook panicked",
        ),
    ];
    for (after, told) in cases {
        let log = Log::new();
        let hook = Asked {
            after,
            ..Asked::new("1", &log)
        };
        assert_eq!(results_with(hook, &log).await, [told]);
        assert_eq!(log.count("+a"), 1);
    }
}

#[tokio::test]
async fn a_hook_that_panics_before_it_gives_its_future_has_failed_too() {
    struct Panics;
    impl Hook for Panics {
        fn before_call<'a>(&'a self, _: HookCall<'a>) -> HookFuture<'a, Decision> {
            panic!("oh")
        }
    }
    let log = Log::new();
    let told = ["Error: Tool 'a' was denied: the hook panicked"];
    assert_eq!(results_with(Panics, &log).await, told);
}

/// Panics, always.
#[tool]
async fn explode() -> String {
    panic!("boom")
}

#[tokio::test(start_paused = true)]
async fn after_a_call_hooks_see_whatever_it_came_to() {
    let log = Log::new();
    let slow = log.tool("slow", Duration::from_secs(9)).unwrap();
    let slow = slow.with(|definition| definition.with_timeout(Duration::from_secs(1)));
    let fails = log.tool("fails", Duration::ZERO).unwrap().failing();
    let kit = log.toolkit(&["denied"]).unwrap();
    let kit = kit.with(slow).unwrap().with(fails).unwrap();
    let kit = kit.extend(toolkit![explode, echo]).unwrap();
    let hook = Asked {
        before: |name| {
            Ok(match name {
                "denied" => Decision::Deny("no".into()),
                _ => Decision::Allow,
            })
        },
        ..Asked::new("1", &log)
    };
    let model = calls(&["fails", "denied", "none", "slow", "explode", "echo"]);
    let mut runner = Runner::new(model, kit, request()).hook(hook);
    assert_eq!(end(&mut runner).await, "completed");
    let told = results(&runner.messages());
    assert!(
        told[2].starts_with("Error: Tool 'none' not found."),
        "{told:?}"
    );
    assert!(
        told[3].starts_with("Error: Tool 'slow' timed out after 1s"),
        "{told:?}"
    );
    let names = ["fails", "denied", "none", "slow", "explode", "echo"];
    for (name, told) in names.iter().zip(told) {
        let seen = format!("1 after {name} {{}} = {told}");
        assert_eq!(log.count(&seen), 1, "{seen} is not in {:?}", log.lines());
    }
}

#[tokio::test]
async fn what_a_hook_gives_takes_the_place_of_the_result() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let model = calls(&["a"]);
    let mut runner = Runner::new(model.clone(), kit, request())
        .hook(Asked {
            after: |_| Ok(Some(ToolOutput::text("less"))),
            ..Asked::new("1", &log)
        })
        .hook(Asked::new("2", &log));
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(results(&model.requests()[1].messages), ["less"]);
    assert_eq!(
        (
            log.count("1 after a {} = a done"),
            log.count("2 after a {} = less")
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn what_a_hook_changes_in_the_request_stays() {
    let log = Log::new();
    let hook = Asked {
        request: |request| {
            request.max_tokens = Some(request.max_tokens.unwrap_or(0) + 1);
            Ok(())
        },
        ..Asked::new("1", &log)
    };
    let kit = log.toolkit(&["a"]).unwrap();
    let model = calls(&["a"]);
    let mut runner = Runner::new(model.clone(), kit, request()).hook(hook);
    end(&mut runner).await;
    let sent: Vec<_> = model
        .requests()
        .iter()
        .map(|request| request.max_tokens)
        .collect();
    assert_eq!(sent, [Some(1), Some(2)]);
    assert_eq!(runner.request().max_tokens, Some(2));
}

/// Fails or panics the first time that it is asked in a test.
fn once(hook: Asked, log: &Log, is_panic: bool) -> Once {
    Once {
        hook,
        log: log.clone(),
        is_panic,
    }
}

struct Once {
    hook: Asked,
    log: Log,
    is_panic: bool,
}

impl Once {
    fn fail(&self, line: &str) -> Result<(), HookError> {
        let is_first = self
            .log
            .lines()
            .iter()
            .filter(|other| other.starts_with(line))
            .count()
            == 1;
        match (is_first, self.is_panic) {
            (false, _) => Ok(()),
            (true, false) => Err("not yet".into()),
            (true, true) => panic!("oh"),
        }
    }
}

/// One that fails with the first request.
struct OnRequest(Once);

impl Hook for OnRequest {
    fn before_request<'a>(&'a self, request: &'a mut Request) -> HookFuture<'a, ()> {
        let asked = self.0.hook.before_request(request);
        Box::pin(async {
            asked.await?;
            self.0.fail("1 request")
        })
    }
}

/// One that fails with the first reply.
struct OnReply(Once);

impl Hook for OnReply {
    fn after_reply<'a>(&'a self, reply: &'a Reply) -> HookFuture<'a, ()> {
        let asked = self.0.hook.after_reply(reply);
        Box::pin(async {
            asked.await?;
            self.0.fail("1 reply")
        })
    }
}

fn is_of_a_hook(error: &Error, is_panic: bool) {
    let reason = if is_panic {
        "the hook panicked"
    } else {
        "not yet"
    };
    assert_eq!(error.kind(), ErrorKind::Hook);
    assert_eq!(error.to_string(), format!("a hook failed: {reason}"));
}

#[tokio::test]
async fn where_a_hook_fails_before_a_request_nothing_is_sent() {
    for is_panic in [false, true] {
        let log = Log::new();
        let kit = log.toolkit(&["a"]).unwrap();
        let model = calls(&["a"]);
        let hook = OnRequest(once(Asked::new("1", &log), &log, is_panic));
        let mut runner = Runner::new(model.clone(), kit, request()).hook(hook);
        let error = runner.run_to_completion().await.unwrap_err();
        is_of_a_hook(&error, is_panic);
        assert!(model.requests().is_empty());
        assert_eq!(runner.error().map(Error::kind), Some(ErrorKind::Hook));
        assert_eq!(end(&mut runner).await, "completed");
    }
}

#[tokio::test]
async fn where_a_hook_fails_after_a_reply_going_on_goes_on_from_it() {
    for is_panic in [false, true] {
        let log = Log::new();
        let kit = log.toolkit(&["a"]).unwrap();
        let model = calls(&["a"]);
        let hook = OnReply(once(Asked::new("1", &log), &log, is_panic));
        let mut runner = Runner::new(model.clone(), kit, request()).hook(hook);
        let error = runner.run_to_completion().await.unwrap_err();
        is_of_a_hook(&error, is_panic);
        assert_eq!((runner.iteration_count(), log.count("+a")), (1, 0));
        assert_eq!(end(&mut runner).await, "completed");
        assert_eq!((model.requests().len(), log.count("+a")), (2, 1));
    }
}

/// Runs until the first reply's calls have run for 100 ms, and drops that.
async fn interrupt(runner: &mut Runner) {
    let run = runner.run_to_completion();
    timeout(Duration::from_millis(100), run).await.unwrap_err();
}

/// A tool `slow` whose call is interrupted, and what it then comes to.
async fn interrupted_with(
    interrupted: fn() -> Result<Option<Decision>, HookError>,
) -> (Vec<String>, Log) {
    let log = Log::new();
    let slow = log.tool("slow", Duration::from_secs(1)).unwrap();
    let kit = Toolkit::new().with(slow).unwrap();
    let hook = Asked {
        interrupted,
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(calls(&["slow"]), kit, request()).hook(hook);
    interrupt(&mut runner).await;
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(log.count("1 interrupted slow"), 1);
    (results(&runner.messages()), log)
}

const INTERRUPTED: &str = "Error: Tool 'slow' was interrupted; whether it took effect is unknown";

#[tokio::test(start_paused = true)]
async fn a_hook_decides_what_becomes_of_an_interrupted_call() {
    type Interrupted = fn() -> Result<Option<Decision>, HookError>;
    let cases: [(Interrupted, &str, usize); 5] = [
        (|| Ok(None), INTERRUPTED, 1),
        (|| Ok(Some(Decision::Allow)), "slow done", 2),
        (
            || Ok(Some(Decision::Answer(ToolOutput::text("it was paid")))),
            "it was paid",
            1,
        ),
        (
            || Ok(Some(Decision::Deny("ask first".into()))),
            "Error: Tool 'slow' was denied: ask first",
            1,
        ),
        // It may have taken effect, so the model must not read that it was denied.
        (|| Err("no idea".into()), INTERRUPTED, 1),
    ];
    for (interrupted, told, runs) in cases {
        let (results, log) = interrupted_with(interrupted).await;
        assert_eq!(results, [told]);
        assert_eq!(log.count("+slow"), runs, "{told}");
        assert_eq!(
            log.count(&format!("1 after slow {{}} = {told}")),
            1,
            "{:?}",
            log.lines()
        );
        assert_eq!(log.count("1 before slow"), 1, "it was allowed to run");
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_hook_that_decides_on_an_interrupted_call_does() {
    let log = Log::new();
    let slow = log.tool("slow", Duration::from_secs(1)).unwrap();
    let kit = Toolkit::new().with(slow).unwrap();
    let says = |name, interrupted| Asked {
        interrupted,
        ..Asked::new(name, &log)
    };
    let mut runner = Runner::new(calls(&["slow"]), kit, request())
        .hook(Asked::new("1", &log))
        .hook(says("2", || {
            Ok(Some(Decision::Answer(ToolOutput::text("from 2"))))
        }))
        .hook(says("3", || Ok(Some(Decision::Allow))));
    interrupt(&mut runner).await;
    end(&mut runner).await;
    assert_eq!(results(&runner.messages()), ["from 2"]);
    let asked = ["1", "2", "3"].map(|name| log.count(&format!("{name} interrupted slow")));
    assert_eq!(asked, [1, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_call_may_be_left_to_the_program() {
    let log = Log::new();
    let slow = log.tool("slow", Duration::from_secs(1)).unwrap();
    let kit = Toolkit::new().with(slow).unwrap();
    let interrupted = || Ok(Some(Decision::Suspend));
    let hook = Asked {
        interrupted,
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(calls(&["slow"]), kit, request()).hook(hook);
    interrupt(&mut runner).await;
    assert_eq!(end(&mut runner).await, "awaiting [call_1_1]");
    let paid = Decision::Answer(ToolOutput::text("it was paid"));
    runner.decide("call_1_1", paid).unwrap();
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(results(&runner.messages()), ["it was paid"]);
    assert_eq!(log.count("+slow"), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_about_an_interrupted_call_that_may_run_again() {
    let log = Log::new();
    let slow = log.tool("slow", Duration::from_secs(1)).unwrap();
    let slow = slow.with(|definition| definition.idempotent(true));
    let kit = Toolkit::new().with(slow).unwrap();
    let hook = Asked::new("1", &log);
    let mut runner = Runner::new(calls(&["slow"]), kit, request()).hook(hook);
    interrupt(&mut runner).await;
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(results(&runner.messages()), ["slow done"]);
    assert_eq!(
        (log.count("1 interrupted slow"), log.count("+slow")),
        (0, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn a_result_that_was_dropped_while_a_hook_looked_at_it_is_shown_again() {
    let log = Log::new();
    let hook = Asked {
        takes: Duration::from_millis(60),
        ..Asked::new("1", &log)
    };
    let kit = log.toolkit(&["a"]).unwrap();
    let mut runner = Runner::new(calls(&["a"]), kit, request()).hook(hook);
    // 60 ms before the call, and then it is dropped behind it.
    interrupt(&mut runner).await;
    assert_eq!(
        (log.count("+a"), log.count("1 after a {} = a done")),
        (1, 1)
    );
    // The hook may withhold it, so it is not shown before.
    assert_eq!(
        results(&runner.messages()),
        ["Error: the result of tool 'a' is not there yet"]
    );
    // The history as it was shown can be put back all the same.
    runner.request_mut().messages = runner.messages();
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!(
        (log.count("+a"), log.count("1 after a {} = a done")),
        (1, 2)
    );
    assert_eq!(results(&runner.messages()), ["a done"]);
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_was_dropped_while_it_decided_is_asked_again() {
    let log = Log::new();
    let hook = Asked {
        takes: Duration::from_millis(500),
        ..Asked::new("1", &log)
    };
    let kit = log.toolkit(&["a"]).unwrap();
    let mut runner = Runner::new(calls(&["a"]), kit, request()).hook(hook);
    interrupt(&mut runner).await;
    assert_eq!((log.count("1 before a"), log.count("+a")), (1, 0));
    assert_eq!(end(&mut runner).await, "completed");
    assert_eq!((log.count("1 before a"), log.count("+a")), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn hooks_have_their_say_on_eager_calls() {
    let log = Log::new();
    let kit = log.toolkit(&["a", "b"]).unwrap();
    let reply = ScriptedReply::new()
        .call("a", json!({}))
        .call("b", json!({}))
        .text("And");
    let model = ScriptedModel::new()
        .reply(reply.wait(Duration::from_secs(1)))
        .text("Done.");
    let hook = Asked {
        before: |name| match name {
            "a" => Ok(Decision::Deny("no".into())),
            _ => Ok(Decision::Allow),
        },
        after: |result| Ok(Some(ToolOutput::text(format!("{}!", result.text())))),
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(model, kit, request()).hook(hook).eager(true);
    let events: Vec<_> = runner
        .all_streaming()
        .map(|event| lines::event(&event.unwrap()))
        .collect()
        .await;
    assert_eq!(events.last().unwrap(), "end completed");
    let lines = log.timed();
    let early = [
        "0 1 before a",
        "0 1 before b",
        "0 +b",
        "0 1 after b {} = b done",
    ];
    for line in early {
        assert!(
            lines.contains(&line.to_owned()),
            "{line} is not in {lines:?}"
        );
    }
    let told = ["Error: Tool 'a' was denied: no!", "b done!"];
    assert_eq!(results(&runner.messages()), told);
}

#[tokio::test]
async fn an_eager_call_that_a_hook_denied_has_not_begun() {
    let reply = || ScriptedReply::new().call("a", json!({})).text("And");
    let refused = reply().stop_reason(StopReason::Refusal);
    let cut = reply().stop_reason(StopReason::MaxTokens);
    for (reply, expected) in [
        (refused, "refused []"),
        (cut, "truncated []"),
        (reply().breaks(), "error"),
    ] {
        let log = Log::new();
        let kit = log.toolkit(&["a"]).unwrap();
        let hook = Asked {
            before: deny,
            ..Asked::new("1", &log)
        };
        let model = ScriptedModel::new().reply(reply).text("Done.");
        let mut runner = Runner::new(model, kit, request()).hook(hook).eager(true);
        let mut ended = "error".to_owned();
        let mut events = runner.all_streaming();
        while let Some(event) = events.next().await {
            if let Ok(Event::End(end)) = event {
                assert!(end.abandoned.is_empty());
                ended = outcome(&end.outcome);
            }
        }
        drop(events);
        assert_eq!((ended.as_str(), log.count("1 before a")), (expected, 1));
        // Nothing was done that the history would have to keep.
        assert_eq!(runner.messages().len(), 1, "{expected}");
    }
}

#[tokio::test]
async fn a_call_that_waits_holds_up_no_other() {
    let log = Log::new();
    let kit = log.toolkit(&["a", "b"]).unwrap();
    let hook = Asked {
        before: |name| match name {
            "a" => Ok(Decision::Suspend),
            _ => Ok(Decision::Allow),
        },
        ..Asked::new("1", &log)
    };
    let model = calls(&["a", "b"]);
    let mut runner = Runner::new(model.clone(), kit, request()).hook(hook);
    let told = runner.run_to_completion().await.unwrap().outcome;
    let Outcome::AwaitingApproval { calls } = told else {
        panic!("{told:?}")
    };
    assert_eq!(
        (lines::ids(&calls).as_str(), log.count("-b")),
        ("call_1_1", 1)
    );
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn the_program_cannot_decide_twice_or_on_what_does_not_wait() {
    let log = Log::new();
    let hook = Asked {
        before: |_| Ok(Decision::Suspend),
        ..Asked::new("1", &log)
    };
    let mut runner = Runner::new(echo_call(), toolkit![echo], request()).hook(hook);
    end(&mut runner).await;
    let error = runner.decide("call_9_9", Decision::Allow).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no call `call_9_9` waits for a decision: those that do are `call_1_1`"
    );
    let value: Value = json!({"text": "public"});
    runner
        .decide("call_1_1", Decision::Replace(value.into()))
        .unwrap();
    for id in ["call_1_1", "call_9_9"] {
        let error = runner.decide(id, Decision::Allow).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "no call `{id}` waits for a decision: none does; the run tells by `Outcome::AwaitingApproval` when \
                 some do"
            )
        );
    }
}
