/// Tell the time.
#[tool]
async fn now() {
    clock()
}
