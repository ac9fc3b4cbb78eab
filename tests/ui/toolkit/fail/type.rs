// A type is not a tool.
use haft::{Toolkit, toolkit};

struct Weather;

fn main() {
    let _: Toolkit = toolkit![Weather];
}
