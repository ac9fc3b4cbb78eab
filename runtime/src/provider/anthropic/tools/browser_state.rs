//! [`BrowserState`]: the tabs of a browser and what has changed, as the API takes it.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::json;

use super::API;
use super::toolset::one_line;
use crate::json::RawJson;
use crate::message::Content;
use crate::tool::ToolError;

/// The tabs that are open, and what has changed since the model was told last.
///
/// ```
/// use haft::anthropic::tools::{BrowserState, StateChange, TabState};
///
/// let state = BrowserState::new([TabState::new("t1", "Example", "https://example.com/").active()])
///     .changed(StateChange::TabOpened { tab_id: "t1".into() });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BrowserState {
    tabs: Vec<TabState>,
    changes: Vec<StateChange>,
}

/// A tab that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TabState {
    tab_id: String,
    title: String,
    url: String,
    #[serde(rename = "active", skip_serializing_if = "std::ops::Not::not")]
    is_active: bool,
}

/// Something that has changed in a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StateChange {
    /// A tab was opened, and is still open.
    TabOpened {
        /// The tab.
        tab_id: String,
    },
    /// A download has begun.
    DownloadStarted {
        /// The download.
        download_id: String,
        /// Where from.
        url: String,
    },
    /// A download has ended.
    DownloadCompleted {
        /// The download.
        download_id: String,
        /// Where from.
        url: String,
        /// Where it is now.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// How large it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        size_bytes: Option<u64>,
    },
    /// A download has failed.
    DownloadFailed {
        /// The download.
        download_id: String,
        /// Where from.
        url: String,
        /// Why.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

impl BrowserState {
    /// With all tabs that are open, of which one is [active](TabState::active).
    #[must_use]
    pub fn new(tabs: impl IntoIterator<Item = TabState>) -> Self {
        Self {
            tabs: tabs.into_iter().collect(),
            changes: Vec::new(),
        }
    }

    /// With a change.
    #[must_use]
    pub fn changed(mut self, change: StateChange) -> Self {
        self.changes.push(change);
        self
    }

    /// # Errors
    /// Where the API would refuse the whole request for it.
    pub(super) fn into_content(self) -> Result<Content, ToolError> {
        let active = self.tabs.iter().filter(|tab| tab.is_active).count();
        if !self.tabs.is_empty() && active != 1 {
            return Err(ToolError::new(format!(
                "the browser tells of {active} active tabs, and one must be active"
            )));
        }
        let mut ids = HashSet::new();
        if let Some(twice) = self.tabs.iter().find(|tab| !ids.insert(&tab.tab_id)) {
            let id = &twice.tab_id;
            return Err(ToolError::new(format!(
                "the browser tells of two tabs `{id}`"
            )));
        }
        let mut block = json!({"type": "browser_state", "tabs": self.tabs});
        if let Some(fields) = block.as_object_mut()
            && !self.changes.is_empty()
        {
            fields.insert("state_changes".to_owned(), json!(self.changes));
        }
        Ok(Content::other(API, RawJson::from_value(&block)))
    }
}

impl TabState {
    /// A tab by its id, with its title and address.
    #[must_use]
    pub fn new(tab_id: impl Into<String>, title: impl AsRef<str>, url: impl AsRef<str>) -> Self {
        Self {
            tab_id: tab_id.into(),
            title: one_line(title.as_ref()),
            url: one_line(url.as_ref()),
            is_active: false,
        }
    }

    /// The one that is in front.
    #[must_use]
    pub const fn active(mut self) -> Self {
        self.is_active = true;
        self
    }
}
