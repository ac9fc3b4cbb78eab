/// Search for flights.
#[tool]
async fn search_flights(
    /// For people.
    #[arg(description = "The airport, as three letters.", rename = "from", min_len = 3, max_len = 3, pattern = "^[A-Z]{3}$")]
    origin: String,
    #[arg(default = 1, example = 2, min = 1, max = MOST, multiple_of = 1)] seats: u32,
    #[arg(default = Class::Economy)] class: Class,
    #[arg(default)] stops: Vec<String>,
    #[arg(example = "Lufthansa", example = AIRLINE.to_owned(), max_items = 5)] airlines: Option<Vec<String>>,
    #[arg(default = "EUR", max_len = LONGEST)] currency: String,
    #[arg(example = 0.5, exclusive_min = 0.0, exclusive_max = 1.0)] discount: Option<f64>,
) -> String {
    look_up(origin, seats).await
}
