//! What has to hold for every history: of a request, and as it is shown between two actions.

use haft::{CapPolicy, Content, Message, Role, StopReason};

use crate::key::Key;
use crate::wire;
use crate::world::{Attempt, World};

/// The calls that failed alike in a row, by what tells them apart.
type Failures = Vec<(String, String)>;

impl World {
    /// A request is about to be answered.
    pub(crate) fn judge_request(&mut self, messages: &[Message], is_last_turn: bool) {
        let fault = self
            .history_fault(messages, true)
            .or_else(|| self.reason_fault(messages))
            .or_else(|| self.limit_fault(is_last_turn))
            .or_else(|| self.loop_fault(messages));
        if let Some(fault) = fault {
            self.fault(format!("request {}: {fault}", self.attempts.len()));
        }
    }

    /// The history as the program sees it.
    pub(crate) fn judge_shown(&mut self, messages: &[Message]) {
        if let Some(fault) = self.history_fault(messages, false) {
            self.fault(format!("messages(): {fault}"));
        }
    }

    fn history_fault(&self, messages: &[Message], is_sent: bool) -> Option<String> {
        if let Some(fault) = wire::fault(messages) {
            return Some(fault);
        }
        if !self.is_edited && !self.goes_on_from_last(messages) {
            return Some("it does not begin with what was sent last".to_owned());
        }
        let origins: Vec<_> = messages.iter().enumerate().filter_map(origin).collect();
        let ascends = origins
            .windows(2)
            .all(|pair| pair[0].1.attempt < pair[1].1.attempt);
        if !ascends {
            return Some(format!("replies are twice, or not in order: {origins:?}"));
        }
        let of_replies = origins.iter().find_map(|(at, key)| {
            self.message_fault(&messages[*at], *key)
                .or_else(|| self.results_fault(messages, *at, is_sent))
        });
        of_replies
            .or_else(|| self.missing_reply(&origins))
            .or_else(|| self.lost_run(messages, &origins))
            .or_else(|| self.lost_words(messages, is_sent))
    }

    /// A message of the model's is as it came, or the part of it that is kept.
    fn message_fault(&self, message: &Message, key: Key) -> Option<String> {
        let attempt = &self.attempts[key.attempt];
        let take = &attempt.takes[key.take];
        let content = message.content();
        let is_as_it_came = match &attempt.reply {
            Some(reply) => match reply.stop_reason() {
                StopReason::MaxTokens | StopReason::ContextFull => {
                    let has_cut_call =
                        attempt.cut_call().is_some() && content.len() == reply.content().len();
                    reply.content().starts_with(content) && !has_cut_call
                }
                StopReason::Refusal => false,
                _ => reply.content() == content,
            },
            // Only a call that has begun keeps a part of a reply. It may be dropped right before its tool is polled.
            None => {
                let mut calls = content.iter().filter_map(Content::as_tool_call);
                take.blocks.starts_with(content) && calls.next().is_some()
            }
        };
        let is_right = is_as_it_came && !attempt.is_removed && key.take == attempt.now;
        (!is_right).then(|| format!("this of attempt {} is in it: {content:?}", key.attempt))
    }

    fn missing_reply(&self, origins: &[(usize, Key)]) -> Option<String> {
        let missing = self.attempts.iter().enumerate().find(|(at, attempt)| {
            let is_in = origins.iter().any(|(_, key)| key.attempt == *at);
            attempt.must_be_kept() && !is_in
        });
        missing.map(|(at, _)| format!("reply {at} is lost"))
    }

    /// What has started is in the history, or was told as given up.
    fn lost_run(&self, messages: &[Message], origins: &[(usize, Key)]) -> Option<String> {
        let lost = self.calls.iter().find(|(key, record)| {
            let attempt = &self.attempts[key.attempt];
            let is_in = origins.iter().any(|(at, origin)| {
                let block = messages[*at].content().get(key.block);
                (origin.attempt, origin.take) == (key.attempt, key.take)
                    && block.is_some_and(|block| block.as_tool_call().is_some())
            });
            !record.runs.is_empty() && !is_in && !attempt.is_removed && !self.is_given_up(**key)
        });
        lost.map(|(key, _)| format!("{key} has run, and is not in it"))
    }

    /// Whether its reply was refused, or another model has taken over, or it began anew.
    pub(crate) fn is_given_up(&self, key: Key) -> bool {
        let attempt = &self.attempts[key.attempt];
        let is_refused = attempt.stop_reason() == Some(&StopReason::Refusal);
        is_refused || key.take < attempt.now || key.block < attempt.takes[key.take].aside
    }

    /// What the program has said is there once, in its order, and as soon as it may.
    fn lost_words(&self, messages: &[Message], is_sent: bool) -> Option<String> {
        if self.is_put_back {
            return None;
        }
        let users = messages
            .iter()
            .filter(|message| message.role() == Role::User);
        let blocks = users.flat_map(|message| message.content());
        let found: Vec<usize> = blocks
            .filter_map(|block| block.as_text()?.strip_prefix("said ")?.parse().ok())
            .collect();
        let kept = self.said.iter().filter(|(_, is_removed)| !is_removed);
        let mut wanted: Vec<_> = kept.map(|(number, _)| *number).collect();
        // What is said meanwhile waits.
        let pauses = self.last_delivered().is_some_and(Attempt::is_pause);
        if is_sent && pauses {
            wanted.truncate(found.len());
        }
        (found != wanted).then(|| format!("the program said {wanted:?}, and in it is {found:?}"))
    }

    /// Whether there was a reason to ask.
    fn reason_fault(&self, messages: &[Message]) -> Option<String> {
        if self.token_is_cancelled() {
            return Some("it is sent although the token is cancelled".to_owned());
        }
        let last = self.attempts.last()?;
        let reason = last.stop_reason()?;
        if last.is_pause() {
            let is_again = self.pauses > 10 && !self.is_end_told;
            return is_again.then(|| "it goes on pausing".to_owned());
        }
        let own = messages.last().and_then(|message| origin((0, message)));
        let pauses = own.is_none_or(|(_, key)| self.attempts[key.attempt].is_pause());
        if !pauses && !self.is_edited {
            return Some("it ends with the model's own words".to_owned());
        }
        if last.wants_calls() || last.is_removed {
            return None;
        }
        // Also what was taken away again has opened the run.
        let has_said = self.said.iter().any(|(number, _)| {
            let text = format!("said {number}");
            !last
                .sent
                .iter()
                .any(|message| message.text().contains(&text))
        });
        let may_go_on = self.is_end_told
            && !matches!(reason, StopReason::Refusal)
            && (last.has_calls() || !matches!(reason, StopReason::EndTurn));
        let fault = || format!("it was asked again after {reason}");
        (!has_said && !may_go_on && !self.is_put_back).then(fault)
    }

    fn limit_fault(&self, is_last_turn: bool) -> Option<String> {
        let is_capped = self.is_capped();
        if is_capped && self.set.policy != CapPolicy::FinalTurn {
            return Some("the run is capped".to_owned());
        }
        (is_capped != is_last_turn).then(|| format!("capped: {is_capped}, last: {is_last_turn}"))
    }

    /// Whether the run should have ended since it turns round.
    fn loop_fault(&self, messages: &[Message]) -> Option<String> {
        let most = self.set.most_repeats;
        // Where a reply ends the run by itself, that is told.
        let wants_calls = self.attempts.last().is_some_and(Attempt::wants_calls);
        if most == 0 || !wants_calls || self.set.repeats_are_new || self.is_edited {
            return None;
        }
        let looping = repeated(messages, most, false);
        looping.map(|call| format!("{call} has failed {most} times"))
    }
}

/// A call that has failed alike in the last turns with calls, so many of them. `skips` turns of which no call ran.
pub(crate) fn repeated(messages: &[Message], most: usize, skips: bool) -> Option<String> {
    let mut turns: Vec<Failures> = Vec::new();
    for (at, message) in messages.iter().enumerate().rev() {
        if message.tool_calls().next().is_none() || turns.len() == most {
            continue;
        }
        let results = messages.get(at + 1)?.tool_results();
        let failed = message
            .tool_calls()
            .zip(results)
            .filter(|(_, result)| result.is_error());
        let failure = |(call, result): (&haft::ToolCall, &haft::ToolResult)| {
            (format!("{} {}", call.name(), call.input()), result.text())
        };
        let failed: Failures = failed.map(failure).collect();
        if !skips || failed.iter().any(|(_, text)| is_run(text)) {
            turns.push(failed);
        }
    }
    let is_in_all = |failure: &&(String, String)| turns.iter().all(|turn| turn.contains(failure));
    let mut first = turns.first()?.iter().filter(|(_, text)| is_run(text));
    let call = first.find(is_in_all)?.0.clone();
    (turns.len() == most).then_some(call)
}

fn is_run(text: &str) -> bool {
    !text.contains("was not run")
}

fn origin((at, message): (usize, &Message)) -> Option<(usize, Key)> {
    (message.role() == Role::Assistant).then_some(())?;
    Some((at, Key::of_message(message)?))
}

impl Attempt {
    /// Whether its reply stands in the history.
    fn must_be_kept(&self) -> bool {
        let Some(reply) = &self.reply else {
            return false;
        };
        let is_kept = !matches!(
            reply.stop_reason(),
            StopReason::MaxTokens | StopReason::ContextFull | StopReason::Refusal
        );
        let has_key = reply.content().iter().filter_map(Key::of).next().is_some();
        let has_words = !reply.message().is_empty();
        is_kept && has_key && has_words && !self.is_removed
    }

    /// Its last block, if that is a call.
    pub(crate) fn cut_call(&self) -> Option<&haft::ToolCall> {
        let last: &Content = self.reply.as_ref()?.content().last()?;
        last.as_tool_call()
    }
}
