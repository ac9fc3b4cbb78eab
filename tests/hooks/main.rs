//! Hooks: when each is asked, what each answer does, and what becomes of one that fails.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod decisions;
mod failures;
mod interrupted;

use std::time::Duration;

use haft::{
    Decision, Hook, HookCall, HookError, HookFuture, Reply, Request, Runner, ToolOutput, ToolResult,
};
use haft_tests::lines::{calls, outcome, request, results};
use haft_tests::log::Log;
use haft_tests::over;
use tokio::time::sleep;

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
    let mut runner = Runner::new(over::model(calls(&["a"])), kit, request()).hook(hook);
    assert_eq!(end(&mut runner).await, "completed");
    results(&runner.messages())
}
