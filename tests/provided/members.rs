//! Each member of the toolsets: its input, as the commands are looked at.

use haft::anthropic::tools as input;
use haft::anthropic::tools::{Browser, BrowserToolset, Computer, ComputerToolset};
use haft::serde_json::{self, Value, json};
use haft::{Image, RawJson, ToolCall, ToolError, Toolkit};

use crate::commands::{Row, check};

/// Tells what a member was given, as an error, since not every member has another text.
fn told<T>(input: &impl serde::Serialize) -> Result<T, ToolError> {
    Err(ToolError::new(json!(input).to_string()))
}

struct Echo;

macro_rules! echo {
    ($trait:ident { $($method:ident($input:ident) -> $output:ty;)+ }) => {
        impl $trait for Echo {
            $(
                async fn $method(&self, input: input::$input) -> Result<$output, ToolError> {
                    told(&input)
                }
            )+
        }
    };
}

echo! {
    Computer {
        key(KeyPress) -> ();
        hold_key(HeldKey) -> ();
        type_text(TypedText) -> ();
        cursor_position(NoInput) -> input::Point;
        mouse_move(MouseMove) -> ();
        left_mouse_down(NoInput) -> ();
        left_mouse_up(NoInput) -> ();
        left_click(Click) -> ();
        left_click_drag(Drag) -> ();
        right_click(Click) -> ();
        middle_click(Click) -> ();
        double_click(Click) -> ();
        triple_click(Click) -> ();
        scroll(Scroll) -> ();
        wait(Pause) -> ();
        screenshot(NoInput) -> Image;
        zoom(Region) -> Image;
    }
}

echo! {
    Browser {
        navigate(Navigate) -> input::Navigated;
        list_tabs(NoInput) -> ();
        new_tab(NoInput) -> ();
        switch_tab(Tab) -> ();
        close_tab(Tab) -> ();
        read_page(ReadPage) -> String;
        get_page_text(InTab) -> String;
        read_console(InTab) -> String;
        read_network(InTab) -> String;
        find(Find) -> String;
        form_input(FormInput) -> ();
        file_upload(FileUpload) -> ();
        scroll_to(ScrollTo) -> ();
        screenshot(InTab) -> Image;
        zoom(PageRegion) -> Image;
        left_click(PageClick) -> ();
        right_click(PageClick) -> ();
        middle_click(PageClick) -> ();
        double_click(PageClick) -> ();
        triple_click(PageClick) -> ();
        hover(Hover) -> ();
        left_click_drag(PageDrag) -> ();
        left_mouse_down(PagePoint) -> ();
        left_mouse_up(PagePoint) -> ();
        mouse_move(PagePoint) -> ();
        scroll(PageScroll) -> ();
        type_text(PageText) -> ();
        key(PageKey) -> ();
        hold_key(PageHeldKey) -> ();
        wait(PagePause) -> ();
        javascript_exec(PageText) -> String;
    }
}

/// What a member has read, written again, or what the model is told.
async fn call(toolset: &str, member: &str, input: Value) -> Result<Value, String> {
    let kit = Toolkit::new().with(ComputerToolset::new(Echo)).unwrap();
    let kit: Toolkit = kit.with(BrowserToolset::new(Echo)).unwrap();
    let call = ToolCall::new("t1", toolset, RawJson::from_value(&input));
    let result = kit.run(&call.of_toolset(toolset, member)).await;
    assert!(result.is_error(), "{}", result.text());
    let text = result.text();
    let text = text.strip_prefix("Error: ").unwrap();
    serde_json::from_str(text).map_err(|_| text.to_owned())
}

async fn check_members(toolset: &str, members: Vec<(&str, Row)>) {
    let names: std::collections::HashSet<_> = members.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), if toolset == "computer" { 17 } else { 31 });
    for (member, row) in members {
        check(&[row], async |input| call(toolset, member, input).await).await;
    }
}

#[tokio::test]
async fn members_of_the_computer() {
    let mut members: Vec<(&str, Row)> = vec![
        ("key", (json!({"text": "a", "repeat": 3}), &["repeat"])),
        ("hold_key", (json!({"text": "a", "duration": 3}), &[])),
        ("type", (json!({"text": "a"}), &[])),
        ("mouse_move", (json!({"coordinate": [1, 2]}), &[])),
        (
            "left_click_drag",
            (
                json!({"start_coordinate": [1, 2], "coordinate": [3, 4], "text": "ctrl"}),
                &["text"],
            ),
        ),
        (
            "scroll",
            (
                json!({"scroll_direction": "left", "scroll_amount": 2, "coordinate": [1, 2], "text": "ctrl"}),
                &["coordinate", "text"],
            ),
        ),
        ("wait", (json!({"duration": 300}), &[])),
        ("zoom", (json!({"region": [0, 0, 8, 8]}), &[])),
    ];
    for name in [
        "cursor_position",
        "left_mouse_down",
        "left_mouse_up",
        "screenshot",
    ] {
        members.push((name, (json!({}), &[])));
    }
    for name in [
        "left_click",
        "right_click",
        "middle_click",
        "double_click",
        "triple_click",
    ] {
        let click = json!({"coordinate": [1, 2], "text": "ctrl"});
        members.push((name, (click, &["coordinate", "text"])));
    }
    check_members("computer", members).await;
    let told = call("computer", "wait", json!({"duration": 301}))
        .await
        .unwrap_err();
    assert!(told.contains("duration"), "{told}");
    let told = call("computer", "key", json!({"text": "a", "repeat": 0}))
        .await
        .unwrap_err();
    assert!(told.contains("repeat"), "{told}");
}

#[tokio::test]
async fn members_of_the_browser() {
    let (place, element) = (
        json!({"type": "coordinate", "x": 1, "y": 2}),
        json!({"type": "ref", "ref": "e7"}),
    );
    let mut members: Vec<(&str, Row)> = vec![
        (
            "navigate",
            (json!({"url": "back", "tab_id": "1"}), &["tab_id"]),
        ),
        ("list_tabs", (json!({}), &[])),
        ("new_tab", (json!({}), &[])),
        ("switch_tab", (json!({"tab_id": "1"}), &[])),
        ("close_tab", (json!({"tab_id": "1"}), &[])),
        (
            "read_page",
            (
                json!({"depth": 3, "filter": "interactive", "ref": "e7", "tab_id": "1"}),
                &["depth", "filter", "ref", "tab_id"],
            ),
        ),
        ("find", (json!({"query": "a", "tab_id": "1"}), &["tab_id"])),
        (
            "form_input",
            (
                json!({"target": element, "value": "a", "tab_id": "1"}),
                &["tab_id"],
            ),
        ),
        (
            "file_upload",
            (
                json!({"target": element, "paths": ["/a"], "document_ids": ["d"], "tab_id": "1"}),
                &["paths", "document_ids", "tab_id"],
            ),
        ),
        (
            "scroll_to",
            (json!({"target": element, "tab_id": "1"}), &["tab_id"]),
        ),
        (
            "zoom",
            (json!({"region": [0, 0, 8, 8], "tab_id": "1"}), &["tab_id"]),
        ),
        (
            "hover",
            (json!({"target": place, "tab_id": "1"}), &["tab_id"]),
        ),
        (
            "left_click_drag",
            (
                json!({"from": place, "target": place, "tab_id": "1"}),
                &["tab_id"],
            ),
        ),
        (
            "scroll",
            (
                json!({"scroll_direction": "down", "target": place, "scroll_amount": 3, "tab_id": "1"}),
                &["scroll_amount", "tab_id"],
            ),
        ),
        ("type", (json!({"text": "a", "tab_id": "1"}), &["tab_id"])),
        (
            "javascript_exec",
            (json!({"text": "1", "tab_id": "1"}), &["tab_id"]),
        ),
        (
            "key",
            (
                json!({"text": "a", "repeat": 2, "tab_id": "1"}),
                &["repeat", "tab_id"],
            ),
        ),
        (
            "hold_key",
            (
                json!({"text": "a", "duration": 0.5, "tab_id": "1"}),
                &["tab_id"],
            ),
        ),
        (
            "wait",
            (json!({"duration": 0.5, "tab_id": "1"}), &["tab_id"]),
        ),
    ];
    for name in [
        "get_page_text",
        "read_console",
        "read_network",
        "screenshot",
    ] {
        members.push((name, (json!({"tab_id": "1"}), &["tab_id"])));
    }
    for name in ["left_mouse_down", "left_mouse_up", "mouse_move"] {
        members.push((name, (json!({"target": place, "tab_id": "1"}), &["tab_id"])));
    }
    for name in [
        "left_click",
        "right_click",
        "middle_click",
        "double_click",
        "triple_click",
    ] {
        let click = json!({"target": element, "modifiers": "ctrl", "tab_id": "1"});
        members.push((name, (click, &["modifiers", "tab_id"])));
    }
    check_members("browser", members).await;
    for value in [json!(true), json!(2.5), json!("b")] {
        let input = json!({"target": element, "value": value});
        assert_eq!(
            call("browser", "form_input", input.clone()).await,
            Ok(input)
        );
    }
    for (member, target) in [
        ("hover", json!({"type": "coordinate", "x": 1})),
        ("scroll_to", place),
    ] {
        let told = call("browser", member, json!({"target": target}))
            .await
            .unwrap_err();
        assert!(told.contains("target"), "{told}");
    }
    // One of the two.
    let told = call("browser", "file_upload", json!({"target": element}))
        .await
        .unwrap_err();
    assert!(told.contains("paths"), "{told}");
}
