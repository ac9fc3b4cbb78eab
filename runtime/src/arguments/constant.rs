//! What expansions say of literals, in constants as far as it goes.

/// A value that a string literal stands for, such as a `String`.
#[diagnostic::on_unimplemented(
    message = "a text is no `{Self}`",
    label = "this is a text, and the parameter a `{Self}`",
    note = "a string literal may stand for a type that is made `From<&'static str>`, such as `String`"
)]
pub trait FromText {
    #[doc(hidden)]
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> Self {
        Self::from(text)
    }
}

/// The value that a literal stands for.
#[must_use]
pub fn from_text<T: FromText>(text: &'static str) -> T {
    T::from_text(text)
}

/// Fails to compile with the text, where something does not hold that a constant can tell.
///
/// # Panics
/// Where it does not hold.
#[track_caller]
pub const fn must(holds: bool, text: &'static str) {
    assert!(holds, "{}", text);
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn a_literal_stands_for_what_is_made_from_it() {
        assert_eq!(from_text::<String>("a"), "a");
        assert_eq!(from_text::<Box<str>>("a"), "a".into());
        assert_eq!(from_text::<Cow<'static, str>>("a"), "a");
        assert_eq!(from_text::<&str>("a"), "a");
    }

    #[test]
    #[should_panic(expected = "min must be at most max")]
    fn what_does_not_hold_is_told() {
        must(1 > 2, "min must be at most max");
    }
}
