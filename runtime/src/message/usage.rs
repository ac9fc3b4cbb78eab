//! [`Usage`]: the tokens that a reply, or a run, took.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::json::{RawJson, present};

/// Tokens, counted alike for every provider. What a provider does not tell is 0.
///
/// It is serde data, for keeping and adding up what runs took, with the names of its fields.
///
/// ```
/// use haft::Usage;
///
/// let mut reply = Usage::default();
/// reply.input = 120;
/// reply.output = 30;
/// assert_eq!((reply.clone() + reply).output, 60);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// All tokens that went in, those of the cache included.
    pub input: u64,
    /// Of the input, those that were read from the cache.
    pub cache_read: u64,
    /// Of the input, those that were written to the cache.
    pub cache_write: u64,
    /// All tokens that came out.
    pub output: u64,
    /// Of the output, those of the model's reasoning.
    pub reasoning: u64,
    /// The provider's own account of one reply; `None` in a sum.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawJson>,
}

impl Add for Usage {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.output = self.output.saturating_add(other.output);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.raw = None;
    }
}
