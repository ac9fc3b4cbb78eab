//! [`Toolkit`]: tools by name, in the order in which they were added.

mod bound;
#[cfg(feature = "collect")]
mod collect;
mod definitions;
mod dialects;
mod distinct;
mod listed;
mod method;
mod names;

use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

#[cfg(feature = "collect")]
pub use self::collect::{Collected, collected};
pub(crate) use self::definitions::{Definitions, Entry, RequestTool, check_faults};
use self::dialects::InDialects;
pub(crate) use self::dialects::{constrained, constrained_if_possible};
pub use self::distinct::is_distinct;
pub use self::listed::Listed;
pub use self::method::{Method, from_methods, method};
pub(crate) use self::names::Names;
use crate::error::Error;
use crate::tool::{Tool, ToolDefinition};

/// Tools by name, in the order in which they were added. Cloning is cheap.
///
/// ```
/// use haft::{Toolkit, tool, toolkit};
/// use haft::serde_json::json;
///
/// /// Adds two integers.
/// #[tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = toolkit![add];
/// assert_eq!(kit.call("add", json!({"a": 2, "b": 3})).await.text(), "5");
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Toolkit<S = ()>(Arc<Inner<S>>);

struct Inner<S> {
    tools: Vec<Entered<S>>,
    /// In order and not by hash: that a call finds its tool is a few comparisons of short texts.
    by_name: BTreeMap<String, usize>,
    /// Empty again with each tool that is added.
    in_dialects: InDialects,
}

/// A tool, and where in the program it was put into a toolkit.
struct Entered<S> {
    tool: Arc<dyn Tool<S>>,
    origin: &'static Location<'static>,
}

impl<S> Clone for Entered<S> {
    fn clone(&self) -> Self {
        Self {
            tool: Arc::clone(&self.tool),
            origin: self.origin,
        }
    }
}

impl<S> Toolkit<S> {
    /// A toolkit without tools.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Inner::with_capacity(0)))
    }

    /// With one tool more.
    ///
    /// For tools that are made when the program runs, beside those of
    /// [`toolkit!`](crate::toolkit!):
    ///
    /// ```
    /// use haft::{FunctionTool, Toolkit, tool, toolkit};
    /// use haft::serde_json::{Value, json};
    ///
    /// /// Adds two integers.
    /// #[tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let schema = json!({"type": "object"});
    /// let echo = FunctionTool::from_schema("echo", "", schema, |input: Value| async { input })?;
    /// let kit: Toolkit = toolkit![add].with(echo)?;
    /// assert_eq!(kit.names().collect::<Vec<_>>(), ["add", "echo"]);
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where a tool of that name is there already: a model could not tell them apart. The error
    /// names both places of the program.
    #[track_caller]
    pub fn with(self, tool: impl Tool<S> + 'static) -> Result<Self, Error> {
        self.with_all([Entered {
            tool: Arc::new(tool),
            origin: Location::caller(),
        }])
    }

    /// With the tools of another toolkit after its own.
    ///
    /// ```
    /// # use haft::tool;
    /// use haft::{Toolkit, toolkit};
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// # /// Say hello.
    /// # #[tool]
    /// # async fn greet(name: String) -> String { format!("Hello {name}") }
    /// let kit: Toolkit = toolkit![add].extend(toolkit![greet])?;
    /// assert_eq!(kit.len(), 2);
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where both have a tool of one name.
    pub fn extend(self, other: Self) -> Result<Self, Error> {
        let tools =
            Arc::try_unwrap(other.0).map_or_else(|shared| shared.tools.clone(), |own| own.tools);
        self.with_all(tools)
    }

    /// Without the tool of that name, if it is there.
    #[must_use]
    pub fn remove(self, name: &str) -> Self {
        self.filter(|definition| definition.name() != name)
    }

    /// With only the tools that `keep` wants.
    ///
    /// ```
    /// # use haft::tool;
    /// use haft::{Toolkit, toolkit};
    ///
    /// # /// Read a file.
    /// # #[tool]
    /// # async fn read_file(path: String) -> String { path }
    /// # /// Delete a file.
    /// # #[tool]
    /// # async fn delete_file(path: String) -> String { path }
    /// let kit: Toolkit = toolkit![read_file, delete_file];
    /// let safe = kit.filter(|definition| !definition.name().starts_with("delete"));
    /// assert_eq!(safe.names().collect::<Vec<_>>(), ["read_file"]);
    /// ```
    #[must_use]
    pub fn filter(self, mut keep: impl FnMut(&ToolDefinition) -> bool) -> Self {
        let kept = self
            .0
            .tools
            .iter()
            .filter(|entered| keep(entered.tool.definition()))
            .cloned();
        let mut inner = Inner::with_capacity(self.0.tools.len());
        kept.for_each(|entered| inner.push(entered));
        Self(Arc::new(inner))
    }

    fn with_all(self, tools: impl IntoIterator<Item = Entered<S>>) -> Result<Self, Error> {
        // Taken over where nobody else holds it, so that a chain of `with` does not copy the list each time.
        let mut inner = Arc::try_unwrap(self.0).unwrap_or_else(|shared| shared.copy());
        for entered in tools {
            if let Some(earlier) = inner.get(entered.tool.definition().name()) {
                return Err(duplicate(earlier, &entered));
            }
            inner.push(entered);
        }
        Ok(Self(Arc::new(inner)))
    }
}

fn duplicate<S>(earlier: &Entered<S>, later: &Entered<S>) -> Error {
    let (name, first, second) = (later.tool.definition().name(), earlier.origin, later.origin);
    Error::definition(format!(
        "two tools are named `{name}`, from {first} and from {second}; give one of them another name"
    ))
}

impl<S> Inner<S> {
    fn with_capacity(tools: usize) -> Self {
        Self {
            tools: Vec::with_capacity(tools),
            by_name: BTreeMap::new(),
            in_dialects: InDialects::default(),
        }
    }

    fn get(&self, name: &str) -> Option<&Entered<S>> {
        self.tools.get(*self.by_name.get(name)?)
    }

    fn push(&mut self, entered: Entered<S>) {
        let name = entered.tool.definition().name().to_owned();
        self.by_name.insert(name, self.tools.len());
        self.tools.push(entered);
        self.in_dialects = InDialects::default();
    }

    fn copy(&self) -> Self {
        Self {
            tools: self.tools.clone(),
            by_name: self.by_name.clone(),
            in_dialects: InDialects::default(),
        }
    }
}

/// What a toolkit that needs no state more can do. (These are not on every `Toolkit<S>`, since `toolkit![..].len()`
/// could not tell which `S` is meant.)
impl Toolkit {
    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.tools.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.tools.is_empty()
    }

    /// The tool of that name.
    ///
    /// ```
    /// # use haft::tool;
    /// use haft::{Toolkit, toolkit};
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// let kit: Toolkit = toolkit![add];
    /// let schema = kit.get("add").map(|tool| tool.definition().input_schema().to_string());
    /// assert!(schema.is_some_and(|schema| schema.contains(r#""required":["a","b"]"#)));
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        self.0.get(name).map(|entered| &*entered.tool)
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions().map(ToolDefinition::name)
    }

    /// What a model is told about each tool, in order.
    pub fn definitions(&self) -> impl Iterator<Item = &ToolDefinition> {
        self.0.tools.iter().map(|entered| entered.tool.definition())
    }

    /// Whether both are one and the same value, and not only alike.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<S> Default for Toolkit<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Clone for Toolkit<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> fmt::Debug for Toolkit<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(
                self.0
                    .tools
                    .iter()
                    .map(|entered| entered.tool.definition().name()),
            )
            .finish()
    }
}

/// A [`Toolkit`] of `#[tool]` functions, by their paths: `toolkit![add, weather::get_weather]`.
///
/// Two tools of one name do not compile:
///
/// ```compile_fail
/// use haft::{Toolkit, tool, toolkit};
///
/// /// Adds two integers.
/// #[tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let kit: Toolkit = toolkit![add, add];
/// ```
#[macro_export]
macro_rules! toolkit {
    ($($tools:tt)*) => {
        $crate::__private::list!($crate; $($tools)*)
    };
}

/// Puts a tool down for `Toolkit::collect`: what an expansion of `#[tool(collect)]` says.
#[cfg(feature = "collect")]
#[doc(hidden)]
#[macro_export]
macro_rules! __collected {
    ($tool:path) => {
        $crate::__private::submit! {
            $crate::__private::collected::<$tool>(&<$tool as $crate::__private::Listed>::TOOL)
        }
    };
}

/// Without its feature, `#[tool(collect)]` is one error.
#[cfg(not(feature = "collect"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __collected {
    ($tool:path) => {
        ::core::compile_error! {
            ::core::concat!(
                "tool `", ::core::stringify!($tool), "` must not be collected without haft's feature `collect`\n",
                "note: enable it in Cargo.toml: `haft = { version = \"..\", features = [\"collect\"] }`"
            )
        }
    };
}

/// A toolkit of tools whose names `toolkit!` has checked.
#[must_use]
#[track_caller]
pub fn from_distinct<S>(tools: Vec<Arc<dyn Tool<S>>>) -> Toolkit<S> {
    let origin = Location::caller();
    let mut inner = Inner::with_capacity(tools.len());
    tools
        .into_iter()
        .for_each(|tool| inner.push(Entered { tool, origin }));
    Toolkit(Arc::new(inner))
}
