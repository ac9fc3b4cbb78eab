//! [`BashProcess`]: bash on this machine, as a [`Shell`]. The thread behind it is in `worker.rs`.

use std::fmt;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio::sync::oneshot;

use super::settings::Settings;
use super::shell::{CommandOutput, Shell};
use super::worker::{Order, Worker};
use crate::tool::ToolError;

/// How long a drop waits for the processes to be killed.
const KILL: Duration = Duration::from_secs(5);

/// A bash process on this machine, what [`Bash::spawn`](super::Bash::spawn) runs commands in.
///
/// It is a [`Shell`] by itself too, for a tool of one's own around it:
///
/// ```
/// use haft::ToolError;
/// use haft::handlers::{Bash, BashProcess, CommandOutput, Shell};
///
/// /// Tells what it runs.
/// struct Logged(BashProcess);
///
/// impl Shell for Logged {
///     async fn run(&mut self, command: &str) -> Result<CommandOutput, ToolError> {
///         eprintln!("$ {command}");
///         self.0.run(command).await
///     }
///
///     async fn restart(&mut self) -> Result<(), ToolError> {
///         self.0.restart().await
///     }
/// }
///
/// let tool = Bash::new(Logged(Bash::builder().spawn_process()?))?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// A dropped future of [`run`](Shell::run) interrupts the command: the shell is killed, with all that it started. The next
/// command begins in a new one.
pub struct BashProcess {
    /// `None` only while it is dropped.
    orders: Option<Sender<Order>>,
    wake: UnixStream,
    /// Disconnected when everything is killed.
    ended: Receiver<()>,
}

impl BashProcess {
    /// # Errors
    /// Where no shell could be started.
    pub(super) fn start(settings: Settings) -> io::Result<Self> {
        let (orders, received) = channel();
        let (running, ended) = channel();
        let (wake, woken) = UnixStream::pair()?;
        // Where the thread has been woken often enough, it need not be once more.
        wake.set_nonblocking(true)?;
        woken.set_nonblocking(true)?;
        let worker = Worker::new(settings, received, woken)?;
        std::thread::Builder::new()
            .name("haft bash".to_owned())
            .spawn(move || {
                worker.work();
                drop(running);
            })?;
        Ok(Self {
            orders: Some(orders),
            wake,
            ended,
        })
    }

    /// Gives the thread an order, and waits for what it says.
    async fn ask<T>(
        &mut self,
        order: impl FnOnce(oneshot::Sender<io::Result<T>>) -> Order,
    ) -> Result<T, ToolError> {
        let (reply, answer) = oneshot::channel();
        let mut waiting = Waiting {
            answer,
            wake: &self.wake,
        };
        let sent = self.orders.as_ref().map(|orders| orders.send(order(reply)));
        wake(&self.wake);
        let answer = match sent {
            Some(Ok(())) => (&mut waiting.answer).await,
            _ => return Err(ToolError::new("bash: there is no shell any more")),
        };
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            // The cause may name what is no business of the model.
            Ok(Err(_)) => Err(ToolError::new(
                "bash: the shell could not be started or reached",
            )),
            Err(_) => Err(ToolError::new("bash: there is no shell any more")),
        }
    }
}

/// Somebody who waits for an answer. The thread is told when they do not any more.
struct Waiting<'a, T> {
    answer: oneshot::Receiver<T>,
    wake: &'a UnixStream,
}

impl<T> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        self.answer.close();
        wake(self.wake);
    }
}

/// Wakes the thread. That fails only where it has been woken, or is gone.
fn wake(mut thread: &UnixStream) {
    let _ = thread.write(&[0]);
}

impl Shell for BashProcess {
    async fn run(&mut self, command: &str) -> Result<CommandOutput, ToolError> {
        if command.contains('\0') {
            return Err(ToolError::new(
                "bash: a command cannot have a NUL character in it",
            ));
        }
        let command = command.to_owned();
        self.ask(|reply| Order::Run { command, reply }).await
    }

    async fn restart(&mut self) -> Result<(), ToolError> {
        self.ask(|reply| Order::Restart { reply }).await
    }
}

impl Drop for BashProcess {
    /// Returns when the shell and what belongs to it is killed, which takes some milliseconds, and up to 5 seconds
    /// where something of it does not die.
    fn drop(&mut self) {
        self.orders = None;
        wake(&self.wake);
        let _ = self.ended.recv_timeout(KILL);
    }
}

impl fmt::Debug for BashProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BashProcess").finish_non_exhaustive()
    }
}
