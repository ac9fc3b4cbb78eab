//! [`X11Computer`]: an X display that a model operates.

mod display;
mod frame;
mod keyboard;
mod keys;
mod members;
mod picture;

use std::fmt;
use std::sync::{Arc, mpsc};

use self::display::{Action, Display};
use self::frame::Frame;
use crate::error::Error;
use crate::tool::{ToolError, on_pool};

/// A computer that a model operates: the screen, the mouse and the keyboard of an X display.
///
/// ```no_run
/// use haft::Toolkit;
/// use haft::anthropic::tools::ComputerToolset;
/// use haft::handlers::X11Computer;
///
/// let kit: Toolkit = Toolkit::new().with(ComputerToolset::new(X11Computer::open()?))?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// Models that know the single tool have it by [`ComputerUse`](crate::anthropic::tools::ComputerUse):
///
/// ```no_run
/// use haft::Toolkit;
/// use haft::anthropic::tools::{COMPUTER_20251124, ComputerUse};
/// use haft::handlers::X11Computer;
///
/// let computer = X11Computer::open_display(":7")?;
/// let (width, height) = computer.screenshot_size();
/// let tool = COMPUTER_20251124.display(width, height).with_zoom();
/// let kit: Toolkit = Toolkit::new().with(ComputerUse::new(tool, computer))?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// **It confines nothing**: the model does whatever can be done at that display. Let it be one of its own, such as that
/// of an Xvfb in a container, or let the program ask a person
/// ([`approval`](crate::anthropic::tools::ComputerToolset::approval)).
///
/// # What the model sees
///
/// - Screenshots are PNG, with the mouse's pointer. Where the screen is larger than a [limit](Self::with_limit), they are
///   smaller, and the model's coordinates are brought back to the screen. `zoom` gives a part as it is, unless that is
///   larger than the limit, too.
/// - Coordinates outside of the screenshot are an error, and nothing is pressed.
///
/// # What it does
///
/// - Keys have X's names, with `+` between those that are pressed together (`ctrl+s`, `shift+Tab`, `Page_Up`); what models
///   often write instead (`enter`, `esc`) is understood. An unknown key is an error that says what is known. `Down Down`
///   is one after the other.
/// - Texts may be of any characters. For those that the keyboard lacks, keys without a meaning get one, as xdotool
///   does it. They lose it when others need them, or when the computer is dropped.
/// - Actions come one after the other, also where several runners share a display. They run on tokio's pool for work that
///   blocks.
/// - What an action has pressed is released when it fails, and when its future is dropped; what `left_mouse_down` has
///   pressed, at the latest when the computer is dropped.
pub struct X11Computer {
    display: Arc<Display>,
    limit: [u32; 2],
    shows_pointer: bool,
}

impl X11Computer {
    /// The display that the environment's `DISPLAY` names.
    ///
    /// ```no_run
    /// use haft::handlers::X11Computer;
    ///
    /// let computer = X11Computer::open()?;
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where there is none, or it cannot be opened, or it has no XTEST.
    pub fn open() -> Result<Self, Error> {
        Self::connect(None)
    }

    /// A display by its name.
    ///
    /// ```no_run
    /// use haft::handlers::X11Computer;
    ///
    /// let computer = X11Computer::open_display(":7")?;
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where it cannot be opened, or has no XTEST.
    pub fn open_display(name: &str) -> Result<Self, Error> {
        Self::connect(Some(name))
    }

    fn connect(name: Option<&str>) -> Result<Self, Error> {
        // About what the API takes without making it smaller, by which coordinates would go wrong.
        let limit = [1280, 800];
        Ok(Self {
            display: Arc::new(Display::open(name, limit)?),
            limit,
            shows_pointer: true,
        })
    }

    /// How large a screenshot may be, in pixels; 1280 by 800 if it is not set.
    ///
    /// An image that the API finds too large is made smaller there, and the model's coordinates are then off. So this is
    /// best not above what the model takes.
    ///
    /// ```no_run
    /// use haft::handlers::X11Computer;
    ///
    /// let computer = X11Computer::open()?.with_limit(1024, 768);
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub fn with_limit(mut self, width: u32, height: u32) -> Self {
        self.limit = [width, height];
        let screen = self.display.frame().screen();
        self.display.set_frame(Frame::new(screen, self.limit));
        self
    }

    /// Whether the mouse's pointer is in the pictures; it is if this is not set.
    ///
    /// ```no_run
    /// use haft::handlers::X11Computer;
    ///
    /// let computer = X11Computer::open()?.with_pointer(false);
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub const fn with_pointer(mut self, shows_pointer: bool) -> Self {
        self.shows_pointer = shows_pointer;
        self
    }

    /// The width and the height of the last screenshot, or of the first, if none was taken yet.
    ///
    /// ```no_run
    /// use haft::anthropic::tools::COMPUTER_20250124;
    /// use haft::handlers::X11Computer;
    ///
    /// let (width, height) = X11Computer::open()?.screenshot_size();
    /// let tool = COMPUTER_20250124.display(width, height);
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub fn screenshot_size(&self) -> (u32, u32) {
        let [width, height] = self.display.frame().shown();
        (width, height)
    }

    /// Does something at the display, on a thread that may block. Where the future is dropped, the work is told by a
    /// channel that closes, and ends soon.
    async fn act<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Action<'_>) -> Result<R, ToolError> + Send + 'static,
    ) -> Result<R, ToolError> {
        let display = Arc::clone(&self.display);
        let (_waits, caller) = mpsc::channel();
        let done = on_pool(move || display.act(caller, work)).await;
        done.unwrap_or_else(|| Err(ToolError::new("the program is shutting down")))
    }
}

impl fmt::Debug for X11Computer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("X11Computer")
            .field("display", &self.display.name())
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
