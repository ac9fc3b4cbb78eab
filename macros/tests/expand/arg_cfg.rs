/// Search for flights.
#[tool]
async fn search_flights(#[cfg(unix)] #[arg(default = 1, min = LEAST)] seats: u32) -> String {
    look_up(seats).await
}
