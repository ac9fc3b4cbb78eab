#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde", deny_unknown_fields)]
#[derive(Debug, JsonSchema)]
#[schemars(crate = "my::schemars")]
struct Place {
    city: String,
}
::core::compile_error! {
    "argument `Place` must not derive `JsonSchema`\nnote: `#[argument]` does it: remove it here"
}
