#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde", deny_unknown_fields)]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
enum Mode {
    /// As fast as it can.
    Fast,
    #[schemars(extend("x-haft" = true))]
    Slow,
    Timed { seconds: u32 },
}
