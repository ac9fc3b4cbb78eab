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

/// How many recordings there are, and how many of them are loops.
const ALL: (usize, usize) = (305, 44);

/// All are played; what failed is told, each in a line.
async fn play_all(test: &str, folder: &str, mode: Mode) -> Option<(usize, usize)> {
    let shared = shared_or_skip(test)?;
    let recordings = load(shared.join("recordings/anthropic-messages").join(folder)).unwrap();
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

#[tokio::test]
async fn recordings_of_the_messages_api_play() {
    let played = play_all("recordings_of_the_messages_api_play", "", Mode::Recorded).await;
    assert!(played.is_none_or(|played| played == ALL), "{played:?}");
}

#[tokio::test]
async fn loops_play_in_the_other_mode() {
    let played = play_all("loops_play_in_the_other_mode", "replay", Mode::Other).await;
    assert!(played.is_none_or(|(_, loops)| loops == ALL.1), "{played:?}");
}
