/// Where something is.
#[argument]
#[derive(Clone)]
pub struct Place {
    /// The city.
    city: String,
    #[serde(default)]
    country: Option<String>,
}
