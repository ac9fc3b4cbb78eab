//! `#[tools]`: the methods of an `impl` block as tools, over the type as their state.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::args::{ToolArgs, ToolsArgs};
use crate::block::{ToolMember, ToolsItem};
use crate::errors::Errors;
use crate::expand::{self, Given, Method};
use crate::model::{self, Home, Judged, ToolFn, ToolType};
use crate::runtime_path::RuntimePath;

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
    check_functions(block, &errors);
    let given = Given {
        unreadable: block.unreadable().next(),
        taken: check_names(&args, block, &errors),
        name: args.name,
    };
    let mut told = errors.into_compile_errors();
    let declared = declared(&args.runtime, block);
    let mut names = Vec::new();
    let methods: Vec<Method<'_>> = declared
        .iter()
        .map(|(tool, declared)| {
            let errors = Errors::about(tool.item.subject());
            let method = method(tool, declared, block, &mut names, &errors);
            told.extend(errors.into_compile_errors());
            (declared, method)
        })
        .collect();
    let beside =
        is_inherent.then(|| expand::expand_methods(args.runtime, &given, &block.head, &methods));
    quote!(#block #beside #told)
}

/// Two that both have a `#[cfg]` are taken to be alternatives, since it cannot be known here.
fn are_alternatives(one: &ToolType, other: &ToolType) -> bool {
    !one.cfgs.is_empty() && !other.cfgs.is_empty()
}

/// The tools, without the second of two methods with one name: that is for the compiler to tell.
fn declared<'a>(haft: &RuntimePath, block: &'a ToolsItem) -> Vec<(&'a ToolMember, ToolType)> {
    let mut all: Vec<(_, ToolType)> = Vec::new();
    for tool in block.tools() {
        let declared = ToolType::new(haft.clone(), &tool.item);
        let is_again = |earlier: &ToolType| {
            earlier.ident == declared.ident && !are_alternatives(earlier, &declared)
        };
        if !all.iter().any(|(_, earlier)| is_again(earlier)) {
            all.push((tool, declared));
        }
    }
    all
}

fn method<'a>(
    tool: &ToolMember,
    declared: &'a ToolType,
    block: &'a ToolsItem,
    names: &mut Vec<(String, &'a ToolType)>,
    errors: &Errors,
) -> Result<ToolFn<'a>, Judged> {
    let args = ToolArgs::parse(tool.args.clone(), errors);
    let name = args.name.clone();
    let name = name.unwrap_or_else(|| model::name_of(&tool.item));
    let text = name.value();
    let is_taken = |(earlier, method): &(String, &ToolType)| {
        *earlier == text && method.ident != declared.ident && !are_alternatives(method, declared)
    };
    if names.iter().any(is_taken) {
        let rule = format!("not have the name of another tool of the block, `{text}`");
        errors.must(&name, rule, "give one of them another name");
    }
    names.push((text, declared));
    ToolFn::new(declared, Home::Block(&block.head), args, &tool.item, errors)
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

/// What is no function cannot be called. (A function that cannot be parsed is told of by the compiler.)
fn check_functions(block: &ToolsItem, errors: &Errors) {
    for member in block.misplaced() {
        let place = member.clone().into_iter().next();
        let note = "write `#[tool]` above an `async fn` or a plain `fn`";
        errors.must(place, "make tools of methods only", note);
    }
}

/// A block without tools is one whose attributes were forgotten.
fn check_some(block: &ToolsItem, errors: &Errors) {
    if !block.has_tools() {
        let rule = "stand on a block with at least one `#[tool]` method";
        let note = "write `#[tool]` above each method that the model may call";
        errors.must(&block.head.self_ty, rule, note);
    }
}

/// The functions that the block gets must not be there already. Gives those that are.
fn check_names(args: &ToolsArgs, block: &ToolsItem, errors: &Errors) -> Vec<Ident> {
    let own = match &args.name {
        Some(name) => vec![name.to_string()],
        None => vec!["tools".to_owned(), "into_toolkit".to_owned()],
    };
    let is_own = |ident: &Ident| own.iter().any(|name| ident == name);
    let taken: Vec<_> = block.functions().filter(is_own).collect();
    for ident in &taken {
        let rule = format!("not stand on a block with a function `{ident}`");
        let is_tool = block
            .tools()
            .any(|tool| tool.item.signature.ident == *ident);
        let note = if is_tool {
            format!("it makes that one; rename this, and write `#[tool(name = \"{ident}\")]`")
        } else {
            "it makes that one; rename this".to_owned()
        };
        errors.must(ident, rule, note);
    }
    taken
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

    const TOOL: &str = "/// F\n #[tool] fn f(&self) {}";

    #[test]
    fn the_functions_of_the_block_are_free() {
        let rule = "`#[tools]` must not stand on a block with a function `tools`";
        let block = |other: &str| format!("#[tools] impl A {{ {TOOL} {other} }}");
        assert_errors(&block("pub fn tools() {}"), &[("tools", rule)]);
        assert_errors(&block("/// T\n #[tool] fn tools() {}"), &[("tools", rule)]);
        assert_errors(&block("const tools: u8 = 3; fn pulls() {}"), &[]);
        assert_errors(
            "#[tools(name = pulls)] impl A { /// T\n #[tool] fn tools() {} }",
            &[],
        );
    }

    #[test]
    fn each_tool_has_its_name() {
        let rule = "tool `f` must not have the name of another tool of the block, `f`";
        let other = "/// G\n #[tool(name = \"f\")] fn g(&self) {}";
        assert_errors(
            &format!("#[tools] impl A {{ {other} {TOOL} }}"),
            &[("f", rule)],
        );
        let rule = "tool `g` must not have the name of another tool of the block, `f`";
        assert_errors(
            &format!("#[tools] impl A {{ {TOOL} #[cfg(unix)] {other} }}"),
            &[("\"f\"", rule)],
        );
        assert_errors(
            "#[tools] impl A { /// A\n #[cfg(unix)] #[tool(name = \"a\")] fn unix() {}
            /// A\n #[cfg(not(unix))] #[tool(name = \"a\")] fn other() {} }",
            &[],
        );
        // Of two methods with one name the compiler tells, if both are there.
        assert_errors(&format!("#[tools] impl A {{ {TOOL} {TOOL} }}"), &[]);
    }

    #[test]
    fn tools_are_functions() {
        let rule = "`#[tools]` must make tools of methods only";
        assert_errors(
            &format!("#[tools] impl A {{ {TOOL} #[tool] pub const A: u8 = 3; }}"),
            &[("pub", rule)],
        );
        assert_errors(
            &format!("#[tools] impl A {{ {TOOL} #[tool] fn g(a u8) {{}} }}"),
            &[],
        );
    }

    #[test]
    fn an_attribute_of_a_method_is_read_whatever_its_form() {
        assert_errors(
            "#[tools] impl A { /// A\n #[tool = \"a\"] fn b() {} }",
            &[("=", "tool `b` must have keys with values")],
        );
    }

    #[test]
    fn bounds_are_known_beside_the_block() {
        let block = |method: &str| {
            format!("#[tools] impl<T, const N: usize> A<T, N> {{ /// F\n #[tool] {method} }}")
        };
        assert_errors(
            &block("fn f(&self, #[arg(max = N)] a: usize, #[arg(min = Self::B)] b: u8) {}"),
            &[
                ("N", "tool `f` must not have a bound that is generic"),
                ("Self::B", "tool `f` must not have a bound that is generic"),
            ],
        );
        assert_errors(
            &block("fn f(&self, #[arg(min = 1)] a: Option<T>) {}"),
            &[("min", "tool `f` must not bound what is generic")],
        );
        assert_errors(
            &block("fn f(&self, #[arg(default = N, max = 9)] a: usize) {}"),
            &[],
        );
        assert_errors(
            "#[tools] impl A { /// F\n #[tool] fn f(&self, #[arg(max = Self::B)] a: u8) {} }",
            &[],
        );
    }
}
