//! The tools of the scripts, which write down when they start and end.

use std::panic::resume_unwind;

use haft::serde_json::{self, Value};
use haft::{
    Call, CallContext, Content, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput, Toolkit,
};

use crate::cast::{CAST, Owner, PICKY, Part};
use crate::executor::wait;
use crate::key::Key;
use crate::world::{Ending, Plan, Shared};

/// A tool that does what the script has planned for each call.
struct Planned {
    part: Part,
    definition: ToolDefinition,
    shared: Shared,
}

pub(crate) fn toolkit(shared: &Shared) -> Toolkit {
    let of_toolkit = CAST.iter().filter(|part| part.is_of == Owner::Toolkit);
    let planned = of_toolkit.map(|part| Planned {
        part: *part,
        definition: part.definition(),
        shared: shared.clone(),
    });
    let picky = Picky(
        Part {
            name: PICKY,
            ..CAST[0]
        }
        .make(),
    );
    planned.fold(Toolkit::new().with(picky).unwrap(), |kit, tool| {
        kit.with(tool).unwrap()
    })
}

/// A tool that fails, always in the same words.
struct Picky(ToolDefinition);

impl Tool for Picky {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: Call<'a>) -> ToolFuture<'a> {
        Box::pin(async { Err(ToolError::new("picky")) })
    }
}

impl Tool for Planned {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a>) -> ToolFuture<'a> {
        let input: Value = serde_json::from_str(call.input()).unwrap_or_default();
        let Some(key) = input["key"].as_str().and_then(Key::find) else {
            let told = format!("bad input {}", call.input());
            return Box::pin(async { Err(ToolError::new(told)) });
        };
        let run = Run::begin(&self.shared, key, self.part, call.context());
        let plan = run.plan;
        if plan.ending == Ending::PanickedAtOnce {
            run.end(plan.ending);
            resume_unwind(Box::new(format!("boom {key}")));
        }
        Box::pin(work(run, call.context(), self.part.name))
    }
}

async fn work(run: Run, context: &CallContext, name: &str) -> Result<ToolOutput, ToolError> {
    let (key, plan) = (run.key, run.plan);
    for done in 0..plan.waits {
        if plan.has_progress {
            context.progress(format!("{done} of {key}"));
        }
        wait(1).await;
        if plan.is_watchful && context.is_cancelled() {
            run.end(Ending::Stopped);
            return Err(ToolError::new(format!("stopped {key}")));
        }
    }
    run.end(plan.ending);
    match plan.ending {
        Ending::Nothing => Ok(ToolOutput::default()),
        Ending::Failed => Err(ToolError::new(format!("failed {key}"))),
        // Without the noise of a panic that nobody expects.
        Ending::Panicked => resume_unwind(Box::new(format!("boom {key}"))),
        Ending::Complained => {
            Ok(ToolOutput::new([Content::text(plan.ending.text(key, name).0)]).as_error())
        }
        _ => Ok(ToolOutput::text(format!("done {key}"))),
    }
}

/// A run of a tool, from its start until it ends or is dropped.
struct Run {
    shared: Shared,
    key: Key,
    plan: Plan,
    at: usize,
}

impl Run {
    fn begin(shared: &Shared, key: Key, part: Part, context: &CallContext) -> Self {
        let mut world = shared.world();
        world.note(|| format!("  {key} starts"));
        world.judge_start(key, part, context.call_id(), context.turn());
        world.running.push(key);
        let record = world.calls.get_mut(&key).unwrap();
        record.turn = Some(context.turn());
        record.runs.push(None);
        Self {
            shared: shared.clone(),
            key,
            plan: record.plan,
            at: record.runs.len() - 1,
        }
    }

    /// The result exists from here on.
    fn end(&self, ending: Ending) {
        let mut world = self.shared.world();
        world.note(|| format!("  {} ends", self.key));
        world.calls.get_mut(&self.key).unwrap().runs[self.at] = Some(ending);
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let mut world = self.shared.world();
        world.running.retain(|key| *key != self.key);
        if world.calls[&self.key].runs[self.at].is_some() {
            return;
        }
        world.note(|| format!("  {} is dropped", self.key));
        if !world.may_leave && !world.token_is_cancelled() {
            world.fault(format!("{} is dropped, and nobody has left", self.key));
        }
    }
}
