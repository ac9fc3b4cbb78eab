#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde")]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
struct UserId(u64);
