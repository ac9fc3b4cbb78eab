//! Runs that are completed, capped or cut off.

use haft::serde_json::json;
use haft::testing::ScriptedReply;
use haft::{CapPolicy, StopReason};

use crate::{Goes, Row, calls, says};

#[tokio::test(start_paused = true)]
async fn a_completed_run_has_the_reply_in_its_history_and_is_opened_by_a_message() {
    let row = Row {
        script: vec![says("Hello.")],
        outcome: "completed",
        history: &["assistant: Hello."],
        appended: Goes::AsksMore(&["assistant: Hello."]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_sequence_completes_a_run() {
    let row = Row {
        script: vec![says("Hello.").stop_reason(StopReason::StopSequence)],
        outcome: "completed",
        history: &["assistant: Hello."],
        appended: Goes::AsksMore(&["assistant: Hello."]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn an_empty_reply_completes_a_run_and_is_not_kept() {
    for empty in [ScriptedReply::new(), says("")] {
        let row = Row {
            script: vec![empty],
            outcome: "completed",
            appended: Goes::AsksMore(&[]),
            ..Row::default()
        };
        row.check().await;
    }
}

#[tokio::test(start_paused = true)]
async fn tool_use_without_calls_completes_a_run() {
    let row = Row {
        script: vec![says("Hm.").stop_reason(StopReason::ToolUse)],
        outcome: "completed",
        history: &["assistant: Hm."],
        appended: Goes::AsksMore(&["assistant: Hm."]),
        ..Row::default()
    };
    row.check().await;
}

/// The history of a run that stopped at its limit.
const STOPPED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 b {}",
    "user: call_1_1 = Error: Tool 'a' was not run yet + call_1_2 = Error: Tool 'b' was not run yet",
];

/// The same when the calls have run.
const ANSWERED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = b done",
];

/// And the model has said what it has.
const FINAL: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = b done",
    "assistant: So far.",
];

#[tokio::test(start_paused = true)]
async fn a_capped_run_stays_so_until_the_cap_is_raised() {
    let row = Row {
        script: vec![calls(&["a", "b"])],
        set: |runner| runner.max_iterations(1),
        outcome: "capped [call_1_1 call_1_2]",
        history: STOPPED,
        ..Row::default()
    };
    row.check().await;
}

// RN-16.
#[tokio::test(start_paused = true)]
async fn a_raised_cap_runs_the_pending_calls_once() {
    let row = Row {
        script: vec![calls(&["a", "b"])],
        set: |runner| runner.max_iterations(1),
        outcome: "capped [call_1_1 call_1_2]",
        history: STOPPED,
        then: |runner| runner.set_max_iterations(0),
        nothing_new: Goes::Asks(ANSWERED),
        appended: Goes::AsksMore(ANSWERED),
        ran: &["+a", "+b"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_capped_run_that_answers_has_the_results_at_its_end() {
    let row = || Row {
        script: vec![calls(&["a", "b"])],
        set: |runner| {
            let runner = runner.max_iterations(1);
            runner.cap_policy(CapPolicy::AnswerPending)
        },
        outcome: "capped []",
        history: ANSWERED,
        ran: &["+a", "+b"],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(9),
        nothing_new: Goes::Asks(ANSWERED),
        appended: Goes::AsksMore(ANSWERED),
        ..row()
    };
    raised.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_capped_run_with_a_final_turn_has_its_reply_at_the_end() {
    let row = || Row {
        script: vec![calls(&["a", "b"]), says("So far.")],
        set: |runner| {
            let runner = runner.max_iterations(1);
            runner.cap_policy(CapPolicy::FinalTurn)
        },
        outcome: "capped []",
        history: FINAL,
        ran: &["+a", "+b"],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(9),
        appended: Goes::AsksMore(FINAL),
        ..row()
    };
    raised.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_final_turn_that_calls_tools_all_the_same_runs_none() {
    let row = Row {
        script: vec![calls(&["a"]), calls(&["b"])],
        set: |runner| {
            let runner = runner.max_iterations(1);
            runner.cap_policy(CapPolicy::FinalTurn)
        },
        outcome: "capped [call_2_1]",
        history: &[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = a done",
            "assistant: call_2_1 b {}",
            "user: call_2_1 = Error: Tool 'b' was not run yet",
        ],
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_truncated_reply_is_asked_for_again_or_kept_with_what_follows() {
    for (reason, outcome) in [
        (StopReason::MaxTokens, "truncated []"),
        (StopReason::ContextFull, "context full"),
    ] {
        let row = Row {
            script: vec![says("Once upon").stop_reason(reason)],
            outcome,
            nothing_new: Goes::Asks(&[]),
            appended: Goes::AsksMore(&["assistant: Once upon"]),
            ..Row::default()
        };
        row.check().await;
    }
}

// RN-3.
#[tokio::test(start_paused = true)]
async fn a_cut_call_is_dropped_and_the_whole_ones_are_answered_as_not_run() {
    for (reason, outcome) in [
        (StopReason::MaxTokens, "truncated [call_1_2]"),
        (StopReason::ContextFull, "context full"),
    ] {
        let row = Row {
            script: vec![
                says("I")
                    .call("a", json!({}))
                    .call("b", json!({}))
                    .stop_reason(reason),
            ],
            outcome,
            nothing_new: Goes::Asks(&[]),
            appended: Goes::AsksMore(&[
                "assistant: I + call_1_1 a {}",
                "user: call_1_1 = Error: Tool 'a' was not run: the reply was cut off",
            ]),
            ..Row::default()
        };
        row.check().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_of_nothing_but_a_cut_call_leaves_nothing() {
    let row = Row {
        script: vec![calls(&["a"]).stop_reason(StopReason::MaxTokens)],
        outcome: "truncated [call_1_1]",
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_before_the_reasoning_that_was_cut_is_whole() {
    let row = Row {
        script: vec![
            calls(&["a"])
                .thinking("And")
                .stop_reason(StopReason::MaxTokens),
        ],
        outcome: "truncated []",
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = Error: Tool 'a' was not run: the reply was cut off",
        ]),
        ..Row::default()
    };
    row.check().await;
}
