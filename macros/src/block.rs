//! [`ToolsItem`]: the `impl` block that `#[tools]` stands on.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, ItemImpl, Meta, MetaNameValue, Token, Visibility};

use crate::item::{ToolItem, function_name, is_tool};

/// An `impl` block: its head parsed, of its members only the tools.
pub(crate) struct ToolsItem {
    /// The block without its members.
    pub(crate) head: ItemImpl,
    inner_attributes: Vec<Attribute>,
    pub(crate) members: Vec<Member>,
}

/// A member of the block, in its order.
pub(crate) enum Member {
    Tool(Box<ToolMember>),
    /// What has `#[tool]` and cannot be one. It stays without that.
    Broken(BrokenMember),
    /// Whatever has no `#[tool]`: it stays as it is.
    Other(TokenStream),
}

/// What has `#[tool]` and cannot be parsed as a method.
pub(crate) struct BrokenMember {
    attributes: Vec<Attribute>,
    rest: TokenStream,
}

/// A method with `#[tool]`.
pub(crate) struct ToolMember {
    /// What the attribute says.
    pub(crate) args: TokenStream,
    /// The method, without that attribute.
    pub(crate) item: ToolItem,
}

impl ToolsItem {
    pub(crate) fn tools(&self) -> impl Iterator<Item = &ToolMember> {
        self.members.iter().filter_map(|member| match member {
            Member::Tool(tool) => Some(&**tool),
            Member::Broken(_) | Member::Other(_) => None,
        })
    }

    /// The names of its functions, tools and others.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Ident> {
        self.members.iter().filter_map(|member| match member {
            Member::Tool(tool) => Some(tool.item.signature.ident.clone()),
            Member::Broken(BrokenMember { rest: member, .. }) | Member::Other(member) => {
                function_name(member)
            }
        })
    }

    /// What has `#[tool]` and is no function.
    pub(crate) fn misplaced(&self) -> impl Iterator<Item = &TokenStream> {
        self.broken().filter(|rest| function_name(rest).is_none())
    }

    /// Whether there is any `#[tool]`.
    pub(crate) fn has_tools(&self) -> bool {
        self.tools().next().is_some() || self.broken().next().is_some()
    }

    /// The functions with `#[tool]` that could not be parsed.
    pub(crate) fn unreadable(&self) -> impl Iterator<Item = Ident> {
        self.broken().filter_map(function_name)
    }

    fn broken(&self) -> impl Iterator<Item = &TokenStream> {
        self.members.iter().filter_map(|member| match member {
            Member::Broken(member) => Some(&member.rest),
            Member::Tool(_) | Member::Other(_) => None,
        })
    }
}

impl Parse for ToolsItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut tokens: Vec<TokenTree> = input.parse::<TokenStream>()?.into_iter().collect();
        // The head is parsed with an empty body, since syn would parse the members to the end.
        let body = match tokens.pop() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
            _ => {
                let place = tokens.first().map_or_else(Span::call_site, TokenTree::span);
                return Err(syn::Error::new(place, "expected an `impl` block"));
            }
        };
        let head = tokens.into_iter().collect::<TokenStream>();
        let parse_body = |input: ParseStream<'_>| {
            let inner_attributes = input.call(Attribute::parse_inner)?;
            let mut members = Vec::new();
            while !input.is_empty() {
                members.push(input.parse()?);
            }
            Ok((inner_attributes, members))
        };
        let (inner_attributes, members) = syn::parse::Parser::parse2(parse_body, body.stream())?;
        Ok(Self {
            head: syn::parse2(quote!(#head {}))?,
            inner_attributes,
            members,
        })
    }
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let Some(place) = attributes.iter().position(is_tool) else {
            let rest = parse_other(input)?;
            return Ok(Self::Other(quote!(#(#attributes)* #rest)));
        };
        let args = match attributes.remove(place).meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens,
            // No form that it has, and the compiler does not see it.
            Meta::NameValue(MetaNameValue {
                eq_token, value, ..
            }) => quote!(#eq_token #value),
        };
        let ahead = input.fork();
        if let Ok(item) = ToolItem::parse_member(attributes.clone(), &ahead) {
            input.advance_to(&ahead);
            return Ok(Self::Tool(Box::new(ToolMember { args, item })));
        }
        let rest = parse_other(input)?;
        Ok(Self::Broken(BrokenMember { attributes, rest }))
    }
}

/// A member, to its end: a constant or a type ends with a semicolon, all else with a body, or a
/// semicolon after a macro.
fn parse_other(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let visibility: Visibility = input.parse()?;
    let ends_with_body = !(input.peek(Token![const])
        && !input.peek2(Token![fn])
        && !input.peek2(Token![async])
        && !input.peek2(Token![unsafe])
        && !input.peek2(Token![extern])
        || input.peek(Token![type]));
    let mut member = visibility.into_token_stream();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let is_end = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => ends_with_body && is_body(group),
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        member.extend([token]);
        if is_end {
            break;
        }
    }
    Ok(member)
}

fn is_body(group: &Group) -> bool {
    group.delimiter() == Delimiter::Brace
}

/// The block as it stays: its tools as they stay, and all else as it was.
impl ToTokens for ToolsItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let ItemImpl {
            attrs,
            unsafety,
            impl_token,
            generics,
            trait_,
            self_ty,
            ..
        } = &self.head;
        let (parameters, _, bounds) = generics.split_for_impl();
        let of_trait = trait_.as_ref().map(|(path, of)| quote!(#path #of));
        let (inner, members) = (&self.inner_attributes, &self.members);
        tokens.extend(quote! {
            #(#attrs)*
            #unsafety #impl_token #parameters #of_trait #self_ty #bounds {
                #(#inner)*
                #(#members)*
            }
        });
    }
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Tool(tool) => tool.item.to_tokens(tokens),
            Self::Broken(BrokenMember { attributes, rest }) => {
                tokens.extend(quote!(#(#attributes)* #rest));
            }
            Self::Other(member) => member.to_tokens(tokens),
        }
    }
}
