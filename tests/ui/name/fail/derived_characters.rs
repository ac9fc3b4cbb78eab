// The function's name is the tool's where no other is given, so that it must be fit for providers too.
use haft::tool;

/// Tell the size of a file.
#[tool]
async fn größe(path: String) -> String {
    path
}

fn main() {}
