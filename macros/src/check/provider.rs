//! The rules of a tool that a provider defines: its one argument from the model is all of the input.

use syn::Signature;

use crate::args::ToolArgs;
use crate::errors::Errors;
use crate::model::Param;

/// Reports what cannot be the input of the provider's tool.
pub(crate) fn check_provider(
    args: &ToolArgs,
    params: &[Param],
    signature: &Signature,
    errors: &Errors,
) {
    if args.provider.is_none() {
        return;
    }
    let rule = "take one argument by value, the input of its provider's tool";
    match params {
        // One that is not among them has been told of.
        [] if !errors.is_empty() => {}
        [] => errors.must(
            &signature.ident,
            rule,
            "add one such as `command: MemoryCommand`, the type that the tool's constant names",
        ),
        [input] => check_input(input, errors),
        [_, more @ ..] => {
            for param in more {
                let note =
                    "the model sends nothing beside it; take what the program gives by reference";
                errors.must(&param.ident, rule, note);
            }
        }
    }
}

/// The provider says what it is, and the function takes it as it is.
fn check_input(input: &Param, errors: &Errors) {
    let is_adorned = input.is_renamed
        || input.default.is_some()
        || !input.examples.is_empty()
        || !input.bounds.is_empty();
    if is_adorned {
        let rule = "not have `#[arg]` on the input of a provider's tool";
        errors.must(&input.ident, rule, "the provider has told the model of it");
    }
    if !input.cfgs.is_empty() {
        let rule = "always take the input of its provider's tool";
        let note = "put the `#[cfg]` on the function";
        errors.must(&input.ident, rule, note);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::assert_errors;

    #[track_caller]
    fn check(arguments: &str, expected: &[(&str, &str)]) {
        let function = format!("/// F\n #[tool(provider = P)] fn f({arguments}) {{}}");
        assert_errors(&function, expected);
    }

    #[test]
    fn it_takes_the_input_and_nothing_else() {
        let rule = "tool `f` must take one argument by value, the input of its provider's tool";
        check("a: A", &[]);
        check("db: &Db, a: A, context: &CallContext", &[]);
        check("", &[("f", rule)]);
        check("db: &Db", &[("f", rule)]);
        check("a: A, b: B", &[("b", rule)]);
    }

    #[test]
    fn it_takes_the_input_as_it_is() {
        let rule = "tool `f` must not have `#[arg]` on the input of a provider's tool";
        check("#[arg(rename = \"b\")] a: A", &[("a", rule)]);
        check("#[arg(min = 3)] a: A", &[("a", rule)]);
        let rule = "tool `f` must always take the input of its provider's tool";
        check("#[cfg(unix)] a: A", &[("a", rule)]);
    }

    #[test]
    fn the_provider_is_any_expression() {
        let function = |provider: &str| format!("/// F\n #[tool({provider})] fn f(a: A) {{}}");
        assert_errors(
            &function("provider = haft::tools::P.display(1024, 768)"),
            &[],
        );
        let rule = "tool `f` must give `provider` a value";
        assert_errors(&function("provider"), &[("provider", rule)]);
    }
}
