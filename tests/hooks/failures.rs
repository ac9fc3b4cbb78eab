//! Hooks that fail; results, requests and replies as hooks see them.

use std::time::Duration;

use haft::{
    Decision, Error, ErrorKind, Hook, HookCall, HookError, HookFuture, Reply, Request, Runner,
    ToolOutput, ToolResult, tool, toolkit,
};
use haft_tests::lines::{calls, request, results};
use haft_tests::log::Log;
use haft_tests::over;

use crate::decisions::echo;
use crate::{Asked, end, results_with};

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
    let mut runner = Runner::new(over::model(model), kit, request()).hook(hook);
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request())
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request()).hook(hook);
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
        let mut runner = Runner::new(over::model(model.clone()), kit, request()).hook(hook);
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
        let mut runner = Runner::new(over::model(model.clone()), kit, request()).hook(hook);
        let error = runner.run_to_completion().await.unwrap_err();
        is_of_a_hook(&error, is_panic);
        assert_eq!((runner.iteration_count(), log.count("+a")), (1, 0));
        assert_eq!(end(&mut runner).await, "completed");
        assert_eq!((model.requests().len(), log.count("+a")), (2, 1));
    }
}
