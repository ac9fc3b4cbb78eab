//! Tools that OpenAI runs itself: their definitions. Their calls and results are items of the reply, which go back whole.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::API;
use crate::provider::server_tool::{json as value_of, server_tool_methods, strings};
use crate::tool::{Naming, Provided, Runs, ToolDefinition, provided_definition};

/// A tool that OpenAI runs: the program only offers it.
///
/// It is put into a toolkit like any other, or into a [`Request`](crate::Request) by its
/// [`definition`](Self::definition). At another API it is left out, so one toolkit may hold the web search of each (under
/// [names](Self::named) of the program's own).
///
/// ```
/// use haft::openai::tools::{FileSearch, WebSearch};
/// use haft::Toolkit;
///
/// let search = WebSearch::new().allowed_domains(["docs.rs"]);
/// let kit = Toolkit::new().with(search)?.with(FileSearch::new(["vs_1"]))?;
/// assert_eq!(kit.names().collect::<Vec<_>>(), ["web_search", "file_search"]);
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServerTool(ToolDefinition);

impl ServerTool {
    /// By its type, for one that haft does not know.
    ///
    /// ```
    /// use haft::openai::tools::ServerTool;
    ///
    /// let search = ServerTool::new("web_search_preview").option("search_context_size", "low");
    /// assert_eq!(search.definition().name(), "web_search_preview");
    /// ```
    #[must_use]
    pub fn new(kind: &str) -> Self {
        Self(definition(kind, kind))
    }
}

server_tool_methods!(ServerTool);

/// A definition by its type. `called` is what calls of it are known by: `{called}_call` is the type of their items.
pub(super) fn definition(kind: &str, called: &str) -> ToolDefinition {
    provided_definition(
        called.to_owned(),
        Provided {
            api: API,
            kind: kind.to_owned(),
            wire_name: called.to_owned(),
            naming: Naming::ByType,
            betas: Vec::new(),
            fields: Map::new(),
            runs: Runs::AtServer,
            halted: String::new(),
        },
    )
}

/// How much of what a search has found the model is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SearchContextSize {
    /// Little.
    Low,
    /// The API's default.
    Medium,
    /// Much.
    High,
}

/// Where the user is, about. What is not known is left out.
///
/// ```
/// use haft::openai::tools::{UserLocation, WebSearch};
///
/// let mut oslo = UserLocation::default();
/// oslo.city = Some("Oslo".to_owned());
/// oslo.country = Some("NO".to_owned());
/// let search = WebSearch::new().user_location(&oslo);
/// assert_eq!(search.definition().options()["user_location"]["country"], "NO");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "approximate")]
#[non_exhaustive]
pub struct UserLocation {
    /// The city.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The region or state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The country, by its code of two letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The time zone, such as `Europe/Oslo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
}

/// Search of the web.
///
/// ```
/// use haft::openai::tools::{SearchContextSize, WebSearch};
///
/// let search = WebSearch::new().search_context_size(SearchContextSize::Low);
/// assert_eq!(search.definition().options()["search_context_size"], "low");
/// ```
#[derive(Clone, Debug)]
pub struct WebSearch(ToolDefinition);

impl WebSearch {
    /// The newest version.
    #[must_use]
    pub fn new() -> Self {
        Self(definition("web_search", "web_search"))
    }

    /// Only these domains.
    #[must_use]
    pub fn allowed_domains<T: Into<String>>(self, domains: impl IntoIterator<Item = T>) -> Self {
        self.option("filters", json!({ "allowed_domains": strings(domains) }))
    }

    /// How much of what it finds the model is given.
    #[must_use]
    pub fn search_context_size(self, size: SearchContextSize) -> Self {
        self.option("search_context_size", value_of(size))
    }

    /// Where the user is, about.
    #[must_use]
    pub fn user_location(self, location: &UserLocation) -> Self {
        self.option("user_location", value_of(location))
    }

    /// Whether pages are fetched now, and not only from what OpenAI has of them.
    #[must_use]
    pub fn external_web_access(self, allowed: bool) -> Self {
        self.option("external_web_access", allowed)
    }
}

impl Default for WebSearch {
    fn default() -> Self {
        Self::new()
    }
}

server_tool_methods!(WebSearch);

/// Search of files that were uploaded to OpenAI.
///
/// ```
/// use haft::openai::tools::FileSearch;
///
/// let search = FileSearch::new(["vs_1"]).max_num_results(5);
/// assert_eq!(search.definition().options()["max_num_results"], 5);
/// ```
#[derive(Clone, Debug)]
pub struct FileSearch(ToolDefinition);

impl FileSearch {
    /// In these vector stores, by their ids.
    #[must_use]
    pub fn new<T: Into<String>>(vector_store_ids: impl IntoIterator<Item = T>) -> Self {
        let ids = strings(vector_store_ids);
        Self(definition("file_search", "file_search")).option("vector_store_ids", ids)
    }

    /// How much is found at most: 1 to 50.
    #[must_use]
    pub fn max_num_results(self, results: u64) -> Self {
        self.option("max_num_results", results)
    }

    /// Which files are searched, by their attributes: a comparison or a compound of some, in the API's form.
    #[must_use]
    pub fn filters(self, filters: Value) -> Self {
        self.option("filters", filters)
    }

    /// How what is found is ranked, in the API's form.
    #[must_use]
    pub fn ranking_options(self, options: Value) -> Self {
        self.option("ranking_options", options)
    }
}

server_tool_methods!(FileSearch);

/// Runs code of the model's in a container of OpenAI's.
///
/// ```
/// use haft::openai::tools::CodeInterpreter;
///
/// let code = CodeInterpreter::new().file_ids(["file_1"]).named("python")?;
/// assert_eq!(code.definition().options()["container"]["file_ids"][0], "file_1");
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CodeInterpreter(ToolDefinition);

impl CodeInterpreter {
    /// In a container that OpenAI makes.
    #[must_use]
    pub fn new() -> Self {
        Self(definition("code_interpreter", "code_interpreter"))
            .option("container", json!({"type": "auto"}))
    }

    /// In this container, by its id.
    #[must_use]
    pub fn container(self, id: impl Into<String>) -> Self {
        self.option("container", id.into())
    }

    /// With these files in it. Not with a container of one's own.
    #[must_use]
    pub fn file_ids<T: Into<String>>(self, ids: impl IntoIterator<Item = T>) -> Self {
        self.option(
            "container",
            json!({"type": "auto", "file_ids": strings(ids)}),
        )
    }
}

impl Default for CodeInterpreter {
    fn default() -> Self {
        Self::new()
    }
}

server_tool_methods!(CodeInterpreter);

/// Makes pictures.
///
/// ```
/// use haft::openai::tools::ImageGeneration;
///
/// let pictures = ImageGeneration::new().size("1024x1024").option("background", "transparent");
/// assert_eq!(pictures.definition().options()["size"], "1024x1024");
/// ```
#[derive(Clone, Debug)]
pub struct ImageGeneration(ToolDefinition);

impl ImageGeneration {
    /// With the API's defaults.
    #[must_use]
    pub fn new() -> Self {
        Self(definition("image_generation", "image_generation"))
    }

    /// The model that makes them.
    #[must_use]
    pub fn model(self, model: impl Into<String>) -> Self {
        self.option("model", model.into())
    }

    /// How large they are, such as `1024x1536`.
    #[must_use]
    pub fn size(self, size: impl Into<String>) -> Self {
        self.option("size", size.into())
    }

    /// How good they are: `low`, `medium`, `high` and so on.
    #[must_use]
    pub fn quality(self, quality: impl Into<String>) -> Self {
        self.option("quality", quality.into())
    }

    /// As which kind of file they come: `png`, `jpeg`, `webp`.
    #[must_use]
    pub fn output_format(self, format: impl Into<String>) -> Self {
        self.option("output_format", format.into())
    }
}

impl Default for ImageGeneration {
    fn default() -> Self {
        Self::new()
    }
}

server_tool_methods!(ImageGeneration);

/// Finds tools that are offered with `defer_loading`.
///
/// ```
/// use haft::openai::tools::ToolSearch;
/// use haft::{Toolkit, tool, toolkit};
///
/// /// Get the exchange rate of a currency.
/// #[tool(option(defer_loading = true))]
/// async fn get_rate(currency: String) -> f64 {
///     1.0
/// }
///
/// let kit: Toolkit = toolkit![get_rate].with(ToolSearch::new())?;
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ToolSearch(ToolDefinition);

impl ToolSearch {
    /// By OpenAI.
    #[must_use]
    pub fn new() -> Self {
        Self(definition("tool_search", "tool_search"))
    }
}

impl Default for ToolSearch {
    fn default() -> Self {
        Self::new()
    }
}

server_tool_methods!(ToolSearch);

/// Lets the model write programs that call the tools which allow it, by the option
/// `allowed_callers = ["programmatic"]`. Their calls are run like any other.
///
/// ```
/// use haft::openai::tools::ProgrammaticToolCalling;
///
/// let programs = ProgrammaticToolCalling::new();
/// assert_eq!(programs.definition().name(), "programmatic_tool_calling");
/// ```
#[derive(Clone, Debug)]
pub struct ProgrammaticToolCalling(ToolDefinition);

impl ProgrammaticToolCalling {
    /// By OpenAI.
    #[must_use]
    pub fn new() -> Self {
        let kind = "programmatic_tool_calling";
        Self(definition(kind, kind))
    }
}

impl Default for ProgrammaticToolCalling {
    fn default() -> Self {
        Self::new()
    }
}

server_tool_methods!(ProgrammaticToolCalling);
