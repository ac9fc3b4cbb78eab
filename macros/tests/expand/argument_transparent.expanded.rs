#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde")]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
#[serde(transparent)]
struct UserId {
    id: u64,
}
