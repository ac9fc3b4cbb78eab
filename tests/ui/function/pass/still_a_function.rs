// The function is what it was: it can be called, passed on, and has its attributes.
#![deny(warnings)]

use haft::tool;

/// Add two numbers.
#[tool]
#[inline]
#[must_use]
pub fn add(a: u8, b: u8) -> u8 {
    a + b
}

/// Double a number.
#[must_use]
#[tool]
pub const fn double(number: u8) -> u8 {
    number * 2
}

/// Get the weather.
#[tool]
pub async fn get_weather(city: String) -> Result<String, String> {
    let (city, length) = { (city.clone(), city.len()) };
    if length == 0 { Err(city)? } else { Ok(city) }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    const FOUR: u8 = double(2);
    let function: fn(u8, u8) -> u8 = add;
    assert_eq!((function(1, 2), FOUR), (3, 4));
    assert_eq!(get_weather("Tokyo".into()).await, Ok("Tokyo".into()));
}
