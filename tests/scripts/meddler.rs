//! [`Meddler`]: a hook that has a say in everything, and fails at times.

use std::panic::resume_unwind;

use haft::serde_json::json;
use haft::{
    Decision, Hook, HookCall, HookError, HookFuture, Reply, Request, ToolOutput, ToolResult,
};

use crate::executor::wait;
use crate::key::Key;
use crate::world::{Record, Shared, Word};

/// Decides at random, and writes down what.
pub(crate) struct Meddler(pub(crate) Shared);

/// What is said of a call, as a decision; `None` for a failure.
pub(crate) fn decision(word: Word, key: Key) -> Option<Decision> {
    Some(match word {
        Word::Allow => Decision::Allow,
        Word::Deny => Decision::Deny(format!("no {key}")),
        Word::Answer => Decision::Answer(ToolOutput::text(format!("answer {key}"))),
        Word::Replace => Decision::Replace(json!({"key": key.to_string(), "new": 1}).into()),
        Word::ReplaceBadly => Decision::Replace(json!({"wrong": key.to_string()}).into()),
        Word::Suspend => Decision::Suspend,
        Word::Fail => return None,
    })
}

impl Meddler {
    /// What comes to its mind on a call, after some time.
    async fn word(&self, call: HookCall<'_>, calm: u8) -> Option<(Key, Word)> {
        let key = Key::find(call.call().input().as_str())?;
        let times = self.0.world().random.usize(..3);
        wait(times).await;
        let mut world = self.0.world();
        let word = match world.random.u8(..100) {
            said if said < calm => Word::Allow,
            said => {
                let words = [
                    Word::Deny,
                    Word::Answer,
                    Word::Replace,
                    Word::ReplaceBadly,
                    Word::Suspend,
                    Word::Fail,
                ];
                words[usize::from(said) % words.len()]
            }
        };
        Some((key, word))
    }

    fn tosses(&self) -> bool {
        self.0.world().random.bool()
    }

    fn write(&self, key: Key, place: &str, word: Word, list: fn(&mut Record) -> &mut Vec<Word>) {
        let mut world = self.0.world();
        world.note(|| format!("  hook {place} {key}: {word:?}"));
        if let Some(record) = world.calls.get_mut(&key) {
            list(record).push(word);
        }
    }

    /// Whether it fails on a request or a reply, after some time.
    async fn fails(&self) -> Result<(), HookError> {
        let times = self.0.world().random.usize(..3);
        wait(times).await;
        let mut world = self.0.world();
        if world.is_finale || !world.happens(4) {
            return Ok(());
        }
        world.note(|| "  hook fails".to_owned());
        world.failures += 1;
        let panics = world.random.bool();
        drop(world);
        fail(panics)
    }
}

/// In the one way or the other.
fn fail<T>(panics: bool) -> Result<T, HookError> {
    if panics {
        resume_unwind(Box::new("hook"))
    }
    Err("hook".into())
}

impl Hook for Meddler {
    fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
        Box::pin(async move {
            let Some((key, word)) = self.word(call, 70).await else {
                return Ok(Decision::Allow);
            };
            self.write(key, "before", word, |record| &mut record.before);
            decision(word, key).map_or_else(|| fail(self.tosses()), Ok)
        })
    }

    fn interrupted_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Option<Decision>> {
        Box::pin(async move {
            let Some((key, word)) = self.word(call, 30).await else {
                return Ok(None);
            };
            if self.0.world().happens(30) {
                return Ok(None);
            }
            self.write(key, "of interrupted", word, |record| &mut record.recovered);
            decision(word, key).map_or_else(|| fail(self.tosses()), |said| Ok(Some(said)))
        })
    }

    fn after_call<'a>(
        &'a self,
        call: HookCall<'a>,
        _: &'a ToolResult,
    ) -> HookFuture<'a, Option<ToolOutput>> {
        Box::pin(async move {
            let Some((key, word)) = self.word(call, 75).await else {
                return Ok(None);
            };
            self.write(key, "after", word, |record| &mut record.after);
            match word {
                Word::Fail => fail(self.tosses()),
                Word::Replace => Ok(Some(ToolOutput::text(format!("hooked {key}")))),
                _ => Ok(None),
            }
        })
    }

    fn before_request<'a>(&'a self, _: &'a mut Request) -> HookFuture<'a, ()> {
        Box::pin(self.fails())
    }

    fn after_reply<'a>(&'a self, _: &'a Reply) -> HookFuture<'a, ()> {
        Box::pin(self.fails())
    }
}
