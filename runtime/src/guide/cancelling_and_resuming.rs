//! Cancelling and resuming: stopping a run at any point, keeping it as JSON, and going on from there.
//!
//! # Two ways to stop
//!
//! A run is stopped by its [token](Runner::cancellation), or by dropping what drives it: the future of
//! [`run_to_completion`](Runner::run_to_completion), or a stream. Both may happen at any await, and lose nothing that
//! was there. They differ in what they say:
//!
//! | | the token is cancelled | the future or stream is dropped |
//! |---|---|---|
//! | who does it | whoever has a clone of the token | whoever holds the future: a timeout, a `select!`, a connection that closed |
//! | what the program gets | [`Outcome::Cancelled`](crate::Outcome::Cancelled) | nothing: what was awaited is gone, the runner is there |
//! | a request under way | is dropped | is dropped |
//! | a tool that runs | is told; then it has 5 seconds if it looks at its token, else it is dropped | is dropped |
//! | calls that had not started | are answered: the model reads that they were interrupted before they started | wait, and run when the run goes on |
//! | going on | needs another token | nothing special |
//!
//! Choose the token where a person says stop: the calls that were to come are then called off. Drop the future where
//! the program has no time any more, and the work itself is still wanted.
//!
//! ```
//! use std::time::Duration;
//! use haft::testing::{ScriptedModel, ScriptedReply};
//! use haft::{CancellationToken, Outcome, Request, Runner, Toolkit};
//! use tokio::time::timeout;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! let slow = || ScriptedReply::new().wait(Duration::from_secs(600)).text("At last.");
//! let model = ScriptedModel::new().reply(slow()).reply(slow()).text("Hello!");
//! let request = Request::new("any").user("Hi");
//! let mut runner = Runner::new(model, Toolkit::new(), request);
//!
//! // By dropping: the runner stands where it stood before the turn.
//! let limit = Duration::from_millis(10);
//! assert!(timeout(limit, runner.run_to_completion()).await.is_err());
//! assert_eq!(runner.outcome(), None, "it has not ended");
//!
//! // By the token, from anywhere.
//! let stop = CancellationToken::new();
//! runner.set_cancellation(stop.clone());
//! tokio::spawn(async move {
//!     tokio::time::sleep(limit).await;
//!     stop.cancel();
//! });
//! assert_eq!(runner.run_to_completion().await?.outcome, Outcome::Cancelled);
//!
//! // A token stays cancelled, so going on needs another one.
//! runner.set_cancellation(CancellationToken::new());
//! assert_eq!(runner.run_to_completion().await?.reply.text(), "Hello!");
//! # Ok::<(), haft::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is kept
//!
//! - **The history** up to the last whole reply, and every result from the moment it exists.
//! - **Nothing of a reply that had not come whole.** It is asked for again. (With [`eager`](Runner::eager) and calls that
//!   had begun, it is kept up to its last whole block, with the results of its calls; calls in it that had not begun are
//!   answered as not run.)
//! - **The tokens** that the provider had told of by then; see [`usage`](Runner::usage).
//! - **What was decided** on calls that waited, and messages that wait behind pending calls.
//!
//! # What becomes of a call
//!
//! | where it stood | when the run goes on |
//! |---|---|
//! | it had its result | the result is sent; it does not run again |
//! | it had not started | it runs; after a cancelled token it is answered instead (`Error: Tool 'x' was interrupted before it started`) |
//! | it had started, and its tool is `read_only` or `idempotent` | it runs again |
//! | it had started, and its tool is neither | it does not run; the model reads `Error: Tool 'x' was interrupted; whether it took effect is unknown` |
//!
//! So give the [hints](crate::Hints) where they are true. `read_only`: it changes nothing. `idempotent`: the second
//! call with the same arguments changes nothing more. A tool without them is taken for one that must not run twice. A
//! call that runs again has the same [`call_id`](crate::CallContext::call_id) and
//! [`turn`](crate::CallContext::turn), which together are a key by which a service can know it again.
//!
//! A program that can find out what became of a call says so by a [`Hook`](crate::Hook):
//!
//! ```
//! use std::time::Duration;
//! use haft::testing::ScriptedModel;
//! use haft::{Decision, Hook, HookCall, HookFuture, Request, Runner, ToolOutput, tool, toolkit};
//! use haft::serde_json::json;
//!
//! /// Pay a bill.
//! #[tool]
//! async fn pay(amount: u32) -> String {
//!     tokio::time::sleep(Duration::from_secs(600)).await; // the bank is slow
//!     format!("paid {amount}")
//! }
//!
//! struct AskTheBank;
//!
//! impl Hook for AskTheBank {
//!     fn interrupted_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Option<Decision>> {
//!         Box::pin(async move {
//!             println!("what became of {}?", call.call().id());
//!             // `Decision::Allow` would run it again; `None` leaves it unknown.
//!             Ok(Some(Decision::Answer(ToolOutput::text("paid, says the bank"))))
//!         })
//!     }
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! let model = ScriptedModel::new().calls([("pay", json!({"amount": 30}))]).text("It is paid.");
//! let request = Request::new("any").user("Pay my bill of 30.");
//! let mut runner = Runner::new(model, toolkit![pay], request).hook(AskTheBank);
//! let limit = Duration::from_millis(10);
//! assert!(tokio::time::timeout(limit, runner.run_to_completion()).await.is_err());
//!
//! assert_eq!(runner.run_to_completion().await?.reply.text(), "It is paid.");
//! let told = runner.messages()[2].tool_results().next().map(|result| result.text());
//! assert_eq!(told.as_deref(), Some("paid, says the bank"));
//! # Ok::<(), haft::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A run as JSON
//!
//! [`Runner::state`] gives a [`RunState`](crate::RunState), which is serde data; [`Runner::resume`] makes a runner of
//! it, in the same process or another. It may be taken at any time between two turns, at every end, and out of an
//! [`Error`](crate::Error::state). A stream borrows the runner, so drop it first.
//!
//! | in it | not in it: give it again |
//! |---|---|
//! | the request: model, system prompt, parameters, the tools of the request | the provider, and its key |
//! | the whole history, each message as it came | the toolkit, and its state |
//! | the calls of the last reply: which had started, their results, what was decided on them | the hooks |
//! | messages that wait | the settings: limits, `eager`, the token |
//! | the counters: replies, pauses, failures in a row, tokens | what was under way |
//!
//! The counters go on: with `max_iterations(20)`, a run that had 15 replies before it was kept has 5 left.
//!
//! The state has what was said, so keep it as you keep that. It has no credentials of haft's.
//!
//! ## Approval, hours later
//!
//! A call of a tool with [`approval`](crate::ToolDefinition::approval) ends the run as
//! [`AwaitingApproval`](crate::Outcome::AwaitingApproval), with the input that it would run with. No process has to
//! wait for the answer: keep the state, and resume when the person has decided.
//!
//! ```
//! use haft::testing::ScriptedModel;
//! use haft::{Decision, Outcome, Request, RunState, Runner, serde_json, tool, toolkit};
//! use haft::serde_json::json;
//!
//! /// Pay a bill.
//! #[tool(approval)]
//! async fn pay(amount: u32) -> String {
//!     format!("paid {amount}")
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! # let model = ScriptedModel::new().calls([("pay", json!({"amount": 30}))]).text("It is paid.");
//! # let request = Request::new("any").user("Pay my bill of 30.");
//! let mut runner = Runner::new(model.clone(), toolkit![pay], request);
//! runner.run_to_completion().await?;
//! let stored: String = serde_json::to_string(&runner.state())?;
//! # drop(runner);
//!
//! // In the process that gets the answer:
//! let state: RunState = serde_json::from_str(&stored)?;
//! let mut runner = Runner::resume(model, toolkit![pay], state)?;
//! if let Some(Outcome::AwaitingApproval { calls }) = runner.outcome() {
//!     for call in &calls {
//!         runner.decide(call.id(), Decision::Allow)?;
//!     }
//! }
//! assert_eq!(runner.run_to_completion().await?.reply.text(), "It is paid.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Where the tools have changed
//!
//! The model is offered the tools of the new toolkit. Calls that are answered do not matter any more; of those that
//! are pending:
//!
//! - the tool is gone: `resume` is an error that names it. Give a toolkit that has it, if only with a tool of that name
//!   that says so to the model;
//! - its parameters are others: the call is judged by the new schema, and one that does not fit comes back to the model
//!   as an error result;
//! - no toolkit had it: as before. If the request defines it, the call waits for the program; else the model is told
//!   that there is no such tool.
//!
//! ## When to store it
//!
//! A state knows what had happened when it was taken. If the process dies later, calls that ran in between run again
//! after a resume, since nothing tells of them. So take it around the calls, and let tools with an effect pass the key
//! of the call (above) to a service that knows what it has done:
//!
//! ```
//! # use haft::{Error, RunState, Runner};
//! # fn store(_: &RunState) {}
//! # async fn example(mut runner: Runner) -> Result<(), Error> {
//! while runner.next_message().await?.is_some() {
//!     store(&runner.state()); // the calls of this reply are pending
//!     runner.run_calls().await?;
//!     store(&runner.state()); // and now they are answered
//! }
//! # Ok(())
//! # }
//! ```
//!
//! ## Errors
//!
//! An error of a run carries the state ([`Error::state`](crate::Error::state)), with the ids of the calls whose effect
//! is not known ([`started_calls`](crate::Error::started_calls)) and of those that are done
//! ([`finished_calls`](crate::Error::finished_calls)). A program that gives up stores it, and does not lose the work of
//! the run. [`partial_reply`](crate::Error::partial_reply) is what had come of a reply that broke off, to show; it is
//! asked for again.
//!
//! # Tools that can be stopped well
//!
//! A tool that is stopped is dropped at its await, as any future. For most that is right: nothing has to be done.
//!
//! - **Something would be left half done.** Wait for [`CallContext::cancellation`](crate::CallContext::cancellation)
//!   beside the work, and take it back. Once a tool has looked at its token, it has 5 seconds to end after the token was
//!   cancelled, and what it gives then is its result. A dropped future or stream gives no such time.
//! - **It must not be cut in the middle at all.** Give the work to `tokio::spawn` and await that: a spawned task runs on
//!   when its handle is dropped. The result of the call is lost, and a [hook](crate::Hook::interrupted_call) may find it.
//! - **It blocks** (`#[tool(blocking)]`). Nothing can drop a thread. The call is given up at once, whatever the thread
//!   comes to; so ask [`is_cancelled`](crate::CallContext::is_cancelled) between two steps, and return. It is true after
//!   the token, after the tool's timeout, and after the future was dropped.
//!
//! ```
//! use haft::{CallContext, tool};
//!
//! /// Sum the numbers up to a bound.
//! #[tool(blocking, read_only, timeout = "10s")]
//! fn sum(call: &CallContext, to: u64) -> Result<u64, String> {
//!     let mut sum = 0_u64;
//!     for n in 1..=to {
//!         if n % 100_000 == 0 && call.is_cancelled() {
//!             return Err("stopped".to_owned());
//!         }
//!         sum = sum.wrapping_add(n);
//!     }
//!     Ok(sum)
//! }
//! # assert_eq!(sum(&CallContext::for_test(), 4), Ok(10));
//! ```

#[allow(unused_imports, reason = "for the links")]
use crate::Runner;
