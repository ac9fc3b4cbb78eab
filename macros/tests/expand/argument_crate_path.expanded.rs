#[derive(::my_haft::serde::Deserialize)]
#[serde(crate = "::my_haft::serde", deny_unknown_fields)]
#[derive(::my_haft::schemars::JsonSchema)]
#[schemars(crate = "::my_haft::schemars")]
struct Place<T> {
    city: T,
}
