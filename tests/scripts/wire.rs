//! The rules of the wire for calls and results, as the API's documentation has them; nothing of haft's own judgement.

use haft::{Content, Message, Role};

/// One message as the API reads it: messages of the user that follow each other are one.
struct Turn<'a> {
    role: Role,
    blocks: Vec<&'a Content>,
}

/// What is wrong with a history, if it were sent now.
pub(crate) fn fault(messages: &[Message]) -> Option<String> {
    let blank = messages
        .iter()
        .position(|message| message.role() == Role::Assistant && sent(message).is_empty());
    if let Some(at) = blank {
        return Some(format!("messages[{at}] of the model is empty"));
    }
    let turns = turns(messages);
    let calls_before = |at: usize| at.checked_sub(1).map(|at| calls(&turns[at]));
    let of_turns = turns.iter().enumerate().find_map(|(at, turn)| {
        let asked = calls_before(at).unwrap_or_default();
        turn_fault(turn, &asked).map(|fault| format!("turn {at}: {fault}"))
    });
    let open = || turns.last().map(calls).filter(|calls| !calls.is_empty());
    of_turns.or_else(|| open().map(|calls| format!("the last calls are not answered: {calls:?}")))
}

/// The blocks that are sent: no empty text, and no white space without words.
fn sent(message: &Message) -> Vec<&Content> {
    let words = |block: &Content| block.as_text().is_some_and(|text| !text.trim().is_empty());
    let has_words = message.content().iter().any(words);
    let is_sent = |block: &&Content| match block.as_text() {
        Some(text) => !text.is_empty() && (has_words || words(block)),
        None => true,
    };
    message.content().iter().filter(is_sent).collect()
}

fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for message in messages {
        let (role, blocks) = (message.role(), sent(message));
        match turns.last_mut() {
            _ if blocks.is_empty() => {}
            Some(last) if last.role == Role::User && role == Role::User => {
                last.blocks.extend(blocks);
            }
            _ => turns.push(Turn { role, blocks }),
        }
    }
    turns
}

fn calls<'a>(turn: &Turn<'a>) -> Vec<&'a str> {
    let calls = turn.blocks.iter().filter_map(|block| block.as_tool_call());
    calls.map(|call| call.id()).collect()
}

/// `asked` are the calls of the turn before.
fn turn_fault(turn: &Turn<'_>, asked: &[&str]) -> Option<String> {
    let is_result = |block: &&&Content| block.as_tool_result().is_some();
    let results = turn.blocks.iter().filter(is_result).count();
    let first = turn.blocks.iter().take_while(is_result);
    let first: Vec<_> = first
        .filter_map(|block| block.as_tool_result())
        .map(|result| result.call_id())
        .collect();
    if turn.role == Role::Assistant {
        let fault = || format!("results {first:?} of the model, or calls {asked:?} unanswered");
        return (results > 0 || !asked.is_empty()).then(fault);
    }
    if !calls(turn).is_empty() {
        return Some("a call of the user".to_owned());
    }
    if first.len() != results {
        return Some("results behind something else".to_owned());
    }
    (first != asked).then(|| format!("calls {asked:?} are answered by {first:?}"))
}
