// Methods become tools, and a struct has none.
use haft::tools;

#[tools]
struct Github;

fn main() {}
