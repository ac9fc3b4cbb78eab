//! The computer toolset: mouse, keyboard and screenshots, each a member of its own.

use std::future::Future;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ScrollDirection;
use super::toolset::{
    Family, Member, MemberValue, NotAvailable, Toolset, input, inputs, is_default, members,
    toolset_type,
};
use crate::error::Error;
use crate::message::{Content, Image};
use crate::tool::{Call, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput};

static FAMILY: Family = Family {
    kind: "computer_toolset_20260801",
    name: "computer",
    halted: "Not executed: an earlier computer action in this turn failed.",
};

inputs! {
    /// Nothing that the model says.
    NoInput {}

    /// A click.
    Click {
        /// Where: x and y in pixels of the screenshot; where the mouse is, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        coordinate: Option<[i64; 2]>,
        /// Keys to hold meanwhile, such as `ctrl`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    /// A drag.
    Drag {
        /// Where from: x and y in pixels of the screenshot.
        start_coordinate: [i64; 2],
        /// Where to.
        coordinate: [i64; 2],
        /// Keys to hold meanwhile, such as `ctrl`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    /// A place to move to.
    MouseMove {
        /// X and y in pixels of the screenshot.
        coordinate: [i64; 2],
    }

    /// A turn of the wheel.
    Scroll {
        /// Which way.
        scroll_direction: ScrollDirection,
        /// How many clicks of the wheel.
        scroll_amount: i64,
        /// Where: x and y in pixels of the screenshot; where the mouse is, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        coordinate: Option<[i64; 2]>,
        /// Keys to hold meanwhile, such as `ctrl`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }

    /// A key, or a combination such as `ctrl+s`.
    KeyPress {
        /// The key, by its name in X.
        text: String,
        /// How often; once, if left out.
        #[schemars(range(min = 1, max = 100))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeat: Option<u32>,
    }

    /// A key to hold down.
    HeldKey {
        /// The key, by its name in X.
        text: String,
        /// How long, in seconds.
        #[schemars(range(min = 0, max = 300))]
        duration: u32,
    }

    /// A text to type.
    TypedText {
        /// The text.
        text: String,
    }

    /// A time to wait.
    Pause {
        /// How long, in seconds.
        #[schemars(range(min = 0, max = 300))]
        duration: u32,
    }

    /// A part of the screen.
    Region {
        /// The x and y of two corners, in pixels of the screenshot.
        region: [i64; 4],
    }
}

/// A place on the screen, in pixels of the screenshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a point has two coordinates")]
pub struct Point {
    /// From the left.
    pub x: i64,
    /// From the top.
    pub y: i64,
}

impl MemberValue for Point {
    fn into_content(self, _: String) -> Vec<Content> {
        vec![Content::text(format!("X={},Y={}", self.x, self.y))]
    }
}

impl MemberValue for Image {
    fn into_content(self, _: String) -> Vec<Content> {
        vec![Content::Image(self)]
    }
}

async fn finish<T>(_: &T, _: &str, content: Vec<Content>) -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::new(content))
}

members! {
    /// A computer that the model uses: one method for each member of `computer_toolset_20260801`.
    ///
    /// Only what is implemented is offered to the model. Coordinates are pixels of the whole screenshot. The calls of a
    /// turn come one after the other, in the model's order; after the first that fails, the rest is not run.
    ///
    /// ```
    /// use haft::anthropic::tools::{Click, Computer, ComputerToolset, NoInput};
    /// use haft::{Image, ToolError, Toolkit};
    ///
    /// struct Desk;
    ///
    /// impl Computer for Desk {
    ///     async fn screenshot(&self, _: NoInput) -> Result<Image, ToolError> {
    ///         Ok(Image::new("image/png", "iVBORw0KGgo="))
    ///     }
    ///
    ///     async fn left_click(&self, click: Click) -> Result<(), ToolError> {
    ///         match click.coordinate {
    ///             Some([x, y]) if x < 1024 && y < 768 => Ok(()),
    ///             _ => Err(ToolError::new("that is not on the screen")),
    ///         }
    ///     }
    /// }
    ///
    /// let toolset = ComputerToolset::new(Desk);
    /// let configs = &toolset.definition().options()["configs"];
    /// assert_eq!(configs["zoom"]["enabled"], false);
    /// assert!(configs.get("left_click").is_none(), "it is offered, as the API assumes");
    /// let kit: Toolkit = Toolkit::new().with(toolset)?;
    /// # Ok::<(), haft::Error>(())
    /// ```
    Computer, computer_members, finish {}
    /// Press a key or a combination.
    "key" on key(KeyPress) -> (), |key| format!("Pressed {}.", key.text);
    /// Hold a key down.
    "hold_key" on hold_key(HeldKey) -> (), |key| format!("Held {} for {}s.", key.text, key.duration);
    /// Type a text.
    "type" on type_text(TypedText) -> (), |_| "Typed.";
    /// Tell where the mouse is.
    "cursor_position" on cursor_position(NoInput) -> Point, |_| "";
    /// Move the mouse.
    "mouse_move" on mouse_move(MouseMove) -> (), |_| "Moved the mouse.";
    /// Press the left button.
    "left_mouse_down" on left_mouse_down(NoInput) -> (), |_| "Left mouse button pressed.";
    /// Release the left button.
    "left_mouse_up" on left_mouse_up(NoInput) -> (), |_| "Left mouse button released.";
    /// Click the left button.
    "left_click" on left_click(Click) -> (), |_| "Clicked.";
    /// Drag with the left button.
    "left_click_drag" on left_click_drag(Drag) -> (), |_| "Dragged.";
    /// Click the right button.
    "right_click" on right_click(Click) -> (), |_| "Right-clicked.";
    /// Click the middle button.
    "middle_click" on middle_click(Click) -> (), |_| "Middle-clicked.";
    /// Click the left button twice.
    "double_click" on double_click(Click) -> (), |_| "Double-clicked.";
    /// Click the left button three times.
    "triple_click" on triple_click(Click) -> (), |_| "Triple-clicked.";
    /// Turn the wheel.
    "scroll" on scroll(Scroll) -> (), |scroll| format!("Scrolled {}.", scroll.scroll_direction);
    /// Wait.
    "wait" on wait(Pause) -> (), |pause| format!("Waited {}s.", pause.duration);
    /// Take a picture of the screen.
    "screenshot" on screenshot(NoInput) -> Image, |_| "";
    /// Take a picture of a part of the screen, in full resolution.
    "zoom" on zoom(Region) -> Image, |_| "";
}

toolset_type! {
    /// The computer toolset over a [`Computer`]: a tool whose members the model calls by their own names.
    ///
    /// It belongs to Anthropic's API; at another one it is an error, before anything is sent.
    ComputerToolset, Computer, computer_members
}
