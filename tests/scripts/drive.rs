//! Drives the run on, in each of the ways that a program has, and hears what it is told.

use std::pin::pin;

use haft::{End, Error, Event, Message, Outcome, Reply, Runner, Stream, StreamExt, ToolResult};

use crate::key::Key;
use crate::world::World;

/// How a program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drive {
    Next,
    Complete,
    All,
    Turn,
    Stream,
    Calls,
}

pub(crate) const DRIVES: [Drive; 6] = [
    Drive::Next,
    Drive::Complete,
    Drive::All,
    Drive::Turn,
    Drive::Stream,
    Drive::Calls,
];

/// What a program has heard.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) replies: Vec<Reply>,
    pub(crate) results: Vec<ToolResult>,
    pub(crate) error: Option<Error>,
    /// Whether it was told of the end, and that.
    pub(crate) is_end: bool,
    pub(crate) end: Option<End>,
    /// Whether it has left before the end.
    pub(crate) has_left: bool,
    pub(crate) fault: Option<&'static str>,
    text: String,
}

/// Goes on until there is no more, or so many things were heard.
pub(crate) async fn go(runner: &mut Runner, drive: Drive, most: usize, heard: &mut Heard) {
    match drive {
        Drive::Next => match runner.next_message().await {
            Ok(Some(reply)) => heard.replies.push(reply),
            Ok(None) => heard.is_end = true,
            Err(error) => heard.error = Some(error),
        },
        Drive::Complete => match runner.run_to_completion().await {
            Ok(end) => heard.end(end),
            Err(error) => heard.error = Some(error),
        },
        Drive::All => {
            let mut all = pin!(runner.all());
            while let Some(reply) = all.next().await {
                match reply {
                    Ok(reply) => heard.replies.push(reply),
                    Err(error) => heard.error = Some(error),
                }
                if heard.replies.len() >= most {
                    heard.has_left = true;
                    return;
                }
            }
            heard.is_end = heard.error.is_none();
        }
        Drive::Turn => match runner.next_streaming().await {
            Ok(Some(events)) => follow(events, most, heard).await,
            Ok(None) => heard.is_end = true,
            Err(error) => heard.error = Some(error),
        },
        Drive::Stream => follow(runner.all_streaming(), most, heard).await,
        Drive::Calls => match runner.run_calls().await {
            Ok(results) => heard.results = results,
            Err(error) => heard.error = Some(error),
        },
    }
}

async fn follow(
    mut events: impl Stream<Item = Result<Event, Error>> + Unpin,
    most: usize,
    heard: &mut Heard,
) {
    let mut count = 0;
    while let Some(event) = events.next().await {
        if heard.is_end || heard.error.is_some() {
            heard.fault = Some("an event behind the end");
        }
        match event {
            Ok(event) => heard.event(event),
            Err(error) => heard.error = Some(error),
        }
        count += 1;
        if count >= most {
            heard.has_left = true;
            return;
        }
    }
}

impl Heard {
    fn end(&mut self, end: End) {
        self.is_end = true;
        self.end = Some(end);
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Text(text) => self.text += &text,
            Event::Restarted => self.text.clear(),
            Event::Reply(reply) => {
                if std::mem::take(&mut self.text) != reply.text() {
                    self.fault = Some("the parts of the text are not the text");
                }
                self.replies.push(reply);
            }
            Event::ToolFinished(result) => self.results.push(result),
            Event::End(end) => self.end(*end),
            _ => {}
        }
    }
}

impl World {
    /// Looks at what the program has heard. `replies` and `failures` are those that there were before, `is_whole` says
    /// that it has heard all.
    pub(crate) fn judge_heard(&mut self, drive: Drive, heard: &Heard, before: (usize, usize)) {
        let (replies, failures) = before;
        if let Some(fault) = heard.fault {
            self.fault(fault);
        }
        for reply in &heard.replies {
            self.hear(reply);
        }
        for result in &heard.results {
            self.hear_result(result);
        }
        let has_failed = self.failures > failures;
        if heard.error.is_some() && !has_failed {
            self.fault(format!("it fails: {:?}", heard.error));
        }
        if heard.has_left {
            return;
        }
        if heard.error.is_none() && has_failed {
            self.fault("a failure is not told");
        }
        let came = self.delivered().count() - replies;
        if heard.error.is_none() && drive != Drive::Complete && heard.replies.len() != came {
            self.fault(format!(
                "{came} replies came, told are {}",
                heard.replies.len()
            ));
        }
        if drive == Drive::Stream && heard.error.is_none() && heard.end.is_none() {
            self.fault("the end is not told");
        }
    }

    /// Looks at where the run stands after the program has gone on.
    pub(crate) fn judge_leg(
        &mut self,
        drive: Drive,
        heard: &Heard,
        runner: &Runner,
        shown: &[Message],
    ) {
        let is_end = heard.is_end;
        self.note(|| format!("  heard: end {is_end}, error {:?}", heard.error));
        self.is_end_told |= is_end;
        if let Some(end) = &heard.end {
            self.judge_end(end);
        }
        if heard.has_left || self.token_is_cancelled() {
            self.leave();
        }
        let outcome = runner.outcome();
        if is_end && outcome.is_none() {
            self.fault("an end is told, and there is none");
        }
        if let Some(Outcome::AwaitingApproval { calls }) = &outcome
            && is_end
            && self.are_answered(calls)
        {
            self.fault("the end is told of calls that the program has answered");
        }
        if heard.has_left || drive == Drive::Calls {
            return;
        }
        if !is_end && heard.error.is_some() != runner.error().is_some() {
            self.fault("the runner does not remember its error");
        }
        let mut results = shown.iter().flat_map(Message::tool_results);
        let is_open = results.any(|result| result.text().contains("was not run yet"));
        // One that was told a reply is told of the end the next time.
        let is_over = is_end || (heard.error.is_none() && heard.replies.is_empty());
        if outcome == Some(Outcome::Cancelled) && is_over && is_open {
            self.fault("a cancelled run leaves calls that are to be run");
        }
    }

    /// Calls that were about to start when the program left may have started.
    fn leave(&mut self) {
        let last = self
            .attempts
            .iter()
            .rposition(|attempt| attempt.reply.is_some());
        let from = Key {
            attempt: last.unwrap_or(0),
            take: 0,
            block: 0,
        };
        for (_, record) in self.calls.range_mut(from..) {
            record.was_left = true;
        }
    }

    fn hear(&mut self, reply: &Reply) {
        let attempt = reply.id().parse().ok();
        let attempt = attempt.and_then(|at: usize| self.attempts.get_mut(at));
        let is_known = attempt.is_some_and(|attempt| {
            let is_first = !std::mem::replace(&mut attempt.is_told, true);
            is_first && attempt.reply.as_ref() == Some(reply)
        });
        if !is_known {
            self.fault(format!("reply {} is told twice, or never came", reply.id()));
        }
    }

    /// A result that tells whose it is: it stays the same.
    fn hear_result(&mut self, result: &ToolResult) {
        let text = result.text();
        let record = Key::find(&text).and_then(|key| self.calls.get_mut(&key));
        if let Some(record) = record.filter(|record| record.id == result.call_id()) {
            record.told = Some(text);
        }
    }
}
