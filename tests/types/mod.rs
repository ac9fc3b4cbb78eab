//! Types of arguments of every kind, each as the only argument of a tool.
#![allow(
    dead_code,
    reason = "types are looked at and not used, and no test uses all of them"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::num::NonZeroU8;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use haft::schemars::JsonSchema;
use haft::serde::de::DeserializeOwned;
use haft::serde_json::{self, Value};
use haft::{FunctionTool, Nullable, argument};

/// A unit.
#[argument]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Units {
    Celsius,
    Fahrenheit,
}

/// How to go about it.
#[argument]
#[derive(Debug)]
pub(crate) enum Mode {
    /// quick
    Fast,
    Slow,
    /// in between
    Even,
}

#[argument]
#[derive(Debug)]
pub(crate) struct Point {
    /// across
    x: i32,
    y: Option<i32>,
}

#[argument]
#[derive(Debug)]
#[serde(tag = "kind")]
pub(crate) enum Shape {
    /// round
    Circle {
        r: f64,
    },
    Square {
        side: f64,
        name: Option<String>,
    },
    Dot,
}

#[argument]
pub(crate) enum ByKey {
    A(u8),
    B { c: Option<u8> },
    C,
}

#[argument]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    A(u8),
    B { c: u8 },
    C,
}

#[argument]
#[serde(untagged)]
pub(crate) enum Untagged {
    Text(String),
    Number(i64),
    Point(Point),
}

#[argument]
#[derive(Debug)]
pub(crate) struct Node {
    v: i32,
    pub(crate) below: Vec<Self>,
}

#[argument]
pub(crate) struct Base {
    a: u8,
}

#[argument]
pub(crate) struct Flat {
    b: u8,
    #[serde(flatten)]
    base: Base,
}

#[argument]
pub(crate) struct Renamed {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    count: u32,
    #[serde(skip)]
    hidden: u8,
}

#[argument]
pub(crate) struct Percent(#[schemars(range(max = 100))] u8);

#[argument]
pub(crate) struct Generic<T> {
    one: T,
    more: Vec<T>,
}

#[argument]
pub(crate) struct Keywords {
    minimum: i64,
    title: String,
    format: String,
    properties: u8,
    #[serde(rename = "oneOf")]
    one_of: u8,
    default: bool,
    r#type: u8,
    required: Vec<String>,
}

#[argument]
pub(crate) struct Nulls {
    nullable: Nullable<Units>,
    optional: Option<Units>,
    documented: Option<Mode>,
    nested: Option<Option<u8>>,
    items: Option<Vec<Option<u8>>>,
    shape: Option<Shape>,
}

#[argument]
pub(crate) struct One<T> {
    x: T,
}

/// A tool with an argument `x` of this type, which answers nothing.
fn tool_of<T: DeserializeOwned + JsonSchema + Send + 'static>(at: usize) -> FunctionTool {
    FunctionTool::new::<One<T>, _>(format!("t{at}"), "", |_: One<T>| async { "" }).unwrap()
}

type Maker = fn(usize) -> FunctionTool;

macro_rules! tools {
    ($($type:ty,)*) => {
        [$((stringify!($type), tool_of::<$type> as Maker)),*]
    };
}

/// A tool for each type, with the text of the type. They are named `t0`, `t1` and so on.
pub(crate) fn tools() -> Vec<(&'static str, FunctionTool)> {
    let makers = tools![
        u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, usize, isize, f32, f64, char, bool,
        String, Box<str>, Arc<str>, Cow<'static, str>, PathBuf, IpAddr, Duration, NonZeroU8,
        (u8, String), [u8; 3], Range<u8>, Vec<u8>, VecDeque<u8>, HashSet<String>, BTreeSet<u8>,
        BTreeMap<String, u8>, HashMap<String, Option<u8>>, BTreeMap<char, u8>,
        Value, serde_json::Map<String, Value>, Vec<Value>,
        Option<u8>, Option<Option<u8>>, Vec<Option<u8>>, Nullable<u8>, Box<u8>,
        Units, Mode, Point, Shape, ByKey, Adjacent, Untagged, Node, Flat, Renamed, Percent,
        Generic<u8>, Generic<Point>, Keywords, Nulls,
        Option<Units>, Option<Mode>, Option<Point>, Option<Shape>, Vec<Option<Units>>,
        chrono::DateTime<chrono::Utc>, chrono::NaiveDate, uuid::Uuid, url::Url,
    ];
    let named = makers.into_iter().enumerate();
    named.map(|(at, (name, make))| (name, make(at))).collect()
}
