#[argument]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}
