#[argument]
#[serde(transparent)]
struct UserId {
    id: u64,
}
