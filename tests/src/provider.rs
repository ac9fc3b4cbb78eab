//! A provider for a server under test.

use haft::anthropic::Anthropic;

use crate::fail;
use crate::server::Server;

/// Anthropic's API at the test server, set up with nothing else.
///
/// # Panics
/// Where it cannot be set up.
#[must_use]
pub fn anthropic(server: &Server) -> Anthropic {
    let builder = Anthropic::builder().api_key("none").base_url(server.url());
    let built = builder.build();
    built.unwrap_or_else(|error| fail(format_args!("no provider: {error}")))
}
