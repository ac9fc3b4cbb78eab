#[argument]
#[derive(Debug, JsonSchema)]
#[schemars(crate = "my::schemars")]
struct Place {
    city: String,
}
