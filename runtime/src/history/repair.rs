//! [`repair`]: makes any history one that can be sent.

use std::collections::HashMap;
use std::mem;

use crate::message::{Content, Message, Role, ToolCall, ToolResult, sendable};

/// Makes any history one that can be sent, such as one that was cut, merged, or written by another program.
///
/// - Each call of the model is answered in the message right behind it, before anything else there: results that come
///   later, in several messages, or with words before them, are moved. A call without one gets the result
///   `Error: Tool 'x' was interrupted; whether it took effect is unknown`.
/// - What cannot be paired is left out: a result that no call before it asks for, and a call that is not the model's.
///   Of two calls with one id in one message the first counts, and of two results for one call; another message may
///   have that id again, and a result answers the last call of its id.
/// - Empty texts are left out, white space where nothing else is said, and messages of which nothing remains.
///
/// All else stays. A history that is so already is returned as it is, so it does no harm to repair one that may be. A
/// message that loses a block, or whose results move to its front, keeps the JSON that it came in for the others; one
/// that takes in results from elsewhere is written anew.
///
/// ```
/// use haft::{Content, Message, RawJson, Role, ToolCall, ToolResult, repair};
///
/// let call = ToolCall::new("call_1", "get_weather", RawJson::parse(r#"{"city":"Tokyo"}"#)?);
/// let result = ToolResult::new(&call, vec![Content::text("21.5 °C")]);
/// let history = repair([
///     Message::user("What is the weather in Tokyo?"),
///     Message::new(Role::Assistant, vec![Content::text(""), Content::ToolCall(call)]),
///     Message::user("Are you there?"),
///     Message::new(Role::User, vec![Content::ToolResult(result.clone())]),
/// ]);
/// assert_eq!(history.len(), 3);
/// assert_eq!(history[1].content().len(), 1);
/// assert_eq!(history[2].content(), [Content::ToolResult(result), Content::text("Are you there?")]);
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[must_use]
pub fn repair(messages: impl IntoIterator<Item = Message>) -> Vec<Message> {
    let messages: Vec<_> = messages.into_iter().collect();
    let pairs = Pairs::find(&messages);
    let mut repaired = Repaired::default();
    for (at, (message, asked)) in messages.iter().zip(pairs.asked).enumerate() {
        repaired.add(at, message, asked);
    }
    repaired.answer();
    repaired.messages
}

/// A call that stays, and what answers it.
struct Asked<'a> {
    call: &'a ToolCall,
    /// Its place in its message.
    block: usize,
    answer: Option<Answer<'a>>,
}

struct Answer<'a> {
    result: &'a ToolResult,
    /// The message that it stands in, and its place there.
    message: usize,
    block: usize,
}

/// The calls that stay, with the results that answer them.
#[derive(Default)]
struct Pairs<'a> {
    /// Of each message.
    asked: Vec<Vec<Asked<'a>>>,
    /// The last call of each id: its message, and which of the calls there it is.
    last: HashMap<&'a str, (usize, usize)>,
}

impl<'a> Pairs<'a> {
    fn find(messages: &'a [Message]) -> Self {
        let mut pairs = Self::default();
        for (at, message) in messages.iter().enumerate() {
            pairs.asked.push(Vec::new());
            for (block, content) in message.content().iter().enumerate() {
                match content {
                    Content::ToolCall(call) if message.role() == Role::Assistant => {
                        pairs.ask(at, block, call);
                    }
                    Content::ToolResult(result) => pairs.answer(Answer {
                        result,
                        message: at,
                        block,
                    }),
                    _ => {}
                }
            }
        }
        pairs
    }

    /// One more call of the last message, unless it has one of that id.
    fn ask(&mut self, at: usize, block: usize, call: &'a ToolCall) {
        let is_repeated = self.last.get(call.id()).is_some_and(|(of, _)| *of == at);
        if let Some(calls) = self.asked.last_mut().filter(|_| !is_repeated) {
            self.last.insert(call.id(), (at, calls.len()));
            calls.push(Asked {
                call,
                block,
                answer: None,
            });
        }
    }

    /// A result, for the last call of its id, if that has none.
    fn answer(&mut self, answer: Answer<'a>) {
        let asked = self
            .last
            .get(answer.result.call_id())
            .and_then(|(message, call)| self.asked.get_mut(*message)?.get_mut(*call));
        if let Some(asked) = asked {
            asked.answer.get_or_insert(answer);
        }
    }
}

/// The history in the making.
#[derive(Default)]
struct Repaired<'a> {
    messages: Vec<Message>,
    /// The calls of the last message: the next one has to answer them.
    open: Vec<Asked<'a>>,
}

impl<'a> Repaired<'a> {
    /// One more message, the one at `at`, with the calls of it that stay.
    fn add(&mut self, at: usize, message: &Message, asked: Vec<Asked<'a>>) {
        let others = others(message, &asked);
        let results = self.answers_in(at);
        if others.is_empty() && results.is_empty() {
            return;
        }
        if message.role() != Role::User {
            self.answer();
            self.keep(message, &others);
        } else if results.len() == self.open.len() {
            self.open.clear();
            self.keep(message, &[results, others].concat());
        } else {
            self.answer_with(message, &others);
        }
        self.open = asked;
    }

    /// Where the message at `at` has results for the open calls.
    fn answers_in(&self, at: usize) -> Vec<usize> {
        let answers = self.open.iter().filter_map(|asked| asked.answer.as_ref());
        let mut places: Vec<_> = answers
            .filter(|answer| answer.message == at)
            .map(|answer| answer.block)
            .collect();
        places.sort_unstable();
        places
    }

    /// These blocks of a message, if there are any.
    fn keep(&mut self, message: &Message, places: &[usize]) {
        if !places.is_empty() {
            self.messages.push(message.pick(places));
        }
    }

    /// A message of the results that the open calls wait for, if any do.
    fn answer(&mut self) {
        let results = results(mem::take(&mut self.open));
        if !results.is_empty() {
            self.messages.push(Message::new(Role::User, results));
        }
    }

    /// The same with these blocks of a message behind.
    fn answer_with(&mut self, message: &Message, others: &[usize]) {
        let mut content = results(mem::take(&mut self.open));
        content.extend_from_slice(message.pick(others).content());
        self.messages.push(Message::new(Role::User, content));
    }
}

/// Where a message has what stays in it: all that can be sent but results, which follow their calls.
fn others(message: &Message, asked: &[Asked<'_>]) -> Vec<usize> {
    let stays = |(at, block): &(usize, &Content)| match block {
        Content::ToolResult(_) => false,
        Content::ToolCall(_) => asked.binary_search_by_key(at, |asked| asked.block).is_ok(),
        _ => true,
    };
    let blocks = sendable(message.content()).filter(stays);
    blocks.map(|(at, _)| at).collect()
}

/// The results of calls, in their order.
fn results(asked: Vec<Asked<'_>>) -> Vec<Content> {
    let result = |asked: Asked<'_>| match asked.answer {
        Some(answer) => answer.result.clone(),
        None => ToolResult::error(asked.call, interrupted(asked.call.wire_name())),
    };
    asked
        .into_iter()
        .map(result)
        .map(Content::ToolResult)
        .collect()
}

/// What the model is told of a call whose result is lost.
pub(crate) fn interrupted(name: &str) -> String {
    format!("Error: Tool '{name}' was interrupted; whether it took effect is unknown")
}

#[cfg(test)]
mod tests;
