//! [`check`]: what is wrong with the declarations of tools, where the compiler cannot tell.

use crate::error::Error;
use crate::toolkit::{Toolkit, check_faults};

/// Looks at the definitions of all tools, for a test of the program that declares them.
///
/// A runner does the same with its first request, before anything is sent.
///
/// ```
/// use haft::{Toolkit, tool, toolkit};
///
/// /// Adds two integers.
/// #[tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let kit: Toolkit = toolkit![add];
/// haft::testing::check(&kit)?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// A map with numbers as keys compiles deep in a type, but providers cannot be told of it:
///
/// ```
/// use std::collections::HashMap;
/// use haft::{Toolkit, argument, tool, toolkit};
///
/// #[argument]
/// struct Scores {
///     by_year: HashMap<u16, f64>,
/// }
///
/// /// Keep scores.
/// #[tool]
/// async fn keep_scores(scores: Scores) -> String {
///     format!("kept {}", scores.by_year.len())
/// }
///
/// let kit: Toolkit = toolkit![keep_scores];
/// let error = haft::testing::check(&kit).unwrap_err();
/// assert!(error.to_string().starts_with("tool `keep_scores` at $.properties.scores.properties.by_year: "));
/// ```
///
/// # Errors
/// Where a definition cannot be sent as it is meant: a pattern that is no regular expression, a default or an example
/// outside its bounds or one that the model could not send, a bound that is no finite number, a map with numbers as
/// keys. It names the tool, the JSON path in its schema, and what to do, for all faults at once; where there are many, the
/// error's [source](std::error::Error::source) has them whole, one a line.
pub fn check(toolkit: &Toolkit) -> Result<(), Error> {
    check_faults(toolkit.definitions())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::error::Error as _;

    use super::*;
    use crate::__private::{Length, Pattern, define, parameter, with_length};
    use crate::tool::{Call, Tool, ToolDefinition, ToolFuture, ToolOutput};

    /// A tool with this definition.
    struct Defined(ToolDefinition);

    impl<S> Tool<S> for Defined {
        fn definition(&self) -> &ToolDefinition {
            &self.0
        }

        fn call<'a>(&'a self, _: Call<'a, S>) -> ToolFuture<'a> {
            Box::pin(async { Ok(ToolOutput::default()) })
        }
    }

    fn right() -> Defined {
        Defined(define("right", "", &(parameter::<u8>("a", ""), ())))
    }

    fn wrong() -> Defined {
        static LENGTH: Length = Length {
            min: None,
            max: None,
            pattern: Some(Pattern::new("(")),
        };
        let rows = (
            with_length::<String>(parameter("text", ""), &LENGTH),
            (
                parameter::<Vec<HashMap<i32, bool>>>("maps", ""),
                (
                    parameter::<u8>("n", "").with_default(|| 3, |value| crate::__shown!(value)),
                    (),
                ),
            ),
        );
        Defined(define("wrong", "", &rows))
    }

    #[test]
    fn all_faults_of_all_tools_are_told() {
        let kit: Toolkit = Toolkit::new().with(right()).unwrap();
        check(&kit).unwrap();
        let other = Defined(define(
            "other",
            "",
            &(parameter::<Option<HashMap<u64, u8>>>("map", ""), ()),
        ));
        let kit = kit.with(wrong()).unwrap().with(other).unwrap();
        let error = check(&kit).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Definition);
        let all = error.source().unwrap().to_string();
        let starts = [
            "tool `wrong` at $.properties.text.pattern: `(` is no regular expression",
            "tool `wrong` at $.properties.maps.items: is a map with numbers as keys",
            "tool `other` at $.properties.map: is a map with numbers as keys",
        ];
        assert_eq!(all.lines().count(), starts.len(), "{all}");
        for (line, start) in all.lines().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
        assert!(error.to_string().starts_with(starts[0]), "{error}");
        assert!(
            error.to_string().contains(&format!("; {}", starts[1])),
            "{error}"
        );
    }

    #[test]
    fn a_request_with_faults_is_not_made() {
        let kit: Toolkit = Toolkit::new().with(wrong()).unwrap();
        let error =
            crate::toolkit::Definitions::merge(&kit, &[], &crate::Api::TESTING).unwrap_err();
        assert_eq!(error.to_string(), check(&kit).unwrap_err().to_string());
    }
}
