//! How do I look at each reply before its calls run, and stop half way?
//!
//! `cargo run --bin turn_by_turn`

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Content, Error, Event, Reply, Request, Runner, StreamExt, TurnStream, tool, toolkit};

/// Count the words of a book.
#[tool(read_only)]
async fn count_words(title: String) -> usize {
    if title == "Emma" { 160_993 } else { 206_052 }
}

/// Shows one turn: what the calls of the last reply come to, and then the next reply. `None` where `is_enough` says so
/// of the text so far, or where the run ends without a reply.
async fn show(
    mut turn: TurnStream<'_>,
    is_enough: fn(&str) -> bool,
) -> Result<Option<Reply>, Error> {
    let (mut text, mut last) = (String::new(), None);
    while let Some(event) = turn.next().await {
        match event? {
            Event::Text(part) => {
                println!("  text: {part:?}");
                text.push_str(&part);
            }
            Event::ToolStarted(call) => println!("  {} runs with {}", call.name(), call.input()),
            Event::ToolFinished(result) => println!("  it gave {}", result.text()),
            Event::Reply(reply) => last = Some(reply),
            _ => {}
        }
        if is_enough(&text) {
            // Here the stream is dropped: the request stops, and this reply leaves no trace.
            return Ok(None);
        }
    }
    Ok(last)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let both = ScriptedReply::new()
        .text("Let me count.")
        .call("count_words", json!({"title": "Emma"}))
        .call("count_words", json!({"title": "Moby Dick"}));
    let model = ScriptedModel::new()
        .reply(both)
        .text("Well, that is a long story, and it begins so: ...")
        .text("Moby Dick is longer.");
    let request = Request::new("any").user("Which is longer, Emma or Moby Dick?");
    let mut runner = Runner::new(model, toolkit![count_words], request);

    let is_chatter = |text: &str| text.contains("long story");
    // (Not `while let`: that would keep the runner borrowed until the end of its block.)
    loop {
        let Some(turn) = runner.next_streaming().await? else {
            break;
        };
        println!("a turn:");
        match show(turn, is_chatter).await? {
            // The stream has ended, and the calls have not run: this is the place to look at them, to store
            // `runner.state()`, or to stop.
            Some(reply) => println!("  {} calls follow", reply.tool_calls().count()),
            None if runner.is_completed() => break,
            None => {
                println!("  dropped; it is asked again, for less");
                let brief = Content::text("Answer in one sentence.");
                runner.request_mut().system.push(brief);
            }
        }
    }
    println!(
        "{:?} after {} replies",
        runner.outcome(),
        runner.iteration_count()
    );
    Ok(())
}
