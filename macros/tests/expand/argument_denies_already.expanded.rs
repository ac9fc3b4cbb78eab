#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde")]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Place {
    city: String,
}
