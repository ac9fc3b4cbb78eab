//! Draws how the program goes on, and its settings.

use haft::{CancellationToken, CapPolicy};

use crate::drive::{DRIVES, Drive};
use crate::world::World;

/// How the program goes on, and how far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) drive: Drive,
    /// After so many polls, what runs is dropped.
    pub(crate) polls: Option<usize>,
    /// After so many events or replies, the stream is.
    pub(crate) most: usize,
    /// Before this poll, the token is cancelled.
    pub(crate) cancel_at: Option<usize>,
}

impl World {
    pub(crate) fn draw_drive(&mut self, may_leave: bool) -> Leg {
        let drive = DRIVES[self.random.usize(..DRIVES.len())];
        let mut leg = Leg {
            drive,
            polls: None,
            most: usize::MAX,
            cancel_at: None,
        };
        if may_leave && self.happens(40) {
            let most = [3, 10, 40][self.random.usize(..3)];
            leg.polls = Some(self.random.usize(..most));
        }
        if may_leave && self.happens(25) {
            let most = [3, 10, 40][self.random.usize(..3)];
            leg.most = self.random.usize(1..=most);
        }
        if may_leave && self.happens(8) {
            leg.cancel_at = Some(self.random.usize(..20));
        }
        leg
    }

    pub(crate) fn draw_settings(&mut self) {
        let policies = [
            CapPolicy::Stop,
            CapPolicy::AnswerPending,
            CapPolicy::FinalTurn,
        ];
        self.set.is_eager = self.random.bool();
        self.set.cap = 0;
        if self.happens(30) {
            self.set.cap = self.counted() + self.random.usize(..4);
            self.set.policy = policies[self.random.usize(..3)];
        }
        self.set.max_running = self.random.usize(..3);
        if self.mood.loops {
            // Also a reply that was cut may have calls that failed.
            self.set.repeats_are_new = !self.attempts.is_empty();
            self.set.most_repeats = self.random.usize(..4);
        }
        if self.token_is_cancelled() || self.happens(10) {
            self.set.token = Some(CancellationToken::new());
        }
    }
}
