//! The same ends where calls had begun while the reply arrived.

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Api, Content, Decision, Event, Outcome, Runner, StopReason, StreamExt};
use haft_tests::lines::request;
use haft_tests::log::Log;
use haft_tests::over;

use crate::{Goes, Row, Way, begun, calls, new_token, says, toolkit};

#[tokio::test(start_paused = true)]
async fn a_truncated_reply_whose_calls_have_begun_is_kept_and_answered() {
    let row = Row {
        script: vec![
            begun("a")
                .call("ask", json!({}))
                .call("b", json!({}))
                .stop_reason(StopReason::MaxTokens),
        ],
        way: Way::Eager,
        outcome: "truncated [call_1_3]",
        history: EAGER_CUT,
        nothing_new: Goes::Asks(EAGER_CUT),
        appended: Goes::AsksMore(EAGER_CUT),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_CUT: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 ask {}",
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was not run: the reply was cut off",
];

#[tokio::test(start_paused = true)]
async fn a_call_that_has_begun_is_kept_though_the_reasoning_behind_it_is_cut() {
    let row = Row {
        script: vec![
            calls(&["a"])
                .thinking("And")
                .stop_reason(StopReason::MaxTokens),
        ],
        way: Way::Eager,
        outcome: "truncated []",
        history: &["assistant: call_1_1 a {}", "user: call_1_1 = a done"],
        nothing_new: Goes::Asks(&["assistant: call_1_1 a {}", "user: call_1_1 = a done"]),
        appended: Goes::AsksMore(&["assistant: call_1_1 a {}", "user: call_1_1 = a done"]),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn no_call_begins_early_where_the_cap_would_hold_it() {
    let row = || Row {
        script: vec![begun("a").call("b", json!({}))],
        way: Way::Eager,
        set: |runner| runner.max_iterations(1),
        outcome: "capped [call_1_1 call_1_2]",
        history: &[
            "assistant: call_1_1 a {} + And + call_1_2 b {}",
            "user: call_1_1 = Error: Tool 'a' was not run yet + call_1_2 = Error: Tool 'b' was not run yet",
        ],
        ran: &[],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(0),
        nothing_new: Goes::Asks(EAGER_ANSWERED),
        appended: Goes::AsksMore(EAGER_ANSWERED),
        ran: &["+a", "+b"],
        ..row()
    };
    raised.check().await;
}

const EAGER_ANSWERED: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = b done",
];

#[tokio::test(start_paused = true)]
async fn calls_that_have_begun_have_run_while_others_await_approval() {
    let row = Row {
        script: vec![begun("a").call("ask", json!({}))],
        way: Way::Eager,
        outcome: "awaiting [call_1_2]",
        history: &[
            "assistant: call_1_1 a {} + And + call_1_2 ask {}",
            "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was not run yet",
        ],
        then: |runner| runner.decide("call_1_2", Decision::Allow).unwrap(),
        nothing_new: Goes::Asks(EAGER_APPROVED),
        appended: Goes::AsksMore(EAGER_APPROVED),
        ran: &["+a", "+ask"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_APPROVED: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 ask {}",
    "user: call_1_1 = a done + call_1_2 = ask done",
];

#[tokio::test(start_paused = true)]
async fn a_refused_reply_tells_the_calls_that_have_begun() {
    let row = Row {
        script: vec![
            begun("a")
                .call("b", json!({}))
                .stop_reason(StopReason::Refusal),
        ],
        way: Way::Eager,
        outcome: "refused [call_1_1]",
        appended: Goes::AsksMore(&[]),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_breaks_after_calls_have_begun_is_kept_up_to_its_last_whole_block() {
    let row = Row {
        script: vec![begun("a").call("b", json!({})).breaks()],
        way: Way::Eager,
        outcome: "error",
        history: eager_broken(),
        nothing_new: Goes::Asks(eager_broken()),
        appended: Goes::AsksMore(eager_broken()),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

fn eager_broken() -> &'static [&'static str] {
    if over::api() == Some(Api::OPENAI_CHAT) {
        // Nobody knows that the second call is whole.
        return &["assistant: call_1_1 a {}", "user: call_1_1 = a done"];
    }
    &[
        "assistant: call_1_1 a {} + And + call_1_2 b {}",
        "user: call_1_1 = a done + call_1_2 = Error: Tool 'b' was not run: the reply was cut off",
    ]
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_breaks_before_a_call_has_begun_leaves_nothing() {
    let row = Row {
        script: vec![says("I").call("a", json!({})).breaks()],
        way: Way::Eager,
        outcome: "error",
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_dropped_stream_keeps_the_calls_that_have_begun() {
    let row = Row {
        script: vec![
            calls(&["a", "slow", "again"])
                .text("And")
                .wait(Duration::from_secs(9)),
        ],
        way: Way::Dropped(500),
        outcome: "dropped",
        history: &[
            "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + And",
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
             + call_1_3 = Error: Tool 'again' was interrupted; whether it took effect is unknown",
        ],
        nothing_new: Goes::Asks(EAGER_DROPPED),
        appended: Goes::AsksMore(EAGER_DROPPED),
        ran: &["+a", "+slow", "+again", "+again"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_DROPPED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + And",
    "user: call_1_1 = a done \
     + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
     + call_1_3 = again done",
];

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_dropped_behind_its_reply_runs_no_call_again() {
    let row = Row {
        script: vec![calls(&["a", "slow", "again"]).text("And")],
        way: Way::Dropped(500),
        outcome: "dropped",
        history: &[
            "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + And",
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
             + call_1_3 = Error: Tool 'again' was interrupted; whether it took effect is unknown",
        ],
        nothing_new: Goes::Asks(EAGER_DROPPED),
        appended: Goes::AsksMore(EAGER_DROPPED),
        ran: &["+a", "+slow", "+again", "+again"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_stream_keeps_the_calls_that_have_begun() {
    let row = || Row {
        script: vec![calls(&["a", "slow", "b"]).wait(Duration::from_secs(9))],
        way: Way::EagerCancelled(500),
        outcome: "cancelled",
        history: eager_cancelled(),
        ran: &["+a", "+slow"],
        ..Row::default()
    };
    row().check().await;
    let with_another_token = Row {
        then: new_token,
        nothing_new: Goes::Asks(eager_cancelled()),
        appended: Goes::AsksMore(eager_cancelled()),
        ..row()
    };
    with_another_token.check().await;
}

/// What came whole. Of chat completions, nobody knows that the last call is whole before the end.
fn eager_cancelled() -> &'static [&'static str] {
    if over::api() == Some(Api::OPENAI_CHAT) {
        return &[
            "assistant: call_1_1 a {} + call_1_2 slow {}",
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown",
        ];
    }
    &[
        "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 b {}",
        "user: call_1_1 = a done \
         + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
         + call_1_3 = Error: Tool 'b' was not run: the reply was cut off",
    ]
}

#[tokio::test(start_paused = true)]
async fn calls_that_have_begun_are_answered_though_the_reason_does_not_fit() {
    let row = Row {
        script: vec![
            begun("a")
                .call("b", json!({}))
                .stop_reason(StopReason::EndTurn),
        ],
        way: Way::Eager,
        outcome: "end_turn [call_1_2]",
        history: EAGER_UNFIT,
        nothing_new: Goes::Asks(EAGER_UNFIT),
        appended: Goes::AsksMore(EAGER_UNFIT),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_UNFIT: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'b' was not run: the reply ended with end_turn",
];

// RN-9, with another model.
#[tokio::test(start_paused = true)]
async fn calls_that_were_set_aside_are_neither_run_nor_answered() {
    // An API has a block where another model takes over.
    let history: &[&str] = match over::api() {
        Some(api) if api == Api::ANTHROPIC_MESSAGES => &[
            "assistant: <tool_use> + <tool_use> + <fallback> + call_1_3 b {}",
            "user: call_1_3 = b done",
            "assistant: Done.",
        ],
        _ => &[
            "assistant: <tool_use> + <tool_use> + call_1_3 b {}",
            "user: call_1_3 = b done",
            "assistant: Done.",
        ],
    };
    let set_aside = || calls(&["a", "b"]).set_aside().call("b", json!({}));
    let row = |way, ran| Row {
        script: vec![set_aside()],
        way,
        set: |runner| runner.max_iterations(2),
        outcome: "completed",
        history,
        then: |runner| runner.set_max_iterations(0),
        appended: Goes::AsksMore(history),
        ran,
        ..Row::default()
    };
    row(Way::Whole, &["+b"]).check().await;
    // The first one had begun. The second had not: nothing stands behind it.
    row(Way::Eager, &["+a", "+b"]).check().await;
}

#[tokio::test(start_paused = true)]
async fn the_end_tells_the_calls_that_had_begun_and_were_abandoned() {
    let ends: [(ScriptedReply, &[&str]); 2] = [
        (calls(&["a", "b"]).set_aside().text("Hi"), &["call_1_1"]),
        (
            begun("a")
                .call("b", json!({}))
                .stop_reason(StopReason::Refusal),
            &["call_1_1"],
        ),
    ];
    for (reply, abandoned) in ends {
        let log = Log::new();
        let model = ScriptedModel::new().reply(reply);
        let mut runner = Runner::new(over::model(model), toolkit(&log), request()).eager(true);
        let mut told = Vec::new();
        let mut events = runner.all_streaming();
        while let Some(event) = events.next().await {
            if let Event::End(end) = event.unwrap() {
                told = end.abandoned;
            }
        }
        let ids: Vec<_> = told.iter().map(|call| call.id().to_owned()).collect();
        assert_eq!(ids, abandoned);
    }
}

#[tokio::test(start_paused = true)]
async fn server_tools_are_neither_run_nor_answered() {
    // RN-8, the loop's side.
    let search = json!({"type": "server_tool_use", "id": "s", "name": "a", "input": {}});
    let search = Content::other(Api::TESTING, search.into());
    let row = Row {
        script: vec![ScriptedReply::new().content(search).call("b", json!({}))],
        outcome: "completed",
        history: &[
            "assistant: <server_tool_use> + call_1_1 b {}",
            "user: call_1_1 = b done",
            "assistant: Done.",
        ],
        appended: Goes::AsksMore(&[
            "assistant: <server_tool_use> + call_1_1 b {}",
            "user: call_1_1 = b done",
            "assistant: Done.",
        ]),
        ran: &["+b"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn the_outcome_of_a_run_that_goes_on_is_none() {
    let log = Log::new();
    let model = ScriptedModel::new().reply(calls(&["a"])).text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit(&log), request());
    assert_eq!(runner.outcome(), None);
    runner.next_message().await.unwrap();
    assert_eq!(runner.outcome(), None);
    runner.next_message().await.unwrap();
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
}
