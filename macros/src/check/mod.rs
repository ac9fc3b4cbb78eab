//! The rules that a tool must keep, each in a function of its own that reports where it is broken.
//!
//! Here is what the syntax shows. What only types show (that an argument can be read, that a result
//! can be told) is asked of the compiler by what the expansion says.

mod params;
mod provider;

use syn::{
    Attribute, GenericParam, Ident, Receiver, ReceiverKind, ReturnType, Safety, Signature,
    TypeImplTrait, TypeParamBound,
};

pub(crate) use self::params::{
    check_argument_type, check_attributes, check_provided, default_of_optional,
};
pub(crate) use self::provider::check_provider;
use crate::args::ToolArgs;
use crate::doc::Text;
use crate::errors::Errors;
use crate::item::{ToolItem, is_tool};
use crate::model::{self, Home, Param};
use crate::types;

/// Reports all that is wrong with a tool, its parameters aside.
///
/// Its name and description are not judged where they are defaults only because of a mistake in the
/// attribute.
pub(crate) fn check(args: &ToolArgs, home: Home<'_>, item: &ToolItem, errors: &Errors) {
    let signature = &item.signature;
    check_once(&item.attributes, errors);
    if let Home::Module = home {
        check_ident(&signature.ident, errors);
    }
    check_name(args, item, errors);
    check_description(args, item, errors);
    check_settings(args, errors);
    check_running(args, signature, errors);
    check_block(args, home, errors);
    check_qualifiers(signature, errors);
    check_generics(signature, errors);
    check_receiver(signature, home, errors);
}

/// Reports what is wrong with the parameters and with the result.
pub(crate) fn check_params(
    params: &[Param],
    home: Home<'_>,
    signature: &Signature,
    errors: &Errors,
) {
    params::check(params, home, errors);
    check_result(&signature.output, errors);
}

/// Each would declare a type of the function's name.
fn check_once(attributes: &[Attribute], errors: &Errors) {
    for again in attributes.iter().filter(|attribute| is_tool(attribute)) {
        errors.must(again, "have `#[tool]` once", "remove it here or before");
    }
}

/// The type beside the function has the function's name. As `struct str` it would hide the real one
/// from the whole module.
fn check_ident(ident: &Ident, errors: &Errors) {
    if types::is_primitive(ident) {
        let name = format!("`#[tool(name = \"{ident}\")]`");
        let note = format!("that type would be hidden; rename the function, and write {name}");
        errors.must(ident, "not be named like a primitive type", note);
    }
}

/// Providers refuse other names, with an error that does not say which tool was meant.
fn check_name(args: &ToolArgs, item: &ToolItem, errors: &Errors) {
    let name = match &args.name {
        Some(name) => name.clone(),
        None if args.is_whole => model::name_of(item),
        None => return,
    };
    if let Some(fault) = fault_of_name(&name.value()) {
        let note = format!("it {fault}; give another with `#[tool(name = \"...\")]`");
        errors.must(&name, format!("have a name of {NAME}"), note);
    }
}

/// The description is what a model chooses a tool by. One that is an expression is checked when it
/// is evaluated.
fn check_description(args: &ToolArgs, item: &ToolItem, errors: &Errors) {
    let description = match &args.description {
        Some(description) => description.clone(),
        None if args.is_whole => model::docs_of(item),
        None => return,
    };
    if let Text::Fixed(text) = &description
        && description.is_blank()
    {
        let note =
            "tell the model what the tool does, in a doc comment or as `description = \"...\"`";
        errors.must(text, "have a description", note);
    }
}

/// What is told of a tool must be something, and no contradiction.
fn check_settings(args: &ToolArgs, errors: &Errors) {
    if let Some(title) = &args.title
        && title.value().trim().is_empty()
    {
        let note = "people read it; leave it out, and they read the name";
        errors.must(title, "have a title with words", note);
    }
    if let (Some(read_only), Some(destructive)) = (&args.read_only, &args.destructive)
        && read_only.is_on
        && destructive.is_on
    {
        let note = "what only reads destroys nothing; remove one of the two";
        errors.must(
            &destructive.key,
            "not be `read_only` and `destructive`",
            note,
        );
    }
}

/// A future can be dropped, and a thread left alone. A plain function that runs inline is neither.
fn check_running(args: &ToolArgs, signature: &Signature, errors: &Errors) {
    let is_async = signature.asyncness.is_some();
    if let Some(blocking) = &args.blocking
        && is_async
    {
        let note = "it is for a plain `fn`; in an `async fn`, await what takes time";
        errors.must(blocking, "not be `async` and `blocking`", note);
    }
    if let Some(timeout) = &args.timeout
        && !is_async
        && args.blocking.is_none()
    {
        let note = "a plain `fn` cannot be interrupted; make it `async`, or `blocking`";
        errors.must(
            &timeout.text,
            "be `async` or `blocking` to have a `timeout`",
            note,
        );
    }
}

/// What belongs to the whole block stands above it.
fn check_block(args: &ToolArgs, home: Home<'_>, errors: &Errors) {
    let Home::Block(_) = home else {
        return;
    };
    if let Some(collect) = &args.collect {
        let note = "its state is made by the program; only tools without state are collected";
        errors.must(collect, "not be collected", note);
    }
    if let Some(runtime) = &args.runtime {
        let note = "write `#[tools(crate = ...)]` above the `impl` block";
        errors.must(runtime, "not have a `crate` of its own", note);
    }
}

/// A tool is called by safe Rust, with as many arguments as its schema has.
fn check_qualifiers(signature: &Signature, errors: &Errors) {
    if let Safety::Unsafe(token) = &signature.safety {
        let note = "the model chooses the arguments: check them in a safe function around this one";
        errors.must(token, "be safe to call", note);
    }
    if let Some(abi) = &signature.abi {
        errors.must(
            abi,
            "not be `extern`",
            "make a tool of a plain function around this one",
        );
    }
    if let Some(variadic) = &signature.variadic {
        let rule = "have a fixed number of arguments";
        errors.must(variadic.dots, rule, "take a `Vec` for any number");
    }
}

/// There is one function behind a tool, and nobody to choose a type or a value. Lifetimes are
/// chosen by the compiler.
fn check_generics(signature: &Signature, errors: &Errors) {
    for param in &signature.generics.params {
        match param {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(param) => report_generic(&param.ident, "type", errors),
            GenericParam::Const(param) => report_generic(&param.ident, "value", errors),
        }
    }
}

fn report_generic(ident: &Ident, what: &str, errors: &Errors) {
    let note = format!("the model calls one function: write the {what} in place of `{ident}`");
    errors.must(ident, "not be generic", note);
}

/// A method's `self` is the state of a toolkit, which all calls share, and has an owner only where
/// the block makes tools of its methods.
fn check_receiver(signature: &Signature, home: Home<'_>, errors: &Errors) {
    let Some(receiver) = signature.receiver() else {
        return;
    };
    if let Home::Module = home {
        let note = "for a method, put `#[tools]` above the `impl` block";
        errors.must(receiver.self_token, "be a free function", note);
        return;
    }
    params::check_unadorned(&receiver.attrs, "`self`", errors);
    if !is_shared_reference(receiver) {
        let note = "all calls share the state: write `&self`, or no `self`";
        errors.must(receiver, "not take another `self` than `&self`", note);
    }
}

fn is_shared_reference(receiver: &Receiver) -> bool {
    matches!(receiver.kind, ReceiverKind::Reference(_, _, None))
}

/// How the model is told a result depends on its type.
fn check_result(output: &ReturnType, errors: &Errors) {
    for written in types::impls_of(output) {
        let note = if is_future(written) {
            "write an `async fn` that returns what the future gives"
        } else {
            "write the type, so that it is known how the model is told"
        };
        errors.must(written, "return a named type", note);
    }
}

/// By the name of the trait, which is enough for a hint.
fn is_future(written: &TypeImplTrait) -> bool {
    written.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|last| last.ident == "Future")
        }
        _ => false,
    })
}

/// What all providers accept as the name of a tool, and as a key.
const NAME: &str = "1 to 64 of the characters `A-Z a-z 0-9 _ -`";

/// What makes a name unfit for a tool or a key.
fn fault_of_name(name: &str) -> Option<String> {
    let is_fit = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let unfit = name.chars().find(|&character| !is_fit(character));
    match (name.len(), unfit) {
        (0, _) => Some("is empty".to_owned()),
        (_, Some(character)) => Some(format!("has a `{character}`")),
        (length @ 65.., None) => Some(format!("has {length} characters")),
        (1..=64, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::NAME;
    use crate::testing::assert_errors;

    #[test]
    fn a_tool_without_mistakes_has_no_errors() {
        assert_errors(
            "/// F\n #[tool] async fn f<'a>(mut a: Cow<'a, str>, _b: u8) -> Result<&'static str, E> {}",
            &[],
        );
        assert_errors(
            "#[tool(name = \"a-B_9\", description = \"F\")] fn f() {}",
            &[],
        );
    }

    #[test]
    fn it_is_a_tool_once() {
        let rule = "tool `f` must have `#[tool]` once";
        assert_errors(
            "/// F\n #[haft::tool] #[tool(name = \"g\")] fn f() {}",
            &[("#[haft::tool]", rule)],
        );
        assert_errors("/// F\n #[tool] #[rmcp::tool] fn f() {}", &[]);
    }

    #[test]
    fn the_function_is_not_named_like_a_primitive_type() {
        let rule = "tool `u8` must not be named like a primitive type";
        assert_errors("/// F\n #[tool] fn u8() {}", &[("u8", rule)]);
        assert_errors("/// F\n #[tool(name = \"x\")] fn u8() {}", &[("u8", rule)]);
        assert_errors("/// F\n #[tool(name = \"u8\")] fn f() {}", &[]);
    }

    #[test]
    fn the_name_is_fit_for_providers() {
        let rule = format!("tool `f` must have a name of {NAME}");
        for name in ["", "my tool", "a.b", "größe", &"x".repeat(65)] {
            let literal = format!("{name:?}");
            assert_errors(
                &format!("/// F\n #[tool(name = {literal})] fn f() {{}}"),
                &[(&literal, &rule)],
            );
        }
        assert_errors(
            &format!("/// F\n #[tool(name = \"{}\")] fn f() {{}}", "x".repeat(64)),
            &[],
        );
    }

    #[test]
    fn a_derived_name_is_too() {
        let long = "x".repeat(65);
        for name in [&long, "größe"] {
            let rule = format!("tool `{name}` must have a name of {NAME}");
            assert_errors(
                &format!("/// F\n #[tool] fn {name}() {{}}"),
                &[(name, &rule)],
            );
        }
    }

    #[test]
    fn there_is_a_description() {
        let rule = "tool `f` must have a description";
        assert_errors("#[tool] fn f() {}", &[("f", rule)]);
        assert_errors("///\n #[doc(hidden)] #[tool] fn f() {}", &[("f", rule)]);
        assert_errors(
            "/// F\n #[tool(description = \" \")] fn f() {}",
            &[("\" \"", rule)],
        );
        assert_errors("#[doc = include_str!(\"f.md\")] #[tool] fn f() {}", &[]);
    }

    #[test]
    fn a_mistake_in_the_attribute_is_no_missing_description() {
        let rule = "tool `f` must not have a key `text`";
        assert_errors("#[tool(text = \"F\")] fn f() {}", &[("text", rule)]);
        let rule = "tool `f` must give `description` a value";
        assert_errors("#[tool(description)] fn f() {}", &[("description", rule)]);
    }

    #[test]
    fn the_function_is_safe_rust() {
        assert_errors(
            "/// F\n #[tool] unsafe fn f() {}",
            &[("unsafe", "tool `f` must be safe to call")],
        );
        assert_errors(
            "/// F\n #[tool] extern \"C\" fn f() {}",
            &[("extern \"C\"", "tool `f` must not be `extern`")],
        );
        let rule = "tool `f` must have a fixed number of arguments";
        assert_errors("/// F\n #[tool] fn f(a: u8, ...) {}", &[("...", rule)]);
    }

    #[test]
    fn it_is_not_generic() {
        let rule = "tool `f` must not be generic";
        assert_errors(
            "/// F\n #[tool] fn f<'a, T: Copy, const N: usize>() {}",
            &[("T", rule), ("N", rule)],
        );
    }

    #[test]
    fn it_has_no_receiver() {
        assert_errors(
            "/// F\n #[tool] fn f(&self, a: u8) {}",
            &[("self", "tool `f` must be a free function")],
        );
        assert_errors(
            "/// F\n #[tool] fn f(self: Box<Self>) {}",
            &[("self", "tool `f` must be a free function")],
        );
    }

    #[test]
    fn arguments_are_owned() {
        let string = "tool `f` must take `String`, not `&str`";
        assert_errors(
            "/// F\n #[tool] fn f(a: &str, b: Option<&'static str>) {}",
            &[("&str", string), ("&'static str", string)],
        );
        assert_errors(
            "/// F\n #[tool] fn f(a: &[u8]) {}",
            &[("&[u8]", "tool `f` must take a `Vec`, not a slice")],
        );
        let rule = "tool `f` must not take a `&mut` argument";
        assert_errors(
            "/// F\n #[tool] fn f(a: &mut str) {}",
            &[("&mut str", rule)],
        );
        assert_errors(
            "/// F\n #[tool] fn f(a: Vec<&u8>) {}",
            &[("&u8", "tool `f` must take what the model gives by value")],
        );
    }

    #[test]
    fn the_program_lends() {
        assert_errors(
            "/// F\n #[tool] fn f<'a>(a: &Db, (b): &'a dyn Store, _: &CallContext, c: &Vec<&'static str>) {}",
            &[],
        );
        assert_errors(
            "/// F\n #[tool] fn f(z: &Vec<&str>, a: &'static Db, b: &mut Db, c: &impl Store) {}",
            &[
                (
                    "&Vec<&str>",
                    "tool `f` must name the lifetimes inside of what is lent to it",
                ),
                (
                    "&'static Db",
                    "tool `f` must not take a `&'static` argument",
                ),
                ("&mut Db", "tool `f` must not take a `&mut` argument"),
                ("&impl Store", "tool `f` must name the type of its state"),
            ],
        );
    }

    #[test]
    fn the_context_is_lent() {
        let rule = "tool `f` must take `CallContext` by reference";
        assert_errors(
            "/// F\n #[tool] fn f(a: haft::CallContext) {}",
            &[("haft::CallContext", rule)],
        );
    }

    #[test]
    fn arguments_have_named_types() {
        let rule = "tool `f` must have arguments of named types";
        assert_errors(
            "/// F\n #[tool] fn f(a: impl Copy, b: Vec<impl Copy>) {}",
            &[("impl Copy", rule), ("impl Copy", rule)],
        );
    }

    #[test]
    fn arguments_have_names() {
        let rule = "tool `f` must give each argument a name";
        assert_errors(
            "/// F\n #[tool] fn f((a, b): (u8, u8), _: u8, ref c: u8, d @ 1..: u8) {}",
            &[
                ("(a, b)", rule),
                ("_", rule),
                ("ref c", rule),
                ("d @ 1..", rule),
            ],
        );
    }

    #[test]
    fn keys_are_fit_for_providers() {
        let rule = format!("tool `f` must have argument names of {NAME}");
        assert_errors(
            "/// F\n #[tool] fn f(größe: u8, __: u8) {}",
            &[("größe", &rule), ("__", &rule)],
        );
    }

    #[test]
    fn keys_are_distinct() {
        let rule = "tool `f` must not have two arguments with the name `a`";
        assert_errors(
            "/// F\n #[tool] fn f(a: u8, _a: u8, __a: u8) {}",
            &[("_a", rule), ("__a", rule)],
        );
        assert_errors(
            "/// F\n #[tool] fn f(a: u8, #[cfg(unix)] _a: u8) {}",
            &[("_a", rule)],
        );
        assert_errors(
            "/// F\n #[tool] fn f(#[cfg(unix)] a: u8, #[cfg(not(unix))] _a: u8) {}",
            &[],
        );
    }

    #[test]
    fn the_compiler_tells_of_one_name_for_two_arguments() {
        assert_errors("/// F\n #[tool] fn f(a: u8, a: u8) {}", &[]);
    }

    #[test]
    fn the_result_has_a_named_type() {
        let rule = "tool `f` must return a named type";
        assert_errors(
            "/// F\n #[tool] fn f() -> impl Copy {}",
            &[("impl Copy", rule)],
        );
        assert_errors(
            "/// F\n #[tool] fn f() -> Result<&'static impl Copy, E> {}",
            &[("impl Copy", rule)],
        );
    }

    #[test]
    fn all_mistakes_are_told_at_once() {
        assert_errors(
            "/// F\n #[tool(nme = \"g\")] unsafe fn f<T>(a: &str, (b, c): (u8, u8)) -> impl Copy {}",
            &[
                ("nme", "tool `f` must not have a key `nme`"),
                ("unsafe", "tool `f` must be safe to call"),
                ("T", "tool `f` must not be generic"),
                ("&str", "tool `f` must take `String`, not `&str`"),
                ("(b, c)", "tool `f` must give each argument a name"),
                ("impl Copy", "tool `f` must return a named type"),
            ],
        );
    }
}
