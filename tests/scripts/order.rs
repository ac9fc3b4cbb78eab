//! In which order what a provider does comes, and how slowly.

use std::collections::VecDeque;

use haft::StreamEvent;

use crate::replies::Step;
use crate::world::World;

/// Between any two things, it may take its time.
pub(crate) fn with_waits(world: &mut World, steps: Vec<Step>) -> VecDeque<Step> {
    let percent = [0, 20, 60][world.random.usize(..3)];
    let mut slow = VecDeque::new();
    for step in steps {
        while world.happens(percent) {
            slow.push_back(Step::Wait);
        }
        slow.push_back(step);
    }
    slow
}

/// Some blocks end only after later ones have begun.
pub(crate) fn delay_stops(world: &mut World, steps: &mut [Step]) {
    if !world.happens(20) {
        return;
    }
    for at in (1..steps.len()).rev() {
        let is_stop = matches!(&steps[at - 1], Step::Tell(StreamEvent::BlockStop(_)));
        let mut to = at - 1;
        while is_stop
            && to + 1 < steps.len()
            && !matches!(&steps[to + 1], Step::Tell(StreamEvent::SetAside))
            && world.random.bool()
        {
            steps.swap(to, to + 1);
            to += 1;
        }
    }
}

/// Parts of several blocks come in turn, where an API says which block a part is of. Blocks begin in their order all the
/// same, and so come the texts: a program that shows them is not told which is which.
pub(crate) fn interleave(world: &mut World, steps: &mut [Step]) {
    if !world.speech.interleaves || !world.happens(20) {
        return;
    }
    for _ in 0..3 {
        for at in 1..steps.len() {
            let pair = place(&steps[at - 1]).zip(place(&steps[at]));
            let may_swap = pair.is_some_and(|((first, one), (second, other))| {
                first != second && (one != other || one == Order::Free)
            });
            if may_swap && world.random.bool() {
                steps.swap(at - 1, at);
            }
        }
    }
}

/// What stays in order among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Begin,
    Text,
    Free,
}

/// Which block a step is of, and what it has to stay behind.
const fn place(step: &Step) -> Option<(usize, Order)> {
    let Step::Tell(event) = step else {
        return None;
    };
    Some(match event {
        StreamEvent::BlockStart { index, .. } => (*index, Order::Begin),
        StreamEvent::TextDelta { index, .. } => (*index, Order::Text),
        StreamEvent::InputDelta { index, .. } => (*index, Order::Free),
        StreamEvent::BlockStop(block) => (block.index(), Order::Free),
        _ => return None,
    })
}
