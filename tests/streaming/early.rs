//! Calls that start while their reply arrives.

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{CallContext, Event, Outcome, Runner, StreamExt, Toolkit, tool, toolkit};
use haft_tests::lines::{history, request};
use haft_tests::log::Log;
use haft_tests::over;
use tokio::time::{Instant, timeout};

use crate::{MS_100, MS_300, heard};

/// How long a run takes, as a stream.
async fn run_time(runner: &mut Runner) -> u128 {
    let begun = Instant::now();
    heard(runner.all_streaming()).await;
    begun.elapsed().as_millis()
}

/// Three calls that arrive 300 ms apart, and words for as long.
fn spaced() -> ScriptedModel {
    let reply = ["a", "b", "c"]
        .iter()
        .fold(ScriptedReply::new(), |reply, name| {
            reply.call(*name, json!({})).wait(MS_300)
        });
    ScriptedModel::new()
        .reply(reply.text("And").wait(MS_300))
        .text("Done.")
}

/// Three tools that take 300 ms each.
fn three(log: &Log) -> Toolkit {
    ["a", "b", "c"].iter().fold(Toolkit::new(), |kit, name| {
        kit.with(log.tool(name, MS_300).unwrap()).unwrap()
    })
}

#[tokio::test(start_paused = true)]
async fn eager_calls_run_while_the_reply_arrives() {
    // a arrives at 0, b at 300, c at 600, the words at 900; the reply has ended at 1200.
    let log = Log::new();
    let mut runner = Runner::new(over::model(spaced()), three(&log), request()).eager(true);
    assert_eq!(run_time(&mut runner).await, 1200);
    let expected = ["300 +a", "600 -a", "600 +b", "900 -b", "900 +c", "1200 -c"];
    let mut timed = log.timed();
    // What happens in the same moment has no order.
    timed.sort();
    let mut expected = expected.map(str::to_owned);
    expected.sort();
    assert_eq!(timed, expected);

    let log = Log::new();
    let mut runner = Runner::new(over::model(spaced()), three(&log), request());
    assert_eq!(run_time(&mut runner).await, 1500);
    assert_eq!(&log.timed()[..3], ["1200 +a", "1200 +b", "1200 +c"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_stream_no_call_is_eager() {
    let log = Log::new();
    let mut runner = Runner::new(over::model(spaced()), three(&log), request()).eager(true);
    runner.run_to_completion().await.unwrap();
    assert_eq!(&log.timed()[..3], ["1200 +a", "1200 +b", "1200 +c"]);
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_than_allowed_are_eager() {
    let arrive = ScriptedReply::new()
        .call("a", json!({}))
        .call("b", json!({}))
        .call("c", json!({}))
        .text("And")
        .wait(MS_300 * 2);
    let log = Log::new();
    let model = ScriptedModel::new().reply(arrive).text("Done.");
    let mut runner = Runner::new(over::model(model), three(&log), request())
        .eager(true)
        .max_concurrent_tools(1);
    // The third starts when the reply has ended, which the second took all the time of.
    assert_eq!(run_time(&mut runner).await, 900);
    let expected = ["0 +a", "300 -a", "300 +b", "600 -b", "600 +c", "900 -c"];
    assert_eq!(log.timed(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_call_does_not_start_early_where_it_may_not() {
    let arrive = |names: &[&str]| {
        let reply = names.iter().fold(ScriptedReply::new(), |reply, name| {
            reply.call(*name, json!({}))
        });
        ScriptedModel::new().reply(reply.wait(MS_300)).text("Done.")
    };
    let starts = async |names: &[&str]| {
        let log = Log::new();
        let at_once = |name| log.tool(name, Duration::ZERO).unwrap();
        let kit = [
            at_once("a"),
            at_once("b"),
            at_once("alone").with(|definition| definition.exclusive(true)),
            at_once("ask").with(|definition| definition.approval(true)),
        ];
        let kit = kit
            .into_iter()
            .fold(Toolkit::new(), |kit, tool| kit.with(tool).unwrap());
        let mut runner = Runner::new(over::model(arrive(names)), kit, request()).eager(true);
        heard(runner.all_streaming()).await;
        let lines = log.timed().into_iter();
        lines.filter(|line| line.contains('+')).collect::<Vec<_>>()
    };
    // The last block: the model has not moved on from it.
    assert_eq!(starts(&["a", "b"]).await, ["0 +a", "300 +b"]);
    // One that runs alone, and what stands behind it.
    assert_eq!(
        starts(&["alone", "a", "b"]).await,
        ["300 +alone", "300 +a", "300 +b"]
    );
    assert_eq!(
        starts(&["a", "alone", "b"]).await,
        ["0 +a", "300 +alone", "300 +b"]
    );
    // One that needs approval, but not what stands behind it.
    assert_eq!(starts(&["ask", "a", "b"]).await, ["0 +a", "300 +b"]);
    // One that there is no tool of.
    assert_eq!(starts(&["nothing", "a", "b"]).await, ["0 +a", "300 +b"]);
}

#[tokio::test(start_paused = true)]
async fn no_call_starts_early_where_another_model_has_taken_over() {
    let log = Log::new();
    let kit = log.toolkit(&["a", "b"]).unwrap();
    let reply = ScriptedReply::new()
        .text("I")
        .set_aside()
        .call("a", json!({}))
        .call("b", json!({}))
        .wait(MS_300);
    let model = ScriptedModel::new().reply(reply).text("Done.");
    let mut runner = Runner::new(over::model(model), kit, request()).eager(true);
    heard(runner.all_streaming()).await;
    assert_eq!(log.timed(), ["300 +a", "300 -a", "300 +b", "300 -b"]);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_call_is_told_although_its_reply_was_set_aside() {
    let log = Log::new();
    let reply = ScriptedReply::new()
        .call("a", json!({}))
        .text("And")
        .set_aside()
        .text("No.");
    let model = ScriptedModel::new().reply(reply);
    let mut runner =
        Runner::new(over::model(model), log.toolkit(&["a"]).unwrap(), request()).eager(true);
    let events: Vec<_> = runner.all_streaming().map(Result::unwrap).collect().await;
    let ends = |event: &&Event| matches!(event, Event::ToolStarted(_) | Event::ToolFinished(_));
    assert_eq!(events.iter().filter(ends).count(), 2, "{events:?}");
    let Some(Event::End(end)) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(end.abandoned.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_eager_call_knows_its_turn() {
    /// Tells its turn.
    #[tool]
    async fn turn(call: &CallContext) -> usize {
        call.turn()
    }
    let reply = || ScriptedReply::new().call("turn", json!({})).text("And");
    for eager in [true, false] {
        let model = ScriptedModel::new()
            .reply(reply())
            .reply(reply())
            .text("Done.");
        let mut runner = Runner::new(over::model(model), toolkit![turn], request()).eager(eager);
        heard(runner.all_streaming()).await;
        let lines = history(&runner.messages());
        assert_eq!(
            [&lines[2], &lines[4]],
            ["user: call_1_1 = 1", "user: call_2_1 = 2"]
        );
    }
}

/// Tells its turn, and does not end the first time.
#[tool(idempotent)]
async fn turn_at_last(call: &CallContext, log: &Log) -> usize {
    log.write(format!("{} in {}", call.call_id(), call.turn()));
    if log.lines().len() == 1 {
        std::future::pending::<()>().await;
    }
    call.turn()
}

// Turn and id together are a key of the call, for tools that must know it again.
#[tokio::test(start_paused = true)]
async fn a_call_of_a_cut_reply_has_its_turn_to_itself() {
    let log = Log::new();
    let reply = || {
        let call = ScriptedReply::new().call("turn_at_last", json!({}));
        call.text("And")
    };
    let model = ScriptedModel::new()
        .reply(reply().breaks())
        .reply(reply())
        .text("Done.");
    let kit: Toolkit = toolkit![turn_at_last].with_state(log.clone());
    let mut runner = Runner::new(over::model(model), kit, request()).eager(true);
    timeout(MS_100, heard(runner.all_streaming()))
        .await
        .unwrap_err();
    heard(runner.all_streaming()).await;
    let expected = ["call_1_1 in 1", "call_1_1 in 1", "call_2_1 in 2"];
    assert_eq!(log.lines(), expected);
    assert_eq!(
        (runner.iteration_count(), runner.outcome()),
        (2, Some(Outcome::Completed))
    );
}

#[tokio::test(start_paused = true)]
async fn a_turn_of_a_stream_ends_when_its_eager_calls_have() {
    let log = Log::new();
    let reply = ScriptedReply::new().call("a", json!({})).text("And");
    let model = ScriptedModel::new().reply(reply).text("Done.");
    let mut runner = Runner::new(over::model(model), three(&log), request()).eager(true);
    let turn = runner.next_streaming().await.unwrap().unwrap();
    let events = heard(turn).await;
    let expected = [
        "call call_1_1 a",
        "input call_1_1 {}",
        "started call_1_1 {}",
        "text \"And\"",
        "reply \"And\"",
        "finished call_1_1 a done",
    ];
    assert_eq!(events, expected);
    assert_eq!(log.timed(), ["0 +a", "300 -a"]);
}
