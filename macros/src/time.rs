//! [`TimeLimit`]: how long a call may take.

use std::time::Duration;

use syn::LitStr;

use crate::errors::Errors;

/// How long a call may take, and where that is said.
pub(crate) struct TimeLimit {
    pub(crate) text: LitStr,
    pub(crate) duration: Duration,
}

/// Reads `"500ms"`, `"30s"`, `"2m"`, `"1h"`.
pub(crate) fn parse(text: LitStr, errors: &Errors) -> Option<TimeLimit> {
    match duration(&text.value()) {
        Some(duration) => Some(TimeLimit { text, duration }),
        None => {
            let rule = "give `timeout` a whole number and a unit";
            let note = "write `\"500ms\"`, `\"30s\"`, `\"2m\"` or `\"1h\"`, and more than zero";
            errors.must(text, rule, note);
            None
        }
    }
}

fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok().filter(|&number| number > 0)?;
    let seconds = match unit {
        "ms" => return Some(Duration::from_millis(number)),
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return None,
    };
    number.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_errors;

    #[test]
    fn a_number_has_a_unit() {
        assert_eq!(duration("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(duration("30s"), Some(Duration::from_secs(30)));
        assert_eq!(duration("2m"), Some(Duration::from_secs(120)));
        assert_eq!(duration("1h"), Some(Duration::from_secs(3600)));
        for bad in [
            "",
            "s",
            "30",
            "30 s",
            "1.5s",
            "-1s",
            "0s",
            "3d",
            "99999999999999999h",
        ] {
            assert_eq!(duration(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_none_is_told() {
        assert_errors(
            "/// F\n #[tool(timeout = \"soon\")] async fn f() {}",
            &[(
                "\"soon\"",
                "tool `f` must give `timeout` a whole number and a unit",
            )],
        );
    }
}
