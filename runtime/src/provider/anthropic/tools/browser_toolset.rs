//! The browser toolset: tabs, pages, mouse and keyboard, each a member of its own.

use std::future::Future;

use serde_json::Value;

use super::NoInput;
use super::browser_inputs::{
    FileUpload, Find, FormInput, Hover, InTab, Navigate, PageClick, PageDrag, PageHeldKey, PageKey,
    PagePause, PagePoint, PageRegion, PageScroll, PageText, ReadPage, ScrollTo, Tab,
};
use super::browser_state::BrowserState;
use super::toolset::{
    Family, Member, MemberValue, NotAvailable, Toolset, input, is_default, members, one_line,
    toolset_type,
};
use crate::error::Error;
use crate::message::{Content, Image};
use crate::tool::{Call, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput};

static FAMILY: Family = Family {
    kind: "browser_toolset_20260801",
    name: "browser",
    halted: "Not executed: an earlier action in this turn failed.",
};

/// Where a navigation has ended.
///
/// ```
/// use haft::anthropic::tools::Navigated;
///
/// let navigated = Navigated::to("https://example.com/").with_title("Example").with_status(200);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    url: String,
    title: Option<String>,
    status: Option<u16>,
}

impl Navigated {
    /// At this address, after redirects.
    #[must_use]
    pub fn to(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            title: None,
            status: None,
        }
    }

    /// With the title of the page.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// With the status of the answer.
    #[must_use]
    pub const fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }
}

impl MemberValue for Navigated {
    fn into_content(self, _: String) -> Vec<Content> {
        let mut line = format!("Navigated to {}", one_line(&self.url));
        if let Some(title) = &self.title {
            line.push_str(&format!(" — {}", one_line(title)));
        }
        if let Some(status) = self.status {
            line.push_str(&format!(" (HTTP {status})"));
        }
        vec![Content::text(line)]
    }
}

/// What a page says, which may be nothing.
impl MemberValue for String {
    fn into_content(self, _: String) -> Vec<Content> {
        vec![Content::text(if self.is_empty() {
            "(empty)".to_owned()
        } else {
            self
        })]
    }
}

/// Members whose result is the tabs, and nothing else.
const OF_TABS: [&str; 4] = ["new_tab", "list_tabs", "switch_tab", "close_tab"];

/// With the state of the browser behind what the member gave.
async fn finish<T: Browser>(
    browser: &T,
    member: &str,
    mut content: Vec<Content>,
) -> Result<ToolOutput, ToolError> {
    match browser.browser_state().await? {
        Some(state) => content.push(state.into_content()?),
        None if OF_TABS.contains(&member) => {
            return Err(ToolError::new("the browser does not tell of its tabs"));
        }
        None => {}
    }
    Ok(ToolOutput::new(content))
}

members! {
    /// A browser that the model uses: one method for each member of `browser_toolset_20260801`.
    ///
    /// Only what is implemented is offered to the model. The calls of a turn come one after the other, in the model's
    /// order; after the first that fails, the rest is not run. The members for tabs need
    /// [`browser_state`](Self::browser_state).
    ///
    /// ```
    /// use haft::anthropic::tools::{Browser, BrowserToolset, Navigate, Navigated};
    /// use haft::{ToolError, Toolkit};
    ///
    /// struct Reader;
    ///
    /// impl Browser for Reader {
    ///     async fn navigate(&self, to: Navigate) -> Result<Navigated, ToolError> {
    ///         Ok(Navigated::to(to.url).with_status(200))
    ///     }
    /// }
    ///
    /// let toolset = BrowserToolset::new(Reader);
    /// let configs = &toolset.definition().options()["configs"];
    /// assert_eq!(configs["list_tabs"]["enabled"], false);
    /// let kit: Toolkit = Toolkit::new().with(toolset)?;
    /// # Ok::<(), haft::Error>(())
    /// ```
    Browser, browser_members, finish {
        /// The tabs that are open and what has changed since the last time; told to the model with each result.
        fn browser_state(
            &self,
        ) -> impl Future<Output = Result<Option<BrowserState>, ToolError>> + Send {
            std::future::ready(Ok(None))
        }
    }
    /// Go to an address, or back, forward, or load anew.
    "navigate" on navigate(Navigate) -> Navigated, |_| "";
    /// Tell which tabs are open.
    "list_tabs" on list_tabs(NoInput) -> (), |_| "";
    /// Open a tab.
    "new_tab" on new_tab(NoInput) -> (), |_| "";
    /// Make another tab the active one.
    "switch_tab" on switch_tab(Tab) -> (), |_| "";
    /// Close a tab.
    "close_tab" on close_tab(Tab) -> (), |_| "";
    /// Tell the elements of a page.
    "read_page" on read_page(ReadPage) -> String, |_| "";
    /// Tell the text of a page.
    "get_page_text" on get_page_text(InTab) -> String, |_| "";
    /// Tell what the page has written to its console.
    "read_console" off read_console(InTab) -> String, |_| "";
    /// Tell what the page has asked of the network.
    "read_network" off read_network(InTab) -> String, |_| "";
    /// Look for elements.
    "find" on find(Find) -> String, |_| "";
    /// Fill in a field.
    "form_input" on form_input(FormInput) -> (), |form| format!("Set the value of {}.", form.target.reference);
    /// Give files to a field.
    "file_upload" off file_upload(FileUpload) -> (), |_| "Uploaded.";
    /// Scroll to an element.
    "scroll_to" on scroll_to(ScrollTo) -> (), |to| format!("Scrolled to {}.", to.target.reference);
    /// Take a picture of the page.
    "screenshot" on screenshot(InTab) -> Image, |_| "";
    /// Take a picture of a part of the page, in full resolution.
    "zoom" on zoom(PageRegion) -> Image, |_| "";
    /// Click the left button.
    "left_click" on left_click(PageClick) -> (), |_| "Clicked.";
    /// Click the right button.
    "right_click" on right_click(PageClick) -> (), |_| "Right-clicked.";
    /// Click the middle button.
    "middle_click" on middle_click(PageClick) -> (), |_| "Middle-clicked.";
    /// Click the left button twice.
    "double_click" on double_click(PageClick) -> (), |_| "Double-clicked.";
    /// Click the left button three times.
    "triple_click" on triple_click(PageClick) -> (), |_| "Triple-clicked.";
    /// Point at something.
    "hover" on hover(Hover) -> (), |_| "Hovered.";
    /// Drag with the left button.
    "left_click_drag" on left_click_drag(PageDrag) -> (), |_| "Dragged.";
    /// Press the left button.
    "left_mouse_down" on left_mouse_down(PagePoint) -> (), |_| "Mouse button pressed.";
    /// Release the left button.
    "left_mouse_up" on left_mouse_up(PagePoint) -> (), |_| "Mouse button released.";
    /// Move the mouse.
    "mouse_move" on mouse_move(PagePoint) -> (), |_| "Moved the mouse.";
    /// Turn the wheel.
    "scroll" on scroll(PageScroll) -> (), |scroll| format!("Scrolled {}.", scroll.scroll_direction);
    /// Type a text.
    "type" on type_text(PageText) -> (), |_| "Typed.";
    /// Press a key or a combination.
    "key" on key(PageKey) -> (), |key| format!("Pressed {}.", key.text);
    /// Hold a key down.
    "hold_key" on hold_key(PageHeldKey) -> (), |key| format!("Held {} for {}s.", key.text, key.duration);
    /// Wait.
    "wait" on wait(PagePause) -> (), |pause| format!("Waited {}s.", pause.duration);
    /// Run a script in the page, and tell its value.
    "javascript_exec" off javascript_exec(PageText) -> String, |_| "";
}

toolset_type! {
    /// The browser toolset over a [`Browser`]: a tool whose members the model calls by their own names.
    ///
    /// It belongs to Anthropic's API; at another one it is an error, before anything is sent.
    BrowserToolset, Browser, browser_members
}
