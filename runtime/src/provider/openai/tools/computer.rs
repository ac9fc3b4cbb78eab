//! The computer tool: what the model does at a display, and what it is shown then.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::client;
use crate::message::{Content, Image};
use crate::tool::{Field, IntoToolOutput, ProviderTool, ToolError, ToolOutput, infallible};

/// Mouse, keyboard and screenshots.
///
/// ```
/// use haft::openai::tools::{COMPUTER, ComputerActions, Screenshot};
/// use haft::tool;
///
/// /// The desktop.
/// #[tool(provider = COMPUTER, exclusive)]
/// async fn desktop(input: ComputerActions) -> Result<Screenshot, String> {
///     // A person has looked at what is to be checked; see `Hook` for asking first.
///     let checks = input.pending_safety_checks.clone();
///     Ok(Screenshot::png("iVBORw0KGgo=").acknowledging(checks))
/// }
/// ```
pub const COMPUTER: ProviderTool<ComputerActions> = client("computer", "computer");

/// The same as `computer-use-preview` knows it: a display of so many pixels.
///
/// ```
/// use haft::openai::tools::{ComputerActions, Screen, Screenshot, computer_use_preview};
/// use haft::tool;
///
/// /// The browser.
/// #[tool(provider = computer_use_preview(1024, 768, Screen::Browser))]
/// async fn browser(input: ComputerActions) -> Screenshot {
///     Screenshot::png("iVBORw0KGgo=")
/// }
/// ```
#[must_use]
pub const fn computer_use_preview(
    width: u32,
    height: u32,
    screen: Screen,
) -> ProviderTool<ComputerActions> {
    client("computer_use_preview", "computer")
        .with_field("display_width", Field::Number(width))
        .with_field("display_height", Field::Number(height))
        .with_field("environment", Field::Text(screen.word()))
}

/// What is at the display: see [`computer_use_preview`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Screen {
    /// A browser.
    Browser,
    /// A desktop of Linux.
    Linux,
    /// A desktop of Ubuntu.
    Ubuntu,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl Screen {
    const fn word(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Linux => "linux",
            Self::Ubuntu => "ubuntu",
            Self::Mac => "mac",
            Self::Windows => "windows",
        }
    }
}

/// What the model does, in order, before it is shown the display.
///
/// ```
/// use haft::openai::tools::{ComputerAction, ComputerActions};
///
/// let input = r#"{"actions": [{"type": "move", "x": 3, "y": 4}, {"type": "screenshot"}]}"#;
/// let input: ComputerActions = haft::serde_json::from_str(input)?;
/// for action in input.actions {
///     match action {
///         ComputerAction::Move { x, y, .. } => assert_eq!((x, y), (3, 4)),
///         ComputerAction::Screenshot => {}
///         other => panic!("{other:?} is not done here"),
///     }
/// }
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", deny_unknown_fields)]
#[non_exhaustive]
pub struct ComputerActions {
    /// What it does.
    pub actions: Vec<ComputerAction>,
    /// What a person is to look at first; see [`Screenshot::acknowledging`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending_safety_checks: Vec<SafetyCheck>,
}

/// Something that OpenAI wants a person to look at before the model goes on: see [`COMPUTER`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde")]
#[non_exhaustive]
pub struct SafetyCheck {
    /// Its id.
    pub id: String,
    /// What kind of check it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What it is about, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A place on the display, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde")]
#[non_exhaustive]
pub struct Place {
    /// From the left.
    pub x: i64,
    /// From the top.
    pub y: i64,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MouseButton {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// The wheel, pressed.
    Wheel,
    /// Back.
    Back,
    /// Forward.
    Forward,
}

/// One thing that the model does: see [`ComputerActions`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ComputerAction {
    /// Press and release a button of the mouse.
    Click {
        /// Which one.
        button: MouseButton,
        /// From the left.
        x: i64,
        /// From the top.
        y: i64,
        /// Keys that are held meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
    },
    /// Click twice with the left button.
    DoubleClick {
        /// From the left.
        x: i64,
        /// From the top.
        y: i64,
        /// Keys that are held meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
    },
    /// Press the left button at the first place, and release it at the last.
    Drag {
        /// The way.
        path: Vec<Place>,
        /// Keys that are held meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
    },
    /// Press keys together.
    Keypress {
        /// The keys.
        keys: Vec<String>,
    },
    /// Move the mouse.
    Move {
        /// From the left.
        x: i64,
        /// From the top.
        y: i64,
        /// Keys that are held meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
    },
    /// Look at the display.
    Screenshot,
    /// Turn the wheel.
    Scroll {
        /// From the left.
        x: i64,
        /// From the top.
        y: i64,
        /// How far to the right, in pixels.
        scroll_x: i64,
        /// How far down, in pixels.
        scroll_y: i64,
        /// Keys that are held meanwhile.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
    },
    /// Type a text.
    Type {
        /// The text.
        text: String,
    },
    /// Wait a moment.
    Wait,
}

/// What the display shows after the actions.
///
/// ```
/// use haft::openai::tools::Screenshot;
///
/// // The bytes of a PNG file, in base64.
/// let shown = Screenshot::png("iVBORw0KGgo=");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screenshot {
    image: Image,
    acknowledged: Vec<SafetyCheck>,
}

impl Screenshot {
    /// A picture of it.
    #[must_use]
    pub const fn new(image: Image) -> Self {
        Self {
            image,
            acknowledged: Vec::new(),
        }
    }

    /// A PNG file of it, in base64.
    pub fn png(base64: impl Into<String>) -> Self {
        Self::new(Image::new("image/png", base64))
    }

    /// With the checks that a person has seen to. The API does not go on without them.
    #[must_use]
    pub fn acknowledging(mut self, checks: impl IntoIterator<Item = SafetyCheck>) -> Self {
        self.acknowledged.extend(checks);
        self
    }
}

impl IntoToolOutput for Screenshot {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        let output = ToolOutput::new([Content::Image(self.image)]);
        Ok(if self.acknowledged.is_empty() {
            output
        } else {
            output.with_structured(json!({ "acknowledged_safety_checks": self.acknowledged }))
        })
    }
}

infallible! { [] Screenshot }
