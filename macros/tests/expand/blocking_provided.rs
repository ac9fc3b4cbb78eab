/// Hash a file.
#[tool(blocking)]
fn hash_file(root: &Root, call: &CallContext, path: String) -> String {
    hash(root, &path)
}
