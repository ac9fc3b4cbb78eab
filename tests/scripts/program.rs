//! The program of a script: what it does with its runner, at random.

use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use haft::serde_json;
use haft::{CancellationToken, Message, Outcome, RunState, Runner};

use crate::cast::request;
use crate::drive::{Heard, go};
use crate::executor::run;
use crate::http::Line;
use crate::meddler::Meddler;
use crate::model::Model;
use crate::tools::toolkit;
use crate::world::{Shared, World};

/// How long a model that is reached over HTTP may say nothing: longer than a busy machine takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A runner, and what is known of it.
pub(crate) struct Program {
    pub(crate) shared: Shared,
    pub(crate) runner: Runner,
    model: Model,
}

/// Plays a script to its end; it stops at the first fault.
pub(crate) fn play(shared: &Shared, line: Option<Arc<Line>>) {
    let model = Model {
        shared: shared.clone(),
        speech: shared.world().speech,
        line,
    };
    let mut program = Program {
        shared: shared.clone(),
        runner: Runner::new(model.clone(), toolkit(shared), request()),
        model,
    };
    shared.world().draw_settings();
    program.dress();
    let actions = shared.world().random.usize(1..25);
    for _ in 0..actions {
        program.act();
        program.look();
        if program.has_fault() {
            return;
        }
    }
    program.finish();
}

impl Program {
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.shared.world()
    }

    pub(crate) fn note(&self, line: impl FnOnce() -> String) {
        self.world().note(line);
    }

    /// Gives the runner what is not of its state.
    fn dress(&mut self) {
        if self.world().mood.has_hook {
            self.runner.add_hook(Meddler(self.shared.clone()));
        }
        self.set();
    }

    fn set(&mut self) {
        let set = self.world().set.clone();
        self.note(|| format!("settings: {set:?}"));
        self.runner.set_max_iterations(set.cap);
        self.runner.set_cap_policy(set.policy);
        self.runner.set_max_concurrent_tools(set.max_running);
        self.runner.set_eager(set.is_eager);
        self.runner.set_stop_after_repeats(set.most_repeats);
        if let Some(token) = set.token {
            self.runner.set_cancellation(token);
        }
    }

    fn change_settings(&mut self) {
        self.world().draw_settings();
        self.set();
    }

    fn act(&mut self) {
        let choice = self.world().random.u8(..100);
        match choice {
            0..55 => self.drive(true),
            55..62 => self.say(),
            62..74 => self.decide(),
            74..80 => self.change_settings(),
            80..83 => self.world().cancel(),
            83..86 => self.remove_last_reply(),
            86..88 => self.put_back(),
            88..90 => self.push(),
            90..94 => self.answer(),
            _ => self.revive(),
        }
    }

    /// What has to hold between two actions.
    fn look(&self) {
        let messages = self.runner.messages();
        let mut world = self.shared.world();
        world.judge_shown(&messages);
        world.judge_outcome(&self.runner);
        world.judge_numbers(&self.runner);
    }

    fn has_fault(&self) -> bool {
        self.world().fault.is_some()
    }

    fn drive(&mut self, may_leave: bool) {
        let plan = self.world().draw_drive(may_leave);
        self.note(|| format!("{plan:?}"));
        let before = self.world().so_far();
        self.world().may_leave = plan.polls.is_some() || plan.most < usize::MAX;
        let mut heard = Heard::default();
        let going = go(&mut self.runner, plan.drive, plan.most, &mut heard);
        let patience = self
            .model
            .line
            .as_ref()
            .map_or(Duration::ZERO, |_| PATIENCE);
        let ended = run(going, plan.polls, patience, |poll| {
            if plan.cancel_at == Some(poll) {
                self.shared.world().cancel();
            }
        });
        let shown = self.runner.messages();
        let mut world = self.shared.world();
        match ended {
            Ok(ended) => heard.has_left |= ended.is_none(),
            Err(hangs) => world.fault(hangs),
        }
        world.judge_heard(plan.drive, &heard, before);
        world.judge_leg(plan.drive, &heard, &self.runner, &shown);
    }

    fn say(&mut self) {
        let times = self.world().random.usize(1..3);
        for _ in 0..times {
            let number = self.world().said.len();
            self.note(|| format!("say {number}"));
            self.world().said.push((number, false));
            let message = Message::user(format!("said {number}"));
            self.runner.append_messages([message]);
        }
    }

    /// Goes on until the run has come to its natural end.
    fn finish(&mut self) {
        {
            let mut world = self.world();
            world.note(|| "finale".to_owned());
            world.is_finale = true;
            world.set.cap = 0;
            world.set.token = Some(CancellationToken::new());
        }
        self.set();
        for turn in 0..60 {
            self.drive(false);
            self.look();
            if self.has_fault() {
                return;
            }
            match self.runner.outcome() {
                Some(Outcome::Completed) => return,
                Some(Outcome::AwaitingApproval { .. }) => self.decide(),
                Some(Outcome::Refused { .. } | Outcome::Unknown { .. }) if turn > 5 => self.say(),
                _ => {}
            }
        }
        let outcome = self.runner.outcome();
        self.world()
            .fault(format!("it comes to no end: {outcome:?}"));
    }

    /// Ends the process, so to say, and goes on from what was saved.
    fn revive(&mut self) {
        self.note(|| "save and resume".to_owned());
        let saved = serde_json::to_string(&self.runner.state()).unwrap();
        let state: RunState = serde_json::from_str(&saved).unwrap();
        let kit = toolkit(&self.shared);
        let revived = Runner::resume(self.model.clone(), kit, state).unwrap();
        let killed = std::mem::replace(&mut self.runner, revived);
        self.dress();
        let again = serde_json::to_string(&self.runner.state()).unwrap();
        let mut world = self.shared.world();
        if again != saved {
            world.fault(format!("saved as {saved}, then as {again}"));
        }
        if killed.messages() != self.runner.messages() {
            world.fault("another history is shown after resuming");
        }
    }
}
