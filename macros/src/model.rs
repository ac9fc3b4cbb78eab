//! [`ToolFn`]: all that an expansion needs to know of a tool. What the syntax leaves open is
//! decided here.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{FnArg, LitStr, Pat, PatIdent, PatType, ReturnType, Signature, Type, Visibility};

use crate::args::ToolArgs;
use crate::cfgs::Cfgs;
use crate::check;
use crate::doc::Text;
use crate::errors::Errors;
use crate::item::ToolItem;
use crate::runtime_path::RuntimePath;
use crate::types;

/// The type that stands beside the function and has its name: what even a tool with mistakes has.
pub(crate) struct ToolType {
    pub(crate) runtime: RuntimePath,
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The function's `#[cfg]`s: the type is there when the function is.
    pub(crate) cfgs: Cfgs,
    /// Whether the type may be there at all: not in an `impl` block, which a `self` shows, where no
    /// type can be declared; not with the name of a primitive type, which it would hide.
    pub(crate) is_possible: bool,
}

impl ToolType {
    pub(crate) fn new(args: &ToolArgs, item: &ToolItem) -> Self {
        let ident = item.signature.ident.clone();
        Self {
            runtime: args.runtime.clone(),
            visibility: item.visibility.clone(),
            cfgs: Cfgs::of(&item.attributes),
            is_possible: item.signature.receiver().is_none() && !types::is_primitive(&ident),
            ident,
        }
    }
}

/// A tool. One that exists is valid.
pub(crate) struct ToolFn<'a> {
    pub(crate) declared: &'a ToolType,
    pub(crate) name: LitStr,
    pub(crate) description: Text,
    /// The arguments that the model gives.
    pub(crate) params: Vec<Param>,
    /// The arguments that the program gives.
    pub(crate) provided: Vec<Provided>,
    /// Both, in the order of the signature.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) call: CallKind,
    pub(crate) returns: Returned,
    /// Whether calling the function warns.
    pub(crate) is_deprecated: bool,
}

impl<'a> ToolFn<'a> {
    /// Resolves the defaults and checks the whole. `None` where anything is wrong, here or before.
    pub(crate) fn new(
        declared: &'a ToolType,
        args: &ToolArgs,
        item: &ToolItem,
        errors: &Errors,
    ) -> Option<Self> {
        let signature = &item.signature;
        let Arguments {
            params,
            provided,
            arguments,
        } = Arguments::new(signature, errors);
        let tool = Self {
            declared,
            name: args.name.clone().unwrap_or_else(|| name_of(item)),
            description: args.description.clone().unwrap_or_else(|| docs_of(item)),
            params,
            provided,
            arguments,
            call: CallKind::new(signature),
            returns: Returned::new(signature),
            is_deprecated: has_attribute(item, "deprecated"),
        };
        check::check(&tool, args, item, errors);
        errors.is_empty().then_some(tool)
    }
}

fn name_of(item: &ToolItem) -> LitStr {
    let ident = &item.signature.ident;
    LitStr::new(&ident.unraw().to_string(), ident.span())
}

fn docs_of(item: &ToolItem) -> Text {
    Text::of_docs(&item.attributes, item.signature.ident.span())
}

fn has_attribute(item: &ToolItem, name: &str) -> bool {
    item.attributes
        .iter()
        .any(|attribute| attribute.path().is_ident(name))
}

/// How the function gives its value.
pub(crate) enum CallKind {
    /// A plain `fn`: at once.
    Inline,
    /// An `async fn`: when awaited.
    Awaited,
}

impl CallKind {
    fn new(signature: &Signature) -> Self {
        if signature.asyncness.is_some() {
            Self::Awaited
        } else {
            Self::Inline
        }
    }
}

/// Who gives an argument, and its place among those of the same giver.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
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
    pub(crate) key: String,
    /// What the model is told about it; empty without docs.
    pub(crate) text: Text,
    /// Its type, as it can be named outside the function.
    pub(crate) ty: TokenStream,
    /// The parameter's `#[cfg]`s.
    pub(crate) cfgs: Cfgs,
}

impl Param {
    /// `None` where the argument has no name by which the model could give it.
    fn new(argument: &PatType, lifetimes: &[&Ident], errors: &Errors) -> Option<Self> {
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
            key: key_of(ident),
            ident: ident.clone(),
            text: Text::of_docs(&argument.attrs, ident.span()),
            ty: types::with_static_lifetimes(&argument.ty, lifetimes),
            cfgs: Cfgs::of(&argument.attrs),
        })
    }
}

/// What the function returns.
pub(crate) struct Returned {
    /// The type, as it can be named outside the function.
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
                ty: types::with_static_lifetimes(ty, &lifetimes(signature)),
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
    /// Those without a receiver, which is reported elsewhere.
    fn new(signature: &Signature, errors: &Errors) -> Self {
        let lifetimes = lifetimes(signature);
        let mut all = Self::default();
        for input in &signature.inputs {
            if let FnArg::Typed(argument) = input {
                all.push(argument, &lifetimes, errors);
            }
        }
        all
    }

    /// By the syntax of its type: an alias that is itself a reference is taken for a value.
    fn push(&mut self, argument: &PatType, lifetimes: &[&Ident], errors: &Errors) {
        if let Type::Reference(reference) = types::bare(&argument.ty) {
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
fn key_of(ident: &Ident) -> String {
    ident.unraw().to_string().trim_start_matches('_').to_owned()
}

fn lifetimes(signature: &Signature) -> Vec<&Ident> {
    signature
        .generics
        .lifetimes()
        .map(|declared| &declared.lifetime.ident)
        .collect()
}
