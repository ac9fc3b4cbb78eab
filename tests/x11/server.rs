//! An X server without a screen, and a program with a window there that writes down what it is told.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use haft::handlers::X11Computer;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask, InputFocus, Rectangle, Window,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME};

/// Longer than anything takes, also on a busy machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// An X server of a test's own. It ends where this goes.
pub(crate) struct Server {
    child: Child,
    pub(crate) name: String,
}

impl Server {
    /// One with a screen such as `640x480x24`.
    pub(crate) fn start(screen: &str) -> Self {
        let mut command = Command::new("Xvfb");
        // It takes a display that is free, and writes its number when it is ready.
        command.args(["-displayfd", "1", "-screen", "0", screen]);
        command.args(["-nolisten", "tcp", "-noreset"]);
        command.stdin(Stdio::null()).stderr(Stdio::null());
        let child = command.stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| {
            panic!(
                "Xvfb does not start ({error}): these tests need it (Debian: apt-get install xvfb)"
            )
        });
        let mut number = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut number).unwrap();
        assert!(
            !number.trim().is_empty(),
            "Xvfb has ended before it was ready"
        );
        let name = format!(":{}", number.trim());
        Self { child, name }
    }

    pub(crate) fn computer(&self) -> X11Computer {
        X11Computer::open_display(&self.name).unwrap()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a program is told, in what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// A key, by its symbol, and the modifiers that were held already.
    Key(u32, u16),
    KeyUp(u32),
    /// A button, the modifiers and buttons that were held already, and where.
    Button(u8, u16, [i16; 2]),
    ButtonUp(u8, [i16; 2]),
    Moved([i16; 2], u16),
}

/// A program with a window over the whole screen.
pub(crate) struct Client {
    pub(crate) connection: Arc<RustConnection>,
    pub(crate) window: Window,
    events: Receiver<Told>,
}

impl Client {
    pub(crate) fn start(server: &Server) -> Self {
        let (connection, number) = RustConnection::connect(Some(&server.name)).unwrap();
        let screen = connection.setup().roots[number].clone();
        let window = connection.generate_id().unwrap();
        let aux = CreateWindowAux::new().override_redirect(1).event_mask(
            EventMask::KEY_PRESS
                | EventMask::KEY_RELEASE
                | EventMask::BUTTON_PRESS
                | EventMask::BUTTON_RELEASE
                | EventMask::POINTER_MOTION,
        );
        let (depth, class) = (COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT);
        let (width, height) = (screen.width_in_pixels, screen.height_in_pixels);
        let visual = COPY_FROM_PARENT;
        connection
            .create_window(
                depth,
                window,
                screen.root,
                0,
                0,
                width,
                height,
                0,
                class,
                visual,
                &aux,
            )
            .unwrap();
        connection.map_window(window).unwrap();
        connection
            .set_input_focus(InputFocus::PARENT, window, CURRENT_TIME)
            .unwrap();
        connection.sync().unwrap();
        let connection = Arc::new(connection);
        let (sender, events) = mpsc::channel();
        let reads = Arc::clone(&connection);
        // It ends with the server.
        thread::spawn(move || {
            let mut keymap = Keymap::read(&reads).unwrap();
            while let Ok(event) = reads.wait_for_event() {
                if let Some(told) = keymap.told(&reads, &event) {
                    let _ = sender.send(told);
                }
            }
        });
        Self {
            connection,
            window,
            events,
        }
    }

    pub(crate) fn fill(&self, colour: u32, x: i16, y: i16, width: u16, height: u16) {
        let gc = self.connection.generate_id().unwrap();
        let aux = CreateGCAux::new().foreground(colour);
        self.connection.create_gc(gc, self.window, &aux).unwrap();
        let rectangle = Rectangle {
            x,
            y,
            width,
            height,
        };
        self.connection
            .poly_fill_rectangle(self.window, gc, &[rectangle])
            .unwrap();
        self.connection.sync().unwrap();
    }

    pub(crate) fn next(&self) -> Told {
        let next = self.events.recv_timeout(DEADLINE);
        next.expect("the program is told something")
    }

    /// Whether it was told something, of which the first is taken.
    pub(crate) fn was_told(&self) -> bool {
        self.events.try_recv().is_ok()
    }

    /// What comes next, but for where the mouse is.
    pub(crate) fn next_press(&self) -> Told {
        loop {
            let told = self.next();
            if !matches!(told, Told::Moved(..)) {
                return told;
            }
        }
    }

    /// What was told up to now: all that was done before is here.
    pub(crate) fn told(&self) -> Vec<Told> {
        // An event of its own, behind all others.
        let mark = u32::from(b'!');
        let mut marked = [0; 20];
        marked[..4].copy_from_slice(&mark.to_ne_bytes());
        let kind = self.connection.intern_atom(false, b"MARK").unwrap();
        let kind = kind.reply().unwrap().atom;
        let event = x11rb::protocol::xproto::ClientMessageEvent::new(8, self.window, kind, marked);
        self.connection
            .send_event(false, self.window, EventMask::NO_EVENT, event)
            .unwrap();
        self.connection.flush().unwrap();
        let mut all = Vec::new();
        loop {
            match self.next() {
                Told::KeyUp(MARK) => return all,
                told => all.push(told),
            }
        }
    }

    /// The symbols of the keys that were pressed, but for modifiers, as text.
    pub(crate) fn typed(&self) -> String {
        let told = self.told();
        let keys = told.iter().filter_map(|told| match told {
            Told::Key(symbol, _) => as_char(*symbol),
            _ => None,
        });
        keys.collect()
    }

    /// The modifiers and buttons that are held now.
    pub(crate) fn held(&self) -> u16 {
        let pointer = self.connection.query_pointer(self.window).unwrap();
        u16::from(pointer.reply().unwrap().mask)
    }

    /// How many keys are down now.
    pub(crate) fn keys_down(&self) -> u32 {
        let keys = self.connection.query_keymap().unwrap().reply().unwrap();
        keys.keys.iter().map(|byte| byte.count_ones()).sum()
    }

    /// Gives each key without a symbol one.
    pub(crate) fn take_all_keys(&self) {
        let keymap = Keymap::read(&self.connection).unwrap();
        let rows = keymap.symbols.chunks_exact(keymap.width);
        for (code, row) in (keymap.first..=u8::MAX).zip(rows) {
            if row.iter().all(|symbol| *symbol == 0) {
                let symbols = [u32::from(b'a'); 2];
                self.connection
                    .change_keyboard_mapping(1, code, 2, &symbols)
                    .unwrap();
            }
        }
        self.connection.sync().unwrap();
        // Of the changes the program is told.
        self.told();
    }

    /// How many keys have no symbol.
    pub(crate) fn keys_without_symbol(&self) -> usize {
        let keymap = Keymap::read(&self.connection).unwrap();
        let keys = keymap.symbols.chunks_exact(keymap.width);
        keys.filter(|row| row.iter().all(|symbol| *symbol == 0))
            .count()
    }
}

/// What no key is.
const MARK: u32 = u32::MAX;

fn as_char(symbol: u32) -> Option<char> {
    match symbol {
        0xff0d => Some('\n'),
        0xff09 => Some('\t'),
        0x20ac => Some('€'),
        0x20..=0xff => char::from_u32(symbol),
        0x0100_0000..=0x0110_ffff => char::from_u32(symbol - 0x0100_0000),
        _ => None,
    }
}

/// The keyboard as a program sees it: read when it starts, and again when the server says that it has changed.
struct Keymap {
    first: u8,
    width: usize,
    symbols: Vec<u32>,
}

impl Keymap {
    /// None where the server has ended.
    fn read(connection: &RustConnection) -> Option<Self> {
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = connection.get_keyboard_mapping(first, last - first + 1);
        let mapping = mapping.ok()?.reply().ok()?;
        Some(Self {
            first,
            width: usize::from(mapping.keysyms_per_keycode),
            symbols: mapping.keysyms,
        })
    }

    fn symbol(&self, code: u8, state: u16) -> u32 {
        let row = usize::from(code - self.first) * self.width;
        let plain = self.symbols[row];
        let is_letter = char::from_u32(plain).is_some_and(|c| c.is_ascii_lowercase());
        // Caps Lock is Shift for letters alone.
        let shift = state & 1 ^ (state >> 1 & u16::from(is_letter));
        self.symbols[row + usize::from(shift)]
    }

    fn told(&mut self, connection: &RustConnection, event: &Event) -> Option<Told> {
        Some(match event {
            Event::MappingNotify(_) => {
                *self = Self::read(connection)?;
                return None;
            }
            Event::ClientMessage(_) => Told::KeyUp(MARK),
            Event::KeyPress(key) => {
                let state = u16::from(key.state);
                Told::Key(self.symbol(key.detail, state), state)
            }
            Event::KeyRelease(key) => Told::KeyUp(self.symbol(key.detail, 0)),
            Event::ButtonPress(button) => {
                let place = [button.event_x, button.event_y];
                Told::Button(button.detail, button.state.into(), place)
            }
            Event::ButtonRelease(button) => {
                Told::ButtonUp(button.detail, [button.event_x, button.event_y])
            }
            Event::MotionNotify(motion) => {
                Told::Moved([motion.event_x, motion.event_y], motion.state.into())
            }
            _ => return None,
        })
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < DEADLINE, "{what}");
        thread::yield_now();
    }
}
