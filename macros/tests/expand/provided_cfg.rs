/// Find a user.
#[tool]
fn find_user(#[cfg(unix)] db: &Db, id: u64) -> String {
    look_up(id)
}
