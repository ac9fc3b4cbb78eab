//! Calls and hooks that were interrupted, eager calls, and what waits for the program.

use std::time::Duration;

use haft::serde_json::{Value, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Decision, Event, HookError, Outcome, Runner, StopReason, StreamExt, ToolOutput, Toolkit,
    toolkit,
};
use haft_tests::lines::{self, calls, outcome, request, results};
use haft_tests::log::Log;
use haft_tests::over;
use tokio::time::timeout;

use crate::decisions::deny;
use crate::decisions::echo;
use crate::decisions::echo_call;
use crate::{Asked, end};

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
    let mut runner = Runner::new(over::model(calls(&["slow"])), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(calls(&["slow"])), kit, request())
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
    let mut runner = Runner::new(over::model(calls(&["slow"])), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(calls(&["slow"])), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(calls(&["a"])), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(calls(&["a"])), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(model), kit, request())
        .hook(hook)
        .eager(true);
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
        let mut runner = Runner::new(over::model(model), kit, request())
            .hook(hook)
            .eager(true);
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(echo_call()), toolkit![echo], request()).hook(hook);
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
