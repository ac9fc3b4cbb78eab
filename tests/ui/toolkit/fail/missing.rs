// A tool that is not there is told once.
use haft::{Toolkit, toolkit};

fn main() {
    let _: Toolkit = toolkit![get_weather];
}
