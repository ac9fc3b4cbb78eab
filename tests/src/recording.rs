//! The recorded conversations of `../shared/recordings`: their types, where they are, and how they are read.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fail;

/// The wire format that a recording speaks.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// Anthropic's Messages.
    AnthropicMessages,
    /// OpenAI's Chat Completions, and all that speak it.
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
}

/// What a recording is good for, as its folder says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A tool loop that a faithful runner reproduces request by request.
    Replay,
    /// A tool loop whose client did something more; its replies must still decode.
    Loop,
    /// One exchange, or several that do not follow from each other.
    Single,
}

/// One recorded conversation.
#[derive(Clone, Debug, Deserialize)]
pub struct Recording {
    /// The name of its file, without the extension.
    pub name: String,
    /// The wire format.
    pub api: Api,
    /// Who answered; spelled differently by each project.
    pub provider: String,
    /// Whether it is a tool loop.
    #[serde(rename = "loop")]
    pub is_loop: bool,
    /// Whether its replies are streams.
    pub stream: bool,
    /// Whether it ends in an error.
    pub error: bool,
    /// Requests and responses, in order.
    pub exchanges: Vec<Exchange>,
    /// What it takes to play a tool loop; `None` where that cannot be done.
    pub replay: Option<Replay>,
    /// Why a tool loop cannot be played.
    pub not_replayable: Option<String>,
    #[serde(skip)]
    path: PathBuf,
}

impl Recording {
    /// The file that this was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is good for; `None` if its file lies in no folder of one of the three names.
    pub fn kind(&self) -> Option<Kind> {
        match self.path.parent()?.file_name()?.to_str()? {
            "replay" => Some(Kind::Replay),
            "loop" => Some(Kind::Loop),
            "single" => Some(Kind::Single),
            _ => None,
        }
    }
}

/// One request and what the API answered.
#[derive(Clone, Debug, Deserialize)]
pub struct Exchange {
    /// What was sent; `None` where it was not recorded.
    pub request: Option<RecordedRequest>,
    /// What came back.
    pub response: RecordedResponse,
    /// The assistant turn that a stream adds up to; `None` for a whole body and for a stream that ends in an error.
    pub reply: Option<Value>,
}

impl Exchange {
    /// The assistant turn of the answer, as the API spells it: the blocks of Anthropic, the message of chat, the items
    /// of Responses. `None` where the answer holds none (an error).
    pub fn assistant_turn(&self, api: Api) -> Option<&Value> {
        let Payload::Body(body) = &self.response.payload else {
            return self.reply.as_ref();
        };
        body.value().pointer(match api {
            Api::AnthropicMessages => "/content",
            Api::OpenaiChat => "/choices/0/message",
            Api::OpenaiResponses => "/output",
        })
    }
}

/// A request as it was sent.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedRequest {
    /// The path, and the query if there was one.
    pub path: String,
    /// The headers that were kept; names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Json,
}

/// A response as it came.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "ResponseFields")]
pub struct RecordedResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers that were kept; names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub payload: Payload,
}

/// The body of a response.
#[derive(Clone, Debug)]
pub enum Payload {
    /// JSON.
    Body(Json),
    /// A stream of server-sent events, as text.
    Sse(String),
    /// Anything else.
    Text(String),
}

/// What the tools answered, and where the client stopped.
#[derive(Clone, Debug, Deserialize)]
pub struct Replay {
    /// The results, by the id of their call.
    pub results: BTreeMap<String, RecordedResult>,
    /// Whether the last reply asks for calls that the client did not run.
    pub ends_with_calls: bool,
}

/// What a tool answered.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct RecordedResult {
    /// The content blocks.
    pub content: Vec<Value>,
    /// Whether the tool failed.
    pub is_error: bool,
}

/// JSON of which both the exact text and the value are known.
///
/// A [`Value`] alone would round long floats and write `1e-06` as `1e-6`.
#[derive(Clone, Debug)]
pub struct Json {
    raw: Box<RawValue>,
    value: Value,
}

impl Json {
    /// The text, with the line breaks of the file.
    pub fn text(&self) -> &str {
        self.raw.get()
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let value = serde_json::from_str(raw.get()).map_err(serde::de::Error::custom)?;
        Ok(Self { raw, value })
    }
}

/// A response as the file spells it: one of the last three is there.
#[derive(Deserialize)]
struct ResponseFields {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Option<Json>,
    sse: Option<String>,
    text: Option<String>,
}

impl TryFrom<ResponseFields> for RecordedResponse {
    type Error = &'static str;

    fn try_from(fields: ResponseFields) -> Result<Self, Self::Error> {
        let payload = match (fields.body, fields.sse, fields.text) {
            (Some(body), None, None) => Payload::Body(body),
            (None, Some(sse), None) => Payload::Sse(sse),
            (None, None, Some(text)) => Payload::Text(text),
            _ => return Err("a response must have one of `body`, `sse` and `text`"),
        };
        Ok(Self {
            status: fields.status,
            headers: fields.headers,
            payload,
        })
    }
}

/// A recording that could not be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LoadError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl LoadError {
    fn new(path: &Path, reason: impl Display) -> Self {
        Self {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

impl Display for LoadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for LoadError {}

/// Reads the recording in a file, or all in a folder and the folders in it, in the order of their paths.
///
/// # Errors
/// The first file that cannot be read or is not a recording; a folder that holds none, so that no test passes for want
/// of cases.
pub fn load(path: impl AsRef<Path>) -> Result<Vec<Recording>, LoadError> {
    load_each(path)?.into_iter().collect()
}

/// As [`load`], but a file that is not a recording does not hide the others.
///
/// # Errors
/// A path that cannot be read, and a folder that holds no recording.
pub fn load_each(path: impl AsRef<Path>) -> Result<Vec<Result<Recording, LoadError>>, LoadError> {
    let path = path.as_ref();
    let mut files = Vec::new();
    collect(path, &mut files).map_err(|error| LoadError::new(path, error))?;
    if files.is_empty() {
        return Err(LoadError::new(path, "no recording in this folder"));
    }
    files.sort();
    Ok(files.iter().map(|file| read(file)).collect())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir()
            || path
                .extension()
                .is_some_and(|extension| extension == "json")
        {
            collect(&path, files)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Recording, LoadError> {
    let text = fs::read_to_string(path).map_err(|error| LoadError::new(path, error))?;
    let recording = serde_json::from_str(&text).map_err(|error| LoadError::new(path, error))?;
    Ok(Recording {
        path: path.to_owned(),
        ..recording
    })
}

/// The folder of the reference data: `HAFT_SHARED`, else `../shared` beside the workspace.
pub fn shared() -> Option<PathBuf> {
    shared_in(env::var_os("HAFT_SHARED").map(PathBuf::from))
}

fn shared_in(named: Option<PathBuf>) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    Some(named.unwrap_or_else(beside)).filter(|path| path.is_dir())
}

/// As [`shared`]. Where it is missing, says on stderr that `test_name` is skipped.
///
/// # Panics
/// Where it is missing and `CI` is `true`: there nothing is skipped in silence.
pub fn shared_or_skip(test_name: &str) -> Option<PathBuf> {
    let must_be_there = env::var_os("CI").is_some_and(|ci| ci == "true");
    found_or_skip(test_name, shared(), must_be_there)
}

fn found_or_skip(test_name: &str, found: Option<PathBuf>, must_be_there: bool) -> Option<PathBuf> {
    if found.is_some() {
        return found;
    }
    if must_be_there {
        fail(format_args!(
            "{test_name} needs ../shared, which is not there, and CI=true skips nothing; HAFT_SHARED may name it"
        ));
    }
    // Not `eprintln`, which the test harness hides when the test passes. Nobody to tell if stderr is closed.
    let _ = writeln!(io::stderr(), "skipped {test_name}: ../shared is not there");
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A folder of its own for one test, removed afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = env::temp_dir().join(format!("haft-tests-{test}-{}", std::process::id()));
            fs::create_dir_all(path.join("replay")).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn minimal(response: &str) -> String {
        format!(
            r#"{{"name": "n", "api": "openai-chat", "provider": "p", "loop": false, "stream": false, "error": false,
            "source": {{}}, "exchanges": [{{"request": null, "response": {response}}}]}}"#
        )
    }

    #[test]
    fn a_file_is_read_with_its_text_kept() {
        let folder = Folder::new("kept");
        let body = r#"{"z": 1e-06, "a": 123456789012345678901234567890, "f": 0.1000000000000000055511151231257827}"#;
        let path = folder.write(
            "replay/n.json",
            &minimal(&format!(
                r#"{{"status": 200, "headers": {{}}, "body": {body}}}"#
            )),
        );
        let recordings = load(&path).unwrap();
        assert_eq!(recordings.len(), 1);
        assert_eq!(
            (recordings[0].kind(), recordings[0].api),
            (Some(Kind::Replay), Api::OpenaiChat)
        );
        assert_eq!(recordings[0].path(), path);
        let Payload::Body(json) = &recordings[0].exchanges[0].response.payload else {
            panic!("no body")
        };
        assert_eq!(json.text(), body);
        assert_eq!(
            json.value().as_object().unwrap().keys().collect::<Vec<_>>(),
            ["z", "a", "f"]
        );
    }

    #[test]
    fn a_folder_is_read_in_the_order_of_paths() {
        let folder = Folder::new("order");
        let text = minimal(r#"{"status": 200, "headers": {}, "sse": "data: x\n\n"}"#);
        for name in ["replay/b.json", "replay/a.json", "c.json"] {
            folder.write(name, &text);
        }
        folder.write("README.md", "not a recording");
        let read = load(&folder.0).unwrap();
        let paths: Vec<_> = read
            .iter()
            .map(|r| r.path().strip_prefix(&folder.0).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(paths, ["c.json", "replay/a.json", "replay/b.json"]);
        assert_eq!(read[0].kind(), None);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = Folder::new("malformed");
        assert_eq!(
            load(&folder.0).unwrap_err().reason,
            "no recording in this folder"
        );
        let cases = [
            ("{", "EOF"),
            (r#"{"name": "n"}"#, "missing field `api`"),
            (
                &minimal(r#"{"status": 200, "headers": {}}"#),
                "must have one of",
            ),
            (
                &minimal(r#"{"status": 200, "headers": {}, "sse": "", "text": ""}"#),
                "must have one of",
            ),
            (
                &minimal(r#"{"status": "200", "headers": {}, "sse": ""}"#),
                "invalid type",
            ),
        ];
        for (text, reason) in cases {
            let path = folder.write("replay/bad.json", text);
            let error = load(&folder.0).unwrap_err();
            assert_eq!(error.path, path);
            assert!(error.reason.contains(reason), "{error}");
        }
        let missing = folder.0.join("nowhere");
        assert_eq!(load(&missing).unwrap_err().path, missing);
    }

    #[test]
    fn the_assistant_turn_is_found_in_bodies_and_streams() {
        let turn = |api, response: &str, reply: Value| {
            let exchange = json!({"request": null, "response": serde_json::from_str::<Value>(response).unwrap(), "reply": reply});
            let exchange: Exchange = serde_json::from_str(&exchange.to_string()).unwrap();
            exchange.assistant_turn(api).cloned()
        };
        let body = r#"{"status": 200, "headers": {}, "body": {"content": [1], "choices": [{"message": 2}], "output": 3}}"#;
        assert_eq!(
            turn(Api::AnthropicMessages, body, Value::Null),
            Some(json!([1]))
        );
        assert_eq!(turn(Api::OpenaiChat, body, Value::Null), Some(json!(2)));
        assert_eq!(
            turn(Api::OpenaiResponses, body, Value::Null),
            Some(json!(3))
        );
        let sse = r#"{"status": 200, "headers": {}, "sse": ""}"#;
        assert_eq!(turn(Api::OpenaiChat, sse, json!(4)), Some(json!(4)));
        assert_eq!(turn(Api::OpenaiChat, sse, Value::Null), None);
    }

    #[test]
    fn the_shared_folder_is_the_named_one() {
        assert_eq!(shared_in(Some(env::temp_dir())), Some(env::temp_dir()));
        assert_eq!(
            shared_in(Some(env::temp_dir().join("haft-tests-nowhere"))),
            None
        );
    }

    #[test]
    fn what_is_found_is_given_and_what_is_missing_is_skipped() {
        assert_eq!(
            found_or_skip("name", Some("x".into()), true),
            Some("x".into())
        );
        assert_eq!(
            found_or_skip("name (a trial of skipping)", None, false),
            None
        );
    }

    #[test]
    #[should_panic(expected = "needle needs ../shared, which is not there")]
    fn nothing_is_skipped_where_all_must_run() {
        found_or_skip("needle", None, true);
    }

    #[test]
    fn every_recording_is_read() {
        let Some(shared) = shared_or_skip("every_recording_is_read") else {
            return;
        };
        let recordings = load(shared.join("recordings")).unwrap();
        assert!(recordings.len() > 1000, "{}", recordings.len());
        for recording in &recordings {
            let path = recording.path().display();
            assert_eq!(
                recording.path().file_stem().unwrap().to_str(),
                Some(recording.name.as_str()),
                "{path}"
            );
            assert_eq!(
                recording.kind() == Some(Kind::Replay),
                recording.replay.is_some(),
                "{path}"
            );
            assert_eq!(
                recording.kind() == Some(Kind::Loop),
                recording.not_replayable.is_some(),
                "{path}"
            );
            assert!(!recording.exchanges.is_empty(), "{path}");
        }
    }

    /// The numbers of a JSON text as they are written: what stands outside of strings and begins with a digit or a minus.
    fn numbers(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
            let token = &rest[start..];
            let end = if let Some(string) = token.strip_prefix('"') {
                1 + end_of_string(string)
            } else {
                end_of_number(token)
            };
            if !token.starts_with('"') {
                found.push(&token[..end]);
            }
            rest = &token[end..];
        }
        found
    }

    fn end_of_string(after_quote: &str) -> usize {
        let mut escaped = false;
        let closing = |c: char| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        };
        after_quote.find(closing).unwrap() + 1
    }

    fn end_of_number(text: &str) -> usize {
        text.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c))
            .unwrap_or(text.len())
    }

    fn is_kept(number: &str) -> bool {
        let value: Value = serde_json::from_str(number).unwrap();
        match number.parse::<i128>() {
            Ok(whole) => {
                value
                    .as_i64()
                    .map(i128::from)
                    .or(value.as_u64().map(i128::from))
                    == Some(whole)
            }
            // The standard library rounds correctly, which `serde_json` does not without `float_roundtrip`.
            Err(_) => {
                value.as_f64() == number.parse().ok()
                    && value.to_string().parse() == number.parse::<f64>()
            }
        }
    }

    #[test]
    fn numbers_that_reading_would_change_are_noticed() {
        assert_eq!(
            numbers(r#"{"a\\": [1, -2.5e+3], "b\"3": "4", "c": 5}"#),
            ["1", "-2.5e+3", "5"]
        );
        assert!(
            ["1", "0.1", "1e-06", "18446744073709551615"]
                .into_iter()
                .all(is_kept)
        );
        assert!(!is_kept("18446744073709551616"));
    }

    /// If this fails, a request holds a number that `serde_json` changes, and cannot be compared by value. Responses do
    /// hold such numbers, in timings, costs and probabilities, which is why they are served as text.
    #[test]
    fn no_number_of_a_request_is_changed_by_reading_it() {
        let Some(shared) = shared_or_skip("no_number_of_a_request_is_changed_by_reading_it") else {
            return;
        };
        for recording in load(shared.join("recordings")).unwrap() {
            for request in recording
                .exchanges
                .iter()
                .filter_map(|exchange| exchange.request.as_ref())
            {
                let changed: Vec<_> = numbers(request.body.text())
                    .into_iter()
                    .filter(|number| !is_kept(number))
                    .collect();
                assert!(
                    changed.is_empty(),
                    "{}: {changed:?}",
                    recording.path().display()
                );
            }
        }
    }
}
