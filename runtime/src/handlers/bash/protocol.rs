//! What is said to a shell so that it runs a command, and how its end is known. No process is needed for it.
//!
//! The shell reads its script from a pipe, line by line, while it runs. For each command it is sent two lines: one that
//! evaluates the command, and one that **asks**: it writes the exit code to a socket. Only when that was read is the
//! shell sent a third line, which writes a random number to the socket. That is the end.
//!
//! - What a command prints can be no mark, since no mark is looked for in the output.
//! - A process that the command starts has no end of the socket: it is closed in the line that evaluates the command, and
//!   a socket cannot be opened by its path in `/proc`, as a pipe can.
//! - While the command runs, the number is not in the shell: in no variable, no history, no trace, no pipe.
//!   Earlier ones, which a command can find (`set -o history`), are worth nothing.
//! - The lines run in their order. A command may find the shell's own copy of the socket and write a question to it by
//!   hand; that makes the number come early, but the line that tells it still waits behind the command.
//! - Both lines are read by the shell's own reader, and not by a loop written in bash: `break`, `return`, a syntax error or
//!   an error that ends the line cannot skip the question. Backslashes keep aliases away, and `builtin` functions.
//!
//! No protocol within the shell can withstand a command that speaks it on purpose, by reading the script and the number
//! from its own shell: the command is the shell. What it gains is what `&` would give it, a call that ends before its
//! work does; the next call has another number.

/// Puts the output at 77, and the socket at 78; what the shell itself says between commands goes nowhere. Whatever else the
/// program had open and did not keep from its children is closed; at 255, bash has its script.
pub(super) const SETUP: &str = "\\exec 77>&1 78>&2 </dev/null >/dev/null 2>&1; \
    for n in /dev/fd/*; do \
    case ${n##*/} in [0-2]|77|78|255) ;; *) eval \"exec ${n##*/}>&-\" ;; esac; done; unset n; \
    BASH_ARGV0=bash\n";

/// The second line: asks, with the exit code. It begins a line, whatever a command has written there.
pub(super) const ASK: &str = "\\builtin printf '\\n?%s\\n' \"$?\" >&78\n";

/// The two lines for a command. What the command does to its input and outputs ends with it: the shell puts them back.
pub(super) fn evaluate(command: &str) -> String {
    let quoted = command.replace('\'', r"'\''");
    format!("\\builtin eval '{quoted}' </dev/null >&77 2>&77 77>&- 78>&-\n{ASK}")
}

/// The third line: tells that the end is there.
fn tell(nonce: &str) -> String {
    format!("\\builtin printf '\\n%s\\n' {nonce} >&78\n")
}

/// Longer lines than this are none of ours.
const LONGEST: usize = 64;

/// Reads what the shell says during one command.
#[derive(Debug)]
pub(super) struct Listener {
    line: Vec<u8>,
    nonce: String,
    exit_code: Option<i32>,
}

/// What follows from what the shell said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// The shell is to be sent this line.
    Asked(String),
    /// The command ended with this exit code.
    Ended(i32),
}

impl Listener {
    /// `nonce` is a number that nobody can know, made for this command.
    pub(super) const fn new(nonce: String) -> Self {
        Self {
            line: Vec::new(),
            nonce,
            exit_code: None,
        }
    }

    /// Takes in a piece of what the shell wrote to the socket.
    pub(super) fn hear(&mut self, piece: &[u8]) -> Option<Heard> {
        let mut heard = None;
        for &byte in piece {
            if byte != b'\n' {
                // Of a line without an end no more is kept than shows that it is none of ours.
                if self.line.len() <= LONGEST {
                    self.line.push(byte);
                }
                continue;
            }
            let line = std::mem::take(&mut self.line);
            match self.hear_line(&line) {
                Some(ended @ Heard::Ended(_)) => return Some(ended),
                asked => heard = heard.or(asked),
            }
        }
        heard
    }

    fn hear_line(&mut self, line: &[u8]) -> Option<Heard> {
        let line = std::str::from_utf8(line).ok()?;
        if let Some(code) = line.strip_prefix('?') {
            // The last one counts, which is the shell's own.
            let earlier = self.exit_code.replace(code.parse().ok()?);
            return match earlier {
                Some(_) => None,
                None => Some(Heard::Asked(tell(&self.nonce))),
            };
        }
        self.exit_code
            .filter(|_| line == self.nonce)
            .map(Heard::Ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener() -> Listener {
        Listener::new("7777".to_owned())
    }

    fn asked() -> Option<Heard> {
        Some(Heard::Asked(
            "\\builtin printf '\\n%s\\n' 7777 >&78\n".to_owned(),
        ))
    }

    #[test]
    fn an_end_is_a_question_and_the_number_that_it_got() {
        let mut listener = listener();
        assert_eq!(listener.hear(b"?1"), None);
        assert_eq!(listener.hear(b"3\n"), asked());
        assert_eq!(listener.hear(b"77"), None);
        assert_eq!(listener.hear(b"77\n"), Some(Heard::Ended(13)));
    }

    #[test]
    fn a_number_before_the_question_is_no_end_and_neither_is_another_number() {
        let mut listener = listener();
        assert_eq!(listener.hear(b"7777\n"), None);
        assert_eq!(listener.hear(b"?0\n"), asked());
        let forged: [&[u8]; 5] = [b"777\n", b"77777\n", b" 7777\n", b"\xff\n", b"\n"];
        for line in forged {
            assert_eq!(listener.hear(line), None);
        }
        assert_eq!(listener.hear(b"7777\n"), Some(Heard::Ended(0)));
    }

    #[test]
    fn an_early_question_does_not_end_it_and_the_last_exit_code_counts() {
        let mut listener = listener();
        assert_eq!(listener.hear(b"?x\n?\n"), None);
        assert_eq!(listener.hear(b"?7\n?8\n"), asked());
        assert_eq!(listener.hear(b"?1\n7777\nrest"), Some(Heard::Ended(1)));
    }

    #[test]
    fn a_line_without_an_end_is_not_kept() {
        let mut listener = listener();
        for _ in 0..100 {
            assert_eq!(listener.hear(&[b'7'; 1000]), None);
        }
        assert!(listener.line.len() <= LONGEST + 1);
        assert_eq!(listener.hear(b"\n?2\n"), asked());
    }

    #[test]
    fn a_command_is_one_quoted_word() {
        assert_eq!(
            evaluate("echo 'a'\n#"),
            format!(
                "\\builtin eval 'echo '\\''a'\\''\n#' </dev/null >&77 2>&77 77>&- 78>&-\n{ASK}"
            )
        );
    }
}
