//! What the tools have in common that an API runs itself: the program only offers them.

/// The methods of a type around a [`ToolDefinition`](crate::ToolDefinition) of such a tool.
macro_rules! server_tool_methods {
    ($name:ident) => {
        impl $name {
            /// Under a name of one's own, by which the program knows it; the API still knows it by its own.
            ///
            /// # Errors
            /// Where it is not 1 to 64 of `A-Z a-z 0-9 _ -`.
            pub fn named(self, name: impl Into<String>) -> Result<Self, $crate::Error> {
                self.0.renamed(name.into()).map(Self)
            }

            /// A further field of the definition, in the API's own words.
            #[must_use]
            pub fn option(
                self,
                key: impl Into<String>,
                value: impl Into<::serde_json::Value>,
            ) -> Self {
                Self(self.0.option(key, value))
            }

            /// The definition, for [`Request::tool`](crate::Request::tool).
            #[must_use]
            pub const fn definition(&self) -> &$crate::ToolDefinition {
                &self.0
            }
        }

        impl From<$name> for $crate::ToolDefinition {
            fn from(tool: $name) -> Self {
                tool.0
            }
        }

        impl<S> $crate::Tool<S> for $name {
            fn definition(&self) -> &$crate::ToolDefinition {
                &self.0
            }

            /// What the API runs is no call for the program. A model that makes one all the same is told so.
            fn call<'a>(&'a self, _: $crate::Call<'a, S>) -> $crate::ToolFuture<'a> {
                $crate::provider::server_tool::not_run_here(&self.0)
            }
        }
    };
}

pub(crate) use server_tool_methods;

use crate::tool::{ToolDefinition, ToolError, ToolFuture};

/// What these types are in JSON; none of them can fail.
pub(crate) fn json(value: impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}

pub(crate) fn strings<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    texts.into_iter().map(Into::into).collect()
}

pub(crate) fn not_run_here(definition: &ToolDefinition) -> ToolFuture<'static> {
    let name = definition.name();
    let text = format!("Tool '{name}' is run by the API and not by the program");
    Box::pin(std::future::ready(Err(ToolError::new(text))))
}
