//! What the server sends for what was drawn: a body, a stream, or what comes of a server that fails.

use std::collections::VecDeque;

use haft::StreamEvent;
use haft::serde_json::Value;
use haft_tests::server::ServerReply;

use super::writer::Writer;
use crate::replies::Step;
use crate::world::World;

/// The answer to the request that was written down last.
pub(super) fn answer(
    world: &mut World,
    writer: Box<dyn Writer>,
    steps: VecDeque<Step>,
) -> ServerReply {
    let is_whole = matches!(steps.back(), Some(Step::Tell(StreamEvent::Reply(_))));
    let is_event =
        |step: &Step| matches!(step, Step::Tell(event) if !matches!(event, StreamEvent::Reply(_)));
    let has_events = steps.iter().any(is_event);
    let is_streamed = world.attempts.last().is_some_and(|it| it.is_streamed);
    match is_whole {
        // Some servers do not stream, though they are asked to.
        true if !is_streamed || !has_events => ServerReply::json(200, &body(world, &*writer)),
        false if !is_streamed || (!has_events && world.random.bool()) => failure(world, &*writer),
        _ => stream(world, writer, steps),
    }
}

/// What was drawn last, as a reply that comes whole.
pub(super) fn body(world: &World, writer: &dyn Writer) -> Value {
    let attempt = world.attempts.last();
    let drawn = attempt.and_then(|it| it.drawn.as_ref().zip(it.takes.last()));
    drawn.map_or(Value::Null, |(reply, take)| {
        writer.body(&take.blocks, reply)
    })
}

/// A server that has no reply.
fn failure(world: &mut World, writer: &dyn Writer) -> ServerReply {
    match world.random.u8(..6) {
        0 => ServerReply::json(500, &writer.error()),
        1 => ServerReply::json(429, &writer.error()),
        2 => ServerReply::json(400, &writer.error()),
        3 => ServerReply::raw(200, "text/html", "<p>Sorry!</p>"),
        4 => ServerReply::hang_up(),
        _ => ServerReply::cut("{\"id\": \"1"),
    }
}

/// A stream as far as the script has it. A wait lets go what came before it.
fn stream(world: &mut World, mut writer: Box<dyn Writer>, steps: VecDeque<Step>) -> ServerReply {
    let mut pieces = vec![String::new()];
    let (mut is_whole, mut fails) = (false, false);
    for step in steps {
        let piece = pieces.last_mut().unwrap();
        match step {
            Step::Wait => {
                if world.happens(20) {
                    piece.push_str(writer.pulse());
                }
                pieces.push(String::new());
            }
            Step::Tell(event) => {
                is_whole |= matches!(event, StreamEvent::Reply(_));
                writer.write(&event, piece);
            }
            Step::Fail => fails = true,
        }
    }
    let has_cut = is_whole && !world.is_finale && world.happens(5);
    if has_cut {
        cut(world, &mut pieces);
        let attempt = world.attempts.last_mut().unwrap();
        attempt.is_cut = true;
    }
    // Without an end: the server says that it fails, breaks off, or has nothing more to say.
    let is_broken = match (fails, has_cut) {
        (true, _) if world.random.bool() => {
            pieces.extend([writer.error_frame()]);
            false
        }
        (fails, has_cut) => fails || (has_cut && world.random.bool()),
    };
    let pieces = pieces.into_iter().map(String::into_bytes);
    let reply = ServerReply::sse_in(pieces).paced();
    if is_broken { reply.broken() } else { reply }
}

/// Leaves out the end, from any byte on.
fn cut(world: &mut World, pieces: &mut [String]) {
    let length: usize = pieces.iter().map(String::len).sum();
    let mut left = world.random.usize(..=length);
    world.note(|| format!("  the answer is cut after {left} of {length} bytes"));
    for piece in pieces {
        piece.truncate(left);
        left -= piece.len();
    }
}
