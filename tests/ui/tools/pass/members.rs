// Members without `#[tool]` stay what they are.
#![deny(warnings)]

use haft::{Toolkit, serde_json::json, tools};

macro_rules! more {
    ($name:ident) => {
        pub fn $name() -> u8 {
            6
        }
    };
}

struct Shell {
    history: Vec<String>,
}

#[tools]
impl Shell {
    #![allow(clippy::unused_async)]

    pub const BLOCK: u8 = {
        const fn one() -> u8 {
            1
        }
        one()
    };
    const ARRAY: [u8; 2] = [1, 2];

    /// Begin.
    pub fn new() -> Self {
        Self {
            history: Vec::new(),
        }
    }

    pub const fn constant<const N: usize>() -> usize
    where
        [u8; N]: Sized,
    {
        N
    }

    const unsafe fn dangerous() -> u8 {
        2
    }

    pub async fn later(self) -> u8 {
        3
    }

    extern "C" fn outside(number: u8) -> u8 {
        number
    }

    const extern "C" fn outside_constant() -> u8 {
        4
    }

    async unsafe fn risky() {}

    fn generic<T: Into<u8>>(&mut self, value: T) -> impl Fn(u8) -> u8 + use<T> {
        self.history.push(String::new());
        let value = value.into();
        move |other| other + value
    }

    more!(made);
    more! { made_too }

    /// Run a program.
    #[tool]
    async fn run(&self, program: String) -> String {
        format!("{program} after {}", self.history.len())
    }

    #[inline]
    #[must_use]
    fn last(&self) -> Option<&str> {
        self.history.last().map(String::as_str)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut shell = Shell::new();
    assert_eq!(shell.generic(1)(2), 3);
    assert_eq!(shell.last(), Some(""));
    let _ = (Shell::BLOCK, Shell::ARRAY, Shell::constant::<3>());
    let _ = (Shell::outside(1), Shell::outside_constant());
    let _ = (Shell::made(), Shell::made_too(), Shell::new().later().await);
    // SAFETY: they do nothing.
    unsafe {
        let _ = Shell::dangerous();
        Shell::risky().await;
    }
    let kit: Toolkit = shell.into_toolkit();
    let result = kit.call("run", json!({"program": "ls"})).await;
    assert_eq!(result.text(), "ls after 1");
}
