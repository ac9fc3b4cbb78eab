//! What the model sends to the members of the browser toolset.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::ScrollDirection;
use super::toolset::inputs;

/// What of a page is meant: a place, or an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    crate = "::serde",
    tag = "type",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum Target {
    /// A place on the page.
    Coordinate {
        /// From the left, in pixels of the screenshot.
        x: i64,
        /// From the top.
        y: i64,
    },
    /// An element, by the reference that `read_page` or `find` has given.
    Ref {
        /// The reference.
        #[serde(rename = "ref")]
        reference: String,
    },
}

/// A place on the page, in pixels of the screenshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", deny_unknown_fields)]
#[non_exhaustive]
pub struct Coordinate {
    #[serde(rename = "type")]
    kind: IsCoordinate,
    /// From the left.
    pub x: i64,
    /// From the top.
    pub y: i64,
}

/// The only kind of target that a [`Coordinate`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", rename_all = "snake_case")]
enum IsCoordinate {
    Coordinate,
}

/// An element, by the reference that `read_page` or `find` has given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", deny_unknown_fields)]
#[non_exhaustive]
pub struct ElementRef {
    #[serde(rename = "type")]
    kind: IsRef,
    /// The reference.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// The only kind of target that an [`ElementRef`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", rename_all = "snake_case")]
enum IsRef {
    Ref,
}

/// The value that a field of a form is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", untagged)]
#[non_exhaustive]
pub enum FormValue {
    /// Of a box to tick.
    Switch(bool),
    /// Of a field for numbers.
    Number(f64),
    /// Of any other field.
    Text(String),
}

/// Which elements of a page are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PageFilter {
    /// All of them.
    All,
    /// Those that can be used, such as links and fields.
    Interactive,
}

inputs! {
    /// Where to go.
    Navigate {
        /// An address, or `back`, `forward` or `reload`.
        url: String,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A tab of those that are open.
    Tab {
        /// The tab.
        tab_id: String,
    }

    /// A tab, if it is not the active one.
    InTab {
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// What of a page is read.
    ReadPage {
        /// How deep into its tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<i64>,
        /// Which elements.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<PageFilter>,
        /// The element to begin with.
        #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
        reference: Option<String>,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// What is looked for on a page.
    Find {
        /// In words.
        query: String,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A value for a field of a form.
    FormInput {
        /// The field.
        target: ElementRef,
        /// Its value.
        value: FormValue,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// Files for a field of a form, as they come.
    FileUploadFields {
        /// The field.
        target: ElementRef,
        /// Files of the program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paths: Option<Vec<String>>,
        /// Documents of the conversation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document_ids: Option<Vec<String>>,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// An element to scroll to.
    ScrollTo {
        /// The element.
        target: ElementRef,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A part of a page.
    PageRegion {
        /// The x and y of two corners, in pixels of the screenshot.
        region: [i64; 4],
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A click on a page.
    PageClick {
        /// Where.
        target: Target,
        /// Keys to hold meanwhile, such as `ctrl`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        modifiers: Option<String>,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// Something to point at.
    Hover {
        /// Where.
        target: Target,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A drag on a page.
    PageDrag {
        /// Where from.
        from: Coordinate,
        /// Where to.
        target: Coordinate,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A place of the mouse.
    PagePoint {
        /// Where.
        target: Coordinate,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A turn of the wheel on a page.
    PageScroll {
        /// Which way.
        scroll_direction: ScrollDirection,
        /// Where.
        target: Coordinate,
        /// How many clicks of the wheel, 1 to 10; 3, if left out.
        #[schemars(range(min = 1, max = 10))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scroll_amount: Option<i64>,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A text for a page: to type, or a script to run.
    PageText {
        /// The text.
        text: String,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A key, or a combination such as `ctrl+a`.
    PageKey {
        /// The key.
        text: String,
        /// How often; once, if left out.
        #[schemars(range(min = 1, max = 100))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeat: Option<u32>,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A key to hold down.
    PageHeldKey {
        /// The key.
        text: String,
        /// How long, in seconds.
        #[schemars(range(min = 0, max = 30))]
        duration: f64,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }

    /// A time to wait.
    PagePause {
        /// How long, in seconds.
        #[schemars(range(min = 0, max = 30))]
        duration: f64,
        /// The tab; the active one, if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab_id: Option<String>,
    }
}

/// Files for a field of a form: at least one of the two lists is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    crate = "::serde",
    try_from = "FileUploadFields",
    into = "FileUploadFields"
)]
#[non_exhaustive]
pub struct FileUpload {
    /// The field.
    pub target: ElementRef,
    /// Files of the program.
    pub paths: Option<Vec<String>>,
    /// Documents of the conversation.
    pub document_ids: Option<Vec<String>>,
    /// The tab; the active one, if left out.
    pub tab_id: Option<String>,
}

impl TryFrom<FileUploadFields> for FileUpload {
    type Error = &'static str;

    fn try_from(fields: FileUploadFields) -> Result<Self, Self::Error> {
        if fields.paths.is_none() && fields.document_ids.is_none() {
            return Err("give `paths` or `document_ids`");
        }
        Ok(Self {
            target: fields.target,
            paths: fields.paths,
            document_ids: fields.document_ids,
            tab_id: fields.tab_id,
        })
    }
}

impl From<FileUpload> for FileUploadFields {
    fn from(upload: FileUpload) -> Self {
        Self {
            target: upload.target,
            paths: upload.paths,
            document_ids: upload.document_ids,
            tab_id: upload.tab_id,
        }
    }
}

impl JsonSchema for FileUpload {
    fn schema_name() -> Cow<'static, str> {
        "FileUpload".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        FileUploadFields::json_schema(generator)
    }
}
