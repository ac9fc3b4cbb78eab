//! [`Case`]: a run against a server, in one of the modes; and tools that keep what they were called with.

use std::sync::{Arc, Mutex};

use haft::anthropic::{Anthropic, Builder};
use haft::serde_json::{Value, json};
use haft::{
    End, Error, Event, FunctionTool, Reply, Request, Runner, StreamExt, ToolError, Toolkit,
};
use haft_tests::server::{Server, ServerReply};

/// How a reply is asked for, and comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    /// As a JSON body.
    Plain,
    /// As a stream, told event by event.
    Streamed,
    /// As a stream of which only the reply is told: so a plain request is sent that could outlast its timeout.
    Folded,
}

impl Mode {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Streamed, Self::Folded];
    pub(crate) const STREAMS: [Self; 2] = [Self::Streamed, Self::Folded];

    /// A message as it comes in this mode.
    pub(crate) fn message(self, message: &Value) -> ServerReply {
        match self {
            Self::Plain => ServerReply::json(200, message),
            Self::Streamed | Self::Folded => ServerReply::message_stream(message),
        }
    }

    pub(crate) fn reply(self, content: &Value, stop_reason: &str) -> ServerReply {
        self.message(&message(content, stop_reason))
    }

    /// A text, with which a run ends.
    pub(crate) fn says(self, words: &str) -> ServerReply {
        self.reply(&json!([text(words)]), "end_turn")
    }

    /// A call of `now`.
    pub(crate) fn calls(self) -> ServerReply {
        self.reply(&json!([call("t1", "now")]), "tool_use")
    }
}

pub(crate) fn message(content: &Value, stop_reason: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": content,
        "stop_reason": stop_reason, "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

pub(crate) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub(crate) fn call(id: &str, name: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": {}})
}

pub(crate) fn assistant(content: &Value) -> Value {
    json!({"role": "assistant", "content": content})
}

pub(crate) fn user(content: &Value) -> Value {
    json!({"role": "user", "content": content})
}

/// What the user says first.
pub(crate) fn go() -> Value {
    user(&json!([text("Go")]))
}

/// What a tool of [`Calls`] answers.
pub(crate) fn done(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": [text("done")]})
}

/// The calls that have run: name and input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls(Arc<Mutex<Vec<(String, Value)>>>);

impl Calls {
    /// A tool that takes any object, and answers `done`.
    pub(crate) fn tool(&self, name: &str) -> FunctionTool {
        let (calls, ran) = (Arc::clone(&self.0), name.to_owned());
        let run = move |input: Value| {
            calls.lock().unwrap().push((ran.clone(), input));
            async { Ok::<_, ToolError>("done") }
        };
        FunctionTool::from_schema(name, "Works.", json!({"type": "object"}), run).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let calls = self.0.lock().unwrap();
        calls.iter().map(|(name, _)| name.clone()).collect()
    }

    pub(crate) fn inputs(&self) -> Vec<Value> {
        let calls = self.0.lock().unwrap();
        calls.iter().map(|(_, input)| input.clone()).collect()
    }
}

/// A run against a server that gives these replies.
#[derive(Debug)]
pub(crate) struct Case {
    mode: Mode,
    server: Server,
    pub(crate) runner: Runner,
    pub(crate) calls: Calls,
}

impl Case {
    /// With the tool `now`.
    pub(crate) async fn start(mode: Mode, replies: Vec<ServerReply>) -> Self {
        Self::with_tools(mode, &["now"], replies).await
    }

    pub(crate) async fn with_tools(mode: Mode, tools: &[&str], replies: Vec<ServerReply>) -> Self {
        let calls = Calls::default();
        let kit = tools.iter().fold(Toolkit::new(), |kit, name| {
            kit.with(calls.tool(name)).unwrap()
        });
        let case = Self::with_kit(mode, kit, replies).await;
        Self { calls, ..case }
    }

    pub(crate) async fn with_kit(mode: Mode, kit: Toolkit, replies: Vec<ServerReply>) -> Self {
        let server = Server::start(replies).await;
        let request = Request::new("claude-test").user("Go");
        let request = match mode {
            Mode::Folded => request.max_tokens(128_000),
            Mode::Plain | Mode::Streamed => request,
        };
        let provider = provider(&server).build().unwrap();
        Self {
            mode,
            server,
            runner: Runner::new(provider, kit, request),
            calls: Calls::default(),
        }
    }

    /// The provider at the case's server.
    pub(crate) fn provider(&self) -> Anthropic {
        provider(&self.server).build().unwrap()
    }

    /// With the provider changed.
    pub(crate) fn set(mut self, change: impl FnOnce(Builder) -> Builder) -> Self {
        let provider = change(provider(&self.server)).build().unwrap();
        self.runner.set_provider(provider);
        self
    }

    /// Runs to the end.
    pub(crate) async fn run(&mut self) -> Result<End, Error> {
        if self.mode != Mode::Streamed {
            return self.runner.run_to_completion().await;
        }
        let mut end = None;
        let mut events = self.runner.all_streaming();
        while let Some(event) = events.next().await {
            if let Event::End(told) = event? {
                end = Some(*told);
            }
        }
        Ok(end.expect("a run that does not fail tells its end"))
    }

    /// Asks for the next reply.
    pub(crate) async fn next(&mut self) -> Result<Reply, Error> {
        let reply = if self.mode == Mode::Streamed {
            let turn = self.runner.next_streaming().await?;
            turn.expect("the run goes on").into_reply().await?
        } else {
            self.runner.next_message().await?
        };
        Ok(reply.expect("the run goes on"))
    }

    /// The bodies that have arrived, each of which asks for a stream where one comes.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        let requests = self.server.requests();
        let bodies: Vec<_> = requests.iter().map(|seen| seen.json().unwrap()).collect();
        let is_streamed = (self.mode != Mode::Plain).then_some(json!(true));
        for body in &bodies {
            assert_eq!(body.get("stream").cloned(), is_streamed);
        }
        bodies
    }

    /// The messages of a request.
    pub(crate) fn messages(&self, request: usize) -> Vec<Value> {
        self.bodies()[request]["messages"]
            .as_array()
            .unwrap()
            .clone()
    }

    /// The betas of a request.
    pub(crate) fn betas(&self, request: usize) -> Option<String> {
        let requests = self.server.requests();
        requests[request]
            .header("anthropic-beta")
            .map(str::to_owned)
    }

    /// The body of a request, to the byte.
    pub(crate) fn bytes(&self, request: usize) -> String {
        let body = self.server.requests()[request].body.clone();
        String::from_utf8(body).unwrap()
    }
}

fn provider(server: &Server) -> Builder {
    Anthropic::builder().api_key("none").base_url(server.url())
}
