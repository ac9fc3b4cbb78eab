//! The same stream in every form, and events that have no place in it.

use haft::serde_json::{Value, json};
use haft::{Outcome, Reply};
use haft_tests::message_stream::{events, frames};
use haft_tests::server::ServerReply;

use crate::case::{Case, Mode, call, message, text};
use crate::events::{begin, last, over, start, stop, stream, words};

/// Every kind of part, with characters of four bytes and ones that end a line elsewhere.
fn varied() -> Value {
    let content = json!([
        {"type": "thinking", "thinking": "Hm, \u{2028} hm.", "signature": "c2ln"},
        {"type": "text", "text": "\u{1f980}\u{1f980}\u{1f980}\u{2029}\u{85} a\nb: c", "citations": [{"n": 1.5}]},
        {"type": "tool_use", "id": "t1", "name": "now", "input": {"\u{1f980}": "\r\n", "data": [1.0e2]}},
    ]);
    message(&content, "tool_use")
}

/// The frames of a stream, each changed.
fn each(stream: &str, change: impl Fn(&str) -> String) -> String {
    let frames = stream.split_inclusive("\n\n");
    frames.map(change).collect()
}

/// The stream in every form that a server may give it.
fn forms(stream: &str) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let whole = |text: String| vec![text.into_bytes()];
    let nameless = |frame: &str| frame[frame.find("data:").unwrap()..].to_owned();
    let in_two = |frame: &str| frame.replacen("data: {", "data: {\ndata: ", 1);
    let without_stop = &stream[..stream.find("\n\nevent: message_stop").unwrap()];
    let crab = stream.find('\u{1f980}').unwrap();
    let (head, tail) = stream.as_bytes().split_at(crab + 2);
    vec![
        ("one chunk", whole(stream.to_owned())),
        (
            "byte by byte",
            stream.bytes().map(|byte| vec![byte]).collect(),
        ),
        ("CR and LF", whole(stream.replace('\n', "\r\n"))),
        ("CR alone", whole(stream.replace('\n', "\r"))),
        ("no space", whole(stream.replace("\ndata: ", "\ndata:"))),
        (
            "comments",
            whole(each(stream, |frame| format!(": a\n\n:b\n{frame}"))),
        ),
        (
            "pings",
            whole(each(stream, |frame| {
                format!("event: ping\ndata: {{\"type\": \"ping\"}}\n\n{frame}")
            })),
        ),
        (
            "bare pings",
            whole(each(stream, |frame| {
                format!("event: ping\n\nevent: ping\ndata: {{}}\n\n{frame}")
            })),
        ),
        ("no names", whole(each(stream, nameless))),
        ("two lines of data", whole(each(stream, in_two))),
        ("no last line", whole(stream.trim_end().to_owned())),
        // The last event then counts.
        (
            "no last line and no last word",
            whole(without_stop.to_owned()),
        ),
        ("a byte order mark", whole(format!("\u{feff}{stream}"))),
        // Its line then counts.
        (
            "a byte order mark and no names",
            whole(format!("\u{feff}{}", each(stream, nameless))),
        ),
        (
            "a character in two chunks",
            vec![head.to_vec(), tail.to_vec()],
        ),
    ]
}

/// The first reply of a run.
async fn first(mode: Mode, reply: ServerReply) -> Reply {
    let mut case = Case::start(mode, vec![reply]).await;
    case.next().await.unwrap()
}

#[tokio::test]
async fn rn_13_a_stream_is_the_same_message_in_every_form() {
    let plain = first(Mode::Plain, Mode::Plain.message(&varied())).await;
    let stream = frames(&events(&varied()).unwrap());
    for mode in Mode::STREAMS {
        for (form, pieces) in forms(&stream) {
            let reply = first(mode, ServerReply::sse_in(pieces)).await;
            assert_eq!(reply.raw().to_value(), varied(), "{form}");
            assert_eq!(reply.content(), plain.content(), "{form}");
            assert_eq!(reply.usage().output, plain.usage().output, "{form}");
            assert_eq!(reply.stop_reason(), plain.stop_reason(), "{form}");
        }
    }
}

#[tokio::test]
async fn t_8_an_event_that_is_newer_than_haft_is_passed_over() {
    let known = events(&varied()).unwrap();
    let newer = frames(&[
        json!({"type": "brand_new", "index": 0, "delta": {"type": "text_delta", "text": "void"}}),
        json!({"type": "brand_new", "index": {"a": 1}, "delta": [2]}),
    ]);
    let odd = "event: brand_new\ndata: no JSON at all\n\n";
    let stream: String = known
        .iter()
        .map(|event| format!("{newer}{odd}{}", frames(std::slice::from_ref(event))))
        .collect();
    for mode in Mode::STREAMS {
        let reply = first(mode, ServerReply::sse(stream.clone())).await;
        assert_eq!(reply.raw().to_value(), varied(), "{mode:?}");
    }
}

#[tokio::test]
async fn t_9_what_comes_before_the_message_is_ignored() {
    let early = [stop(0), words(0, "void"), last("refusal"), over()];
    let known = events(&varied()).unwrap();
    for mode in Mode::STREAMS {
        let reply = first(mode, stream(&[&early, &known[..]].concat())).await;
        assert_eq!(reply.raw().to_value(), varied(), "{mode:?}");
    }
}

#[tokio::test]
async fn t_10_totals_of_usage_take_the_place_of_earlier_ones() {
    let mut begun = begin();
    begun["message"]["usage"] =
        json!({"input_tokens": 3, "output_tokens": 1, "cache_read_input_tokens": 2});
    let told = |usage: Value| json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage});
    for mode in Mode::STREAMS {
        let reply = stream(&[
            begun.clone(),
            start(0, &text("")),
            words(0, "Hi"),
            stop(0),
            told(json!({"output_tokens": 4, "input_tokens": null})),
            told(json!({"output_tokens": 9, "cache_read_input_tokens": 5})),
            over(),
        ]);
        let mut case = Case::start(mode, vec![reply]).await;
        let usage = case.run().await.unwrap().usage;
        // haft's `input` is all of it, what the cache served included.
        let counts = (
            usage.input - usage.cache_read,
            usage.cache_read,
            usage.output,
        );
        assert_eq!(counts, (3, 5, 9), "{mode:?}");
    }
}

/// Of a plain body there is one usage; a run adds up those of its replies.
#[tokio::test]
async fn t_10_only_replies_are_added_up() {
    for mode in Mode::ALL {
        let counted = |content: Value, stop_reason: &str| {
            let mut message = message(&content, stop_reason);
            message["usage"] =
                json!({"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 5});
            mode.message(&message)
        };
        let replies = vec![
            counted(json!([call("t1", "now")]), "tool_use"),
            counted(json!([text("Done.")]), "end_turn"),
        ];
        let mut case = Case::start(mode, replies).await;
        let end = case.run().await.unwrap();
        assert_eq!(end.outcome, Outcome::Completed);
        let usage = &end.usage;
        assert_eq!(
            (usage.input, usage.cache_read, usage.output),
            (16, 10, 18),
            "{mode:?}"
        );
    }
}
