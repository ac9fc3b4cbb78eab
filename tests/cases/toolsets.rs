//! Toolsets: members are told apart from other tools, run one after the other, and stop at the first that fails.

use std::sync::{Arc, Mutex};

use haft::anthropic::tools::{
    Browser, BrowserState, BrowserToolset, Click, Computer, ComputerToolset, KeyPress, NoInput,
    PageClick, Region, TabState, Target,
};
use haft::serde_json::{Value, json};
use haft::{
    Decision, ErrorKind, Image, Outcome, Request, Runner, ToolError, Toolkit, tool, toolkit,
};

use crate::case::{Case, Mode, text};

/// What was done, in order.
type Done = Arc<Mutex<Vec<String>>>;

/// A computer whose keys may be broken.
struct Desk {
    done: Done,
    key_is_broken: bool,
}

impl Computer for Desk {
    async fn key(&self, key: KeyPress) -> Result<(), ToolError> {
        // The others could pass it, if they might.
        tokio::task::yield_now().await;
        self.done.lock().unwrap().push(format!("key {}", key.text));
        match self.key_is_broken {
            true => Err(ToolError::new("the key is stuck")),
            false => Ok(()),
        }
    }

    async fn screenshot(&self, _: NoInput) -> Result<Image, ToolError> {
        self.done.lock().unwrap().push("screenshot".to_owned());
        Ok(Image::new("image/png", "iVBORw0KGgo="))
    }

    async fn zoom(&self, region: Region) -> Result<Image, ToolError> {
        self.done
            .lock()
            .unwrap()
            .push(format!("zoom {:?}", region.region));
        Ok(Image::new("image/png", "iVBORw0KGgo="))
    }

    async fn left_click(&self, click: Click) -> Result<(), ToolError> {
        self.done
            .lock()
            .unwrap()
            .push(format!("click {:?}", click.coordinate));
        Ok(())
    }
}

/// A key of a piano.
#[tool]
async fn key(done: &Done, note: String) -> String {
    done.lock().unwrap().push(format!("note {note}"));
    format!("played {note}")
}

/// The time.
#[tool]
async fn now(done: &Done) -> &'static str {
    done.lock().unwrap().push("now".to_owned());
    "12:00"
}

fn member(id: &str, toolset: &str, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input, "toolset_name": toolset})
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn picture() -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}})
}

fn desk(key_is_broken: bool) -> (Toolkit, Done) {
    let done = Done::default();
    let desk = Desk {
        done: Arc::clone(&done),
        key_is_broken,
    };
    let kit = toolkit![key, now].with_state(Arc::clone(&done));
    (kit.with(ComputerToolset::new(desk)).unwrap(), done)
}

/// The results of one reply with these calls.
async fn results(mode: Mode, kit: Toolkit, calls: &Value) -> Vec<Value> {
    let replies = vec![mode.reply(calls, "tool_use"), mode.says("Done.")];
    let mut case = Case::with_kit(mode, kit, replies).await;
    case.runner.set_eager(true);
    case.run().await.unwrap();
    let messages = case.messages(1);
    assert_eq!(messages[1]["content"], *calls, "it goes back as it came");
    messages[2]["content"].as_array().unwrap().clone()
}

#[tokio::test]
async fn rn_20_members_stop_at_the_first_failure_and_other_tools_run() {
    for mode in Mode::ALL {
        let (kit, done) = desk(true);
        let calls = json!([
            member("t1", "computer", "key", &json!({"text": "Return"})),
            member("t2", "computer", "screenshot", &json!({})),
            member("t3", "computer", "zoom", &json!({"region": [0, 0, 9, 9]})),
            call("t4", "now", &json!({})),
            call("t5", "key", &json!({"note": "C"})),
        ]);
        let halted = |id: &str| {
            let words = "Not executed: an earlier computer action in this turn failed.";
            json!({
                "type": "tool_result", "tool_use_id": id, "toolset_name": "computer",
                "content": [text(words)], "is_error": true,
            })
        };
        let plain = |id: &str, words: &str| json!({"type": "tool_result", "tool_use_id": id, "content": [text(words)]});
        assert_eq!(
            results(mode, kit, &calls).await,
            [
                json!({
                    "type": "tool_result", "tool_use_id": "t1", "toolset_name": "computer",
                    "content": [text("Error: the key is stuck")], "is_error": true,
                }),
                halted("t2"),
                halted("t3"),
                plain("t4", "12:00"),
                plain("t5", "played C"),
            ],
            "{mode:?}"
        );
        let mut done = done.lock().unwrap().clone();
        done.sort();
        assert_eq!(done, ["key Return", "note C", "now"]);
    }
}

#[tokio::test]
async fn rn_20_members_run_in_order_and_say_what_they_did() {
    for mode in Mode::ALL {
        let (kit, done) = desk(false);
        let calls = json!([
            member("t1", "computer", "key", &json!({"text": "a"})),
            member(
                "t2",
                "computer",
                "left_click",
                &json!({"coordinate": [3, 4], "text": null})
            ),
            member("t3", "computer", "screenshot", &json!({})),
        ]);
        let result = |id: &str, block: Value| {
            json!({
                "type": "tool_result", "tool_use_id": id, "toolset_name": "computer", "content": [block],
            })
        };
        assert_eq!(
            results(mode, kit, &calls).await,
            [
                result("t1", text("Pressed a.")),
                result("t2", text("Clicked.")),
                result("t3", picture()),
            ]
        );
        assert_eq!(
            *done.lock().unwrap(),
            ["key a", "click Some([3, 4])", "screenshot"]
        );
    }
}

#[tokio::test]
async fn rn_20_what_is_not_there_is_told() {
    let cases = [
        (
            "fly",
            json!({}),
            "Error: unknown computer toolset member 'fly'",
        ),
        (
            "scroll",
            json!({"scroll_direction": "up", "scroll_amount": 1}),
            "The computer toolset member 'scroll' is not available in this environment.",
        ),
        (
            "left_click",
            json!({"coordinate": [1.5, 2]}),
            "Error: Invalid input for tool 'left_click': coordinate[0]: expected an integer, got the number 1.5",
        ),
        (
            "key",
            json!({}),
            "Error: Invalid input for tool 'key': text: required, but missing",
        ),
    ];
    for (name, input, words) in cases {
        let calls = json!([member("t1", "computer", name, &input)]);
        let result = &results(Mode::Plain, desk(false).0, &calls).await[0];
        assert_eq!(
            (&result["content"][0]["text"], &result["is_error"]),
            (&json!(words), &json!(true))
        );
    }
}

#[tokio::test]
async fn only_implemented_members_are_offered() {
    let mode = Mode::Plain;
    let (kit, _) = desk(false);
    let mut case = Case::with_kit(mode, kit, vec![mode.says("Hello")]).await;
    case.run().await.unwrap();
    let offered = &case.bodies()[0]["tools"][2];
    assert_eq!(offered["type"], "computer_toolset_20260801");
    assert_eq!(offered.get("name"), None);
    let configs = offered["configs"].as_object().unwrap();
    assert_eq!(configs.len(), 17 - 4);
    assert!(
        configs
            .values()
            .all(|config| *config == json!({"enabled": false}))
    );
    for implemented in ["key", "screenshot", "zoom", "left_click"] {
        assert!(!configs.contains_key(implemented), "{implemented}");
    }
}

#[tokio::test]
async fn a_call_that_is_no_members_is_told_so() {
    let cases = [
        (
            call("t1", "computer", &json!({})),
            "Error: Tool 'computer' not found. Available tools: ",
        ),
        (
            member("t1", "browser", "key", &json!({"text": "a"})),
            "Error: Toolset 'browser' member 'key' not found",
        ),
    ];
    for (called, words) in cases {
        let result = &results(Mode::Plain, desk(false).0, &json!([called])).await[0];
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(words), "{text}");
    }
    // Nothing at all is the empty object, as everywhere.
    let mut called = member("t1", "computer", "screenshot", &json!({}));
    called["input"] = Value::Null;
    let mode = Mode::Plain;
    let replies = vec![mode.reply(&json!([called]), "tool_use"), mode.says("Done.")];
    let mut case = Case::with_kit(mode, desk(false).0, replies).await;
    case.run().await.unwrap();
    assert_eq!(
        case.messages(1)[2]["content"][0]["content"],
        json!([picture()])
    );
}

/// What was not run has not failed again.
#[tokio::test]
async fn members_that_were_halted_do_not_count_as_repeats() {
    let mode = Mode::Plain;
    let turn = |key: &str| {
        let calls = json!([
            member("t1", "computer", "key", &json!({"text": key})),
            member("t2", "computer", "screenshot", &json!({})),
        ]);
        mode.reply(&calls, "tool_use")
    };
    let replies = vec![turn("a"), turn("b"), mode.says("Done.")];
    let mut case = Case::with_kit(mode, desk(true).0, replies).await;
    case.runner.set_stop_after_repeats(2);
    assert_eq!(case.run().await.unwrap().outcome, Outcome::Completed);
}

#[tokio::test]
async fn members_are_left_out_and_deferred_in_any_order() {
    let toolset = || {
        ComputerToolset::new(Desk {
            done: Done::default(),
            key_is_broken: false,
        })
    };
    let one = toolset().defer_loading(true).without(&["zoom"]).unwrap();
    let other = toolset().without(&["zoom"]).unwrap().defer_loading(true);
    assert_eq!(one.definition().options(), other.definition().options());
    let configs = &one.definition().options()["configs"];
    assert_eq!(configs["key"], json!({"defer_loading": true}));
    assert_eq!(configs["zoom"], json!({"enabled": false}));
    let error = toolset().without(&["fly"]).unwrap_err();
    assert!(error.to_string().contains("`fly`"), "{error}");
}

#[tokio::test]
async fn a_toolset_has_no_name_to_choose_and_no_other_tool_has_its_name() {
    let (kit, _) = desk(false);
    let case = Case::with_kit(Mode::Plain, kit.clone(), Vec::new()).await;
    let choice = haft::ToolChoice::Tool("computer".to_owned());
    let request = Request::new("m").user("Go").tool_choice(choice);
    let mut runner = Runner::new(case.provider(), kit.clone(), request);
    let error = runner.run_to_completion().await.unwrap_err();
    assert!(
        error.to_string().contains("the toolset `computer`"),
        "{error}"
    );

    let old = haft::anthropic::tools::COMPUTER_20251124.display(8, 8);
    let old = old.definition("old", "").unwrap();
    let mut runner = Runner::new(case.provider(), kit, Request::new("m").user("Go").tool(old));
    let error = runner.run_to_completion().await.unwrap_err();
    assert!(
        error.to_string().contains("`computer` and `old`"),
        "{error}"
    );
    assert_eq!(case.bodies(), Vec::<Value>::new());
}

#[tokio::test]
async fn elsewhere_a_toolset_is_an_error() {
    let (kit, _) = desk(false);
    let model = haft::testing::TestModel::new();
    let mut runner = Runner::new(model, kit, Request::new("m").user("Go"));
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert!(
        error
            .to_string()
            .contains("tool `computer` is a toolset of anthropic-messages"),
        "{error}"
    );
}

/// Each waits for those before it, also where the program is asked.
#[tokio::test]
async fn members_wait_for_one_that_waits_for_the_program() {
    let done = Done::default();
    let runs = Desk {
        done: Arc::clone(&done),
        key_is_broken: true,
    };
    let kit = Toolkit::new()
        .with(ComputerToolset::new(runs).approval(true))
        .unwrap();
    let mode = Mode::Plain;
    let calls = json!([
        member("t1", "computer", "key", &json!({"text": "a"})),
        member("t2", "computer", "screenshot", &json!({})),
    ]);
    let replies = vec![mode.reply(&calls, "tool_use"), mode.says("Done.")];
    let mut case = Case::with_kit(mode, kit, replies).await;
    let Outcome::AwaitingApproval { calls } = case.run().await.unwrap().outcome else {
        panic!("it waits");
    };
    assert_eq!(calls.len(), 2);
    assert_eq!((calls[0].name(), calls[0].wire_name()), ("computer", "key"));
    case.runner.decide("t2", Decision::Allow).unwrap();
    let Outcome::AwaitingApproval { calls } = case.run().await.unwrap().outcome else {
        panic!("the first is not decided");
    };
    assert_eq!(calls.len(), 1);
    assert!(done.lock().unwrap().is_empty());
    case.runner.decide("t1", Decision::Allow).unwrap();
    assert_eq!(case.run().await.unwrap().outcome, Outcome::Completed);
    assert_eq!(*done.lock().unwrap(), ["key a"]);
    let results = &case.messages(1)[2]["content"];
    assert_eq!(
        results[1]["content"][0]["text"],
        "Not executed: an earlier computer action in this turn failed."
    );
}

/// Of a body that was read, without a handler: the program answers.
#[tokio::test]
async fn members_without_a_handler_wait_for_the_program() {
    let mode = Mode::Plain;
    let call = member("t1", "computer", "key", &json!({"text": "a"}));
    let replies = vec![mode.reply(&json!([call]), "tool_use"), mode.says("Done.")];
    let case = Case::with_kit(mode, Toolkit::new(), replies).await;
    let body = json!({
        "model": "m", "max_tokens": 100, "tools": [{"type": "computer_toolset_20260801"}],
        "messages": [{"role": "user", "content": "Go"}],
    });
    let request = Request::from_body(&case.provider(), body).unwrap();
    let mut runner = Runner::new(case.provider(), Toolkit::new(), request);
    let outcome = runner.run_to_completion().await.unwrap().outcome;
    assert!(
        matches!(outcome, Outcome::AwaitingApproval { .. }),
        "{outcome:?}"
    );
    let answer = haft::ToolOutput::text("Pressed a.");
    runner.decide("t1", Decision::Answer(answer)).unwrap();
    runner.run_to_completion().await.unwrap();
    assert_eq!(
        case.messages(1)[2]["content"],
        json!([{
            "type": "tool_result", "tool_use_id": "t1", "toolset_name": "computer",
            "content": [text("Pressed a.")],
        }])
    );
}

struct Page;

impl Browser for Page {
    async fn new_tab(&self, _: NoInput) -> Result<(), ToolError> {
        Ok(())
    }

    async fn left_click(&self, click: PageClick) -> Result<(), ToolError> {
        match click.target {
            Target::Ref { reference } if reference == "e7" => Ok(()),
            _ => Err(ToolError::new("there is nothing")),
        }
    }

    async fn browser_state(&self) -> Result<Option<BrowserState>, ToolError> {
        let tab = TabState::new("1", "A\nB", "https://example.com/").active();
        Ok(Some(BrowserState::new([tab])))
    }
}

#[tokio::test]
async fn a_browser_tells_of_its_tabs() {
    let state = json!({
        "type": "browser_state",
        "tabs": [{"tab_id": "1", "title": "A B", "url": "https://example.com/", "active": true}],
    });
    for mode in Mode::ALL {
        let kit = Toolkit::new().with(BrowserToolset::new(Page)).unwrap();
        let target = |target: Value| json!({"target": target});
        let calls = json!([
            member("t1", "browser", "new_tab", &json!({})),
            member(
                "t2",
                "browser",
                "left_click",
                &target(json!({"type": "ref", "ref": "e7"}))
            ),
            member(
                "t3",
                "browser",
                "left_click",
                &target(json!({"type": "coordinate", "x": 1, "y": 2}))
            ),
            member("t4", "browser", "new_tab", &json!({})),
        ]);
        let results = results(mode, kit, &calls).await;
        assert_eq!(results[0]["content"], json!([state]));
        assert_eq!(results[1]["content"], json!([text("Clicked."), state]));
        assert_eq!(
            results[2]["content"],
            json!([text("Error: there is nothing")])
        );
        assert_eq!(
            results[3]["content"],
            json!([text("Not executed: an earlier action in this turn failed.")])
        );
        assert!(
            results
                .iter()
                .all(|result| result["toolset_name"] == "browser")
        );
    }
}
