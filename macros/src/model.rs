//! [`ToolFn`]: all that an expansion needs to know of a tool. What the syntax leaves open is
//! decided here.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Expr, FnArg, GenericParam, ItemImpl, LitStr, Pat, PatIdent, PatType, ReturnType, Signature,
    Type, Visibility,
};

use crate::args::{Bound, BoundKey, ParamArgs, ToolArgs};
use crate::cfgs::Cfgs;
use crate::check;
use crate::doc::Text;
use crate::entries::Keyed;
use crate::errors::Errors;
use crate::item::ToolItem;
use crate::runtime_path::RuntimePath;
use crate::settings::Settings;
use crate::types;

/// The type that stands beside the function and has its name: what even a tool with mistakes has.
pub(crate) struct ToolType {
    /// The runtime, by its name in the scope of the expansion.
    pub(crate) runtime: RuntimePath,
    /// What makes that name.
    pub(crate) import: TokenStream,
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The function's `#[cfg]`s: the type is there when the function is.
    pub(crate) cfgs: Cfgs,
    /// Whether the type may be there at all: not in an `impl` block, which a `self` shows, where no
    /// type can be declared; not with the name of a primitive type, which it would hide.
    pub(crate) is_possible: bool,
}

impl ToolType {
    /// The function's name, for texts.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    pub(crate) fn new(runtime: RuntimePath, item: &ToolItem) -> Self {
        let ident = item.signature.ident.clone();
        let (import, runtime) = runtime.shortened();
        Self {
            runtime,
            import,
            visibility: item.visibility.clone(),
            cfgs: Cfgs::of(&item.attributes),
            is_possible: item.signature.receiver().is_none() && !types::is_primitive(&ident),
            ident,
        }
    }
}

/// Where a tool's function stands.
#[derive(Clone, Copy)]
pub(crate) enum Home<'a> {
    /// In a module, or in the body of a function.
    Module,
    /// In this `impl` block, whose type is then the state.
    Block(&'a ItemImpl),
}

impl Home<'_> {
    /// Whether a type or an expression names something that is generic there.
    pub(crate) fn is_generic(self, tokens: impl ToTokens) -> bool {
        let Self::Block(block) = self else {
            return false;
        };
        let tokens = self.outside(tokens);
        block.generics.params.iter().any(|param| match param {
            GenericParam::Type(param) => types::names(&tokens, &param.ident),
            GenericParam::Const(param) => types::names(&tokens, &param.ident),
            GenericParam::Lifetime(_) => false,
        })
    }

    /// A type or an expression, as it is written in an item of its own.
    pub(crate) fn outside(self, tokens: impl ToTokens) -> TokenStream {
        match self {
            Self::Module => tokens.to_token_stream(),
            Self::Block(block) => types::without_self(tokens.to_token_stream(), &block.self_ty),
        }
    }
}

/// A tool. One that exists is valid.
pub(crate) struct ToolFn<'a> {
    pub(crate) declared: &'a ToolType,
    pub(crate) home: Home<'a>,
    pub(crate) name: LitStr,
    pub(crate) description: Text,
    pub(crate) settings: Settings,
    /// The arguments that the model gives.
    pub(crate) params: Vec<Param>,
    /// The arguments that the program gives.
    pub(crate) provided: Vec<Provided>,
    /// Both, in the order of the signature.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) call: CallKind,
    pub(crate) returns: Returned,
    /// The provider's tool that it handles. Its one argument from the model is then all of the input.
    pub(crate) provider: Option<Expr>,
    /// `collect`, where it stands.
    pub(crate) collect: Option<Ident>,
    /// Whether calling the function warns.
    pub(crate) is_deprecated: bool,
}

impl<'a> ToolFn<'a> {
    /// Resolves the defaults and checks the whole. Where anything is wrong, here or before, there is
    /// no tool, but what the compiler can still judge.
    pub(crate) fn new(
        declared: &'a ToolType,
        home: Home<'a>,
        args: ToolArgs,
        item: &ToolItem,
        errors: &Errors,
    ) -> Result<Self, Judged> {
        let signature = &item.signature;
        check::check(&args, home, item, errors);
        let Arguments {
            params,
            provided,
            arguments,
        } = Arguments::new(signature, errors);
        check::check_params(&params, home, signature, errors);
        check::check_provider(&args, &params, signature, errors);
        if !errors.is_empty() {
            return Err(Judged::new(params, home, signature));
        }
        Ok(Self {
            declared,
            home,
            settings: Settings::new(&args),
            name: args.name.unwrap_or_else(|| name_of(item)),
            description: args.description.unwrap_or_else(|| docs_of(item)),
            params,
            provided,
            arguments,
            call: CallKind::new(signature, args.blocking.is_some()),
            returns: Returned::new(signature),
            provider: args.provider,
            collect: args.collect,
            is_deprecated: has_attribute(item, "deprecated"),
        })
    }
}

/// Of a tool with mistakes, the types that have none which could be seen here: the compiler tells
/// what it finds in them in the same go.
pub(crate) struct Judged {
    pub(crate) params: Vec<Param>,
    pub(crate) returns: Option<Returned>,
}

impl Judged {
    /// Not where the function is generic, or a method by itself: what its types mean is then not
    /// known outside of it.
    fn new(params: Vec<Param>, home: Home<'_>, signature: &Signature) -> Self {
        let is_generic = signature.generics.type_params().next().is_some()
            || signature.generics.const_params().next().is_some();
        let is_misplaced = matches!(home, Home::Module) && signature.receiver().is_some();
        let is_known = !is_generic && !is_misplaced;
        let good = |param: &Param| param.is_sound && is_known;
        let is_named = matches!(signature.output, ReturnType::Type(..))
            && types::impls_of(&signature.output).is_empty();
        Self {
            params: params.into_iter().filter(good).collect(),
            returns: (is_named && is_known).then(|| Returned::new(signature)),
        }
    }
}

pub(crate) fn name_of(item: &ToolItem) -> LitStr {
    let ident = &item.signature.ident;
    LitStr::new(&ident.unraw().to_string(), ident.span())
}

pub(crate) fn docs_of(item: &ToolItem) -> Text {
    Text::of_docs(&item.attributes, item.signature.ident.span())
}

fn has_attribute(item: &ToolItem, name: &str) -> bool {
    item.attributes
        .iter()
        .any(|attribute| attribute.path().is_ident(name))
}

/// How the function gives its value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum CallKind {
    /// A plain `fn`: at once.
    Inline,
    /// A plain `fn` that takes its time: on a thread of its own.
    Blocking,
    /// An `async fn`: when awaited.
    Awaited,
}

impl CallKind {
    fn new(signature: &Signature, is_blocking: bool) -> Self {
        match (&signature.asyncness, is_blocking) {
            (Some(_), _) => Self::Awaited,
            (None, true) => Self::Blocking,
            (None, false) => Self::Inline,
        }
    }
}

/// Who gives an argument, and its place among those of the same giver.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    /// The state itself: `&self`.
    Receiver,
    /// The model, by value.
    Model(usize),
    /// The program, by reference: out of the toolkit's state, or the call's context.
    Program(usize),
}

/// An argument that the program gives.
pub(crate) struct Provided {
    /// The type behind the reference, as it can be named outside the function.
    pub(crate) ty: TokenStream,
    /// The parameter's `#[cfg]`s.
    pub(crate) cfgs: Cfgs,
}

/// An argument that the model gives.
pub(crate) struct Param {
    /// The parameter's name, for errors.
    pub(crate) ident: Ident,
    /// The name that the model knows it by.
    pub(crate) key: LitStr,
    /// Whether `rename` has said so.
    pub(crate) is_renamed: bool,
    /// What the model is told about it; empty without docs.
    pub(crate) text: Text,
    /// Its type as the user wrote it, and as it can be named outside the function.
    pub(crate) written: Type,
    pub(crate) ty: TokenStream,
    /// Whether nothing was wrong with the type that could be seen here.
    pub(crate) is_sound: bool,
    pub(crate) default: Option<Keyed>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) bounds: Vec<Bound>,
    /// The parameter's `#[cfg]`s.
    pub(crate) cfgs: Cfgs,
}

impl Param {
    /// `None` where the argument has no name by which the model could give it.
    fn new(argument: &PatType, lifetimes: &[&Ident], errors: &Errors) -> Option<Self> {
        let args = ParamArgs::parse(&argument.attrs, errors);
        check::check_attributes(&argument.attrs, errors);
        let before = errors.count();
        check::check_argument_type(&argument.ty, errors);
        let is_sound = errors.count() == before;
        let Some(ident) = name_of_argument(&argument.pat) else {
            let note = match &*argument.pat {
                Pat::Wild(_) => "the model calls it by its name; write one after the `_`",
                _ => {
                    "the model calls it by its name; write that alone, and the pattern in the body"
                }
            };
            errors.must(&argument.pat, "give each argument a name", note);
            return None;
        };
        Some(Self {
            is_renamed: args.rename.is_some(),
            key: args.rename.unwrap_or_else(|| key_of(ident)),
            ident: ident.clone(),
            text: args
                .description
                .unwrap_or_else(|| Text::of_docs(&argument.attrs, ident.span())),
            written: (*argument.ty).clone(),
            ty: types::with_static_lifetimes(&argument.ty, lifetimes),
            is_sound,
            default: args.default,
            examples: args.examples,
            bounds: args.bounds,
            cfgs: Cfgs::of(&argument.attrs),
        })
    }

    /// The bound of this kind.
    pub(crate) fn bound(&self, key: BoundKey) -> Option<&Bound> {
        self.bounds.iter().find(|bound| bound.key == key)
    }
}

/// What the function returns.
pub(crate) struct Returned {
    /// The type, as it can be named in the body of another function.
    pub(crate) ty: TokenStream,
    /// Where its type of error stands, as far as that can be seen; else where the whole does.
    pub(crate) error: Span,
}

impl Returned {
    fn new(signature: &Signature) -> Self {
        match &signature.output {
            ReturnType::Default => Self {
                ty: quote!(()),
                error: signature.ident.span(),
            },
            ReturnType::Type(_, ty) => Self {
                ty: types::with_inferred_lifetimes(ty, &lifetimes(signature)),
                error: types::error_of_result(ty).unwrap_or(ty).span(),
            },
        }
    }
}

/// The arguments, sorted by who gives them.
#[derive(Default)]
struct Arguments {
    params: Vec<Param>,
    provided: Vec<Provided>,
    arguments: Vec<Argument>,
}

impl Arguments {
    fn new(signature: &Signature, errors: &Errors) -> Self {
        let lifetimes = lifetimes(signature);
        let mut all = Self::default();
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(_) => all.arguments.push(Argument::Receiver),
                FnArg::Typed(argument) => all.push(argument, &lifetimes, errors),
            }
        }
        all
    }

    /// By the syntax of its type: an alias that is itself a reference is taken for a value.
    fn push(&mut self, argument: &PatType, lifetimes: &[&Ident], errors: &Errors) {
        if let Type::Reference(reference) = types::bare(&argument.ty) {
            check::check_provided(argument, reference, errors);
            self.arguments.push(Argument::Program(self.provided.len()));
            self.provided.push(Provided {
                // Without the parentheses of `&(dyn Store + Send)`, which mean nothing elsewhere.
                ty: types::with_static_lifetimes(types::bare(&reference.elem), lifetimes),
                cfgs: Cfgs::of(&argument.attrs),
            });
        } else if let Some(param) = Param::new(argument, lifetimes, errors) {
            self.arguments.push(Argument::Model(self.params.len()));
            self.params.push(param);
        }
    }
}

/// The name in `city` and `mut city`; none in patterns that take apart, borrow or ignore.
fn name_of_argument(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(PatIdent {
            by_ref: None,
            subpat: None,
            ident,
            ..
        }) => Some(ident),
        _ => None,
    }
}

/// `_city` is `city` to the model: the underscore only says that the body does not use it.
fn key_of(ident: &Ident) -> LitStr {
    let name = ident.unraw().to_string();
    LitStr::new(name.trim_start_matches('_'), ident.span())
}

fn lifetimes(signature: &Signature) -> Vec<&Ident> {
    signature
        .generics
        .lifetimes()
        .map(|declared| &declared.lifetime.ident)
        .collect()
}
