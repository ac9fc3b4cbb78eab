//! [`OutputSchema`]: what replies are to be, as JSON; and [`Reply::parse`], which reads one.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::arguments::read_along;
use crate::encoded::Encoded;
use crate::error::Error;
use crate::message::{Content, Reply, StopReason};
use crate::schema::InputSchema;
use crate::tool::ToolError;

/// The type that replies are to be of, for [`Request::output`](crate::Request::output).
///
/// Cloning is cheap, and a codec makes the API's form of it once.
///
/// ```
/// use haft::{OutputSchema, Runner, argument};
///
/// #[argument]
/// enum Verdict {
///     Keep,
///     Delete,
/// }
///
/// # fn example(runner: &mut Runner) {
/// // From the next request on.
/// runner.request_mut().output = Some(OutputSchema::of::<Verdict>());
/// # }
/// assert_eq!(OutputSchema::of::<Verdict>().name(), "Verdict");
/// assert_eq!(OutputSchema::of::<Verdict>().schema()["type"], "string");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OutputSchema(Arc<Inner>);

#[derive(Debug, Serialize, Deserialize)]
struct Inner {
    name: String,
    schema: Value,
    #[serde(skip)]
    encoded: Encoded,
}

impl OutputSchema {
    /// That of a type.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        Self(Arc::new(Inner {
            name: T::schema_name().into_owned(),
            schema: InputSchema::of::<T>(),
            encoded: Encoded::default(),
        }))
    }

    /// What schemars calls the type, such as `Verdict`, or `Array_of_Verdict` for a list of them.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The JSON schema, for every API the same; a codec narrows it to what its API takes.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.0.schema
    }

    pub(crate) fn encoded(&self) -> &Encoded {
        &self.0.encoded
    }
}

impl PartialEq for OutputSchema {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.schema() == other.schema()
    }
}

impl Reply {
    /// Reads the reply's text as JSON of a type, that of [`Request::output`](crate::Request::output).
    ///
    /// It is read as the arguments of tools are: along the type's schema, whose bounds hold, then by serde. A key of
    /// type `Option` may be missing, and may be null. The text must be JSON and nothing else: prose and code fences
    /// around it are an error. Where a model has said something before it thought or searched, its last text counts.
    ///
    /// ```
    /// use haft::{ErrorKind, Message, Reply, StopReason, argument};
    ///
    /// #[argument]
    /// #[derive(Debug)]
    /// struct Weather {
    ///     city: String,
    ///     celsius: f32,
    /// }
    ///
    /// let said = |text: &str| Reply::new(Message::assistant(text), StopReason::EndTurn);
    /// let weather: Weather = said(r#"{"city": "Oslo", "celsius": 4}"#).parse()?;
    /// assert_eq!(weather.city, "Oslo");
    ///
    /// let error = said(r#"{"town": "Oslo", "celsius": "4"}"#).parse::<Weather>().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Output);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the reply is no `Weather`: city: required, but missing; \
    ///      celsius: expected a number, got the string \"4\"; town: unknown key; the keys are city, celsius"
    /// );
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of the kind [`Output`](crate::ErrorKind::Output): where the reply was cut off, refused, calls tools, has no
    /// text, is no JSON (with line and column), or does not fit. Then all problems are told, each with its path, what was
    /// expected and what came; where there are several, the error's [source](std::error::Error::source) has them one
    /// a line.
    pub fn parse<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Error> {
        let name = T::schema_name();
        let text = json(self)
            .map_err(|why| Error::output(format!("the reply cannot be read as `{name}`: {why}")))?;
        let value = read_along(&InputSchema::of::<T>(), &text);
        value.map_err(|problems| misfit(&name, &problems))
    }
}

/// The text that is to be read, which is JSON; or why there is none, in words.
fn json(reply: &Reply) -> Result<String, String> {
    if let Some(why) = unfinished(reply) {
        return Err(why);
    }
    let text = last_text(reply.content());
    if text.is_empty() {
        return Err(match called(reply) {
            Some(why) => why,
            None => format!("it has no text (it ended with `{}`)", reply.stop_reason()),
        });
    }
    match serde_json::from_str::<IgnoredAny>(&text) {
        Ok(_) => Ok(text),
        // serde's words have the place, and nothing of the text.
        Err(error) => Err(format!(
            "its text is not JSON and nothing else: {error}; `Request::output` keeps a model to JSON"
        )),
    }
}

/// Why a reply that ended so is no answer.
fn unfinished(reply: &Reply) -> Option<String> {
    match reply.stop_reason() {
        StopReason::MaxTokens => {
            Some("it was cut off at the request's `max_tokens`; allow more".to_owned())
        }
        StopReason::ContextFull => {
            Some("it was cut off, since the model's context is full; send less".to_owned())
        }
        StopReason::Refusal => {
            let why = reply
                .refusal()
                .and_then(|refusal| refusal.explanation.as_deref());
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            Some(format!("the model refused{why}"))
        }
        StopReason::ToolUse => called(reply),
        reason @ (StopReason::PauseTurn | StopReason::Compaction) => Some(format!(
            "it is not the last one (it ended with `{reason}`); go on with the run"
        )),
        StopReason::EndTurn | StopReason::StopSequence | StopReason::Other(_) => None,
    }
}

fn called(reply: &Reply) -> Option<String> {
    let names: Vec<_> = reply
        .tool_calls()
        .map(|call| format!("`{}`", call.name()))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "it calls {} and has no answer yet; go on with the run",
            names.join(", ")
        )
    })
}

/// The blocks of text at the end, joined. Those before a block of another kind were said on the way to it: before the
/// model thought, or a tool of the server ran.
fn last_text(content: &[Content]) -> String {
    let is_nothing = |block: &&Content| block.as_text().is_none_or(|text| text.trim().is_empty());
    let last = content.iter().rev().skip_while(is_nothing);
    let mut texts: Vec<_> = last.map_while(Content::as_text).collect();
    texts.reverse();
    texts.concat()
}

/// All problems on one line; the source has each whole.
fn misfit(name: &str, problems: &ToolError) -> Error {
    let problems = problems.message();
    let line = problems.replace('\n', "; ");
    let error = Error::output(format!("the reply is no `{name}`: {line}"));
    match problems.contains('\n') {
        true => error.with_source(problems),
        false => error,
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::error::ErrorKind;
    use crate::message::{Message, Role, ToolCall};

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Weather {
        city: String,
        #[schemars(range(max = 60))]
        celsius: i8,
        wind: Option<Wind>,
    }

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Wind {
        Calm,
        Strong,
    }

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Tree {
        name: String,
        children: Vec<Self>,
    }

    fn reply(content: Vec<Content>, stop_reason: StopReason) -> Reply {
        Reply::new(Message::new(Role::Assistant, content), stop_reason)
    }

    fn said(text: &str) -> Reply {
        reply(vec![Content::text(text)], StopReason::EndTurn)
    }

    fn call() -> Content {
        Content::ToolCall(ToolCall::new("a", "look", json!({}).into()))
    }

    #[track_caller]
    fn fault<T: DeserializeOwned + JsonSchema + std::fmt::Debug>(reply: &Reply) -> String {
        let error = reply.parse::<T>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Output);
        error.to_string()
    }

    fn weather(wind: Option<Wind>) -> Weather {
        Weather {
            city: "Oslo".to_owned(),
            celsius: 4,
            wind,
        }
    }

    #[test]
    fn a_reply_that_fits_is_read() {
        let read = |text: &str| said(text).parse::<Weather>().unwrap();
        assert_eq!(
            read(r#"{"city": "Oslo", "celsius": 4, "wind": "calm"}"#),
            weather(Some(Wind::Calm))
        );
        // As arguments are: null leaves a key out, and 4.0 is an integer.
        let text = " {\"city\": \"Oslo\", \"celsius\": 4.0, \"wind\": null}\n";
        assert_eq!(read(text), weather(None));
    }

    #[test]
    fn a_type_need_not_be_an_object() {
        assert_eq!(said(r#""strong""#).parse::<Wind>().unwrap(), Wind::Strong);
        assert_eq!(said("[1, 2.0]").parse::<Vec<u8>>().unwrap(), [1, 2]);
        assert_eq!(said("null").parse::<Option<Wind>>().unwrap(), None);
        assert_eq!(said("true").parse::<Value>().unwrap(), json!(true));
        let tree: Tree = said(r#"{"name": "a", "children": [{"name": "b", "children": []}]}"#)
            .parse()
            .unwrap();
        assert_eq!(tree.children[0].name, "b");
    }

    #[test]
    fn all_that_does_not_fit_is_told() {
        let error = said(r#"{"town": "Oslo", "celsius": 61, "wind": "strnog"}"#)
            .parse::<Weather>()
            .unwrap_err();
        let problems = [
            "city: required, but missing",
            "celsius: must be at most 60, got 61",
            "wind: expected one of \"calm\", \"strong\", got the string \"strnog\"; did you mean \"strong\"?",
            "town: unknown key; the keys are city, celsius, wind",
        ];
        assert_eq!(error.source().unwrap().to_string(), problems.join("\n"));
        assert_eq!(
            error.to_string(),
            format!("the reply is no `Weather`: {}", problems.join("; "))
        );
        assert_eq!(
            fault::<Vec<Weather>>(&said(r#"[{"city": "Oslo", "celsius": 4}, 3]"#)),
            "the reply is no `Array_of_Weather`: [1]: expected an object, got the number 3"
        );
        assert_eq!(
            fault::<Vec<u8>>(&said("[1, 256]")),
            "the reply is no `Array_of_uint8`: [1]: must be at most 255, got 256"
        );
        assert_eq!(
            fault::<Vec<Weather>>(&said(r#"[{"city": "a", "city": "b", "celsius": 4}]"#)),
            "the reply is no `Array_of_Weather`: [0].city: the key `city` is there twice"
        );
        assert_eq!(
            fault::<Value>(&said(&("[".repeat(200) + &"]".repeat(200)))),
            "the reply is no `AnyValue`: nested deeper than 128 levels"
        );
    }

    #[test]
    fn text_around_the_json_is_no_json() {
        let not = "the reply cannot be read as `Weather`: its text is not JSON and nothing else: ";
        let advice = "; `Request::output` keeps a model to JSON";
        for (text, place) in [
            ("Here you are: {}", "expected value at line 1 column 1"),
            ("```json\n{}\n```", "expected value at line 1 column 1"),
            ("{}\nThat is it.", "trailing characters at line 2 column 1"),
            (
                "{\"city\": \"secret",
                "EOF while parsing a string at line 1 column 16",
            ),
        ] {
            assert_eq!(
                fault::<Weather>(&said(text)),
                format!("{not}{place}{advice}")
            );
        }
    }

    #[test]
    fn a_reply_that_is_no_answer_says_why() {
        let json = || Content::text(r#"{"city": "Oslo", "celsius": 4}"#);
        let why = |content: Vec<Content>, reason: StopReason| {
            let fault = fault::<Weather>(&reply(content, reason));
            let words = fault.strip_prefix("the reply cannot be read as `Weather`: ");
            words.unwrap().to_owned()
        };
        assert_eq!(
            why(vec![json()], StopReason::MaxTokens),
            "it was cut off at the request's `max_tokens`; allow more"
        );
        assert_eq!(
            why(vec![json()], StopReason::ContextFull),
            "it was cut off, since the model's context is full; send less"
        );
        assert_eq!(
            why(vec![json()], StopReason::PauseTurn),
            "it is not the last one (it ended with `pause_turn`); go on with the run"
        );
        assert_eq!(why(vec![json()], StopReason::Refusal), "the model refused");
        for reason in [StopReason::ToolUse, StopReason::EndTurn] {
            assert_eq!(
                why(vec![call(), call()], reason),
                "it calls `look`, `look` and has no answer yet; go on with the run"
            );
        }
        assert_eq!(
            why(vec![json(), call()], StopReason::ToolUse),
            "it calls `look` and has no answer yet; go on with the run"
        );
        for content in [vec![], vec![Content::text(" \n")]] {
            assert_eq!(
                why(content, StopReason::EndTurn),
                "it has no text (it ended with `end_turn`)"
            );
        }
    }

    #[test]
    fn of_several_texts_the_last_is_the_answer() {
        let text = |text: &str| Content::text(text);
        let blocks = |content| reply(content, StopReason::EndTurn).parse::<Weather>();
        // A server's tool, or the seam to another model, stands between.
        let between = || Content::image_url("https://example.com");
        let (start, end) = (|| text(r#"{"city": "Oslo","#), || text(r#""celsius": 4}"#));
        let answers = [
            vec![start(), end()],
            vec![text("Let me look."), between(), start(), end()],
            vec![start(), end(), between(), text("\n")],
        ];
        for content in answers {
            assert_eq!(blocks(content).unwrap(), weather(None));
        }
        assert!(blocks(vec![text("Here:"), start(), end()]).is_err());
    }

    #[test]
    fn an_output_is_shared_and_has_its_name() {
        let output = OutputSchema::of::<Vec<Wind>>();
        assert_eq!(output.name(), "Array_of_Wind");
        assert_eq!(
            *output.schema(),
            json!({"type": "array", "items": {"type": "string", "enum": ["calm", "strong"]}})
        );
        assert_eq!(output, output.clone());
        assert_ne!(output, OutputSchema::of::<Wind>());
    }
}
