//! What the attributes say: [`ToolArgs`] for `#[tool(...)]`, [`ParamArgs`] for `#[arg(...)]`,
//! [`ToolsArgs`] for `#[tools(...)]`, [`ArgumentArgs`] for `#[argument(...)]`, [`StateArgs`] and
//! [`FieldArgs`] for `#[state(...)]`.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Expr, LitStr};

use crate::doc::Text;
use crate::entries::{Entries, Keyed, Switch, arguments_of};
use crate::errors::Errors;
use crate::options::{self, ProviderOption};
use crate::runtime_path::RuntimePath;
use crate::time::{self, TimeLimit};

/// What `#[tool(...)]` says.
pub(crate) struct ToolArgs {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Text>,
    pub(crate) title: Option<LitStr>,
    pub(crate) read_only: Option<Switch>,
    pub(crate) destructive: Option<Switch>,
    pub(crate) idempotent: Option<Switch>,
    pub(crate) open_world: Option<Switch>,
    pub(crate) exclusive: Option<Ident>,
    pub(crate) approval: Option<Ident>,
    pub(crate) timeout: Option<TimeLimit>,
    pub(crate) blocking: Option<Ident>,
    pub(crate) collect: Option<Ident>,
    pub(crate) strict: Option<Switch>,
    /// The provider's tool that the function handles.
    pub(crate) provider: Option<Expr>,
    pub(crate) options: Vec<ProviderOption>,
    pub(crate) runtime: Option<RuntimePath>,
    /// Whether all of it could be read. Where not, what seems to be missing may be there.
    pub(crate) is_whole: bool,
}

impl ToolArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let before = errors.count();
        let mut entries = Entries::parse("`#[tool]`", tokens, errors);
        let mut args = Self {
            name: entries.string("name"),
            description: entries.text("description"),
            title: entries.string("title"),
            read_only: entries.switch("read_only"),
            destructive: entries.switch("destructive"),
            idempotent: entries.switch("idempotent"),
            open_world: entries.switch("open_world"),
            exclusive: entries.flag("exclusive"),
            approval: entries.flag("approval"),
            timeout: entries
                .string("timeout")
                .and_then(|text| time::parse(text, errors)),
            blocking: entries.flag("blocking"),
            collect: entries.flag("collect"),
            strict: entries.switch("strict"),
            provider: entries.value("provider", "haft::anthropic::tools::MEMORY_20250818"),
            options: entries
                .list("option", "key = value")
                .map(|tokens| options::parse(tokens, errors))
                .unwrap_or_default(),
            runtime: entries.runtime(),
            is_whole: false,
        };
        entries.finish();
        args.is_whole = errors.count() == before;
        args
    }
}

/// What `#[arg(...)]` above a parameter says.
#[derive(Default)]
pub(crate) struct ParamArgs {
    pub(crate) description: Option<Text>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) default: Option<Keyed>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) bounds: Vec<Bound>,
}

/// One bound of a parameter.
pub(crate) struct Bound {
    pub(crate) key: BoundKey,
    /// The key where it stands, for errors about the parameter's type.
    pub(crate) ident: Ident,
    pub(crate) value: Expr,
}

/// The keys that set bounds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum BoundKey {
    Min,
    Max,
    ExclusiveMin,
    ExclusiveMax,
    MultipleOf,
    MinLen,
    MaxLen,
    Pattern,
    MinItems,
    MaxItems,
}

impl BoundKey {
    const ALL: [(Self, &'static str); 10] = [
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::ExclusiveMin, "exclusive_min"),
        (Self::ExclusiveMax, "exclusive_max"),
        (Self::MultipleOf, "multiple_of"),
        (Self::MinLen, "min_len"),
        (Self::MaxLen, "max_len"),
        (Self::Pattern, "pattern"),
        (Self::MinItems, "min_items"),
        (Self::MaxItems, "max_items"),
    ];

    /// As users write it.
    pub(crate) fn name(self) -> &'static str {
        let own = Self::ALL.iter().find(|(key, _)| *key == self);
        own.map_or("", |(_, name)| name)
    }
}

impl ParamArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(attributes: &[Attribute], errors: &Errors) -> Self {
        let tokens = arguments_of(attributes, "arg", errors);
        let mut entries = Entries::parse("`#[arg]`", tokens, errors);
        let args = Self {
            description: entries.text("description"),
            rename: entries.string("rename"),
            default: entries.keyed("default"),
            examples: entries.all("example"),
            bounds: BoundKey::ALL
                .into_iter()
                .filter_map(|(key, name)| Bound::take(key, name, &mut entries))
                .collect(),
        };
        entries.finish();
        args
    }
}

impl Bound {
    fn take(key: BoundKey, name: &'static str, entries: &mut Entries<'_>) -> Option<Self> {
        let (ident, value) = entries.keyed_value(name, "VALUE")?;
        Some(Self { key, ident, value })
    }
}

/// What `#[tools(...)]` above an `impl` block says.
pub(crate) struct ToolsArgs {
    pub(crate) name: Option<Ident>,
    pub(crate) runtime: RuntimePath,
}

impl ToolsArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut entries = Entries::parse("`#[tools]`", tokens, errors);
        let name = entries.name("name");
        let runtime = entries.runtime().unwrap_or_default();
        entries.finish();
        Self { name, runtime }
    }
}

/// What `#[argument(...)]` says.
pub(crate) struct ArgumentArgs {
    pub(crate) runtime: RuntimePath,
}

impl ArgumentArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut entries = Entries::parse("`#[argument]`", tokens, errors);
        let runtime = entries.runtime().unwrap_or_default();
        entries.finish();
        Self { runtime }
    }
}

/// What `#[state(...)]` above a struct says.
pub(crate) struct StateArgs {
    pub(crate) runtime: RuntimePath,
}

impl StateArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(attributes: &[Attribute], errors: &Errors) -> Self {
        let tokens = arguments_of(attributes, "state", errors);
        let mut entries = Entries::parse("`#[state]`", tokens, errors);
        let runtime = entries.runtime().unwrap_or_default();
        entries.finish();
        Self { runtime }
    }
}

/// What `#[state(...)]` above a field says.
pub(crate) struct FieldArgs {
    pub(crate) skip: bool,
}

impl FieldArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(attributes: &[Attribute], errors: &Errors) -> Self {
        let tokens = arguments_of(attributes, "state", errors);
        let mut entries = Entries::parse("`#[state]` on a field", tokens, errors);
        let skip = entries.flag("skip").is_some();
        entries.finish();
        Self { skip }
    }
}
