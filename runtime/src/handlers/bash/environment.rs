//! Which variables of the program the shell is given.

use std::ffi::OsString;

/// In a name, wherever they stand.
const PARTS: [&str; 10] = [
    "ACCESS_KEY",
    "APIKEY",
    "API_KEY",
    "CREDENTIAL",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PRIVATE_KEY",
    "SECRET",
    "_TOKEN_",
];
/// At the end of a name.
const ENDS: [&str; 8] = [
    "TOKEN", "TOKENS", "_AUTH", "_KEY", "_KEYS", "_PASS", "_PAT", "_PWD",
];
/// All that belongs to a service whose variables are mostly about access.
const BEGINNINGS: [&str; 4] = ["ANTHROPIC_", "AWS_", "AZURE_", "OPENAI_"];

/// Whether a variable of this name is likely to hold a key, a token or a password.
///
/// It looks at the name only, and not at its case: `ANTHROPIC_*`, `AWS_*`, `AZURE_*` and `OPENAI_*`; `*TOKEN`,
/// `*TOKENS`, `*_TOKEN_*`, `*_KEY`, `*_KEYS`, `*_AUTH`, `*_PASS`, `*_PAT`, `*_PWD`; and whatever has `ACCESS_KEY`,
/// `API_KEY`, `APIKEY`, `CREDENTIAL`, `PASSPHRASE`, `PASSWD`, `PASSWORD`, `PRIVATE_KEY` or `SECRET` in it. A secret under
/// another name, such as in `DATABASE_URL`, is not seen.
///
/// ```
/// use haft::handlers::looks_secret;
///
/// assert!(["GITHUB_TOKEN", "ANTHROPIC_BASE_URL", "pgpassword"].into_iter().all(looks_secret));
/// assert!(!["PATH", "HOME", "OLDPWD", "TOKENIZERS_PARALLELISM"].into_iter().any(looks_secret));
/// ```
#[must_use]
pub fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    PARTS.iter().any(|part| name.contains(part))
        || ENDS.iter().any(|end| name.ends_with(end))
        || BEGINNINGS
            .iter()
            .any(|beginning| name.starts_with(beginning))
}

/// Those that make bash read a file or set options before its first command, and what the shell sets itself.
const NEVER: [&str; 5] = [
    "BASH_ENV",
    "BASHOPTS",
    "ENV",
    "POSIXLY_CORRECT",
    "SHELLOPTS",
];

/// How functions are handed on, which could stand in the place of a builtin.
const FUNCTION: &str = "BASH_FUNC_";

/// What of the program's variables goes to the shell, with those that were given for it.
pub(super) fn environment(
    inherited: impl Iterator<Item = (OsString, OsString)>,
    is_withheld: &dyn Fn(&str) -> bool,
    given: Vec<(OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let is_kept = |(name, _): &(OsString, OsString)| {
        let name = name.to_string_lossy();
        !NEVER.contains(&&*name) && !name.starts_with(FUNCTION) && !is_withheld(&name)
    };
    let terminal = (OsString::from("TERM"), OsString::from("dumb"));
    let inherited = inherited.filter(is_kept);
    // The last of a name counts.
    inherited.chain([terminal]).chain(given).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_any_case() {
        for secret in [
            "ANTHROPIC_API_KEY",
            "OPENAI_ORG",
            "GITHUB_TOKEN",
            "CI_JOB_TOKEN",
            "npm_config__auth",
            "AWS_REGION",
            "STRIPE_KEY",
            "MY_SECRETS",
            "PGPASSWORD",
            "MYSQL_PWD",
            "DB_PASS",
            "AZURE_X",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "CARGO_REGISTRIES_X_TOKEN_FILE",
        ] {
            assert!(looks_secret(secret), "{secret}");
            assert!(looks_secret(&secret.to_ascii_lowercase()), "{secret}");
        }
        for plain in [
            "PATH",
            "HOME",
            "PWD",
            "OLDPWD",
            "LANG",
            "KEYBOARD",
            "TOKENIZERS_PARALLELISM",
            "COMPASS",
        ] {
            assert!(!looks_secret(plain), "{plain}");
        }
    }

    #[test]
    fn what_is_given_comes_last_and_is_not_judged() {
        let pair = |(name, value): (&str, &str)| (OsString::from(name), OsString::from(value));
        let inherited = [
            ("PATH", "/bin"),
            ("A_TOKEN", "x"),
            ("BASH_ENV", "/x"),
            ("TERM", "xterm"),
        ];
        let made = environment(
            inherited.into_iter().map(pair),
            &looks_secret,
            vec![pair(("B_TOKEN", "y"))],
        );
        let expected = [
            ("PATH", "/bin"),
            ("TERM", "xterm"),
            ("TERM", "dumb"),
            ("B_TOKEN", "y"),
        ];
        assert_eq!(made, expected.map(pair));
    }
}
