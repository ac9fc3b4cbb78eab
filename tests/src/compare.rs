//! Compares a request that arrived with the recorded one, by rule 3 of `recordings/README.md`.

use serde_json::Value;

use crate::equality::{Difference, equal, equal_lists};
use crate::recording::Api;
use crate::{anthropic_messages, normal, openai_chat, openai_responses};

/// What is known of the exchange before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Earlier<'a> {
    arrived: Option<&'a Value>,
    reply: Option<&'a Value>,
}

impl<'a> Earlier<'a> {
    /// There was none: this is the first request.
    pub const fn nothing() -> Self {
        Self {
            arrived: None,
            reply: None,
        }
    }

    /// The body that arrived in the request before this one.
    pub const fn request(arrived: &'a Value) -> Self {
        Self {
            arrived: Some(arrived),
            reply: None,
        }
    }

    /// With the assistant turn that answered it: then that must have been sent back whole. See
    /// [`Exchange::assistant_turn`](crate::recording::Exchange::assistant_turn).
    pub const fn answered(self, reply: Option<&'a Value>) -> Self {
        Self {
            arrived: self.arrived,
            reply,
        }
    }
}

/// Whether the body that `arrived` is the `recorded` one, as far as it must be.
///
/// A first request is equal to the recorded one. A later one is equal beside the messages, begins with the messages
/// that arrived earlier, and has the recorded messages; the assistant's turns may hold more than was recorded.
///
/// # Errors
/// What differs first: where, what was expected and what arrived, each cut to 200 characters.
pub fn compare_request(
    api: Api,
    recorded: &Value,
    arrived: &Value,
    earlier: Earlier<'_>,
) -> Result<(), String> {
    let key = history_key(api);
    let (expected, expected_rest) = take_history(key, normal::body(api, recorded))?;
    let (got, got_rest) = take_history(key, normal::body(api, arrived))?;
    equal(&expected_rest, &got_rest).map_err(|found| found.to_string())?;

    let named =
        |what: &'static str| move |found: Difference| format!("{what}{}", found.under_key(key));
    let Some(before) = earlier.arrived else {
        return equal_lists(&expected, &got).map_err(named(""));
    };
    let (before, _) = take_history(key, normal::body(api, before))?;
    equal_lists(&before, got.get(..before.len()).unwrap_or(&got))
        .map_err(named("sent before: "))?;
    let compared = match api {
        Api::AnthropicMessages => anthropic_messages::compare(&expected, &got, before.len()),
        Api::OpenaiChat => openai_chat::compare(&expected, &got),
        Api::OpenaiResponses => openai_responses::compare(&expected, &got),
    };
    compared.map_err(named(""))?;

    let Some(reply) = earlier.reply.map(|reply| normal::value(api, reply)) else {
        return Ok(());
    };
    let sent_back = match api {
        Api::AnthropicMessages => anthropic_messages::sent_back(&reply, &got, before.len()),
        Api::OpenaiChat => openai_chat::sent_back(&reply, &got, before.len()),
        Api::OpenaiResponses => openai_responses::sent_back(&reply, &got, before.len()),
    };
    sent_back.map_err(named("the reply sent back: "))
}

const fn history_key(api: Api) -> &'static str {
    match api {
        Api::AnthropicMessages | Api::OpenaiChat => "messages",
        Api::OpenaiResponses => "input",
    }
}

/// The list under `key`, and the body without it.
fn take_history(key: &str, mut body: Value) -> Result<(Vec<Value>, Value), String> {
    match body
        .as_object_mut()
        .and_then(|fields| fields.shift_remove(key))
    {
        Some(Value::Array(history)) => Ok((history, body)),
        other => Err(
            Difference::here(Some(&Value::Array(Vec::new())), other.as_ref())
                .under_key(key)
                .to_string(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::recording::{Recording, load, shared_or_skip};

    const FOLDERS: [(Api, &str); 3] = [
        (Api::AnthropicMessages, "anthropic-messages"),
        (Api::OpenaiChat, "openai-chat"),
        (Api::OpenaiResponses, "openai-responses"),
    ];

    fn replays(test: &str, api: Api) -> Vec<Recording> {
        let Some(shared) = shared_or_skip(test) else {
            return Vec::new();
        };
        let (_, folder) = FOLDERS.into_iter().find(|(of, _)| *of == api).unwrap();
        load(shared.join("recordings").join(folder).join("replay")).unwrap()
    }

    fn requests(recording: &Recording) -> Vec<&Value> {
        recording
            .exchanges
            .iter()
            .map(|exchange| exchange.request.as_ref().unwrap().body.value())
            .collect()
    }

    /// The request before request number `index`, and the turn that answered it.
    fn earlier<'a>(recording: &'a Recording, requests: &[&'a Value], index: usize) -> Earlier<'a> {
        let Some(before) = index.checked_sub(1) else {
            return Earlier::nothing();
        };
        Earlier::request(requests[before])
            .answered(recording.exchanges[before].assistant_turn(recording.api))
    }

    #[test]
    fn each_replay_is_equal_to_itself() {
        for (api, _) in FOLDERS {
            for recording in replays("each_replay_is_equal_to_itself", api) {
                let requests = requests(&recording);
                for (index, body) in requests.iter().enumerate() {
                    let earlier = Earlier {
                        reply: None,
                        ..earlier(&recording, &requests, index)
                    };
                    let compared = compare_request(api, body, body, earlier);
                    assert_eq!(
                        compared,
                        Ok(()),
                        "{} request {index}",
                        recording.path().display()
                    );
                }
            }
        }
    }

    /// What a client sends that echoes each reply whole and adds the recorded results.
    fn faithful(recording: &Recording) -> Vec<Value> {
        let key = history_key(recording.api);
        let requests = requests(recording);
        let mut arrived = vec![requests[0].clone()];
        for (index, pair) in requests.windows(2).enumerate() {
            let [before, now] = pair else { unreachable!() };
            let mut history = arrived[index][key].as_array().unwrap().clone();
            history.extend(echo(
                recording.api,
                recording.exchanges[index]
                    .assistant_turn(recording.api)
                    .unwrap(),
            ));
            let added = &now[key].as_array().unwrap()[before[key].as_array().unwrap().len()..];
            history.extend(added.iter().filter(|item| is_from_client(item)).cloned());
            let mut body = (*now).clone();
            body[key] = Value::Array(history);
            arrived.push(body);
        }
        arrived
    }

    fn echo(api: Api, reply: &Value) -> Vec<Value> {
        match api {
            Api::AnthropicMessages => vec![json!({"role": "assistant", "content": reply})],
            Api::OpenaiChat => vec![reply.clone()],
            Api::OpenaiResponses => reply.as_array().unwrap().clone(),
        }
    }

    fn is_from_client(item: &Value) -> bool {
        item["role"] == "user" || item["role"] == "tool" || item["type"] == "function_call_output"
    }

    #[test]
    fn a_faithful_client_is_accepted_with_the_reply_required() {
        for (api, _) in FOLDERS {
            for recording in replays("a_faithful_client_is_accepted_with_the_reply_required", api) {
                let arrived = faithful(&recording);
                let bodies: Vec<_> = arrived.iter().collect();
                for (index, recorded) in requests(&recording).into_iter().enumerate() {
                    let compared = compare_request(
                        api,
                        recorded,
                        bodies[index],
                        earlier(&recording, &bodies, index),
                    );
                    assert_eq!(
                        compared,
                        Ok(()),
                        "{} request {index}",
                        recording.path().display()
                    );
                }
            }
        }
    }

    /// A change to a body, which says whether it found its place.
    type Change = fn(&mut Value) -> bool;

    /// Runs each change on each later request, sent by a faithful client; gives how often each found its place.
    fn try_changes(
        test: &str,
        api: Api,
        changes: &[(&'static str, Change)],
    ) -> Option<BTreeMap<&'static str, usize>> {
        let mut tried = BTreeMap::from_iter(changes.iter().map(|(name, _)| (*name, 0)));
        let replays = replays(test, api);
        for recording in &replays {
            let arrived = faithful(recording);
            let bodies: Vec<_> = arrived.iter().collect();
            for (index, recorded) in requests(recording).into_iter().enumerate().skip(1) {
                for (name, change) in changes {
                    let mut changed = arrived[index].clone();
                    if !change(&mut changed) {
                        continue;
                    }
                    *tried.get_mut(name).unwrap() += 1;
                    let earlier = Earlier {
                        reply: None,
                        ..earlier(recording, &bodies, index)
                    };
                    let compared = compare_request(api, recorded, &changed, earlier);
                    assert!(
                        compared.is_err(),
                        "{name} was accepted: {} request {index}",
                        recording.path().display()
                    );
                }
            }
        }
        (!replays.is_empty()).then_some(tried)
    }

    fn set(body: &mut Value, pointer: &str, value: Value) -> bool {
        let place = body.pointer_mut(pointer).filter(|place| **place != value);
        place.map(|place| *place = value).is_some()
    }

    fn last_message(body: &mut Value) -> &mut Value {
        body["messages"].as_array_mut().unwrap().last_mut().unwrap()
    }

    /// The assistant turn that the last message answers.
    fn last_turn(body: &mut Value) -> &mut Vec<Value> {
        let messages = body["messages"].as_array_mut().unwrap();
        let turn = messages
            .iter_mut()
            .rfind(|message| message["role"] == "assistant")
            .unwrap();
        turn["content"].as_array_mut().unwrap()
    }

    fn last_call(body: &mut Value) -> &mut Value {
        last_turn(body)
            .iter_mut()
            .rfind(|block| block["type"] == "tool_use")
            .unwrap()
    }

    fn flip_is_error(body: &mut Value) -> bool {
        let result = &mut last_message(body)["content"][0];
        let flipped = result["is_error"] != true;
        result["is_error"] = flipped.into();
        true
    }

    fn swap_results(body: &mut Value) -> bool {
        let results = last_message(body)["content"].as_array_mut().unwrap();
        let several = results.len() > 1;
        if several {
            results.swap(0, 1);
        }
        several
    }

    fn change_text(text: &mut Value) -> bool {
        match text {
            Value::String(text) => text.push('!'),
            other => {
                return other
                    .as_array_mut()
                    .and_then(|blocks| blocks[0].get_mut("text"))
                    .is_some_and(change_text);
            }
        }
        true
    }

    const CHANGES: [(&str, Change); 20] = [
        ("a field removed", |body| {
            body.as_object_mut()
                .unwrap()
                .shift_remove("max_tokens")
                .is_some()
        }),
        ("tools removed", |body| {
            body.as_object_mut()
                .unwrap()
                .shift_remove("tools")
                .is_some()
        }),
        ("an unknown field", |body| {
            body.as_object_mut()
                .unwrap()
                .insert("unknown".into(), json!(0))
                .is_none()
        }),
        ("a number changed", |body| {
            set(body, "/max_tokens", json!(7))
        }),
        ("the system changed", |body| {
            body.get_mut("system").is_some_and(change_text)
        }),
        ("the schema changed", |body| {
            set(body, "/tools/0/input_schema/type", json!("array"))
        }),
        ("null in the schema", |body| {
            body.pointer_mut("/tools/0/input_schema")
                .is_some_and(|schema| {
                    schema["default"] = Value::Null;
                    true
                })
        }),
        ("an earlier text changed", |body| {
            change_text(&mut body["messages"][0]["content"])
        }),
        ("an earlier message removed", |body| {
            body["messages"].as_array_mut().unwrap().remove(0);
            true
        }),
        ("a message too much", |body| {
            let message = last_message(body).clone();
            body["messages"].as_array_mut().unwrap().push(message);
            true
        }),
        ("the last message missing", |body| {
            body["messages"].as_array_mut().unwrap().pop().is_some()
        }),
        ("results swapped", swap_results),
        ("is_error flipped", flip_is_error),
        ("a result changed", |body| {
            change_text(&mut last_message(body)["content"][0]["content"])
        }),
        ("another call answered", |body| {
            last_message(body)["content"][0]["tool_use_id"] = json!("other");
            true
        }),
        ("a block of the turn missing", |body| {
            last_turn(body).pop().is_some()
        }),
        ("blocks of the turn swapped", |body| {
            let turn = last_turn(body);
            turn.reverse();
            turn.len() > 1
        }),
        ("arguments changed", |body| {
            last_call(body)["input"]["cache_control"] = Value::Null;
            true
        }),
        ("a field beside the turn's content", |body| {
            let messages = body["messages"].as_array_mut().unwrap();
            let turn = messages
                .iter_mut()
                .rfind(|message| message["role"] == "assistant")
                .unwrap();
            turn["stop_reason"] = json!("tool_use");
            true
        }),
        ("an empty text in the turn", |body| {
            last_turn(body).insert(0, json!({"type": "text", "text": ""}));
            true
        }),
    ];

    #[test]
    fn no_changed_request_of_anthropic_is_accepted() {
        let tried = try_changes(
            "no_changed_request_of_anthropic_is_accepted",
            Api::AnthropicMessages,
            &CHANGES,
        );
        for (name, times) in tried.into_iter().flatten() {
            assert!(times > 5, "{name} was tried {times} times only");
        }
    }

    #[test]
    fn no_changed_request_of_chat_is_accepted() {
        const CHANGES: [(&str, Change); 6] = [
            ("a field changed", |body| {
                set(body, "/model", json!("other"))
            }),
            ("an earlier text changed", |body| {
                change_text(&mut body["messages"][0]["content"])
            }),
            ("a result changed", |body| {
                change_text(&mut last_message(body)["content"])
            }),
            ("another call answered", |body| {
                last_message(body)["tool_call_id"] = json!("other");
                true
            }),
            ("arguments changed", |body| {
                chat_call(body, "/function/arguments", json!("{\"other\": null}"))
            }),
            ("an id changed", |body| {
                chat_call(body, "/id", json!("other"))
            }),
        ];
        fn chat_call(body: &mut Value, pointer: &str, value: Value) -> bool {
            let turns = body["messages"].as_array_mut().unwrap().iter_mut();
            let call = turns
                .rev()
                .find_map(|message| message.pointer_mut("/tool_calls/0"));
            call.is_some_and(|call| set(call, pointer, value))
        }
        let tried = try_changes(
            "no_changed_request_of_chat_is_accepted",
            Api::OpenaiChat,
            &CHANGES,
        );
        for (name, times) in tried.into_iter().flatten() {
            assert!(times > 60, "{name} was tried {times} times only");
        }
    }

    #[test]
    fn no_changed_request_of_responses_is_accepted() {
        const CHANGES: [(&str, Change); 5] = [
            ("a field changed", |body| {
                set(body, "/model", json!("other"))
            }),
            ("an earlier text changed", |body| {
                change_text(&mut body["input"][0]["content"])
            }),
            ("an output changed", |body| {
                last(body, "output", json!("other"))
            }),
            ("another call answered", |body| {
                last(body, "call_id", json!("other"))
            }),
            ("arguments changed", |body| {
                last(body, "arguments", json!("{\"other\": null}"))
            }),
        ];
        fn last(body: &mut Value, key: &str, value: Value) -> bool {
            let items = body["input"].as_array_mut().unwrap().iter_mut();
            items
                .rev()
                .find_map(|item| item.get_mut(key))
                .map(|field| *field = value)
                .is_some()
        }
        let tried = try_changes(
            "no_changed_request_of_responses_is_accepted",
            Api::OpenaiResponses,
            &CHANGES,
        );
        for (name, times) in tried.into_iter().flatten() {
            assert!(times > 25, "{name} was tried {times} times only");
        }
    }

    fn request(messages: &Value) -> Value {
        json!({"model": "m", "messages": messages})
    }

    /// Compares the messages of a second request; the first had the first message of `arrived`.
    fn second(recorded: &Value, arrived: &Value, reply: Option<&Value>) -> Result<(), String> {
        let first = request(&json!([arrived[0]]));
        let earlier = Earlier::request(&first).answered(reply);
        compare_request(
            Api::AnthropicMessages,
            &request(recorded),
            &request(arrived),
            earlier,
        )
    }

    #[test]
    fn spellings_do_not_count() {
        let recorded = json!({"stream": false, "system": "s", "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "t", "input": ""}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x", "is_error": false}]},
        ]});
        let arrived = json!({"top_p": null, "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "hi", "citations": null}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "t", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1",
                "content": [{"type": "text", "text": "x"}], "cache_control": {"type": "ephemeral"}}]},
        ]});
        assert_eq!(
            compare_request(
                Api::AnthropicMessages,
                &recorded,
                &arrived,
                Earlier::nothing()
            ),
            Ok(())
        );
    }

    #[test]
    fn a_turn_may_hold_more_than_was_recorded_if_the_reply_did() {
        let user = json!({"role": "user", "content": "hi"});
        let recorded = json!([user, {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "x"}]}]);
        let more =
            json!([{"type": "new"}, {"type": "text", "text": "a", "extra": 1}, {"type": "x"}]);
        let arrived = json!([user, {"role": "assistant", "content": more}]);
        assert_eq!(second(&recorded, &arrived, None), Ok(()));
        assert_eq!(second(&recorded, &arrived, Some(&more)), Ok(()));
        let less = json!([{"type": "text", "text": "a"}, {"type": "x"}]);
        let error = second(&recorded, &arrived, Some(&less)).unwrap_err();
        assert!(
            error
                .starts_with("the reply sent back: messages[1].content[0].type: expected \"text\""),
            "{error}"
        );
    }

    #[test]
    fn a_reply_is_sent_back_whole_but_for_empty_texts() {
        let user = json!({"role": "user", "content": "hi"});
        let call = json!({"type": "tool_use", "id": "1", "name": "t", "input": {}});
        let arrived = json!([user, {"role": "assistant", "content": [call]}]);
        let reply = json!([{"type": "text", "text": ""}, call]);
        assert_eq!(second(&arrived, &arrived, Some(&reply)), Ok(()));
        let mut fuller = reply.clone();
        fuller[1]["caller"] = json!({"type": "direct"});
        let error = second(&arrived, &arrived, Some(&fuller)).unwrap_err();
        assert_eq!(
            error,
            r#"the reply sent back: messages[1].content[0].caller: expected {"type":"direct"}, got nothing"#
        );
    }

    #[test]
    fn a_first_request_holds_what_was_recorded_and_no_more() {
        let recorded =
            request(&json!([{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]));
        let more = request(
            &json!([{"role": "assistant", "content": [{"type": "text", "text": "a", "extra": 1}]}]),
        );
        let compare = |earlier| compare_request(Api::AnthropicMessages, &recorded, &more, earlier);
        let error = compare(Earlier::nothing()).unwrap_err();
        assert_eq!(
            error,
            "messages[0].content[0].extra: expected nothing, got 1"
        );
        assert_eq!(compare(Earlier::request(&more)), Ok(()));
        let error = compare(Earlier::request(&recorded)).unwrap_err();
        assert_eq!(
            error,
            "sent before: messages[0].content[0].extra: expected nothing, got 1"
        );
    }

    #[test]
    fn the_error_names_the_closest_block() {
        let turn = |text: &str| {
            json!([{"role": "user", "content": "hi"}, {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "t"}, {"type": "text", "text": text}]}])
        };
        let error = second(&turn("a"), &turn("b"), None).unwrap_err();
        assert_eq!(
            error,
            r#"messages[1].content[1].text: expected "a", got "b""#
        );
    }

    #[test]
    fn items_of_responses_are_sent_back_whole_and_alone() {
        let user = json!({"role": "user", "content": "hi"});
        let call = json!({"type": "function_call", "id": "fc", "call_id": "1", "name": "t", "arguments": "{}"});
        let output = json!({"type": "function_call_output", "call_id": "1", "output": "x"});
        let thought = |hidden: &str| json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": hidden});
        let body = |items: &[&Value]| json!({"input": items});
        let (recorded, first) = (body(&[&user, &call, &output]), body(&[&user]));
        let reply = json!([thought("a"), call]);
        let compare = |arrived: &[&Value]| {
            let earlier = Earlier::request(&first).answered(Some(&reply));
            compare_request(Api::OpenaiResponses, &recorded, &body(arrived), earlier)
        };
        assert_eq!(compare(&[&user, &thought("a"), &call, &output]), Ok(()));
        assert_eq!(compare(&[&user, &thought("b"), &call, &output]), Ok(()));
        compare(&[&user, &call, &output]).unwrap_err();
        compare(&[&user, &call, &thought("a"), &output]).unwrap_err();
        compare(&[&user, &thought("a"), &user, &call, &output]).unwrap_err();
        let bare = json!({"type": "reasoning", "id": "rs", "summary": []});
        let error = compare(&[&user, &bare, &call, &output]).unwrap_err();
        assert_eq!(
            error,
            r#"the reply sent back: input[1].encrypted_content: expected "a", got nothing"#
        );
    }

    #[test]
    fn a_body_without_messages_is_not_compared() {
        let body = request(&json!([]));
        for other in [
            json!({"model": "m"}),
            json!({"model": "m", "messages": "x"}),
            json!([]),
        ] {
            compare_request(Api::AnthropicMessages, &body, &other, Earlier::nothing()).unwrap_err();
        }
    }
}
