//! Search of the web, and its pages.

use serde::Serialize;

use super::{json, server_definition, server_tool_methods};
use crate::provider::server_tool::strings;
use crate::tool::ToolDefinition;

/// What of a server tool's result the model is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResponseInclusion {
    /// All of it.
    Full,
    /// Nothing, where code of the model has read it.
    Excluded,
}

/// Where the user is, about.
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

/// The two lists of domains, of which one is given.
macro_rules! domains {
    ($name:ident) => {
        impl $name {
            /// Only these domains. Not together with `blocked_domains`.
            #[must_use]
            pub fn allowed_domains<T: Into<String>>(
                self,
                domains: impl IntoIterator<Item = T>,
            ) -> Self {
                self.option("allowed_domains", strings(domains))
            }

            /// None of these domains.
            #[must_use]
            pub fn blocked_domains<T: Into<String>>(
                self,
                domains: impl IntoIterator<Item = T>,
            ) -> Self {
                self.option("blocked_domains", strings(domains))
            }
        }
    };
}

server_tool! {
    /// Search of the web.
    ///
    /// ```
    /// use haft::anthropic::tools::WebSearch;
    ///
    /// let search = WebSearch::version_20260318().max_uses(2).blocked_domains(["example.com"]);
    /// assert_eq!(search.definition().options()["max_uses"], 2);
    /// ```
    WebSearch = "web_search" {
        version_20250305 = "web_search_20250305";
        version_20260209 = "web_search_20260209";
        version_20260318 = "web_search_20260318";
    }
    /// How often it may be used in a request.
    max_uses: u64;
    /// Where the user is, about.
    user_location: UserLocation;
    /// What is given back of results; from `version_20260318` on.
    response_inclusion: ResponseInclusion;
}

server_tool! {
    /// Fetches pages of the web.
    ///
    /// ```
    /// use haft::anthropic::tools::WebFetch;
    ///
    /// let fetch = WebFetch::version_20260318().max_content_tokens(10_000).citations(true);
    /// assert_eq!(fetch.definition().options()["citations"]["enabled"], true);
    /// ```
    WebFetch = "web_fetch" {
        version_20250910 = "web_fetch_20250910";
        version_20260209 = "web_fetch_20260209";
        version_20260309 = "web_fetch_20260309";
        version_20260318 = "web_fetch_20260318";
    }
    /// How often it may be used in a request.
    max_uses: u64;
    /// How much of a page is read.
    max_content_tokens: u64;
    /// Whether a page that was fetched before may be given again; from `version_20260309` on.
    use_cache: bool;
    /// What is given back of results; from `version_20260318` on.
    response_inclusion: ResponseInclusion;
}

domains!(WebSearch);
domains!(WebFetch);

impl WebFetch {
    /// Whether the model cites the pages.
    #[must_use]
    pub fn citations(self, enabled: bool) -> Self {
        self.option("citations", serde_json::json!({"enabled": enabled}))
    }
}
