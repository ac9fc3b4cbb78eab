#[argument]
#[derive(Debug, serde::Deserialize)]
struct Place {
    city: String,
}
