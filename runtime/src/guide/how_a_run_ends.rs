//! How a run ends: what each [`Outcome`] means, what the history is then, and what going on does.
//!
//! # An end, an error, or a result
//!
//! Three things can go wrong in a run, and they are told in three places:
//!
//! | what | where it is told | who deals with it |
//! |---|---|---|
//! | a tool failed, or was called wrongly | in the call's [`ToolResult`](crate::ToolResult) | the model; the run goes on |
//! | the run came to an end, good or not | in [`End::outcome`] | the program, by the table below |
//! | a turn failed: the server, the network, a hook, a declaration | as [`Error`](crate::Error) | the program, by [`Error::kind`](crate::Error::kind) |
//!
//! A program that looks only for errors takes a reply that was cut, refused or capped for the answer. So look at the
//! outcome first: only [`Outcome::Completed`] says that the model was done.
//!
//! A run is never used up. After an end and after an error, the same [`Runner`] goes on:
//!
//! - **with nothing new**, by [`run_to_completion`](Runner::run_to_completion) (or any other method that drives it)
//!   again;
//! - **with a message**, by [`append_messages`](Runner::append_messages) first;
//! - **with another history or other settings**, by [`request_mut`](Runner::request_mut) and the `set_` methods first.
//!
//! What the history is at that moment is what [`messages`](Runner::messages) gives. It can be sent as it is, whatever
//! happened: each call in it is answered, by a placeholder where nothing else is there yet.
//!
//! # Each outcome
//!
//! | outcome | the last reply, and its calls | going on with nothing new | with a message |
//! |---|---|---|---|
//! | [`Completed`](Outcome::Completed) | is in the history, unless it was empty | the same end again; nothing is sent | asks |
//! | [`Capped`](Outcome::Capped) | is in the history; its calls wait, or have run, as the [policy](CapPolicy) says | the same end again, until the limit is raised; then the calls run, and the model is asked | the message waits behind the results; it does not raise the limit |
//! | [`Truncated`](Outcome::Truncated) | is only in [`End::reply`]; none of its calls ran | asks again, as if the reply had not come | the reply is kept without the call that was cut, its other calls answered as not run; asks |
//! | [`ContextFull`](Outcome::ContextFull) | as for `Truncated` | as for `Truncated` | as for `Truncated` |
//! | [`Refused`](Outcome::Refused) | is only in [`End::reply`]; none of its calls ran | the same end again; nothing is sent | asks; the refused reply is not sent |
//! | [`Paused`](Outcome::Paused) | is in the history | resumes, and counts the pauses anew | resumes; the message waits until the pause is over |
//! | [`AwaitingApproval`](Outcome::AwaitingApproval) | is in the history; some of its calls wait, the others have run | the calls that were decided run; the same outcome while one is not | the message waits behind the results |
//! | [`Cancelled`](Outcome::Cancelled) | if there was one, it is in the history; see [cancelling](super::cancelling_and_resuming) | goes on, if the runner was given another token; else the same end again | as with nothing new; the message stands behind the results |
//! | [`Looping`](Outcome::Looping) | is in the history, with the results of its calls | asks again, and counts the failures anew | asks, and counts them anew |
//! | [`Unknown`](Outcome::Unknown) | is in the history; none of its calls ran | answers the calls as not run, and asks; without calls the same end again | answers the calls as not run; asks |
//!
//! With [`eager`](Runner::eager), calls may have begun before the reply ended in one of these ways. Of `Truncated`,
//! `ContextFull` and `Unknown`, the reply is then in the history at once, without the call that was cut: those calls
//! with their results, the others answered as not run. Going on with nothing new asks what comes next. Of `Refused`,
//! see [below](#calls-whose-reply-is-gone).
//!
//! [`End::reply`] is the last reply that came. Where the run ended before one came, it is empty.
//!
//! ## What to do
//!
//! - `Completed`: use the reply.
//! - `Capped`: say that the work is not finished, or raise the limit and go on. [See below](#limits).
//! - `Truncated`: raise [`max_tokens`](crate::Request::max_tokens) and go on, which asks for the whole reply anew. Where
//!   the limit is the model's own, append a message such as "Go on." instead, which continues what is there.
//! - `ContextFull`: shorten the history by [`request_mut`](Runner::request_mut); the same history fills the context
//!   again.
//! - `Refused`: tell the user. To ask otherwise, take the user's message out of `request_mut().messages`, and append
//!   another.
//! - `Paused`: go on, if the server's tools may take longer.
//! - `AwaitingApproval`: [`decide`](Runner::decide) each call and go on. That can be hours later, in
//!   [another process](super::cancelling_and_resuming#a-run-as-json).
//! - `Cancelled`: stop; or set another token, and go on.
//! - `Looping`: the model does not get out of its mistake by itself. Append what it does wrong, or take the tool away.
//! - `Unknown`: the API has a stop reason that this version of haft does not know. Show it; none of the calls can be
//!   trusted to be whole.
//!
//! [`Outcome`] has this as one `match`. It is `#[non_exhaustive]`: an outcome that you do not know is an end without an
//! answer.
//!
//! ```
//! use haft::testing::{ScriptedModel, ScriptedReply};
//! use haft::{Message, Outcome, Request, Runner, StopReason, Toolkit};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let cut = || ScriptedReply::new().text("Once upon").stop_reason(StopReason::MaxTokens);
//! let model = ScriptedModel::new().reply(cut()).reply(cut()).text(" a time.");
//! let mut runner = Runner::new(model, Toolkit::new(), Request::new("any").user("A story!"));
//! let cut = Outcome::Truncated { incomplete: None };
//! assert_eq!(runner.run_to_completion().await?.outcome, cut);
//! assert_eq!(runner.messages().len(), 1, "the reply is kept apart");
//!
//! // With nothing new it is asked for again; here it is cut again ...
//! assert_eq!(runner.run_to_completion().await?.outcome, cut);
//!
//! // ... and a message behind it keeps what there is.
//! runner.append_messages([Message::user("Go on.")]);
//! assert_eq!(runner.run_to_completion().await?.reply.text(), " a time.");
//! let said: Vec<String> = runner.messages().iter().map(Message::text).collect();
//! assert_eq!(said, ["A story!", "Once upon", "Go on.", " a time."]);
//! # Ok::<(), haft::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! | limit | default | at the limit |
//! |---|---|---|
//! | [`max_iterations`](Runner::max_iterations): replies of the run | none | `Capped` |
//! | [`stop_after_repeats`](Runner::stop_after_repeats): turns in a row in which one call fails alike | none | `Looping` |
//! | replies in a row that only pause or compact | 10 | `Paused` |
//! | [`max_tokens`](crate::Request::max_tokens) of one reply | the provider's choice | `Truncated` |
//! | a tool's [`timeout`](crate::ToolDefinition::with_timeout) | none | an error result; the run goes on |
//!
//! Without `max_iterations` a run goes on as long as the model calls tools. Set one in every program that nobody
//! watches. It counts the replies of the whole run, also over several questions, so a chat raises it for each:
//!
//! ```
//! # use haft::{Error, Message, Runner};
//! # async fn example(mut runner: Runner, question: String) -> Result<(), Error> {
//! runner.set_max_iterations(runner.iteration_count() + 20);
//! runner.append_messages([Message::user(question)]);
//! let end = runner.run_to_completion().await?;
//! # Ok(())
//! # }
//! ```
//!
//! What happens to the calls of the last reply is [`CapPolicy`]:
//!
//! | policy | the pending calls | choose it where |
//! |---|---|---|
//! | [`Stop`](CapPolicy::Stop) (default) | do not run; they are in `Outcome::Capped` | nothing is to happen that the model does not hear of, or a person may raise the limit |
//! | [`AnswerPending`](CapPolicy::AnswerPending) | run; their results end the history | the history goes on elsewhere, and is to be complete |
//! | [`FinalTurn`](CapPolicy::FinalTurn) | run, and the model is asked once more, and may call nothing | an answer from what is there is better than none |
//!
//! The outcome is `Capped` with each of them. A model that is done with its last allowed reply has `Completed`.
//!
//! # Calls whose reply is gone
//!
//! [`End::abandoned`] has the calls of which the history says nothing, although their tools had started: those that
//! were [eager](Runner::eager) in a reply that was then refused, that another model took over, or that the server began
//! anew. It collects them over the whole run, and is always empty without `eager`. The model does not know of them. If
//! such a tool changes things, say so in the next message, or undo it.
//!
//! # Errors
//!
//! An error ends a turn and not the run. What was there before the turn is there afterwards, with the results of the
//! calls that ran meanwhile, so that going on sends the same request again and runs no finished call twice. (A provider
//! has retried by then what is worth it.) A hook that fails after a reply leaves the run with that reply.
//!
//! A program that tries on by itself waits for [`Error::retry_after`](crate::Error::retry_after), or longer each time.
//! The provider's own waits come on top, and begin anew with each attempt: with `max_retries(0)` only the program's
//! count.
//!
//! ```
//! use haft::testing::ScriptedModel;
//! use haft::{Request, Runner, tool, toolkit};
//! use haft::serde_json::json;
//!
//! /// Pay a bill.
//! #[tool]
//! async fn pay(amount: u32) -> String {
//!     format!("paid {amount}")
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let model = ScriptedModel::new()
//!     .calls([("pay", json!({"amount": 30}))])
//!     .fails(529, "Overloaded")
//!     .text("It is paid.");
//! let request = Request::new("any").user("Pay my bill of 30.");
//! let mut runner = Runner::new(model, toolkit![pay], request);
//! let error = runner.run_to_completion().await.unwrap_err();
//! assert!(error.is_retryable());
//! assert_eq!(error.finished_calls(), ["call_1_1"]);
//! // Later: the bill is not paid again.
//! assert_eq!(runner.run_to_completion().await?.reply.text(), "It is paid.");
//! # Ok::<(), haft::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An error that comes out of a run carries where it stands ([`Error::state`](crate::Error::state)), for a program that
//! gives up now and goes on later.

#[allow(unused_imports, reason = "for the links")]
use crate::{CapPolicy, End, Outcome, Runner};
