//! What an API cannot say. A script that has it stays in the process.

use super::dialect::Dialect;

/// What stands in a script, read as it is printed, since nothing else tells what is in it; who can say it; and the reason
/// why the others cannot.
const TABLE: &[(&[&str], &[Dialect], &str)] = &[
    (&["PauseTurn"], ANTHROPIC, "no word for a pause"),
    (&["Compaction"], ANTHROPIC, "no word for a summary"),
    (&["ContextFull"], ANTHROPIC, "no word for a full context"),
    (&["StopSequence"], ANTHROPIC, "no word for a stop sequence"),
    (&["SetAside"], ANTHROPIC, "no word for another model"),
    (
        &["Restart"],
        ANTHROPIC,
        "no word for a reply that begins anew",
    ),
    (&["container: Some("], ANTHROPIC, "no word for a container"),
    (&["Other(Other {"], ANTHROPIC, "no block that is not known"),
    (
        &["Some(ToolUse)", "stop_reason: ToolUse"],
        ANTHROPIC,
        "the calls tell that there are calls",
    ),
    (&["Some(EndTurn)"], ANTHROPIC, "calls are to be run"),
];

const ANTHROPIC: &[Dialect] = &[Dialect::Anthropic];

/// Why a script, as it is printed, cannot be told over the API.
pub(super) fn reason(script: &str, dialect: Dialect) -> Option<&'static str> {
    let unsayable = TABLE.iter().find(|(words, who, _)| {
        !who.contains(&dialect) && words.iter().any(|word| script.contains(word))
    });
    let unsayable = unsayable.map(|(_, _, reason)| *reason);
    unsayable.or_else(|| (dialect == Dialect::Chat).then(|| order(script))?)
}

/// A message of chat completions has thinking, then one text, then calls.
fn order(script: &str) -> Option<&'static str> {
    const PARTS: [&str; 3] = ["Block(Thinking(", "Block(Text(", "Call {"];
    let mut replies = script.split("ScriptedReply {").skip(1);
    let is_odd = replies.any(|reply| {
        let places = PARTS.iter().enumerate().flat_map(|(rank, part)| {
            let found = reply.match_indices(part);
            found.map(move |(at, _)| (at, rank))
        });
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        let ranks: Vec<_> = places.into_iter().map(|(_, rank)| rank).collect();
        ranks.is_sorted_by(|one, next| one < next || (one, next) == (&2, &2))
    } == false);
    is_odd.then_some("one text, before the calls")
}
