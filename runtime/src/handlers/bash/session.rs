//! [`Session`]: one bash process, with what leads to it and from it. It ends when it is dropped.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::processes;
use super::protocol::{ASK, Heard, Listener, SETUP, evaluate};
use super::settings::{Ends, Settings};
use super::shell::CommandEnd;
use super::tail::Tail;

/// How long a shell may take until it says that it is there.
const START: Duration = Duration::from_secs(10);
/// How often it is looked whether the shell lives. Mostly its end is seen at once, since its end of the socket is closed;
/// but a background job may hold that.
const LOOK: Duration = Duration::from_millis(20);
/// How much output is read in one go; at the end of a command, more than a pipe can hold, so that all of it is there, and
/// a job that writes without end is not followed.
const GO: usize = 2 << 20;
/// How long a killed shell is waited for.
const REAP: Duration = Duration::from_secs(2);

/// One bash process.
pub(super) struct Session {
    child: Child,
    pid: Pid,
    /// Of the processes that belong to it.
    mark: String,
    /// Closed when nothing is heard any more: a shell that still reads its script comes to its end then.
    script: Option<PipeWriter>,
    /// Never read. While it is open, writing to a shell that is gone is no fault that could end the program.
    _script_end: PipeReader,
    control: Option<UnixStream>,
    output: Option<PipeReader>,
    random: File,
    is_ended: bool,
}

/// How a command came to an end, as seen from here.
#[derive(Debug)]
pub(super) enum Seen {
    Ended(CommandEnd),
    /// Nobody waits for it any more.
    Unwanted,
}

/// What ends a command that does not end.
pub(super) struct Bounds<'a> {
    pub(super) limit: Duration,
    pub(super) is_wanted: &'a dyn Fn() -> bool,
    /// Can be read when it is worth asking `is_wanted`.
    pub(super) wake: &'a UnixStream,
}

impl Session {
    /// Starts a shell, and waits until it has answered.
    pub(super) fn start(settings: &Settings, wake: &UnixStream) -> io::Result<Self> {
        settings.check_directory()?;
        let random = File::open("/dev/urandom")?;
        let mark = number(&random)?;
        let (script_end, script) = io::pipe()?;
        let (output, output_end) = io::pipe()?;
        let (control, control_end) = UnixStream::pair()?;
        ioctl_fionbio(&script, true)?;
        ioctl_fionbio(&output, true)?;
        control.set_nonblocking(true)?;
        let ends = Ends {
            script: script_end.try_clone()?.into(),
            output: output_end.into(),
            control: std::os::fd::OwnedFd::from(control_end).into(),
        };
        let child = settings.command(&mark, ends).spawn()?;
        let mut session = Self {
            pid: Pid::from_child(&child),
            child,
            mark,
            script: Some(script),
            _script_end: script_end,
            control: Some(control),
            output: Some(output),
            random,
            is_ended: false,
        };
        let bounds = Bounds {
            limit: START,
            is_wanted: &|| true,
            wake,
        };
        let setup = format!("{SETUP}{ASK}");
        match session.follow(setup, &mut Tail::new(0), &bounds)? {
            Seen::Ended(CommandEnd::Exited(0)) => Ok(session),
            _ => Err(io::Error::other("it did not begin to read commands")),
        }
    }

    /// Runs one command. If the shell does not go on behind it, it has ended, and all that belongs to it.
    pub(super) fn run(
        &mut self,
        command: &str,
        output: &mut Tail,
        bounds: &Bounds<'_>,
    ) -> io::Result<Seen> {
        let seen = self.follow(evaluate(command), output, bounds)?;
        if !matches!(seen, Seen::Ended(CommandEnd::Exited(_))) {
            self.end();
            self.read_output(output);
        }
        Ok(seen)
    }

    fn follow(
        &mut self,
        script: String,
        output: &mut Tail,
        bounds: &Bounds<'_>,
    ) -> io::Result<Seen> {
        let mut unsent = script.into_bytes();
        let mut listener = Listener::new(number(&self.random)?);
        let begun = Instant::now();
        loop {
            let left = bounds.limit.saturating_sub(begun.elapsed());
            if !(bounds.is_wanted)() {
                return Ok(Seen::Unwanted);
            }
            if left.is_zero() {
                return Ok(Seen::Ended(CommandEnd::TimedOut(bounds.limit)));
            }
            self.wait(left.min(LOOK), !unsent.is_empty(), bounds.wake)?;
            // The order matters: output that was written before the end is read after the end was heard.
            let is_dead = self.is_dead();
            let heard = self.listen(&mut listener);
            self.read_output(output);
            match heard {
                Some(Heard::Ended(code)) => return Ok(Seen::Ended(CommandEnd::Exited(code))),
                Some(Heard::Asked(line)) => unsent.extend_from_slice(line.as_bytes()),
                None => {}
            }
            if let Some(end) = is_dead {
                return Ok(Seen::Ended(end));
            }
            if let Some(script) = &self.script {
                send(script, &mut unsent)?;
            }
        }
    }

    /// Waits until there is something to do, and not longer than `limit`.
    fn wait(&self, limit: Duration, has_more: bool, wake: &UnixStream) -> io::Result<()> {
        let mut watched = vec![PollFd::new(wake, PollFlags::IN)];
        watched.extend(
            self.control
                .iter()
                .map(|end| PollFd::new(end, PollFlags::IN)),
        );
        watched.extend(
            self.output
                .iter()
                .map(|end| PollFd::new(end, PollFlags::IN)),
        );
        let script = self.script.as_ref().filter(|_| has_more);
        watched.extend(script.map(|end| PollFd::new(end, PollFlags::OUT)));
        poll_for(&mut watched, Some(limit))?;
        drain(wake)
    }

    /// What the shell says.
    fn listen(&mut self, listener: &mut Listener) -> Option<Heard> {
        let mut buffer = [0; 4096];
        while let Some(mut control) = self.control.as_ref() {
            match control.read(&mut buffer) {
                Ok(read @ 1..) => {
                    // Not more at once: who floods this must not keep the output waiting.
                    return listener.hear(buffer.get(..read).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Another program has taken the shell's place, or it has lost its end, or is gone.
                Ok(_) | Err(_) => {
                    self.control = None;
                    self.script = None;
                }
            }
        }
        None
    }

    /// Reads what is there, and not what is yet to come. Whether there was anything.
    pub(super) fn read_output(&mut self, tail: &mut Tail) -> bool {
        let mut total = 0;
        let mut buffer = [0; 16 << 10];
        while let Some(mut output) = self.output.as_ref()
            && total < GO
        {
            match output.read(&mut buffer) {
                Ok(read @ 1..) => {
                    tail.push(buffer.get(..read).unwrap_or_default());
                    total += read;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => self.output = None,
            }
        }
        total > 0
    }

    /// What output comes from, as long as any may come.
    pub(super) const fn output(&self) -> Option<&PipeReader> {
        self.output.as_ref()
    }

    /// How the shell has ended, if it has. It is not waited for, so that its number stays its own.
    pub(super) fn is_dead(&self) -> Option<CommandEnd> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), look).ok().flatten()?;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => CommandEnd::ShellExited(code),
            (None, signal) => CommandEnd::ShellKilled(signal.unwrap_or_default()),
        })
    }

    /// Kills the shell and what belongs to it.
    pub(super) fn end(&mut self) {
        if std::mem::replace(&mut self.is_ended, true) {
            return;
        }
        // By its number too, for one that has not got a group of its own yet.
        let _ = self.child.kill();
        processes::kill(self.pid, &self.mark);
        let begun = Instant::now();
        while let Ok(None) = self.child.try_wait()
            && begun.elapsed() < REAP
        {
            sleep(Duration::from_millis(1));
        }
    }

    pub(super) const fn is_ended(&self) -> bool {
        self.is_ended
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}

/// Polls; an interruption is as if something had happened.
pub(super) fn poll_for(watched: &mut [PollFd<'_>], limit: Option<Duration>) -> io::Result<()> {
    let limit = limit.map(|limit| Timespec {
        tv_sec: limit.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: limit.subsec_nanos().into(),
    });
    match poll(watched, limit.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Takes what was written to wake the thread.
pub(super) fn drain(mut wake: &UnixStream) -> io::Result<()> {
    let mut buffer = [0; 64];
    loop {
        match wake.read(&mut buffer) {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Ok(_) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// Sends as much as the pipe takes.
fn send(mut script: &PipeWriter, unsent: &mut Vec<u8>) -> io::Result<()> {
    while !unsent.is_empty() {
        match script.write(unsent) {
            Ok(sent) => drop(unsent.drain(..sent)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A number of 128 bits that nobody can guess.
fn number(mut random: &File) -> io::Result<String> {
    let mut bytes = [0; 16];
    random.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}
