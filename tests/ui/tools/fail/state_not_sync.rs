// Calls run side by side, and all of them have the state.
use haft::tools;

use std::cell::Cell;

struct Github {
    calls: Cell<u32>,
}

#[tools]
impl Github {
    /// Count the calls.
    #[tool]
    async fn calls(&self) -> u32 {
        self.calls.get()
    }
}

fn main() {}
