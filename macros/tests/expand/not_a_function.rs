/// A user.
#[tool]
struct User {
    name: String,
}
