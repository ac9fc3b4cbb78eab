//! What the toolsets have in common: members that a trait has one method for, of which only those are offered that are
//! implemented.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde_json::{Map, Value};

use super::API;
use crate::arguments::{ToolInput, are_left_out, read_along};
use crate::error::Error;
use crate::message::Content;
use crate::schema::InputSchema;
use crate::tool::{
    Naming, Provided, Runs, ToolDefinition, ToolError, ToolOutput, provided_definition,
};

/// What a member of a toolset that is not implemented gives: an error.
#[derive(Debug)]
pub struct NotAvailable<T>(PhantomData<fn() -> T>);

impl<T> NotAvailable<T> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Future for NotAvailable<T> {
    type Output = Result<T, ToolError>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let text = "This action is not available in this environment.";
        Poll::Ready(Err(ToolError::new(text)))
    }
}

/// Whether a method is the trait's own, by the type of what it gives: only there it is this one.
pub(super) fn is_default<'a, T, I, F, O>(_: fn(&'a T, I) -> F) -> bool
where
    T: 'a,
    F: Future<Output = Result<O, ToolError>>,
    O: 'static,
{
    typeid::of::<F>() == typeid::of::<NotAvailable<O>>()
}

/// A member of a toolset, over a type that runs it.
pub(super) struct Member<T> {
    pub(super) name: &'static str,
    /// Whether the API offers it where nothing is said.
    pub(super) is_offered: bool,
    pub(super) is_implemented: bool,
    pub(super) run: Run<T>,
}

/// Runs a member with the JSON of its input.
pub(super) type Run<T> =
    for<'a> fn(
        &'a T,
        &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<ToolOutput, ToolError>> + Send + 'a>>;

/// What toolsets differ in.
pub(super) struct Family {
    /// The `type` of the definition.
    pub(super) kind: &'static str,
    /// What the API calls the set.
    pub(super) name: &'static str,
    /// What the model is told of a member that comes behind one that has failed.
    pub(super) halted: &'static str,
}

/// A toolset over a type that runs its members.
pub(super) struct Toolset<T: 'static> {
    family: &'static Family,
    members: Vec<Member<T>>,
    definition: ToolDefinition,
    defer_loading: Option<bool>,
    runs: T,
}

impl<T> Toolset<T> {
    pub(super) fn new(family: &'static Family, members: Vec<Member<T>>, runs: T) -> Self {
        let provided = Provided {
            api: API,
            kind: family.kind.to_owned(),
            wire_name: family.name.to_owned(),
            naming: Naming::Written,
            betas: Vec::new(),
            fields: Map::new(),
            runs: Runs::AsToolset,
            halted: family.halted.to_owned(),
        };
        let toolset = Self {
            definition: provided_definition(family.name.to_owned(), provided),
            family,
            members,
            defer_loading: None,
            runs,
        };
        toolset.configured()
    }

    pub(super) const fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    pub(super) fn named(mut self, name: String) -> Result<Self, Error> {
        self.definition = self.definition.renamed(name)?;
        Ok(self)
    }

    pub(super) fn change(mut self, change: impl FnOnce(ToolDefinition) -> ToolDefinition) -> Self {
        self.definition = change(self.definition);
        self
    }

    /// Without these members.
    ///
    /// # Errors
    /// Where one is none.
    pub(super) fn without(mut self, names: &[&str]) -> Result<Self, Error> {
        for name in names {
            let Some(member) = self.members.iter_mut().find(|member| member.name == *name) else {
                return Err(self.no_member(name));
            };
            member.is_implemented = false;
        }
        Ok(self.configured())
    }

    fn no_member(&self, name: &str) -> Error {
        let members: Vec<_> = self.members.iter().map(|member| member.name).collect();
        Error::definition(format!(
            "the toolset `{}` has no member `{name}`; its members are {}",
            self.family.name,
            members.join(", ")
        ))
    }

    pub(super) fn defer_loading(mut self, defer_loading: bool) -> Self {
        self.defer_loading = Some(defer_loading);
        self.configured()
    }

    /// Says to the API what it would not assume: which members there are not, and which there are.
    fn configured(mut self) -> Self {
        let mut configs = Map::new();
        for member in &self.members {
            let mut config = Map::new();
            if member.is_implemented != member.is_offered {
                config.insert("enabled".to_owned(), member.is_implemented.into());
            }
            if let Some(defer_loading) = self.defer_loading.filter(|_| member.is_implemented) {
                config.insert("defer_loading".to_owned(), defer_loading.into());
            }
            if !config.is_empty() {
                configs.insert(member.name.to_owned(), Value::Object(config));
            }
        }
        self.definition = match configs.is_empty() {
            true => self.definition.without_option("configs"),
            false => self.definition.option("configs", Value::Object(configs)),
        };
        self
    }

    /// Runs the member that a call names.
    pub(super) async fn call(&self, name: &str, input: &str) -> Result<ToolOutput, ToolError> {
        let family = self.family.name;
        match self.members.iter().find(|member| member.name == name) {
            Some(member) if member.is_implemented => (member.run)(&self.runs, input).await,
            Some(_) => Ok(ToolOutput::text(format!(
                "The {family} toolset member '{name}' is not available in this environment."
            ))
            .as_error()),
            None => Err(ToolError::new(format!(
                "unknown {family} toolset member '{name}'"
            ))),
        }
    }

    pub(super) const fn runs(&self) -> &T {
        &self.runs
    }
}

impl<T> fmt::Debug for Toolset<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let implemented = self.members.iter().filter(|member| member.is_implemented);
        f.debug_struct("Toolset")
            .field("kind", &self.family.kind)
            .field(
                "members",
                &implemented.map(|member| member.name).collect::<Vec<_>>(),
            )
            .finish_non_exhaustive()
    }
}

/// Reads a member's input.
pub(super) fn input<I: ToolInput>(text: &str) -> Result<I, ToolError> {
    // As everywhere, nothing at all is the empty object.
    let text = if are_left_out(text) { "{}" } else { text };
    read_along(&InputSchema::of::<I>(), text)
}

/// What a member's value is to the model; `done` is what is said of one that only acts.
pub(super) trait MemberValue {
    fn into_content(self, done: String) -> Vec<Content>;
}

impl MemberValue for () {
    fn into_content(self, done: String) -> Vec<Content> {
        let is_told = !done.is_empty();
        is_told
            .then(|| Content::text(one_line(&done)))
            .into_iter()
            .collect()
    }
}

/// What a page or a person has written may be long, and may break lines.
pub(super) fn one_line(text: &str) -> String {
    const MOST: usize = 2000;
    let fold = |c: char| {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            ' '
        } else {
            c
        }
    };
    text.chars().take(MOST).map(fold).collect()
}

/// Declares the inputs of members: structs with the traits that all of them have.
macro_rules! inputs {
    ($(
        $(#[$about:meta])*
        $name:ident { $($(#[$field_about:meta])* $field:ident: $ty:ty,)* }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(crate = "::serde", deny_unknown_fields)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_about])* pub $field: $ty,)*
        }
    )+};
}

pub(super) use inputs;

/// Declares a toolset's trait and the table of its members. What a member gives goes through `finish`.
///
/// ```text
/// /// Presses a key.                     fn key(&self, input: Key) -> impl Future<..> + Send { .. }
/// "key" on key(Key) -> () |key| "..";    Member { name: "key", is_implemented: !is_default(T::key), run: .. }
/// ```
macro_rules! members {
    (
        $(#[$about:meta])*
        $trait:ident, $members:ident, $finish:path { $($own:tt)* }
        $(
            $(#[$member_about:meta])*
            $name:literal $offered:ident $method:ident($input:ident) -> $output:ty, |$taken:pat_param| $done:expr;
        )+
    ) => {
        $(#[$about])*
        pub trait $trait: Send + Sync + 'static {
            $(
                $(#[$member_about])*
                fn $method(
                    &self,
                    input: $input,
                ) -> impl Future<Output = Result<$output, ToolError>> + Send {
                    let _ = input;
                    NotAvailable::<$output>::new()
                }
            )+
            $($own)*
        }

        pub(super) fn $members<T: $trait>() -> Vec<Member<T>> {
            vec![$(
                Member {
                    name: $name,
                    is_offered: stringify!($offered) == "on",
                    is_implemented: !is_default(T::$method),
                    run: |runs, text| Box::pin(async move {
                        let input: $input = input(text)?;
                        let done = { let $taken = &input; String::from($done) };
                        let content = runs.$method(input).await?.into_content(done);
                        $finish(runs, $name, content).await
                    }),
                },
            )+]
        }
    };
}

pub(super) use members;

/// Declares the public type of a toolset over an implementation of its trait.
macro_rules! toolset_type {
    ($(#[$about:meta])* $name:ident, $trait:ident, $members:ident) => {
        $(#[$about])*
        pub struct $name<T: 'static>(Toolset<T>);

        /// Whatever runs the members.
        impl<T> std::fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<T: $trait> $name<T> {
            /// With all members that are implemented.
            #[must_use]
            pub fn new(runs: T) -> Self {
                Self(Toolset::new(&FAMILY, $members(), runs))
            }

            /// Under a name of one's own, by which the program knows it.
            ///
            /// # Errors
            /// Where it is not 1 to 64 of `A-Z a-z 0-9 _ -`.
            pub fn named(self, name: impl Into<String>) -> Result<Self, Error> {
                self.0.named(name.into()).map(Self)
            }

            /// Without these members, though they are implemented.
            ///
            /// # Errors
            /// Where the toolset has no member of such a name.
            pub fn without(self, members: &[&str]) -> Result<Self, Error> {
                self.0.without(members).map(Self)
            }

            /// Whether the model has to find the members by a tool search before it sees them.
            #[must_use]
            pub fn defer_loading(self, defer_loading: bool) -> Self {
                Self(self.0.defer_loading(defer_loading))
            }

            /// A cache breakpoint behind the definition, such as `{"type": "ephemeral"}`.
            #[must_use]
            pub fn cache_control(self, cache_control: impl Into<Value>) -> Self {
                Self(self.0.change(|definition| definition.option("cache_control", cache_control)))
            }

            /// Whether the program is asked before a member runs.
            #[must_use]
            pub fn approval(self, approval: bool) -> Self {
                Self(self.0.change(|definition| definition.approval(approval)))
            }

            /// The definition.
            #[must_use]
            pub const fn definition(&self) -> &ToolDefinition {
                self.0.definition()
            }

            /// What runs the members.
            #[must_use]
            pub const fn get_ref(&self) -> &T {
                self.0.runs()
            }
        }

        impl<S, T: $trait> Tool<S> for $name<T> {
            fn definition(&self) -> &ToolDefinition {
                self.0.definition()
            }

            fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
                let name = call.context().wire_name();
                let input = call.input();
                Box::pin(self.0.call(name, input))
            }
        }
    };
}

pub(super) use toolset_type;
