#[argument]
struct UserId(u64);
