//! A display: the connection, and one action at a time, whose keys and buttons are released whatever happens.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use x11rb::connection::{Connection, RequestConnection};
use x11rb::cookie::{Cookie, VoidCookie};
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::xfixes::ConnectionExt as _;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, ImageFormat, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::protocol::{xfixes, xtest};
use x11rb::rust_connection::RustConnection;
use x11rb::x11_utils::TryParse;

use super::frame::Frame;
use super::keyboard;
use super::picture::{Picture, PixelFormat};
use crate::error::Error;
use crate::tool::ToolError;

/// The left button.
pub(super) const LEFT: u8 = 1;

/// A connection to a display, shared by all actions.
pub(super) struct Display {
    name: String,
    pub(super) connection: RustConnection,
    root: Window,
    format: PixelFormat,
    /// Whether the server tells what the pointer looks like.
    tells_pointer: bool,
    /// Of the last picture that the model was given.
    frame: Mutex<Frame>,
    hands: Mutex<Hands>,
}

/// What an action leaves for those after it.
#[derive(Debug, Default)]
pub(super) struct Hands {
    /// The model has pressed the left button, and not released it.
    pub(super) holds_left: bool,
    /// Keys without a symbol of their own that have one of ours, the oldest first.
    pub(super) lent: Vec<u8>,
}

impl Display {
    /// Connects to a display; without a name, to that of the environment.
    ///
    /// # Errors
    /// Where there is none, or it lacks what is needed.
    pub(super) fn open(name: Option<&str>, limit: [u32; 2]) -> Result<Self, Error> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => std::env::var("DISPLAY").map_err(|_| {
                Error::configuration("the environment variable DISPLAY names no X display")
            })?,
        };
        let cannot = |error: &dyn fmt::Display| {
            Error::configuration(format!("the X display `{name}` cannot be opened: {error}"))
        };
        let connected = RustConnection::connect(Some(&name));
        let (connection, number) = connected.map_err(|error| cannot(&error))?;
        let setup = connection.setup();
        let screen = setup.roots.get(number);
        let screen = screen.ok_or_else(|| cannot(&"it has no such screen"))?;
        let format = PixelFormat::of(setup, screen)
            .ok_or_else(|| cannot(&"its pixels are no true colours of 16, 24 or 32 bits"))?;
        let size = [screen.width_in_pixels, screen.height_in_pixels].map(u32::from);
        let root = screen.root;
        if !has_extension(&connection, xtest::X11_EXTENSION_NAME) {
            return Err(cannot(&"it lacks the extension XTEST"));
        }
        let tells_pointer = has_extension(&connection, xfixes::X11_EXTENSION_NAME)
            && connection
                .xfixes_query_version(1, 0)
                .is_ok_and(|cookie| cookie.reply().is_ok());
        Ok(Self {
            name,
            connection,
            root,
            format,
            tells_pointer,
            frame: Mutex::new(Frame::new(size, limit)),
            hands: Mutex::default(),
        })
    }

    /// Does one thing, when those before it are done.
    ///
    /// # Errors
    /// That of the work, and where the caller has dropped its end of the channel.
    pub(super) fn act<R>(
        &self,
        caller: Receiver<Infallible>,
        work: impl FnOnce(&mut Action<'_>) -> Result<R, ToolError>,
    ) -> Result<R, ToolError> {
        let mut action = Action {
            display: self,
            hands: lock(&self.hands),
            caller,
        };
        action.pause(Duration::ZERO)?;
        // The server tells of changed keymaps, which are asked for where they are needed.
        let next = || self.connection.poll_for_event();
        while next().map_err(|error| self.told(error.into()))?.is_some() {}
        work(&mut action)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn frame(&self) -> Frame {
        *lock(&self.frame)
    }

    pub(super) fn set_frame(&self, frame: Frame) {
        *lock(&self.frame) = frame;
    }

    /// How large the screen is now.
    pub(super) fn size(&self) -> Result<[u32; 2], ToolError> {
        let geometry = self.reply(self.connection.get_geometry(self.root))?;
        Ok([geometry.width, geometry.height].map(u32::from))
    }

    /// Where the mouse is, and which modifiers and which group of the keymap hold.
    pub(super) fn pointer(&self) -> Result<([u32; 2], u16), ToolError> {
        let pointer = self.reply(self.connection.query_pointer(self.root))?;
        let place = [pointer.root_x, pointer.root_y].map(|at| u32::try_from(at).unwrap_or(0));
        Ok((place, pointer.mask.into()))
    }

    /// A part of the screen.
    pub(super) fn picture(
        &self,
        corner: [u32; 2],
        size: [u32; 2],
        with_pointer: bool,
    ) -> Result<Picture, ToolError> {
        let [x, y] = corner.map(|at| i16::try_from(at).unwrap_or(i16::MAX));
        let [width, height] = size.map(|edge| u16::try_from(edge).unwrap_or(u16::MAX));
        let pixels = ImageFormat::Z_PIXMAP;
        let image = self
            .connection
            .get_image(pixels, self.root, x, y, width, height, !0);
        let image = self.reply(image)?;
        let mut picture = Picture::read(self.format, size, &image.data)
            .ok_or_else(|| ToolError::new("the X server sent a picture of another size"))?;
        if with_pointer && self.tells_pointer {
            let pointer = self.reply(self.connection.xfixes_get_cursor_image())?;
            picture.draw(&pointer, corner);
        }
        Ok(picture)
    }

    pub(super) fn reply<R: TryParse>(
        &self,
        cookie: Result<Cookie<'_, RustConnection, R>, ConnectionError>,
    ) -> Result<R, ToolError> {
        let reply = cookie.map_err(ReplyError::from).and_then(Cookie::reply);
        reply.map_err(|error| self.told(error))
    }

    pub(super) fn done(
        &self,
        cookie: Result<VoidCookie<'_, RustConnection>, ConnectionError>,
    ) -> Result<(), ToolError> {
        let done = cookie.map_err(ReplyError::from).and_then(VoidCookie::check);
        done.map_err(|error| self.told(error))
    }

    fn told(&self, error: ReplyError) -> ToolError {
        ToolError::from_error(DisplayError {
            display: self.name.clone(),
            source: error,
        })
    }

    fn fake(&self, event: u8, detail: u8, place: [i16; 2]) -> Result<(), ToolError> {
        let [x, y] = place;
        let (connection, now) = (&self.connection, 0);
        self.done(connection.xtest_fake_input(event, detail, now, self.root, x, y, 0))
    }
}

impl Drop for Display {
    /// The server would keep the button pressed, and the keys in use.
    fn drop(&mut self) {
        let hands = std::mem::take(&mut *lock(&self.hands));
        if hands.holds_left {
            drop(self.fake(BUTTON_RELEASE_EVENT, LEFT, [0; 2]));
        }
        drop(keyboard::take_back(self, hands.lent));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic in an action has released what was pressed, as an error does.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn has_extension(connection: &RustConnection, name: &'static str) -> bool {
    matches!(connection.extension_information(name), Ok(Some(_)))
}

/// The server said no, or nothing any more.
#[derive(Debug)]
struct DisplayError {
    display: String,
    source: ReplyError,
}

impl fmt::Display for DisplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.display;
        match self.source {
            ReplyError::ConnectionError(_) => {
                write!(f, "the connection to the X display `{name}` is lost")
            }
            ReplyError::X11Error(_) => write!(f, "the X display `{name}` has refused a request"),
        }
    }
}

impl StdError for DisplayError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.source)
    }
}

/// What happens at the display; nothing else does meanwhile.
pub(super) struct Action<'a> {
    pub(super) display: &'a Display,
    pub(super) hands: MutexGuard<'a, Hands>,
    caller: Receiver<Infallible>,
}

impl<'a> Action<'a> {
    /// Waits, so long as somebody waits for this action.
    ///
    /// # Errors
    /// Where nobody does.
    pub(super) fn pause(&self, pause: Duration) -> Result<(), ToolError> {
        match self.caller.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => Err(ToolError::new("it was stopped")),
            Ok(never) => match never {},
        }
    }

    /// Nothing that is held yet.
    pub(super) const fn hold(&self) -> Held<'a> {
        Held {
            display: self.display,
            inputs: Vec::new(),
        }
    }

    /// Moves the mouse to a place of the screen.
    pub(super) fn move_to(&self, place: [u32; 2]) -> Result<(), ToolError> {
        let place = place.map(|at| i16::try_from(at).unwrap_or(i16::MAX));
        self.display.fake(MOTION_NOTIFY_EVENT, 0, place)
    }

    /// Where a place in the model's picture is on the screen.
    ///
    /// # Errors
    /// Where it is outside.
    pub(super) fn place(&self, coordinate: [i64; 2]) -> Result<[u32; 2], ToolError> {
        let place = self.display.frame().to_screen(coordinate)?;
        let size = self.display.size()?;
        if place[0] < size[0] && place[1] < size[1] {
            return Ok(place);
        }
        Err(ToolError::new(
            "the screen is smaller now than in the last screenshot; take a new one",
        ))
    }
}

/// What can be pressed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input {
    Key(u8),
    Button(u8),
}

impl Input {
    const fn press(self) -> (u8, u8) {
        match self {
            Self::Key(code) => (KEY_PRESS_EVENT, code),
            Self::Button(number) => (BUTTON_PRESS_EVENT, number),
        }
    }

    const fn release(self) -> (u8, u8) {
        match self {
            Self::Key(code) => (KEY_RELEASE_EVENT, code),
            Self::Button(number) => (BUTTON_RELEASE_EVENT, number),
        }
    }
}

/// What is pressed, and released where this goes, the last first.
#[must_use = "what is pressed is released where this is dropped"]
pub(super) struct Held<'a> {
    display: &'a Display,
    inputs: Vec<Input>,
}

impl Held<'_> {
    pub(super) fn press(&mut self, input: Input) -> Result<(), ToolError> {
        self.inputs.push(input);
        let (event, detail) = input.press();
        self.display.fake(event, detail, [0; 2])
    }

    pub(super) fn release(mut self) -> Result<(), ToolError> {
        self.release_all()
    }

    /// With one that was pressed before.
    pub(super) fn of(mut self, input: Input) -> Self {
        self.inputs.push(input);
        self
    }

    /// Leaves it pressed.
    pub(super) fn keep(mut self) {
        self.inputs.clear();
    }

    /// All are tried; the first error is told.
    fn release_all(&mut self) -> Result<(), ToolError> {
        let mut released = Ok(());
        while let Some(input) = self.inputs.pop() {
            let (event, detail) = input.release();
            released = released.and(self.display.fake(event, detail, [0; 2]));
        }
        released
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // There is an error on its way already.
        drop(self.release_all());
    }
}
