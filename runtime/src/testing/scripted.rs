//! [`ScriptedModel`]: a model whose replies are written down.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::ScriptedReply;
use crate::api::Api;
use crate::error::{Answer, Error, ErrorKind, is_transient};
use crate::json::RawJson;
use crate::provider::{ModelCall, Provider};
use crate::request::Request;
use crate::stream::ReplyStream;

/// A model that gives the replies that a test writes down, in order, and keeps what it was asked.
///
/// A clone shares the script and the requests, so that a test can look at them while a runner has the model.
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Request, Runner, Toolkit};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = ScriptedModel::new().text("Hello!");
/// let mut runner = Runner::new(model.clone(), Toolkit::new(), Request::new("any").user("Hi"));
/// assert_eq!(runner.run_to_completion().await?.reply.text(), "Hello!");
/// assert_eq!(model.requests()[0].messages[0].text(), "Hi");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScriptedModel(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    steps: VecDeque<Step>,
    requests: Vec<Request>,
}

#[derive(Debug)]
enum Step {
    Reply(ScriptedReply),
    Failure(u16, String),
}

impl ScriptedModel {
    /// A model with an empty script.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Then it says this, and ends its turn.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.reply(ScriptedReply::new().text(text))
    }

    /// Then it makes these calls.
    #[must_use]
    pub fn calls<N: Into<String>, I: Into<RawJson>>(
        self,
        calls: impl IntoIterator<Item = (N, I)>,
    ) -> Self {
        self.reply(
            calls
                .into_iter()
                .fold(ScriptedReply::new(), |reply, (name, input)| {
                    reply.call(name, input)
                }),
        )
    }

    /// Then it gives this reply.
    #[must_use]
    pub fn reply(self, reply: ScriptedReply) -> Self {
        self.step(Step::Reply(reply))
    }

    /// Then the server fails with this status.
    #[must_use]
    pub fn fails(self, status: u16, message: impl Into<String>) -> Self {
        self.step(Step::Failure(status, message.into()))
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .requests
            .clone()
    }

    fn step(self, step: Step) -> Self {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .steps
            .push_back(step);
        self
    }

    /// What comes next in the script, with the number of the request.
    fn answer(&self, request: &Request) -> Result<(usize, ScriptedReply), Error> {
        let mut script = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        script.requests.push(request.clone());
        let turn = script.requests.len();
        match script.steps.pop_front() {
            Some(Step::Reply(reply)) => Ok((turn, reply)),
            Some(Step::Failure(status, message)) => Err(failure(status, message)),
            None => Err(Error::new(
                ErrorKind::Script,
                format!(
                    "the script has no reply for request {turn}; write one more, or look why it is asked for"
                ),
            )),
        }
    }
}

fn failure(status: u16, message: String) -> Error {
    let line = format!("the scripted model answered {status}: {message}");
    Error::new(ErrorKind::Api, line).with_answer(Answer {
        status,
        retryable: is_transient(status),
        message: Some(message),
        ..Answer::default()
    })
}

impl Provider for ScriptedModel {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        ReplyStream::open(async move {
            let (turn, reply) = self.answer(call.request())?;
            Ok(reply.stream(turn, &call.request().model, call.is_streamed()))
        })
    }
}
