#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde", deny_unknown_fields)]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
/// Where something is.
#[derive(Clone)]
pub struct Place {
    /// The city.
    city: String,
    #[serde(default)]
    country: Option<String>,
}
