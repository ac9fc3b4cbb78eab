//! Which provider the environment leads to. Each case is a process of its own, since the environment is one of all tests.

use std::env;
use std::process::Command;

use haft::Error;

/// Says which provider it is, or what is wrong.
#[test]
#[ignore = "is run by the tests below, with an environment of their own"]
fn child() {
    match haft::provider_from_env() {
        Ok(provider) => println!("it is {}", provider.api()),
        Err(error) => println!("it is an error: {error}"),
    }
}

/// What the child says, and what it writes for people.
fn told(variables: &[(&str, &str)]) -> (String, String) {
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "environment::child", "--ignored", "--nocapture"])
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let said = text(child.stdout);
    let line = said.lines().find_map(|line| line.split_once("it is "));
    (line.unwrap().1.to_owned(), text(child.stderr))
}

#[test]
fn the_first_key_that_is_set_counts() {
    let (anthropic, openai) = (("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b"));
    let base_url = ("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
    for (variables, api) in [
        (&[anthropic][..], "anthropic-messages"),
        (&[anthropic, openai], "anthropic-messages"),
        (&[anthropic, base_url], "anthropic-messages"),
        (&[openai], "openai-responses"),
        (&[openai, base_url], "openai-responses"),
        (&[base_url], "openai-chat"),
        (&[("OPENAI_API_KEY", " "), base_url], "openai-chat"),
    ] {
        let (told, note) = told(variables);
        assert_eq!(
            (told.as_str(), note.contains("haft:")),
            (api, false),
            "{variables:?}"
        );
    }
}

#[test]
fn without_any_the_test_model_answers_and_says_so() {
    let (told, note) = told(&[("OPENAI_API_KEY", "")]);
    assert_eq!(told, "testing");
    assert!(
        note.contains(
            "haft: neither ANTHROPIC_API_KEY nor OPENAI_API_KEY nor OPENAI_BASE_URL is set, so the test model answers"
        ),
        "{note}"
    );
}

#[test]
fn what_cannot_work_is_told() {
    let (told, _) = told(&[("OPENAI_BASE_URL", "no address")]);
    assert!(told.starts_with("an error: "), "{told}");
    let built: Result<_, Error> = haft::openai::Chat::builder().base_url("no address").build();
    assert_eq!(format!("an error: {}", built.unwrap_err()), told);
}
