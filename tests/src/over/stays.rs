//! What an API cannot say. A script that has it stays in the process.

use super::dialect::Dialect;
use super::dialect::Dialect::{Anthropic, Responses};

/// Something that not all APIs can say.
struct Unsayable {
    /// How it is known: one reply of the script has all of these words, as it is printed. Nothing else tells what is in it.
    has: &'static [&'static str],
    /// And none of these.
    lacks: &'static [&'static str],
    /// Who can say it.
    by: &'static [Dialect],
    /// Why others cannot.
    reason: &'static str,
}

const fn word(has: &'static [&'static str], reason: &'static str) -> Unsayable {
    Unsayable {
        has,
        lacks: &[],
        by: &[Anthropic],
        reason,
    }
}

const CALL: &str = "Call {";

const TABLE: &[Unsayable] = &[
    word(&["PauseTurn"], "no word for a pause"),
    word(&["Compaction"], "no word for a summary"),
    word(&["ContextFull"], "no word for a full context"),
    word(&["StopSequence"], "no word for a stop sequence"),
    word(&["SetAside"], "no word for another model that takes over"),
    word(&["Restart"], "no word for a reply that begins anew"),
    word(&["container: Some("], "no word for a container"),
    word(&["Other(Other {"], "no block that haft does not know"),
    word(
        &["Some(EndTurn)", CALL],
        "where there are calls, they are to be run",
    ),
    Unsayable {
        by: &[Anthropic, Responses],
        ..word(
            &["Some(Other(", CALL],
            "where there are calls, they are to be run",
        )
    },
    Unsayable {
        lacks: &[CALL],
        ..word(
            &["Some(ToolUse)"],
            "where there are no calls, there are none to be run",
        )
    },
];

/// Why a script, as it is printed, cannot be told over an API.
pub(super) fn reason(script: &str, dialect: Dialect) -> Option<&'static str> {
    // Of a script of another kind, there are no replies to be told apart.
    script.split("ScriptedReply {").find_map(|reply| {
        let is_there = |row: &&Unsayable| {
            let has = |word: &&str| reply.contains(*word);
            row.has.iter().all(has) && !row.lacks.iter().any(has)
        };
        let mut rows = TABLE.iter().filter(is_there);
        let row = rows.find(|row| !row.by.contains(&dialect));
        let is_chat = dialect == Dialect::Chat;
        row.map(|row| row.reason)
            .or_else(|| (is_chat && is_out_of_order(reply)).then_some(ORDER))
    })
}

const ORDER: &str = "one thought, one text behind it, and then the calls";

/// Whether a reply has its blocks in another order than a message of chat completions.
fn is_out_of_order(reply: &str) -> bool {
    const KINDS: [&str; 3] = ["Block(Thinking(", "Block(Text(", CALL];
    let places = KINDS.iter().enumerate().flat_map(|(rank, kind)| {
        let places = reply.match_indices(kind);
        places.map(move |(at, _)| (at, rank))
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    let is_odd = |pair: &[(usize, usize)]| match pair {
        // There may be more than one call, and nothing else.
        [(_, one), (_, next)] => one > next || one == next && *one < KINDS.len() - 1,
        _ => false,
    };
    places.windows(2).any(is_odd)
}

#[cfg(test)]
mod tests {
    use haft::StopReason;
    use haft::serde_json::json;
    use haft::testing::{ScriptedModel, ScriptedReply};

    use super::*;

    /// Who cannot tell a script with this reply.
    fn unsaid(reply: ScriptedReply) -> Vec<&'static str> {
        let script = ScriptedModel::new().text("Hi").reply(reply).text("Done.");
        let script = format!("{script:?}");
        let dialects = Dialect::ALL.into_iter();
        let unsaid = dialects.filter(|dialect| reason(&script, *dialect).is_some());
        unsaid.map(Dialect::name).collect()
    }

    #[test]
    fn scripts_are_known_by_how_they_are_printed() {
        let new = ScriptedReply::new;
        let call = || new().call("a", json!({}));
        let none: [&str; 0] = [];
        let usual = new().thinking("Hm").text("Hi").call("a", json!({}));
        assert_eq!(unsaid(usual.call("b", json!({}))), none);
        assert_eq!(unsaid(call().stop_reason(StopReason::Refusal)), none);
        let ink = || StopReason::Other("ink".to_owned());
        assert_eq!(unsaid(new().text("Hi").stop_reason(ink())), none);
        assert_eq!(unsaid(call().stop_reason(ink())), ["chat"]);
        assert_eq!(unsaid(call().text("And")), ["chat"]);
        assert_eq!(unsaid(new().text("One").text("Two")), ["chat"]);
        for of_anthropic in [
            new().stop_reason(StopReason::PauseTurn),
            new().stop_reason(StopReason::Compaction),
            new().stop_reason(StopReason::ContextFull),
            new().stop_reason(StopReason::StopSequence),
            new().stop_reason(StopReason::ToolUse),
            call().stop_reason(StopReason::EndTurn),
            call().set_aside(),
            call().container("c"),
        ] {
            let shown = format!("{of_anthropic:?}");
            assert_eq!(unsaid(of_anthropic), ["responses", "chat"], "{shown}");
        }
    }
}
