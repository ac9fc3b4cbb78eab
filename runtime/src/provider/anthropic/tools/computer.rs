//! The computer tool, as models had it before the [computer toolset](super::ComputerToolset): what the model
//! does at a display.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{API, ProviderTool};
use crate::anthropic::betas;
use crate::arguments::ToolInput;
use crate::tool::Field;

/// Mouse, keyboard and screenshots, as models from October 2024 know them. It needs a beta header, which is sent by
/// itself.
pub const COMPUTER_20241022: ComputerTool<ComputerAction20241022> =
    ComputerTool::new("computer_20241022", &[betas::COMPUTER_USE_2024_10_22]);
/// Mouse, keyboard and screenshots, as models from January 2025 know them. It needs a beta header, which is sent by
/// itself.
pub const COMPUTER_20250124: ComputerTool<ComputerAction20250124> =
    ComputerTool::new("computer_20250124", &[betas::COMPUTER_USE_2025_01_24]);
/// Mouse, keyboard, screenshots and, [where asked for](ProviderTool::with_zoom), `zoom`. It needs a beta header, which is
/// sent by itself. Models of the 5.5 family take the toolset instead.
pub const COMPUTER_20251124: ComputerTool<ComputerAction20251124> =
    ComputerTool::new("computer_20251124", &[betas::COMPUTER_USE_2025_11_24]);

/// A computer tool whose display is yet to be said: `COMPUTER_20251124.display(1024, 768)` is the tool.
///
/// ```
/// use haft::anthropic::tools::{COMPUTER_20251124, ComputerAction20251124};
/// use haft::tool;
///
/// /// The desktop.
/// #[tool(provider = COMPUTER_20251124.display(1024, 768).with_zoom())]
/// async fn desktop(action: ComputerAction20251124) -> Result<String, String> {
///     Err(format!("{action:?} is not there yet"))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ComputerTool<A> {
    kind: &'static str,
    betas: &'static [&'static str],
    input: std::marker::PhantomData<fn() -> A>,
}

impl<A> ComputerTool<A> {
    const fn new(kind: &'static str, betas: &'static [&'static str]) -> Self {
        Self {
            kind,
            betas,
            input: std::marker::PhantomData,
        }
    }

    /// The tool of a display of so many pixels. Coordinates are in this space.
    #[must_use]
    pub const fn display(self, width: u32, height: u32) -> ProviderTool<A> {
        ProviderTool::new(API, self.kind, "computer")
            .with_betas(self.betas)
            .with_field("display_width_px", Field::Number(width))
            .with_field("display_height_px", Field::Number(height))
    }
}

/// What models do at a computer, in any version of the tool.
pub trait ComputerAction: sealed::Sealed + ToolInput + Serialize {}

mod sealed {
    pub trait Sealed {}
}

impl<A: ComputerAction> ProviderTool<A> {
    /// With the number of the X display.
    #[must_use]
    pub const fn on_display(self, number: u32) -> Self {
        self.with_field("display_number", Field::Number(number))
    }
}

impl ProviderTool<ComputerAction20251124> {
    /// With the action `zoom`.
    #[must_use]
    pub const fn with_zoom(self) -> Self {
        self.with_field("enable_zoom", Field::Switch(true))
    }
}

/// Which way to scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ScrollDirection {
    /// To what is above.
    Up,
    /// To what is below.
    Down,
    /// To what is on the left.
    Left,
    /// To what is on the right.
    Right,
}

impl fmt::Display for ScrollDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        })
    }
}

/// Declares the actions of a version: those of all versions, and its own.
macro_rules! actions {
    ($(#[$about:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(crate = "::serde", tag = "action", rename_all = "snake_case", deny_unknown_fields)]
        #[non_exhaustive]
        pub enum $name {
            /// Press a key or a combination such as `ctrl+s`.
            Key {
                /// The key, by its name in X.
                text: String,
            },
            /// Type a text.
            Type {
                /// The text to type.
                text: String,
            },
            /// Move the mouse.
            MouseMove {
                /// Where to: x and y in pixels.
                coordinate: [i64; 2],
            },
            /// Take a picture of the display.
            Screenshot {},
            /// Tell where the mouse is.
            CursorPosition {},
            $($own)*
        }

        impl sealed::Sealed for $name {}
        impl ComputerAction for $name {}
    };
}

actions! {
    /// What the model does with `computer_20241022`. Clicks are where the mouse is.
    ///
    /// ```
    /// use haft::anthropic::tools::ComputerAction20241022;
    /// use haft::serde_json::{self, json};
    ///
    /// let action: ComputerAction20241022 =
    ///     serde_json::from_value(json!({"action": "mouse_move", "coordinate": [3, 4]}))?;
    /// assert_eq!(action, ComputerAction20241022::MouseMove { coordinate: [3, 4] });
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ComputerAction20241022 {
        /// Click the left button.
        LeftClick {},
        /// Click the right button.
        RightClick {},
        /// Click the middle button.
        MiddleClick {},
        /// Click the left button twice.
        DoubleClick {},
        /// Drag with the left button from where the mouse is.
        LeftClickDrag {
            /// Where to: x and y in pixels.
            coordinate: [i64; 2],
        },
    }
}

/// The actions since January 2025.
macro_rules! actions_since_2025 {
    ($(#[$about:meta])* $name:ident { $($own:tt)* }) => {
        actions! {
            $(#[$about])*
            $name {
                /// Click the left button.
                LeftClick {
                    /// Where: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    coordinate: Option<[i64; 2]>,
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Click the right button.
                RightClick {
                    /// Where: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    coordinate: Option<[i64; 2]>,
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Click the middle button.
                MiddleClick {
                    /// Where: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    coordinate: Option<[i64; 2]>,
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Click the left button twice.
                DoubleClick {
                    /// Where: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    coordinate: Option<[i64; 2]>,
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Click the left button three times.
                TripleClick {
                    /// Where: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    coordinate: Option<[i64; 2]>,
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Drag with the left button.
                LeftClickDrag {
                    /// Where from: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    start_coordinate: Option<[i64; 2]>,
                    /// Where to: x and y in pixels.
                    coordinate: [i64; 2],
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Press the left button.
                LeftMouseDown {},
                /// Release the left button.
                LeftMouseUp {},
                /// Turn the wheel.
                Scroll {
                    /// Which way.
                    scroll_direction: ScrollDirection,
                    /// How many clicks of the wheel.
                    scroll_amount: i64,
                    /// Where: x and y in pixels; where the mouse is, if left out.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    coordinate: Option<[i64; 2]>,
                    /// A key to hold meanwhile, such as `ctrl`.
                    #[serde(default, skip_serializing_if = "Option::is_none")]
                    text: Option<String>,
                },
                /// Hold a key down.
                HoldKey {
                    /// The key, by its name in X.
                    text: String,
                    /// How long, in seconds.
                    duration: f64,
                },
                /// Wait.
                Wait {
                    /// How long, in seconds.
                    duration: f64,
                },
                $($own)*
            }
        }
    };
}

actions_since_2025! {
    /// What the model does with `computer_20250124`.
    ///
    /// ```
    /// use haft::anthropic::tools::ComputerAction20250124;
    /// use haft::serde_json::{self, json};
    ///
    /// let click: ComputerAction20250124 = serde_json::from_value(json!({"action": "left_click"}))?;
    /// assert_eq!(click, ComputerAction20250124::LeftClick { coordinate: None, text: None });
    /// assert_eq!(serde_json::to_value(&click)?, json!({"action": "left_click"}));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ComputerAction20250124 {}
}

actions_since_2025! {
    /// What the model does with `computer_20251124`.
    ///
    /// ```
    /// use haft::anthropic::tools::ComputerAction20251124;
    /// use haft::serde_json::{self, json};
    ///
    /// let zoom: ComputerAction20251124 =
    ///     serde_json::from_value(json!({"action": "zoom", "region": [0, 0, 320, 200]}))?;
    /// assert_eq!(zoom, ComputerAction20251124::Zoom { region: [0, 0, 320, 200] });
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ComputerAction20251124 {
        /// Look at a part of the display in full resolution.
        Zoom {
            /// The part: the x and y of two corners, in pixels.
            region: [i64; 4],
        },
    }
}
