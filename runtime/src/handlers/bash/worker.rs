//! [`Worker`]: the thread that has the shell. It runs commands, and reads what background jobs write in between.
//!
//! A thread, and no task: a job in the background must not stand still because nobody reads its output between two calls;
//! time limits hold in a runtime without timers too, and in one whose clock a test has stopped; and a shell outlives the
//! runtime that it was first used in.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use tokio::sync::oneshot::Sender;

use super::session::{Bounds, Seen, Session, drain, poll_for};
use super::settings::Settings;
use super::shell::CommandOutput;
use super::tail::Tail;

/// Between two looks at the output of background jobs, when no command runs: one that writes without end is slowed down.
const NAP: Duration = Duration::from_millis(10);

/// What the thread is to do.
#[derive(Debug)]
pub(super) enum Order {
    Run {
        command: String,
        /// Closed where nobody waits any more.
        reply: Sender<io::Result<CommandOutput>>,
    },
    Restart {
        reply: Sender<io::Result<()>>,
    },
}

/// The thread's own.
pub(super) struct Worker {
    settings: Settings,
    orders: Receiver<Order>,
    /// Can be read when there is a new order, when a reply is no longer wanted, and when there will be no more orders.
    wake: UnixStream,
    session: Option<Session>,
    output: Tail,
    /// Whether the shell is another one than that of the last command, and the model did not ask for it.
    is_new: bool,
}

impl Worker {
    /// With its first shell.
    pub(super) fn new(
        settings: Settings,
        orders: Receiver<Order>,
        wake: UnixStream,
    ) -> io::Result<Self> {
        let session = Session::start(&settings, &wake)?;
        Ok(Self {
            output: Tail::new(settings.output_limit),
            settings,
            orders,
            wake,
            session: Some(session),
            is_new: false,
        })
    }

    /// Until nobody is there to give orders.
    pub(super) fn work(mut self) {
        loop {
            match self.orders.try_recv() {
                Ok(Order::Run { command, reply }) if !reply.is_closed() => {
                    let ran = self.run(&command, &|| !reply.is_closed());
                    if let Some(ran) = ran.transpose() {
                        // Where nobody waits now, the command has run to its end, as if it had been heard.
                        let _ = reply.send(ran);
                    }
                }
                Ok(Order::Run { .. }) => {}
                Ok(Order::Restart { reply }) => {
                    let _ = reply.send(self.restart());
                }
                Err(TryRecvError::Empty) => self.idle(),
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    /// `None` where it was not wanted any more.
    fn run(
        &mut self,
        command: &str,
        is_wanted: &dyn Fn() -> bool,
    ) -> io::Result<Option<CommandOutput>> {
        if self.session.as_ref().is_none_or(is_over) {
            self.begin()?;
            self.is_new = true;
        }
        let bounds = Bounds {
            limit: self.settings.timeout,
            is_wanted,
            wake: &self.wake,
        };
        let Some(session) = &mut self.session else {
            return Ok(None);
        };
        let seen = session.run(command, &mut self.output, &bounds);
        // What went wrong on this side leaves it open where the shell stands.
        if seen.is_err() {
            session.end();
        }
        let Seen::Ended(end) = seen? else {
            return Ok(None);
        };
        let (text, omitted) = self.output.take();
        let is_new = std::mem::take(&mut self.is_new);
        let output = CommandOutput::new(text, end).omitted(omitted);
        Ok(Some(if is_new {
            output.in_new_shell()
        } else {
            output
        }))
    }

    fn restart(&mut self) -> io::Result<()> {
        self.begin()?;
        self.is_new = false;
        Ok(())
    }

    /// A new shell; the old one is over before it starts.
    fn begin(&mut self) -> io::Result<()> {
        self.session = None;
        self.output = Tail::new(self.settings.output_limit);
        self.session = Some(Session::start(&self.settings, &self.wake)?);
        Ok(())
    }

    /// Waits for an order, and reads meanwhile.
    fn idle(&mut self) {
        let output = self.session.as_ref().and_then(Session::output);
        let mut watched = vec![PollFd::new(&self.wake, PollFlags::IN)];
        watched.extend(output.map(|output| PollFd::new(output, PollFlags::IN)));
        let waited = poll_for(&mut watched, None);
        let has_read = match &mut self.session {
            Some(session) => session.read_output(&mut self.output),
            None => false,
        };
        let napped = match has_read {
            true => poll_for(&mut [PollFd::new(&self.wake, PollFlags::IN)], Some(NAP)),
            false => Ok(()),
        };
        // Without either it must not go round and round.
        if waited.and(napped).and_then(|()| drain(&self.wake)).is_err() {
            std::thread::sleep(NAP);
        }
    }
}

/// Whether the shell runs no more commands.
fn is_over(session: &Session) -> bool {
    session.is_ended() || session.is_dead().is_some()
}
