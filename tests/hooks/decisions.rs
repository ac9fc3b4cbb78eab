//! What hooks are asked before a call, and what each answer does.

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{
    Decision, Event, Hook, HookCall, HookError, HookFuture, Outcome, RawJson, Runner, StreamExt,
    ToolDefinition, ToolOutput, ToolResult, Toolkit, tool, toolkit,
};
use haft_tests::lines::{calls, history, request, results};
use haft_tests::log::Log;
use haft_tests::over;

use crate::{Asked, end, results_with};

#[tokio::test]
async fn hooks_are_asked_in_order_about_all_that_a_run_does() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let mut runner =
        Runner::new(over::model(calls(&["a"])), kit, request()).hook(Asked::new("1", &log));
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
        let mut runner = Runner::new(over::model(model), kit, request())
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
    let mut runner = Runner::new(over::model(model), kit, request())
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
    let mut runner = Runner::new(over::model(calls(&["a"])), kit, request()).hook(hook);
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
pub(crate) async fn echo(text: String) -> String {
    text
}

pub(crate) fn echo_call() -> ScriptedModel {
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
    let mut runner = Runner::new(over::model(echo_call()), toolkit![echo], request()).hook(hook);
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
    let mut runner = Runner::new(over::model(echo_call()), toolkit![echo], request()).hook(hook);
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
    let mut runner = Runner::new(over::model(echo_call()), toolkit![echo], request()).hook(hook);
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
        let mut runner =
            Runner::new(over::model(echo_call()), toolkit![echo], request()).hook(hook);
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
    let mut runner = Runner::new(over::model(echo_call()), toolkit![echo], request()).hook(hook);
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
    let mut runner = Runner::new(over::model(model), toolkit![echo], request()).hook(hook);
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
    let mut runner = Runner::new(over::model(model), with_approval(&log), request()).hook(hook);
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
        let mut runner =
            Runner::new(over::model(calls(&["ask"])), with_approval(&log), request()).hook(hook);
        assert_eq!(end(&mut runner).await, "completed");
        assert_eq!(results(&runner.messages()), [told]);
    }
}

pub(crate) fn deny(_: &str) -> Result<Decision, HookError> {
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
    let mut runner =
        Runner::new(over::model(calls(&["person"])), Toolkit::new(), request).hook(hook);
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
    let mut runner = Runner::new(over::model(model), toolkit![shout], request()).hook(hook);
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
