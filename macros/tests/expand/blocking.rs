/// Hash a file.
#[tool(blocking, timeout = "2m")]
fn hash_file(path: String) -> std::io::Result<String> {
    hash(&path)
}
