/// Find a user.
#[tool]
async fn find_user<'a>(db: &'a Db, context: &CallContext, id: u64, store: &dyn Store) -> String {
    look_up(db, context, id, store).await
}
