//! The keyboard: keys and combinations by their names, and texts of any characters.

use haft::anthropic::tools::Computer;
use haft::handlers::X11Computer;
use haft::serde_json::json;

use crate::input;
use crate::server::{Client, Server, Told};

const SHIFT: u16 = 1;
const LOCK: u16 = 2;
const CONTROL: u16 = 4;
const ALT: u16 = 8;

fn start() -> (Server, Client, X11Computer) {
    let server = Server::start("400x300x24");
    let client = Client::start(&server);
    let computer = server.computer();
    (server, client, computer)
}

async fn type_text(computer: &X11Computer, text: &str) {
    computer
        .type_text(input(json!({"text": text})))
        .await
        .unwrap();
}

async fn press(computer: &X11Computer, keys: &str) {
    computer.key(input(json!({"text": keys}))).await.unwrap();
}

/// The keys that were pressed, but for modifiers.
fn keys(client: &Client) -> Vec<(u32, u16)> {
    let told = client.told().into_iter();
    let keys = told.filter_map(|told| match told {
        Told::Key(0xffe1..=0xffee, _) => None,
        Told::Key(symbol, state) => Some((symbol, state)),
        _ => None,
    });
    keys.collect()
}

#[tokio::test]
async fn a_text_of_the_keyboard_is_typed() {
    let (_server, client, computer) = start();
    let text: String = (' '..='~').collect();
    let text = format!("{text}\n\tdone");
    type_text(&computer, &text).await;
    assert_eq!(client.typed(), text);
    assert_eq!((client.held(), client.keys_down()), (0, 0));
}

#[tokio::test]
async fn a_text_of_any_characters_is_typed() {
    let (_server, client, computer) = start();
    let free = client.keys_without_symbol();
    let text = "Grüße: 5 €, naïve 日本, 🦀👩‍💻 ß\u{301}";
    type_text(&computer, text).await;
    assert_eq!(client.typed(), text);
    assert!(client.keys_without_symbol() < free, "keys were lent");
    // They are known now.
    let left = client.keys_without_symbol();
    type_text(&computer, text).await;
    assert_eq!(client.typed(), text);
    assert_eq!(client.keys_without_symbol(), left);
    drop(computer);
    assert_eq!(client.keys_without_symbol(), free, "they are given back");
}

#[tokio::test]
async fn a_text_may_have_more_characters_than_there_are_keys() {
    let (_server, client, computer) = start();
    let free = u32::try_from(client.keys_without_symbol()).unwrap();
    let text: String = (0..2 * free + 5)
        .filter_map(|at| char::from_u32(0x4e00 + at))
        .collect();
    type_text(&computer, &text).await;
    assert_eq!(client.typed(), text);
}

#[tokio::test]
async fn what_cannot_be_typed_is_told_before_anything_is_typed() {
    let (_server, client, computer) = start();
    let error = computer.type_text(input(json!({"text": "ab\u{7}"}))).await;
    assert_eq!(
        error.unwrap_err().message(),
        "there is no key for the character U+0007"
    );
    assert_eq!(client.told(), []);
}

/// The keys are all taken, so that Control is down when the next step fails.
#[tokio::test]
async fn where_a_later_step_fails_what_is_pressed_is_released() {
    let (_server, client, computer) = start();
    client.take_all_keys();
    let key = json!({"text": "ctrl+日"});
    let error = computer.key(input(key)).await.unwrap_err();
    let told = "no key is free for `日`, which the keyboard lacks";
    assert_eq!(error.message(), told);
    let control = 0xffe3;
    assert_eq!(client.told(), [Told::Key(control, 0), Told::KeyUp(control)]);
    assert_eq!((client.held(), client.keys_down()), (0, 0));
}

#[tokio::test]
async fn where_the_future_is_dropped_a_text_ends() {
    let (_server, client, computer) = start();
    let text = "Ab".repeat(2000);
    let typing = computer.type_text(input(json!({"text": text})));
    let begun = async {
        while !client.was_told() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        ended = typing => panic!("it takes long: {ended:?}"),
        () = begun => {}
    }
    // It comes after what is left.
    press(&computer, "ctrl+s").await;
    let typed = client.typed();
    assert!(typed.len() < text.len() && typed.ends_with('s'), "{typed}");
    assert_eq!((client.held(), client.keys_down()), (0, 0));
}

#[tokio::test]
async fn caps_lock_does_not_change_a_text() {
    let (_server, client, computer) = start();
    press(&computer, "Caps_Lock").await;
    assert_eq!(client.held(), LOCK);
    type_text(&computer, "aBcÄä").await;
    assert_eq!(client.held(), LOCK, "it is on again");
    assert_eq!(client.typed(), "aBcÄä");
}

#[tokio::test]
async fn combinations_are_pressed_together() {
    let (_server, client, computer) = start();
    for (combination, symbol, state) in [
        ("Return", 0xff0d, 0),
        ("ctrl+s", u32::from(b's'), CONTROL),
        // The keyboard gives Tab with Shift a name of its own.
        ("shift+Tab", 0xfe20, SHIFT),
        ("ctrl+alt+Delete", 0xffff, CONTROL | ALT),
        ("A", u32::from(b'A'), SHIFT),
        ("ctrl++", u32::from(b'+'), CONTROL | SHIFT),
        ("F5", 0xffc2, 0),
        ("Page_Down", 0xff56, 0),
        ("ctrl+ä", 0xe4, CONTROL),
        ("space", 0x20, 0),
    ] {
        press(&computer, combination).await;
        assert_eq!(keys(&client), [(symbol, state)], "{combination}");
        assert_eq!((client.held(), client.keys_down()), (0, 0), "{combination}");
    }
}

#[tokio::test]
async fn modifiers_go_down_first_and_up_last() {
    let (_server, client, computer) = start();
    press(&computer, "ctrl+c").await;
    let (control, c) = (0xffe3, u32::from(b'c'));
    assert_eq!(
        client.told(),
        [
            Told::Key(control, 0),
            Told::Key(c, CONTROL),
            Told::KeyUp(c),
            Told::KeyUp(control),
        ]
    );
}

#[tokio::test]
async fn keys_may_come_again_and_one_after_the_other() {
    let (_server, client, computer) = start();
    let key = json!({"text": "Down", "repeat": 3});
    computer.key(input(key)).await.unwrap();
    assert_eq!(keys(&client), [(0xff54, 0); 3]);
    press(&computer, "Up ctrl+Left").await;
    assert_eq!(keys(&client), [(0xff52, 0), (0xff51, CONTROL)]);
    for repeat in [0, 101] {
        let key = json!({"text": "Down", "repeat": repeat});
        let error = computer.key(input(key)).await.unwrap_err();
        assert_eq!(error.message(), "`repeat` must be from 1 to 100");
    }
}

#[tokio::test]
async fn an_unknown_key_is_told_and_nothing_is_pressed() {
    let (_server, client, computer) = start();
    let key = json!({"text": "ctrl+Entre"});
    let error = computer.key(input(key)).await.unwrap_err();
    let told =
        "unknown key `Entre`. Did you mean `enter`? Keys have X's names: a character such as `a`";
    assert!(error.message().starts_with(told), "{error}");
    assert_eq!(client.told(), []);
}

/// Two at once: one waits for the other, and their keys are not mixed.
#[tokio::test]
async fn actions_come_one_after_the_other() {
    let (_server, client, computer) = start();
    tokio::join!(
        type_text(&computer, "AaAaAaAaAa"),
        type_text(&computer, "BbBbBbBbBb")
    );
    let typed = client.typed();
    let (a, b) = ("AaAaAaAaAa", "BbBbBbBbBb");
    assert!(
        typed == format!("{a}{b}") || typed == format!("{b}{a}"),
        "{typed}"
    );
}
