#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde", deny_unknown_fields)]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}
#[automatically_derived]
impl ::haft::__private::UnitEnum for Units {}
