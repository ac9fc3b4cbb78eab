#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
#[derive(Debug, serde::Deserialize)]
#[serde(crate = "::haft::serde")]
struct Place {
    city: String,
}
::core::compile_error! {
    "argument `Place` must not derive `Deserialize`\nnote: `#[argument]` does it: remove it here"
}
