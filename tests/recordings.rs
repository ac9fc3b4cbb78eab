//! Every recorded conversation goes as it was recorded, as far as haft is built.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use haft_tests::play::{Mode, Verdict, play};
use haft_tests::recording::{load, shared_or_skip};

/// All of a folder are played; what failed is told, each in a line. How many there are, and how many of them are loops.
async fn play_all(test: &str, folder: &str, mode: Mode) -> Option<(usize, usize)> {
    let shared = shared_or_skip(test)?;
    let recordings = load(shared.join("recordings").join(folder)).unwrap();
    let (mut failed, mut loops) = (Vec::new(), 0);
    for recording in &recordings {
        loops += usize::from(recording.replay.is_some());
        match play(recording, mode, None).await.verdict {
            Verdict::Passed => {}
            other => failed.push(format!("{}: {other:?}", recording.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    Some((recordings.len(), loops))
}

/// As recorded, and the loops in the other mode.
async fn plays(test: &str, folder: &str, all: (usize, usize)) {
    let played = play_all(test, folder, Mode::Recorded).await;
    assert!(played.is_none_or(|played| played == all), "{played:?}");
    let loops = format!("{folder}/replay");
    let played = play_all(test, &loops, Mode::Other).await;
    assert!(played.is_none_or(|(_, loops)| loops == all.1), "{played:?}");
}

#[tokio::test]
async fn recordings_of_the_messages_api_play() {
    let test = "recordings_of_the_messages_api_play";
    plays(test, "anthropic-messages", (305, 44)).await;
}

#[tokio::test]
async fn recordings_of_the_responses_api_play() {
    let test = "recordings_of_the_responses_api_play";
    plays(test, "openai-responses", (198, 28)).await;
}

#[tokio::test]
async fn recordings_of_chat_completions_play() {
    let test = "recordings_of_chat_completions_play";
    plays(test, "openai-chat", (625, 47)).await;
}
