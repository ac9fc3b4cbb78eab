//! [`Error`]: what went wrong, for the program. (What a tool reports to the model is a
//! [`ToolError`](crate::ToolError).)

mod text;

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::text::{chain, one_line, short};
use crate::message::Reply;
use crate::runner::RunState;

/// What went wrong, in kinds that a program can act on. See [`Error::kind`].
///
/// ```
/// use haft::{Error, ErrorKind};
///
/// fn advice(error: &Error) -> &'static str {
///     match error.kind() {
///         ErrorKind::Configuration => "look at the key and the address",
///         ErrorKind::Definition | ErrorKind::Request => "mend the program",
///         _ if error.is_retryable() => "try again later",
///         _ => "look at the server's message",
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A client was set up with something that cannot work: no key, two keys, a bad URL or header.
    Configuration,
    /// A declaration cannot be used: a tool's name, its schema, a second tool of the same name, or the type of an
    /// [output](crate::Request::output).
    Definition,
    /// A request cannot be sent as it is.
    Request,
    /// The server could not be reached, or the connection broke.
    Connection,
    /// The server took too long.
    Timeout,
    /// The server answered with an error; see [`Error::status`] and [`Error::provider_message`].
    Api,
    /// The server's answer is not what its API promises.
    Protocol,
    /// A [`Hook`](crate::Hook) of the program failed.
    Hook,
    /// A reply is not what [`Reply::parse`](crate::Reply::parse) was to read: it was cut off, refused, or is no such value.
    Output,
    /// A scripted model was asked for more than its script has.
    Script,
}

/// Any failure of haft itself. (What a tool reports is a [`ToolError`](crate::ToolError).)
///
/// It prints as one line, without bodies and keys; [`source`](StdError::source) has the rest. Cloning is cheap.
///
/// ```
/// use haft::{ErrorKind, FunctionTool, ToolError};
/// use haft::serde_json::{Value, json};
///
/// let error = FunctionTool::from_schema("my tool!", "", json!({"type": "object"}), |input: Value| async move {
///     Ok::<_, ToolError>(input)
/// })
/// .unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Definition);
/// assert!(error.to_string().contains("my tool!"));
/// ```
#[derive(Clone)]
pub struct Error(Arc<Inner>, Option<Arc<FailedRun>>);

/// Where the run stands that failed.
struct FailedRun {
    state: RunState,
    started: Vec<String>,
    finished: Vec<String>,
}

struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
    answer: Option<Answer>,
    partial_reply: Option<Box<Reply>>,
}

/// What a server's error answer said.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) retryable: bool,
    pub(crate) message: Option<String>,
    /// The API's own word for what went wrong, which stays the same where the message does not.
    pub(crate) code: Option<String>,
}

/// Whether a server that answers with this status may do better on the same request later.
pub(crate) fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 429) || status >= 500
}

impl Error {
    /// A failure of a provider of one's own, told in one line: line ends become spaces, and long
    /// texts are cut.
    ///
    /// ```
    /// use haft::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Connection, "the model is not plugged in");
    /// assert!(error.is_retryable());
    /// ```
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl AsRef<str>) -> Self {
        let message = one_line(message.as_ref());
        let inner = Inner {
            kind,
            message,
            source: None,
            answer: None,
            partial_reply: None,
        };
        Self(Arc::new(inner), None)
    }

    pub(crate) fn configuration(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::Configuration, message)
    }

    pub(crate) fn definition(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::Definition, message)
    }

    /// All faults of definitions, or nothing where there are none.
    ///
    /// # Errors
    /// On one line that is not too long; where there are many, the source has each fault whole.
    pub(crate) fn of_faults(faults: &[String]) -> Result<(), Self> {
        match faults {
            [] => Ok(()),
            [only] => Err(Self::definition(only)),
            _ => Err(Self::definition(faults.join("; ")).with_source(faults.join("\n"))),
        }
    }

    pub(crate) fn request(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::Request, message)
    }

    pub(crate) fn output(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::Output, message)
    }

    pub(crate) fn protocol(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::Protocol, message)
    }

    /// With what it came from. For an error that was cloned already, nothing is changed.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.source = Some(source.into());
        }
        self
    }

    /// With the place of what it is about before its message. For an error that was cloned already, nothing is changed.
    pub(crate) fn at(mut self, place: &str) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.message = one_line(&format!("{place}: {}", inner.message));
        }
        self
    }

    pub(crate) fn with_answer(mut self, answer: Answer) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.answer = Some(answer);
        }
        self
    }

    pub(crate) fn with_partial_reply(mut self, reply: Reply) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.partial_reply = Some(Box::new(reply));
        }
        self
    }

    /// As the failure of a run that stands so.
    pub(crate) fn of_run(
        mut self,
        state: RunState,
        started: Vec<String>,
        finished: Vec<String>,
    ) -> Self {
        self.1 = Some(Arc::new(FailedRun {
            state,
            started,
            finished,
        }));
        self
    }

    /// Where the run stands that failed, for [`Runner::resume`](crate::Runner::resume), perhaps later and elsewhere.
    /// (The runner itself can go on, too.)
    ///
    /// ```
    /// # use haft::{Error, Provider, Runner, Toolkit};
    /// # fn store(_: &str) {}
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// use haft::serde_json;
    ///
    /// if let Err(error) = runner.run_to_completion().await {
    ///     if let Some(state) = error.state() {
    ///         store(&serde_json::to_string(state).expect("a state is JSON"));
    ///     }
    ///     return Err(error);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn state(&self) -> Option<&RunState> {
        self.1.as_ref().map(|run| &run.state)
    }

    /// Of a run that failed, the ids of the last reply's calls that had started and have no result: whether they took
    /// effect is not known.
    ///
    /// ```
    /// # use haft::Error;
    /// fn report(error: &Error) -> String {
    ///     match error.started_calls() {
    ///         [] => format!("{error} (try again)"),
    ///         // They are dealt with when the run goes on; a person may want to look before.
    ///         calls => format!("{error} (look what became of {})", calls.join(", ")),
    ///     }
    /// }
    /// # assert_eq!(report(&Error::new(haft::ErrorKind::Timeout, "too slow")), "too slow (try again)");
    /// ```
    #[must_use]
    pub fn started_calls(&self) -> &[String] {
        self.1.as_ref().map_or(&[], |run| &run.started)
    }

    /// Of a run that failed, the ids of the last reply's calls that have their results, which are kept.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Request, Runner, tool, toolkit};
    /// use haft::serde_json::json;
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 {
    /// #     a + b
    /// # }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let model = ScriptedModel::new().calls([("add", json!({"a": 2, "b": 3}))]).fails(529, "Overloaded");
    /// let request = Request::new("any").user("What is 2 and 3?");
    /// let mut runner = Runner::new(model, toolkit![add], request);
    /// let error = runner.run_to_completion().await.unwrap_err();
    /// // Going on does not run it again.
    /// assert_eq!(error.finished_calls(), ["call_1_1"]);
    /// assert!(error.started_calls().is_empty());
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn finished_calls(&self) -> &[String] {
        self.1.as_ref().map_or(&[], |run| &run.finished)
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Whether the same request may succeed later: the server was busy or out of reach.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.0.kind {
            ErrorKind::Connection | ErrorKind::Timeout => true,
            _ => self
                .0
                .answer
                .as_ref()
                .is_some_and(|answer| answer.retryable),
        }
    }

    /// Whether the server took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.0.kind == ErrorKind::Timeout
    }

    /// The status of the server's answer, where it gave one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.answer.as_ref().map(|answer| answer.status)
    }

    /// The id that the server gave the request, for its support.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.answer.as_ref()?.request_id.as_deref()
    }

    /// How long the server asks to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.answer.as_ref()?.retry_after
    }

    /// What had arrived of a reply whose stream then failed, to be shown or logged. It is not in the history, and is
    /// asked for again; but where [eager](crate::Runner::eager) calls of it had begun, the history has it up to its last
    /// whole block, and those calls answered.
    ///
    /// ```
    /// # use haft::Error;
    /// fn show(error: &Error) {
    ///     if let Some(reply) = error.partial_reply() {
    ///         println!("{} ...", reply.text());
    ///     }
    ///     eprintln!("{error}");
    /// }
    /// ```
    #[must_use]
    pub fn partial_reply(&self) -> Option<&Reply> {
        self.0.partial_reply.as_deref()
    }

    /// The API's own word for what went wrong, where it has one, such as `tool_name_conflict`: it stays the same where the
    /// message changes.
    ///
    /// ```
    /// # use haft::Error;
    /// fn is_too_large(error: &Error) -> bool {
    ///     error.code() == Some("image_dimensions_too_large")
    /// }
    /// ```
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.answer.as_ref()?.code.as_deref()
    }

    /// The message in the server's answer, as it came.
    #[must_use]
    pub fn provider_message(&self) -> Option<&str> {
        self.0.answer.as_ref()?.message.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

/// As it prints, since `main` shows errors so; `{:#?}` has all fields.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.write_str(&self.0.message);
        }
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("status", &self.status())
            .field("request_id", &self.request_id())
            .field("source", &self.0.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}
