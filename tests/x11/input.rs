//! The mouse, and what is held: what a program is told of it, and that nothing stays pressed.

use std::time::{Duration, Instant};

use haft::ErrorKind;
use haft::anthropic::tools::{Computer, Point};
use haft::handlers::X11Computer;
use haft::serde_json::json;

use crate::input;
use crate::server::{Client, Server, Told, until};

const SHIFT: u16 = 1;
const CONTROL: u16 = 4;
const BUTTON_1: u16 = 0x100;

fn start() -> (Server, Client, X11Computer) {
    let server = Server::start("400x300x24");
    let client = Client::start(&server);
    let computer = server.computer();
    (server, client, computer)
}

/// The presses and releases of buttons.
fn buttons(client: &Client) -> Vec<Told> {
    let is_button = |told: &Told| matches!(told, Told::Button(..) | Told::ButtonUp(..));
    client.told().into_iter().filter(is_button).collect()
}

#[tokio::test]
async fn clicks_are_clicks_of_their_button() {
    let (_server, client, computer) = start();
    let at = |x: i16, y: i16| json!({"coordinate": [x, y]});
    computer.left_click(input(at(10, 20))).await.unwrap();
    computer.right_click(input(at(0, 0))).await.unwrap();
    computer.middle_click(input(at(399, 299))).await.unwrap();
    // Where the mouse is.
    computer.left_click(input(json!({}))).await.unwrap();
    let mut expected = Vec::new();
    for (button, place) in [(1, [10, 20]), (3, [0, 0]), (2, [399, 299]), (1, [399, 299])] {
        expected.push(Told::Button(button, 0, place));
        expected.push(Told::ButtonUp(button, place));
    }
    assert_eq!(buttons(&client), expected);

    for times in [2, 3] {
        let click = input(at(7, 8));
        match times {
            2 => computer.double_click(click).await.unwrap(),
            _ => computer.triple_click(click).await.unwrap(),
        }
        let one = [Told::Button(1, 0, [7, 8]), Told::ButtonUp(1, [7, 8])];
        assert_eq!(buttons(&client), one.repeat(times));
    }
}

#[tokio::test]
async fn modifiers_are_held_during_a_click() {
    let (_server, client, computer) = start();
    let click = json!({"coordinate": [5, 6], "text": "ctrl+shift"});
    computer.left_click(input(click)).await.unwrap();
    assert_eq!(
        buttons(&client)[0],
        Told::Button(1, SHIFT | CONTROL, [5, 6])
    );
    assert_eq!((client.held(), client.keys_down()), (0, 0));

    let click = json!({"coordinate": [5, 6], "text": "ctrl+nonsense"});
    let error = computer.left_click(input(click)).await.unwrap_err();
    assert!(
        error.message().starts_with("unknown key `nonsense`."),
        "{error}"
    );
    assert_eq!(client.told(), [], "nothing is pressed, and nothing moves");
}

#[tokio::test]
async fn a_drag_moves_with_the_button_down() {
    let (_server, client, computer) = start();
    let drag = json!({"start_coordinate": [10, 10], "coordinate": [110, 60], "text": "shift"});
    computer.left_click_drag(input(drag)).await.unwrap();
    let told = client.told();
    let at = |wanted: &Told| told.iter().position(|told| told == wanted).unwrap();
    let pressed = at(&Told::Button(1, SHIFT, [10, 10]));
    let between = at(&Told::Moved([50, 30], SHIFT | BUTTON_1));
    let released = at(&Told::ButtonUp(1, [110, 60]));
    assert!(pressed < between && between < released, "{told:?}");
    assert_eq!((client.held(), client.keys_down()), (0, 0));

    // Both ends are looked at before the button is pressed.
    let drag = json!({"start_coordinate": [10, 10], "coordinate": [400, 0]});
    computer.left_click_drag(input(drag)).await.unwrap_err();
    assert_eq!(client.told(), []);
}

#[tokio::test]
async fn the_left_button_stays_down_until_it_is_released() {
    let (_server, client, computer) = start();
    computer
        .mouse_move(input(json!({"coordinate": [30, 40]})))
        .await
        .unwrap();
    computer.left_mouse_down(input(json!({}))).await.unwrap();
    computer
        .mouse_move(input(json!({"coordinate": [31, 41]})))
        .await
        .unwrap();
    assert_eq!(client.held(), BUTTON_1);
    computer.left_mouse_up(input(json!({}))).await.unwrap();
    assert_eq!(client.held(), 0);
    assert_eq!(
        client.told(),
        [
            Told::Moved([30, 40], 0),
            Told::Button(1, 0, [30, 40]),
            Told::Moved([31, 41], BUTTON_1),
            Told::ButtonUp(1, [31, 41]),
        ]
    );

    computer.left_mouse_down(input(json!({}))).await.unwrap();
    drop(computer);
    assert_eq!(client.held(), 0, "with the computer goes what it held");
}

#[tokio::test]
async fn the_wheel_turns_four_ways() {
    let (_server, client, computer) = start();
    for (direction, button) in [("up", 4), ("down", 5), ("left", 6), ("right", 7)] {
        let scroll = json!({
            "scroll_direction": direction, "scroll_amount": 3, "coordinate": [50, 60], "text": "ctrl",
        });
        computer.scroll(input(scroll)).await.unwrap();
        let one = [
            Told::Button(button, CONTROL, [50, 60]),
            Told::ButtonUp(button, [50, 60]),
        ];
        assert_eq!(buttons(&client), one.repeat(3));
    }
    for amount in [-1, 101] {
        let scroll = json!({"scroll_direction": "up", "scroll_amount": amount});
        let error = computer.scroll(input(scroll)).await.unwrap_err();
        assert_eq!(error.message(), "`scroll_amount` must be from 0 to 100");
    }
}

#[tokio::test]
async fn a_place_outside_is_an_error_and_nothing_moves() {
    let (_server, client, computer) = start();
    for place in [[-1, 0], [400, 0], [0, 300], [i64::MAX, 0]] {
        let error = computer
            .mouse_move(input(json!({"coordinate": place})))
            .await;
        let error = error.unwrap_err();
        assert!(
            error.message().contains("outside of the screenshot"),
            "{error}"
        );
    }
    assert_eq!(client.told(), []);
    computer
        .mouse_move(input(json!({"coordinate": [399, 299]})))
        .await
        .unwrap();
    let place = computer.cursor_position(input(json!({}))).await.unwrap();
    assert_eq!(place, Point { x: 399, y: 299 });
}

#[tokio::test]
async fn a_key_is_held_for_its_time() {
    let (_server, client, computer) = start();
    let start = Instant::now();
    let hold = json!({"text": "shift+a", "duration": 1});
    computer.hold_key(input(hold)).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
    let told = client.told();
    assert_eq!(told[1], Told::Key(u32::from(b'A'), SHIFT));
    assert_eq!((client.held(), client.keys_down()), (0, 0));

    let error = computer
        .hold_key(input(json!({"text": "a", "duration": 301})))
        .await;
    assert_eq!(
        error.unwrap_err().message(),
        "`duration` must be at most 300 seconds"
    );
}

/// On one thread: were it blocked, nothing would drop the future.
#[tokio::test]
async fn where_the_future_is_dropped_keys_are_released() {
    let (_server, client, computer) = start();
    let hold = computer.hold_key(input(json!({"text": "ctrl+alt+x", "duration": 300})));
    let pressed = async {
        while client.keys_down() < 3 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        ended = hold => panic!("it is held for long: {ended:?}"),
        () = pressed => {}
    }
    until("all keys are released", || client.keys_down() == 0);
    // The next one is not held up.
    computer.key(input(json!({"text": "b"}))).await.unwrap();
}

#[tokio::test]
async fn a_drag_that_is_dropped_releases_its_button() {
    let (_server, client, computer) = start();
    let drag = json!({"start_coordinate": [10, 10], "coordinate": [110, 60], "text": "shift"});
    let drag = computer.left_click_drag(input(drag));
    let pressed = async {
        while client.held() != SHIFT | BUTTON_1 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = pressed => {}
        // A slow program may see it too late.
        _ = drag => {}
    }
    until("all is released", || {
        (client.held(), client.keys_down()) == (0, 0)
    });
}

#[tokio::test]
async fn a_wait_is_bounded() {
    let (_server, _client, computer) = start();
    let start = Instant::now();
    computer.wait(input(json!({"duration": 1}))).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
    let error = computer
        .wait(input(json!({"duration": 301})))
        .await
        .unwrap_err();
    assert_eq!(error.message(), "`duration` must be at most 300 seconds");
}

#[tokio::test]
async fn a_lost_connection_is_told() {
    let (mut server, _client, computer) = start();
    server.kill();
    let lost = format!(
        "the connection to the X display `{}` is lost: ",
        server.name
    );
    let error = computer.screenshot(input(json!({}))).await.unwrap_err();
    assert!(error.message().starts_with(&lost), "{error}");
    let error = computer.key(input(json!({"text": "a"}))).await.unwrap_err();
    assert!(error.message().starts_with(&lost), "{error}");
}

#[test]
fn a_display_that_is_not_there_is_told() {
    let error = X11Computer::open_display(":98765").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    let told = "the X display `:98765` cannot be opened: ";
    assert!(error.to_string().contains(told), "{error}");
    let error = X11Computer::open_display("nonsense").unwrap_err();
    assert!(
        error.to_string().contains("`nonsense` cannot be opened"),
        "{error}"
    );
}
