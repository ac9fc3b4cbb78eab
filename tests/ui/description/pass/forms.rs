// A description is a doc comment, a literal or a constant; paragraphs stay apart.
use haft::tool;

/// Get the weather.
///
/// For cities only:
///   - no villages
#[tool]
async fn lines() {}

/** Get the weather.
 *
 * For cities only.
 */
#[tool]
async fn block() {}

/// For people.
#[tool(description = "For the model.")]
async fn literal() {}

mod texts {
    pub const WEATHER: &str = "  Get the weather.\n";
}

#[tool(description = texts::WEATHER)]
async fn constant() {}

/// Get the weather
#[doc = concat!("of ", "a city.")]
#[doc(alias = "forecast")]
#[tool]
async fn pieces() {}

fn main() {
    assert_eq!(
        lines::DESCRIPTION,
        "Get the weather.\n\nFor cities only:\n  - no villages"
    );
    assert_eq!(block::DESCRIPTION, "Get the weather.\n\nFor cities only.");
    assert_eq!(literal::DESCRIPTION, "For the model.");
    assert_eq!(constant::DESCRIPTION, "Get the weather.");
    assert_eq!(pieces::DESCRIPTION, "Get the weather\nof a city.");
}
