//! `#[tools]`: the methods of an `impl` block as tools, over the type as their state.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::args::{ToolArgs, ToolsArgs};
use crate::block::{ToolMember, ToolsItem};
use crate::errors::Errors;
use crate::expand::{self, Method};
use crate::model::{self, Home, Judged, ToolFn, ToolType};

/// Expands `#[tools(args)] item`.
pub(crate) fn tools(args: TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2(item.clone()) {
        Ok(block) => on_block(args, &block),
        Err(error) => on_something_else(args, item, &error),
    }
}

/// The methods stay whatever is wrong, and so do the functions that give the toolkit.
fn on_block(args: TokenStream, block: &ToolsItem) -> TokenStream {
    let errors = Errors::about("`#[tools]`");
    let args = ToolsArgs::parse(args, &errors);
    let is_inherent = check_inherent(block, &errors);
    check_some(block, &errors);
    check_names(&args, block, &errors);
    let mut told = errors.into_compile_errors();
    let declared: Vec<_> = block
        .tools()
        .map(|tool| (tool, ToolType::new(args.runtime.clone(), &tool.item)))
        .collect();
    let mut names = Names::default();
    let methods: Vec<Method<'_>> = declared
        .iter()
        .map(|(tool, declared)| {
            let errors = Errors::about(tool.item.subject());
            let method = method(tool, declared, block, &mut names, &errors);
            told.extend(errors.into_compile_errors());
            (declared, method)
        })
        .collect();
    let beside = is_inherent
        .then(|| expand::expand_methods(&args.runtime, args.name.as_ref(), &block.head, &methods));
    quote!(#block #beside #told)
}

fn method<'a>(
    tool: &ToolMember,
    declared: &'a ToolType,
    block: &'a ToolsItem,
    names: &mut Names<'a>,
    errors: &Errors,
) -> Result<ToolFn<'a>, Judged> {
    let args = ToolArgs::parse(tool.args.clone(), errors);
    let name = args.name.clone();
    let name = name.unwrap_or_else(|| model::name_of(&tool.item));
    names.enter(&name, declared, errors);
    ToolFn::new(declared, Home::Block(&block.head), args, &tool.item, errors)
}

/// The names that tools of the block have so far, each with its method.
#[derive(Default)]
struct Names<'a>(Vec<(String, &'a ToolType)>);

impl<'a> Names<'a> {
    /// Nothing looks at the names again: the toolkit is made of them as they are.
    fn enter(&mut self, name: &LitStr, declared: &'a ToolType, errors: &Errors) {
        let value = name.value();
        let mut earlier = self.0.iter();
        if earlier.any(|(other, method)| *other == value && is_another(method, declared)) {
            let rule = format!("not have the name of another tool of the block, `{value}`");
            errors.must(name, rule, "give one of them another name");
        }
        self.0.push((value, declared));
    }
}

/// Two methods of one name are for the compiler to tell. Two that both have a `#[cfg]` are taken to be
/// alternatives, since it cannot be known here.
fn is_another(one: &ToolType, other: &ToolType) -> bool {
    let are_alternatives = !one.cfgs.is_empty() && !other.cfgs.is_empty();
    one.ident != other.ident && !are_alternatives
}

/// What has a trait's methods cannot have others.
fn check_inherent(block: &ToolsItem, errors: &Errors) -> bool {
    match &block.head.trait_ {
        None => true,
        Some((path, _)) => {
            let note = "make a block of methods that call those of the trait";
            errors.must(path, "not stand on the `impl` of a trait", note);
            false
        }
    }
}

/// A block without tools is one whose attributes were forgotten.
fn check_some(block: &ToolsItem, errors: &Errors) {
    if block.tools().next().is_none() {
        let rule = "stand on a block with at least one `#[tool]` method";
        let note = "write `#[tool]` above each method that the model may call";
        errors.must(&block.head.self_ty, rule, note);
    }
}

/// The functions that the block gets must not be there already.
fn check_names(args: &ToolsArgs, block: &ToolsItem, errors: &Errors) {
    let own = match &args.name {
        Some(name) => vec![name.to_string()],
        None => vec!["tools".to_owned(), "into_toolkit".to_owned()],
    };
    for tool in block.tools() {
        let ident = &tool.item.signature.ident;
        if own.iter().any(|name| ident == name) {
            let rule = format!("not stand on a block with a method `{ident}`");
            let note = format!(
                "it makes that one; rename the method, and write `#[tool(name = \"{ident}\")]`"
            );
            errors.must(ident, rule, note);
        }
    }
}

/// The item stays here too. What is wrong in the arguments can be told even so.
fn on_something_else(args: TokenStream, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let errors = Errors::about("`#[tools]`");
    let note = "a function by itself has `#[tool]` alone";
    errors.must_at(error.span(), "stand on an `impl` block", note);
    ToolsArgs::parse(args, &errors);
    let errors = errors.into_compile_errors();
    quote!(#item #errors)
}

#[cfg(test)]
mod tests {
    use crate::testing::assert_errors;

    #[track_caller]
    fn check(methods: &str, expected: &[(&str, &str)]) {
        assert_errors(&format!("#[tools] impl A {{ {methods} }}"), expected);
    }

    #[test]
    fn tools_of_a_block_have_names_of_their_own() {
        let rule = |tool| {
            format!("tool `{tool}` must not have the name of another tool of the block, `a`")
        };
        check(
            "/// A\n #[tool] fn a() {} /// B\n #[tool(name = \"a\")] fn b() {}",
            &[("\"a\"", &rule("b"))],
        );
        // The other way round, where the later one has its name from the method.
        check(
            "/// B\n #[tool(name = \"a\")] fn b() {} /// A\n #[tool] fn a() {}",
            &[("a", &rule("a"))],
        );
        check(
            "/// A\n #[cfg(unix)] #[tool(name = \"a\")] fn unix() {}
            /// A\n #[cfg(not(unix))] #[tool(name = \"a\")] fn other() {}",
            &[],
        );
    }

    #[test]
    fn bounds_are_the_same_for_all_types() {
        let check = |param: &str, expected: &[(&str, &str)]| {
            let method = format!("/// F\n #[tool] fn f({param}) {{}}");
            assert_errors(&format!("#[tools] impl<T> A<T> {{ {method} }}"), expected);
        };
        let rule = "tool `f` must have bounds that name nothing generic";
        check("#[arg(max = Self::MOST)] a: u8", &[("Self::MOST", rule)]);
        check(
            "#[arg(max_items = T::MOST)] a: Vec<T>",
            &[("T::MOST", rule)],
        );
        let rule = "tool `f` must have no bounds on a generic type";
        check("#[arg(min = 1)] a: T", &[("min", rule)]);
        check("#[arg(max_items = 9, min_items = 1)] a: Vec<T>", &[]);
        check("#[arg(default = Self::FEW, max = 9)] a: u8", &[]);
    }

    #[test]
    fn an_attribute_of_a_method_is_read_whatever_its_form() {
        check(
            "/// A\n #[tool = \"a\"] fn b() {}",
            &[("=", "tool `b` must have keys with values")],
        );
    }

    #[test]
    fn a_method_without_a_body_is_for_the_compiler_to_tell() {
        check("/// A\n #[tool] fn a();", &[]);
    }
}
