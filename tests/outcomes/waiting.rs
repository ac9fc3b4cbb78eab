//! Runs that are refused, paused, waiting, cancelled, looping, or at an unknown end.

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::ScriptedReply;
use haft::{Decision, StopReason, ToolDefinition, ToolOutput};
use haft_tests::lines::request;

use crate::{Goes, Row, Way, calls, new_token, says};

// RN-9.
#[tokio::test(start_paused = true)]
async fn a_refused_reply_is_not_in_the_history() {
    let refusals = [says("I").call("a", json!({})), ScriptedReply::new()];
    for refusal in refusals {
        let row = Row {
            script: vec![refusal.stop_reason(StopReason::Refusal)],
            outcome: "refused []",
            appended: Goes::AsksMore(&[]),
            ..Row::default()
        };
        row.check().await;
    }
}

/// What eleven pauses leave.
const PAUSED: &[&str] = &["assistant: Hm."; 11];

#[tokio::test(start_paused = true)]
async fn a_paused_run_is_resumed_and_what_is_said_meanwhile_waits() {
    let pause = || says("Hm.").stop_reason(StopReason::PauseTurn);
    let row = Row {
        script: (0..11).map(|_| pause()).collect(),
        outcome: "paused",
        history: PAUSED,
        nothing_new: Goes::Asks(PAUSED),
        appended: Goes::Asks(PAUSED),
        ..Row::default()
    };
    row.check().await;
}

const AWAITING_CALLS: &str = "assistant: call_1_1 a {} + call_1_2 ask {}";

#[tokio::test(start_paused = true)]
async fn pauses_count_toward_the_cap() {
    let pause = || says("Hm.").stop_reason(StopReason::PauseTurn);
    let row = || Row {
        script: vec![pause(), pause()],
        set: |runner| runner.max_iterations(2),
        outcome: "capped []",
        history: &["assistant: Hm."; 2],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(0),
        nothing_new: Goes::Asks(&["assistant: Hm."; 2]),
        appended: Goes::Asks(&["assistant: Hm."; 2]),
        ..row()
    };
    raised.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_with_calls_is_tool_use() {
    let row = Row {
        script: vec![calls(&["a"]).stop_reason(StopReason::PauseTurn)],
        outcome: "completed",
        history: &[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = a done",
            "assistant: Done.",
        ],
        appended: Goes::AsksMore(&[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = a done",
            "assistant: Done.",
        ]),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

/// The history of a run that waits for a decision.
const AWAITING: &[&str] = &[
    AWAITING_CALLS,
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was not run yet",
];

#[tokio::test(start_paused = true)]
async fn a_run_that_awaits_approval_stays_so_until_it_is_given() {
    let row = Row {
        script: vec![calls(&["a", "ask"])],
        outcome: "awaiting [call_1_2]",
        history: AWAITING,
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_lets_a_run_go_on() {
    let row = || Row {
        script: vec![calls(&["a", "ask"])],
        outcome: "awaiting [call_1_2]",
        history: AWAITING,
        ..Row::default()
    };
    let allowed = Row {
        then: |runner| runner.decide("call_1_2", Decision::Allow).unwrap(),
        nothing_new: Goes::Asks(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = ask done",
        ]),
        appended: Goes::AsksMore(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = ask done",
        ]),
        ran: &["+a", "+ask"],
        ..row()
    };
    allowed.check().await;
    let denied = Row {
        then: |runner| {
            runner
                .decide("call_1_2", Decision::Deny("late".into()))
                .unwrap()
        },
        nothing_new: Goes::Asks(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was denied: late",
        ]),
        appended: Goes::AsksMore(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was denied: late",
        ]),
        ran: &["+a"],
        ..row()
    };
    denied.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_without_a_handler_waits_for_its_answer() {
    let row = Row {
        script: vec![calls(&["person"])],
        request: || {
            let schema = json!({"type": "object"});
            request().tool(ToolDefinition::new("person", "", schema).unwrap())
        },
        outcome: "awaiting [call_1_1]",
        history: &[
            "assistant: call_1_1 person {}",
            "user: call_1_1 = Error: Tool 'person' was not run yet",
        ],
        then: |runner| {
            let answer = Decision::Answer(ToolOutput::text("Blue."));
            runner.decide("call_1_1", answer).unwrap();
        },
        nothing_new: Goes::Asks(&["assistant: call_1_1 person {}", "user: call_1_1 = Blue."]),
        appended: Goes::AsksMore(&["assistant: call_1_1 person {}", "user: call_1_1 = Blue."]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_while_it_asks_is_as_before() {
    let row = || Row {
        script: vec![says("Hello").wait(Duration::from_secs(1)).text("!")],
        way: Way::Cancelled(500),
        outcome: "cancelled",
        ..Row::default()
    };
    row().check().await;
    let with_another_token = Row {
        then: new_token,
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[]),
        ..row()
    };
    with_another_token.check().await;
}

/// The calls of a run that is cancelled while they run, two at a time: one is done, two run, one has not begun.
const STARTED: &str =
    "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + call_1_4 b {}";

#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_while_calls_run_keeps_what_has_run() {
    let row = || Row {
        script: vec![calls(&["a", "slow", "again", "b"])],
        way: Way::Cancelled(500),
        set: |runner| runner.max_concurrent_tools(2),
        outcome: "cancelled",
        history: &[
            STARTED,
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
             + call_1_3 = Error: Tool 'again' was interrupted; whether it took effect is unknown \
             + call_1_4 = Error: Tool 'b' was interrupted before it started",
        ],
        ran: &["+a", "+slow", "+again"],
        ..Row::default()
    };
    row().check().await;
    let with_another_token = Row {
        then: new_token,
        nothing_new: Goes::Asks(&[STARTED, STOPPED_AND_REPEATED]),
        appended: Goes::AsksMore(&[STARTED, STOPPED_AND_REPEATED]),
        ran: &["+a", "+slow", "+again", "+again"],
        ..row()
    };
    with_another_token.check().await;
}

const STOPPED_AND_REPEATED: &str = "user: call_1_1 = a done \
     + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
     + call_1_3 = again done \
     + call_1_4 = Error: Tool 'b' was interrupted before it started";

/// What two failing calls of one kind leave.
const LOOPED: &[&str] = &[
    "assistant: call_1_1 fails {}",
    "user: call_1_1 = Error: no luck",
    "assistant: call_2_1 fails {}",
    "user: call_2_1 = Error: no luck",
];

#[tokio::test(start_paused = true)]
async fn a_looping_run_has_the_result_in_its_history_and_asks_once_more() {
    let row = Row {
        script: vec![calls(&["fails"]), calls(&["fails"])],
        set: |runner| runner.stop_after_repeats(2),
        outcome: "looping [call_2_1]",
        history: LOOPED,
        nothing_new: Goes::Asks(LOOPED),
        appended: Goes::AsksMore(LOOPED),
        ran: &["+fails", "+fails"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_reason_without_calls_is_an_end_with_the_reply() {
    let row = Row {
        script: vec![says("Hm.").stop_reason(StopReason::Other("out_of_ink".into()))],
        outcome: "out_of_ink []",
        history: &["assistant: Hm."],
        appended: Goes::AsksMore(&["assistant: Hm."]),
        ..Row::default()
    };
    row.check().await;
}

/// Calls of a reply that ended otherwise.
const UNFIT: &str = "assistant: call_1_1 a {} + call_1_2 b {}";

// RN-17, the loop's side.
#[tokio::test(start_paused = true)]
async fn calls_of_a_reply_with_an_unknown_reason_are_answered_as_not_run() {
    let row = Row {
        script: vec![calls(&["a", "b"]).stop_reason(StopReason::Other("out_of_ink".into()))],
        outcome: "out_of_ink [call_1_1 call_1_2]",
        history: &[UNFIT, OUT_OF_INK],
        nothing_new: Goes::Asks(&[UNFIT, OUT_OF_INK]),
        appended: Goes::AsksMore(&[UNFIT, OUT_OF_INK]),
        ..Row::default()
    };
    row.check().await;
}

const OUT_OF_INK: &str = "user: call_1_1 = Error: Tool 'a' was not run: the reply ended with out_of_ink \
     + call_1_2 = Error: Tool 'b' was not run: the reply ended with out_of_ink";

#[tokio::test(start_paused = true)]
async fn calls_of_a_reply_that_ends_its_turn_are_answered_as_not_run() {
    let row = Row {
        script: vec![calls(&["a", "b"]).stop_reason(StopReason::EndTurn)],
        outcome: "end_turn [call_1_1 call_1_2]",
        history: &[UNFIT, END_TURN],
        nothing_new: Goes::Asks(&[UNFIT, END_TURN]),
        appended: Goes::AsksMore(&[UNFIT, END_TURN]),
        ..Row::default()
    };
    row.check().await;
}

const END_TURN: &str = "user: call_1_1 = Error: Tool 'a' was not run: the reply ended with end_turn \
     + call_1_2 = Error: Tool 'b' was not run: the reply ended with end_turn";
