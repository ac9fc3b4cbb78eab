//! What eager calls must not do, and what they save.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Api, CapPolicy, Content, ErrorKind, Event, Outcome, RawJson, Runner, StopReason, StreamExt,
    Toolkit,
};
use haft_tests::lines::{history, request};
use haft_tests::log::Log;
use haft_tests::over;
use haft_tests::told::{self, Told};
use tokio::time::Instant;

const MS_300: Duration = Duration::from_millis(300);

/// Tools that take 300 ms each.
fn slow(log: &Log, names: &[&str]) -> Toolkit {
    names.iter().fold(Toolkit::new(), |kit, name| {
        kit.with(log.tool(name, MS_300).unwrap()).unwrap()
    })
}

/// Runs as a stream to its end; how long it takes.
async fn time(runner: &mut Runner) -> u128 {
    let begun = Instant::now();
    let mut events = runner.all_streaming();
    while events.next().await.transpose().unwrap().is_some() {}
    begun.elapsed().as_millis()
}

/// Runs as a stream to its end, which is an error.
async fn failure(runner: &mut Runner) -> ErrorKind {
    let events: Vec<_> = runner.all_streaming().collect().await;
    let last = events.into_iter().next_back().unwrap();
    last.unwrap_err().kind()
}

#[tokio::test(start_paused = true)]
async fn the_last_call_of_a_reply_does_not_wait_for_the_others() {
    // a arrives at 0, b at 300, c at 600, and nothing behind it: the reply has ended then.
    let reply = || {
        let first = ScriptedReply::new().call("a", json!({})).wait(MS_300);
        first.call("b", json!({})).wait(MS_300).call("c", json!({}))
    };
    for (eager, expected) in [(true, 900), (false, 900)] {
        let log = Log::new();
        let model = ScriptedModel::new().reply(reply()).text("Done.");
        let kit = slow(&log, &["a", "b", "c"]);
        let mut runner = Runner::new(over::model(model), kit, request()).eager(eager);
        assert_eq!(time(&mut runner).await, expected, "eager: {eager}");
        if eager {
            let started: Vec<_> = log
                .timed()
                .into_iter()
                .filter(|it| it.contains('+'))
                .collect();
            assert_eq!(started, ["300 +a", "600 +b", "600 +c"]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn where_the_calls_take_longer_than_the_reply_eager_is_never_later() {
    let reply = || {
        ScriptedReply::new()
            .call("a", json!({}))
            .call("b", json!({}))
            .wait(MS_300)
    };
    let mut times = Vec::new();
    for eager in [true, false] {
        let log = Log::new();
        let model = ScriptedModel::new().reply(reply()).text("Done.");
        let mut runner =
            Runner::new(over::model(model), slow(&log, &["a", "b"]), request()).eager(eager);
        times.push(time(&mut runner).await);
    }
    assert_eq!(
        times,
        [600, 600],
        "the second call has to wait for the end of the reply"
    );
}

#[tokio::test]
async fn in_the_last_turn_no_call_is_eager() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let call = || ScriptedReply::new().call("a", json!({})).text("And");
    let model = ScriptedModel::new().reply(call()).reply(call());
    let mut runner = Runner::new(over::model(model), kit, request())
        .eager(true)
        .max_iterations(1)
        .cap_policy(CapPolicy::FinalTurn);
    time(&mut runner).await;
    assert_eq!(log.count("+a"), 1, "that of the first reply");
    let Some(Outcome::Capped { pending }) = runner.outcome() else {
        panic!("{:?}", runner.outcome());
    };
    assert_eq!(pending.len(), 1);
}

/// At OpenAI's APIs the second call gets another id, so that both can be answered.
#[tokio::test]
async fn ids_that_are_twice_are_told_before_the_second_runs() {
    for eager in [true, false] {
        let log = Log::new();
        let kit = log.toolkit(&["a"]).unwrap();
        let content = vec![
            told::call("1", "a"),
            told::call("1", "a"),
            Content::text("And"),
        ];
        let end = told::reply(vec![Content::text("Done.")], StopReason::EndTurn);
        let model = Told::new([told::reply(content, StopReason::ToolUse), end]);
        let model = over::not_over(
            &[Api::OPENAI_CHAT],
            model,
            "there, the second has another id",
        );
        let mut runner = Runner::new(model, kit, request()).eager(eager);
        if over::api() == Some(Api::OPENAI_RESPONSES) {
            time(&mut runner).await;
            assert_eq!(log.count("+a"), 2, "eager: {eager}");
            assert_eq!(history(&runner.messages()).len(), 4);
            continue;
        }
        assert_eq!(failure(&mut runner).await, ErrorKind::Protocol);
        assert_eq!(log.count("+a"), usize::from(eager), "eager: {eager}");
        // What has run is answered, and the run can go on.
        let lines = history(&runner.messages());
        assert_eq!(lines.len(), if eager { 3 } else { 1 }, "{lines:?}");
    }
}

#[tokio::test]
async fn a_call_that_the_reply_does_not_have_in_its_place_is_an_error() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let content = vec![told::call("1", "a"), Content::text("And")];
    let mut events = told::reply(content, StopReason::ToolUse);
    events.pop();
    let other = vec![Content::text("And"), told::call("1", "a")];
    events.push(told::whole(other, StopReason::ToolUse));
    // Their streams end without the blocks.
    let apis = [Api::ANTHROPIC_MESSAGES, Api::OPENAI_CHAT];
    let model = over::not_over(&apis, Told::new([events]), "the blocks are told once");
    let mut runner = Runner::new(model, kit, request()).eager(true);
    assert_eq!(failure(&mut runner).await, ErrorKind::Protocol);
    let lines = history(&runner.messages());
    assert_eq!(
        lines[2], "user: 1 = a done",
        "it has run once, and is answered: {lines:?}"
    );
}

#[tokio::test]
async fn another_provider_does_not_own_what_had_arrived() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let reply = ScriptedReply::new()
        .call("a", json!({}))
        .text("And on")
        .wait(Duration::from_secs(60));
    let first = ScriptedModel::new().reply(reply);
    let mut runner = Runner::new(over::model(first), kit, request()).eager(true);
    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        if matches!(event, Ok(Event::ToolFinished(_))) {
            break;
        }
    }
    drop(events);
    let second = ScriptedModel::new().text("Done.");
    runner.set_provider(over::model(second.clone()));
    runner.run_to_completion().await.unwrap();
    assert_eq!(log.count("+a"), 1);
    assert_eq!(
        history(&second.requests()[0].messages)[2],
        "user: call_1_1 = a done"
    );
}

#[tokio::test]
async fn a_call_of_the_servers_at_the_end_of_a_cut_reply_does_not_go_back() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let json =
        RawJson::parse(r#"{"type":"server_tool_use","id":"s1","name":"web_search"}"#).unwrap();
    let reply = ScriptedReply::new()
        .call("a", json!({}))
        .content(Content::other(Api::TESTING, json))
        .breaks();
    let model = ScriptedModel::new().reply(reply).text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), kit, request()).eager(true);
    runner.all_streaming().collect::<Vec<_>>().await;
    runner.append_messages([haft::Message::user("Go on")]);
    runner.run_to_completion().await.unwrap();
    let asked = model.requests();
    assert_eq!(asked[1].messages[1].content().len(), 1, "only the call");
}
