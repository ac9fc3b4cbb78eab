//! What has to hold for all that the codec of an API tells: it is what the model has said.

use haft::{Content, Reply, StreamEvent};

use crate::replies::{brief, halves};
use crate::world::{Take, World};

impl World {
    /// An event is about to be handed out. In the process it is what was drawn.
    pub(crate) fn judge_told(&mut self, attempt: usize, event: &StreamEvent) {
        if !self.speech.is_wired {
            return;
        }
        let fault = match event {
            StreamEvent::Reply(reply) => self.reply_told_fault(attempt, reply),
            StreamEvent::TextDelta { index, text: part }
            | StreamEvent::InputDelta { index, json: part } => {
                let take = self.take(attempt);
                take.and_then(|take| take.add_part(*index, part))
            }
            StreamEvent::BlockStart { index, content } => {
                let take = self.take(attempt);
                take.and_then(|take| take.start_fault(*index, content))
            }
            StreamEvent::BlockStop(block) => {
                let take = self.take(attempt);
                take.and_then(|take| take.stop(block.index(), block.content()))
            }
            _ => None,
        };
        if let Some(fault) = fault {
            self.fault(format!("of reply {attempt} is told {event:?}, but {fault}"));
        }
    }

    fn take(&mut self, attempt: usize) -> Option<&mut Take> {
        let attempt = &mut self.attempts[attempt];
        attempt.takes.get_mut(attempt.now)
    }

    fn reply_told_fault(&mut self, attempt: usize, reply: &Reply) -> Option<String> {
        let is_cut = self.attempts[attempt].is_cut;
        let drawn = self.attempts[attempt].drawn.clone()?;
        let (told, wanted) = (reply.content(), drawn.content());
        let take = self.attempts[attempt].takes.last()?;
        let mut pairs = told.iter().zip(wanted).enumerate();
        let is_same = told.len() == wanted.len()
            && pairs.all(|(at, (told, own))| take.is_as_said(at, told, own));
        let spent = |reply: &Reply| (reply.usage().input, reply.usage().output);
        let head = |reply: &Reply| (reply.id().to_owned(), reply.stop_reason().clone());
        // Of a reply that has lost its last words, what it took may be among those.
        let is_paid = spent(reply) == spent(&drawn) || (is_cut && spent(reply) == (0, 0));
        if !is_same {
            return Some(format!("it is {}", brief(wanted)));
        }
        let take = self.attempts[attempt].takes.last_mut();
        if let Some(take) = take {
            take.blocks = told.to_vec();
        }
        let is_right = is_paid && head(reply) == head(&drawn);
        (!is_right).then(|| format!("it is {:?}, for {:?}", head(&drawn), spent(&drawn)))
    }
}

impl Take {
    fn is_as_said(&self, index: usize, told: &Content, own: &Content) -> bool {
        is_same(told, own) || (self.cut == Some(index) && is_begin(told, own))
    }

    fn add_part(&mut self, index: usize, part: &str) -> Option<String> {
        self.parts.entry(index).or_default().push_str(part);
        let is_open = index < self.begun && !self.stopped.contains(&index);
        (!is_open).then(|| "the block is not open".to_owned())
    }

    fn start_fault(&self, index: usize, begun: &Content) -> Option<String> {
        let Some(own) = self.blocks.get(index) else {
            return Some(format!("there are {} blocks", self.blocks.len()));
        };
        let is_known = match (begun, own) {
            (Content::ToolCall(begun), Content::ToolCall(own)) => {
                (begun.id(), begun.name()) == (own.id(), own.name())
            }
            (begun, own) => std::mem::discriminant(begun) == std::mem::discriminant(own),
        };
        (!is_known || index != self.begun).then(|| format!("it is {own:?}"))
    }

    /// A block is whole. It is from then on as the codec has it, with all that it remembers.
    fn stop(&mut self, index: usize, told: &Content) -> Option<String> {
        let Some(own) = self.blocks.get(index) else {
            return Some(format!("there are {} blocks", self.blocks.len()));
        };
        let parts = self.parts.get(&index).map_or("", String::as_str);
        let whole = match told {
            Content::Text(text) => &text.text,
            Content::ToolCall(call) => call.input().as_str(),
            _ => parts,
        };
        let is_aside = index < self.aside && matches!(told, Content::Other(_));
        let fault = if self.stopped.contains(&index) {
            Some("it has ended before".to_owned())
        } else if parts != whole {
            Some(format!("its parts were {parts:?}"))
        } else if !is_aside && !self.is_as_said(index, told, own) {
            Some(format!("it is {own:?}"))
        } else {
            None
        };
        if !is_aside {
            self.blocks[index] = told.clone();
        }
        fault
    }
}

/// Whether a call is the one that the model has begun, as far as its input has come.
fn is_begin(told: &Content, own: &Content) -> bool {
    let calls = told.as_tool_call().zip(own.as_tool_call());
    calls.is_some_and(|(told, own)| {
        let half = halves(own.input().as_str())[0];
        let words = (told.id(), told.name(), told.input().as_str());
        words == (own.id(), own.name(), half)
    })
}

/// Whether a block is the one that the model has said. Those that are set aside have other fields.
fn is_same(told: &Content, own: &Content) -> bool {
    match (told, own) {
        (Content::ToolCall(told), Content::ToolCall(own)) => {
            let words = (told.id(), told.name(), told.input());
            words == (own.id(), own.name(), own.input())
        }
        (Content::Other(told), Content::Other(own)) if own.kind == "tool_use" => {
            told.kind == own.kind
        }
        (Content::Other(told), Content::Other(own)) => told.json == own.json,
        _ => told == own,
    }
}
