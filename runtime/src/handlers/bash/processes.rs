//! Ends a shell and all that it started, as far as that can be found.

use rustix::process::{Pid, Signal, kill_process_group};

/// The variable by which processes are known that have left the shell's group.
pub(super) const MARK: &str = "HAFT_SHELL";

/// Kills the group that `shell` leads, and on Linux what else belongs to it. The shell must not have been waited for: so
/// its number is not that of another group.
pub(super) fn kill(shell: Pid, mark: &str) {
    // There may be no such group any more, and then nothing is to be done.
    let _ = kill_process_group(shell, Signal::KILL);
    #[cfg(target_os = "linux")]
    strays::kill(shell, mark);
    #[cfg(not(target_os = "linux"))]
    let _ = mark;
}

#[cfg(target_os = "linux")]
mod strays {
    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::MARK;

    /// A process that is killed may have started another one just before, so they are looked for until none is left.
    const ROUNDS: usize = 100;

    pub(super) fn kill(shell: Pid, mark: &str) {
        let mark = format!("{MARK}={mark}");
        for _ in 0..ROUNDS {
            if !kill_once(shell, &mark) {
                return;
            }
            sleep(Duration::from_millis(1));
        }
    }

    /// Whether any was found.
    fn kill_once(shell: Pid, mark: &str) -> bool {
        let Ok(processes) = fs::read_dir("/proc") else {
            return false;
        };
        let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let mut any = false;
        for pid in numbers.filter_map(Pid::from_raw) {
            any |= belongs(pid, shell, mark) && kill_process(pid, shell, mark);
        }
        any
    }

    /// The process is held before it is looked at once more, so that a new one of the same number is not hit.
    fn kill_process(pid: Pid, shell: Pid, mark: &str) -> bool {
        let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else {
            return false;
        };
        belongs(pid, shell, mark) && pidfd_send_signal(process, Signal::KILL).is_ok()
    }

    /// Whether it lives, and is of the shell's session or has its mark.
    fn belongs(pid: Pid, shell: Pid, mark: &str) -> bool {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let Ok(stat) = fs::read_to_string(format!("{folder}/stat")) else {
            return false;
        };
        let Some((is_alive, session)) = state_and_session(&stat) else {
            return false;
        };
        let has_mark = || {
            let environment = fs::read(format!("{folder}/environ")).unwrap_or_default();
            let mut variables = environment.split(|&byte| byte == 0);
            variables.any(|variable| variable == mark.as_bytes())
        };
        is_alive && (session == shell.as_raw_nonzero().get() || has_mark())
    }

    /// The line is `pid (name) state parent group session ...`, and the name may hold anything.
    fn state_and_session(stat: &str) -> Option<(bool, i32)> {
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace();
        let is_alive = !matches!(fields.next()?, "Z" | "X");
        Some((is_alive, fields.nth(2)?.parse().ok()?))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_name_cannot_disguise_a_process() {
            let stat = "12 (a) Z 1 1 1 (b) S 3 4 5 0 -1";
            assert_eq!(state_and_session(stat), Some((true, 5)));
            assert_eq!(state_and_session("12 (a) Z 3 4 5"), Some((false, 5)));
            assert_eq!(state_and_session("12 (a) S 3"), None);
        }
    }
}
