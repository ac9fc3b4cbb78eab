//! The bash tool: what the model asks of its shell.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{ProviderTool, client};
use crate::anthropic::betas;

/// A shell that stays the same from call to call, as models from October 2024 know it. It needs a beta header, which is
/// sent by itself.
pub const BASH_20241022: ProviderTool<BashCommand> =
    client("bash_20241022", "bash", &[betas::COMPUTER_USE_2024_10_22]);
/// A shell that stays the same from call to call. `haft::handlers::Bash` is a handler.
pub const BASH_20250124: ProviderTool<BashCommand> = client("bash_20250124", "bash", &[]);

/// What the model asks of its shell.
///
/// ```
/// use haft::anthropic::tools::BashCommand;
/// use haft::serde_json::{self, json};
///
/// let command: BashCommand = serde_json::from_value(json!({"command": "ls", "restart": false}))?;
/// assert_eq!(command, BashCommand::Run { command: "ls".into() });
/// assert_eq!(serde_json::to_value(&command)?, json!({"command": "ls"}));
/// let error = serde_json::from_value::<BashCommand>(json!({})).unwrap_err();
/// assert_eq!(error.to_string(), "give a `command`, or `restart` as true");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BashCommand {
    /// Run this in the shell: `{"command": "..."}`.
    Run {
        /// What to run.
        command: String,
    },
    /// End the shell, and begin with a new one: `{"restart": true}`, whatever stands beside it.
    Restart,
}

impl Serialize for BashCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Run { command } => map.serialize_entry("command", command)?,
            Self::Restart => map.serialize_entry("restart", &true)?,
        }
        map.end()
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    restart: Option<bool>,
}

impl<'de> Deserialize<'de> for BashCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        match (fields.command, fields.restart) {
            (_, Some(true)) => Ok(Self::Restart),
            (Some(command), _) => Ok(Self::Run { command }),
            (None, _) => Err(D::Error::custom("give a `command`, or `restart` as true")),
        }
    }
}

impl JsonSchema for BashCommand {
    fn schema_name() -> Cow<'static, str> {
        "BashCommand".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "description": "What to run; needed unless the shell is restarted."
                },
                "restart": {
                    "type": "boolean",
                    "description": "Whether to end the shell and begin with a new one."
                },
            },
            "required": [],
            "additionalProperties": false,
        })
    }
}
