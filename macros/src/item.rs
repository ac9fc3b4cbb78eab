//! [`ToolItem`]: the function that `#[tool]` stands on.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Signature, Visibility, parse_quote};

use crate::{doc, types};

/// A function: its signature parsed, its body not, so that it is the compiler who tells of mistakes
/// in the body.
pub(crate) struct ToolItem {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    body: TokenStream,
}

impl ToolItem {
    /// What the errors speak of.
    pub(crate) fn subject(&self) -> String {
        format!("tool `{}`", self.signature.ident.unraw())
    }
}

impl Parse for ToolItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        Self::parse_with(attributes, input, TokenStream::parse)
    }
}

impl ToolItem {
    /// A function among the members of an `impl` block, after its attributes.
    pub(crate) fn parse_member(
        attributes: Vec<Attribute>,
        input: ParseStream<'_>,
    ) -> syn::Result<Self> {
        Self::parse_with(attributes, input, |input| {
            input.parse::<Group>().map(Group::into_token_stream)
        })
    }

    fn parse_with(
        attributes: Vec<Attribute>,
        input: ParseStream<'_>,
        body: impl Fn(ParseStream<'_>) -> syn::Result<TokenStream>,
    ) -> syn::Result<Self> {
        Ok(Self {
            attributes,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: body(input)?,
        })
    }
}

/// The name of a function, also of one that cannot be parsed: what stands after a `fn` that is in no
/// parentheses.
pub(crate) fn function_name(item: &TokenStream) -> Option<Ident> {
    let mut follows_fn = false;
    item.clone().into_iter().find_map(|token| {
        let follows = std::mem::take(&mut follows_fn);
        match token {
            TokenTree::Ident(ident) if follows => Some(ident),
            TokenTree::Ident(ident) => {
                follows_fn = ident == "fn";
                None
            }
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        }
    })
}

/// Whether this makes a tool as well. By the name alone, which a macro cannot ask about.
pub(crate) fn is_tool(attribute: &Attribute) -> bool {
    let path = attribute.path();
    let names = path.segments.iter().map(|segment| &segment.ident);
    path.is_ident("tool") || names.eq(["haft", "tool"])
}

/// Whether this says more about an argument: a doc comment, or `#[arg]`.
fn is_about_argument(attribute: &Attribute) -> bool {
    doc::is_doc(attribute) || attribute.path().is_ident("arg") || is_of_field(attribute)
}

/// Whether this is for the field of a struct.
pub(crate) fn is_of_field(attribute: &Attribute) -> bool {
    ["serde", "schemars"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}

/// The function as it stays. Only what the compiler would refuse is changed: the docs of parameters
/// and `#[arg]` are taken off, and so is what has been told to be wrong, which is the `...` of a
/// variadic and another `#[tool]`; a context by value becomes a reference.
///
/// ```text
/// /// Get the weather.                 /// Get the weather.
/// #[inline]                            #[inline]
/// async fn get_weather(                async fn get_weather(city: String) -> String { BODY }
///     /// The city.
///     #[arg(max_len = 80)]
///     city: String,
/// ) -> String { BODY }
/// ```
impl ToTokens for ToolItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut signature = self.signature.clone();
        for input in &mut signature.inputs {
            attributes(input).retain(|attribute| !is_about_argument(attribute));
            lend_context(input);
        }
        signature.variadic = None;
        let attributes = self
            .attributes
            .iter()
            .filter(|attribute| !is_tool(attribute));
        tokens.extend(attributes.map(Attribute::to_token_stream));
        self.visibility.to_tokens(tokens);
        signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

fn attributes(input: &mut FnArg) -> &mut Vec<Attribute> {
    match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(argument) => &mut argument.attrs,
    }
}

fn lend_context(input: &mut FnArg) {
    if let FnArg::Typed(argument) = input
        && types::is_context(&argument.ty)
    {
        let ty = &argument.ty;
        *argument.ty = parse_quote!(&#ty);
    }
}
