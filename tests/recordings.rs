//! Every recorded conversation goes as it was recorded, as far as haft is built.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use haft_tests::play::{Verdict, play};
use haft_tests::recording::{load, shared_or_skip};

#[tokio::test]
async fn recordings_of_the_messages_api_play() {
    let Some(shared) = shared_or_skip("recordings_of_the_messages_api_play") else {
        return;
    };
    let recordings = load(shared.join("recordings/anthropic-messages")).unwrap();
    let (mut passed, mut loops) = (0, 0);
    for recording in &recordings {
        match play(recording, None).await.verdict {
            Verdict::Passed => {
                passed += 1;
                loops += usize::from(recording.replay.is_some());
            }
            Verdict::Failed(reason) => panic!("{}: {reason}", recording.name),
            Verdict::Skipped(_) => {}
        }
    }
    // Streams are not built yet: of 305 recordings with 44 loops, these do not stream.
    assert!(
        loops >= 34 && passed >= 223,
        "{passed} passed, {loops} of them loops"
    );
}
