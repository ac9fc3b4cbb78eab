//! [`Server`]: whose chat completions API it is, and what is special about it. What servers do to replies is not here:
//! replies of all of them are read by one tolerant reader.

/// Whose chat completions API it is. It is known by the base URL; a program says it where a server stands behind an
/// address of its own, such as a gateway or proxy.
///
/// ```
/// use haft::openai::{Chat, Server};
///
/// let url = "https://llm.example.com/v1";
/// let chat = Chat::builder().base_url(url).api_key("...").server(Server::DeepSeek).build()?;
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Server {
    /// OpenAI's own.
    OpenAi,
    /// DeepSeek's.
    DeepSeek,
    /// Mistral's.
    Mistral,
    /// Groq's.
    Groq,
    /// OpenRouter, which passes on to others.
    OpenRouter,
    /// Together's.
    Together,
    /// xAI's.
    XAi,
    /// Google's, for Gemini.
    Gemini,
    /// A llama.cpp server.
    LlamaCpp,
    /// Any other, such as vLLM, Ollama and LM Studio.
    Other,
}

/// What is special about a server, as far as it has to do with what is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quirks {
    /// The field for the most tokens of a reply. OpenAI's newer models refuse the older name, which all others know.
    pub(super) max_tokens: &'static str,
    /// Which reasoning goes back with the turn that it came with. Some want it, some refuse the fields.
    pub(super) reasoning: Reasoning,
    /// Whether fields of a turn go back that only this server has, such as `extra_content` (Gemini refuses a call
    /// without the signature in it); else those are left out that a body of OpenAI's does not have.
    pub(super) keeps_unknown_fields: bool,
    /// Whether the model's thinking may stand among the parts of its content, as it does at Mistral, also behind a gateway.
    /// Others know no such part.
    pub(super) takes_thinking_parts: bool,
    /// Which ids of calls it takes, in a history of another server.
    pub(super) call_ids: CallIds,
    /// Whether a result may hold pictures; else they are in a message behind the results. OpenAI refuses them there.
    pub(super) takes_images_in_results: bool,
    /// Whether a stream has to be asked for the tokens that it took. Mistral tells them unasked, and has refused fields
    /// that it does not know.
    pub(super) asks_for_usage: bool,
}

/// Which of the reasoning that came goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// None: the API has no field for it, or refuses the field.
    Dropped,
    /// As it came.
    Echoed,
    /// In `reasoning_content`, also that of another server, and an empty one where a turn that has calls has none.
    Required,
}

/// Which ids of calls a server takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallIds {
    /// All that others give.
    Any,
    /// Those of so many characters at most: "string too long. Expected a string with maximum length 40".
    Longest(usize),
    /// Nine letters or digits: a 400 of Mistral's API and of its templates else.
    Nine,
}

const USUAL: Quirks = Quirks {
    max_tokens: "max_tokens",
    reasoning: Reasoning::Echoed,
    keeps_unknown_fields: true,
    takes_thinking_parts: true,
    call_ids: CallIds::Any,
    takes_images_in_results: false,
    asks_for_usage: true,
};

impl Server {
    /// Every row says what differs from the usual, and why.
    pub(super) const fn quirks(self) -> Quirks {
        match self {
            Self::OpenAi => Quirks {
                max_tokens: "max_completion_tokens",
                // The API neither gives nor takes any.
                reasoning: Reasoning::Dropped,
                keeps_unknown_fields: false,
                takes_thinking_parts: false,
                call_ids: CallIds::Longest(40),
                ..USUAL
            },
            // "The `reasoning_content` in the thinking mode must be passed back to the API": a 400 else.
            Self::DeepSeek => Quirks {
                reasoning: Reasoning::Required,
                keeps_unknown_fields: false,
                takes_thinking_parts: false,
                ..USUAL
            },
            Self::Mistral => Quirks {
                reasoning: Reasoning::Dropped,
                keeps_unknown_fields: false,
                call_ids: CallIds::Nine,
                asks_for_usage: false,
                ..USUAL
            },
            // "property 'reasoning' is unsupported", for most of its models.
            Self::Groq | Self::XAi => Quirks {
                reasoning: Reasoning::Dropped,
                keeps_unknown_fields: false,
                takes_thinking_parts: false,
                ..USUAL
            },
            Self::LlamaCpp => Quirks {
                takes_thinking_parts: false,
                takes_images_in_results: true,
                ..USUAL
            },
            // `reasoning_details` of OpenRouter, `extra_content` of Gemini, `reasoning` of vLLM and Ollama.
            Self::OpenRouter | Self::Together | Self::Gemini | Self::Other => USUAL,
        }
    }

    /// The one at a base URL, by the end of its host.
    pub(in crate::provider::openai) fn at(base_url: &str) -> Self {
        const HOSTS: [(&str, Server); 8] = [
            ("api.openai.com", Server::OpenAi),
            ("deepseek.com", Server::DeepSeek),
            ("mistral.ai", Server::Mistral),
            ("groq.com", Server::Groq),
            ("openrouter.ai", Server::OpenRouter),
            ("together.xyz", Server::Together),
            ("x.ai", Server::XAi),
            ("generativelanguage.googleapis.com", Server::Gemini),
        ];
        let host = host(base_url);
        let is_at = |end: &str| {
            let rest = host.strip_suffix(end);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        let found = HOSTS.iter().find(|(end, _)| is_at(end));
        found.map_or(Self::Other, |(_, server)| *server)
    }
}

/// The host of a URL, in lower case; the URL is judged elsewhere.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_known_by_its_host() {
        for (url, server) in [
            ("https://api.openai.com/v1", Server::OpenAi),
            ("https://API.OpenAI.com:443/v1", Server::OpenAi),
            ("https://eu.api.openai.com/v1", Server::OpenAi),
            ("https://user:x@api.deepseek.com", Server::DeepSeek),
            ("https://api.mistral.ai/v1", Server::Mistral),
            ("https://api.x.ai/v1", Server::XAi),
            ("https://max.ai/v1", Server::Other),
            ("https://example.com/api.openai.com", Server::Other),
            ("http://127.0.0.1:11434/v1", Server::Other),
        ] {
            assert_eq!(Server::at(url), server, "{url}");
        }
    }
}
