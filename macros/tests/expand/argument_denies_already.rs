#[argument]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Place {
    city: String,
}
