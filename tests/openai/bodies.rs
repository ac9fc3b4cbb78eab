//! Bodies of the Responses API of which OpenAI holds a part.

use haft::serde_json::{Value, json};
use haft::{Request, Runner, Toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, response, responses, run, says};

/// Reads a body, runs it, and gives what is sent then.
async fn sent(body: Value) -> Value {
    let server = Server::start(vec![ServerReply::json(200, &response(&[says("Hi.")]))]).await;
    let provider = responses(&server);
    let request = Request::from_body(&provider, body).unwrap();
    run(&mut Runner::new(provider, Toolkit::new(), request), false).await;
    bodies(&server).remove(0)
}

#[tokio::test]
async fn a_result_of_a_call_that_the_api_holds_goes_back_as_it_came() {
    let result = json!({"type": "function_call_output", "call_id": "c1", "output": "noon"});
    for (key, value) in [
        ("previous_response_id", json!("resp_1")),
        ("conversation", json!("conv_1")),
        ("conversation", json!({"id": "conv_1"})),
    ] {
        let body = json!({"model": "gpt-5", "input": [result], key: value});
        let sent = sent(body).await;
        assert_eq!(sent["input"], json!([result]), "{sent}");
        assert_eq!(sent[key], value);
    }
}

#[tokio::test]
async fn there_may_be_no_input_where_the_api_holds_one() {
    for (key, value) in [
        ("prompt", json!({"id": "pmpt_1"})),
        ("conversation", json!("conv_1")),
        ("previous_response_id", json!("resp_1")),
    ] {
        for input in [None, Some(json!([])), Some(Value::Null)] {
            let mut body = json!({"model": "gpt-5", key: value});
            if let Some(input) = input {
                body["input"] = input;
            }
            let sent = sent(body).await;
            assert_eq!(sent[key], value);
            assert_eq!(sent.get("input"), None, "{sent}");
        }
    }
    let server = Server::start(vec![]).await;
    let error = Request::from_body(&responses(&server), json!({"model": "gpt-5"})).unwrap_err();
    assert!(error.to_string().contains("`input`"), "{error}");
}
