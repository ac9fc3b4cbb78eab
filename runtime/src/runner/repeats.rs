//! [`Repeats`]: whether a model makes the same failing call again and again.

use serde::{Deserialize, Serialize};

use crate::message::{ToolCall, ToolResult};

/// The calls that failed in the last turn, and in how many turns in a row each has failed so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Repeats(Vec<Failure>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Failure {
    name: String,
    input: String,
    text: String,
    times: usize,
}

/// A member of a toolset is another one than its neighbours.
fn name_of(call: &ToolCall) -> String {
    match call.toolset() {
        Some(_) => format!("{}.{}", call.name(), call.wire_name()),
        None => call.name().to_owned(),
    }
}

impl Repeats {
    /// Takes the results of a turn in. The first of its calls that has failed `most` times, if any.
    pub(super) fn count<'a>(
        &mut self,
        results: impl Iterator<Item = (&'a ToolCall, &'a ToolResult)>,
        most: usize,
    ) -> Option<ToolCall> {
        let before = std::mem::take(&mut self.0);
        let mut looping = None;
        for (call, result) in results.filter(|(_, result)| result.is_error()) {
            let (input, text) = (call.input().as_str().to_owned(), result.text());
            let is_same = |failure: &&Failure| {
                failure.name == name_of(call) && failure.input == input && failure.text == text
            };
            let times = before
                .iter()
                .find(is_same)
                .map_or(0, |failure| failure.times)
                + 1;
            if times >= most && looping.is_none() {
                looping = Some(call.clone());
            }
            if !self.0.iter().any(|failure| is_same(&failure)) {
                let name = name_of(call);
                self.0.push(Failure {
                    name,
                    input,
                    text,
                    times,
                });
            }
        }
        looping
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
