//! [`provider_from_env`]: whichever provider the environment has a key for.

use super::Provider;
use crate::error::Error;
use crate::testing::TestModel;

/// The provider that the environment has a key for, else the test model.
///
/// With `ANTHROPIC_API_KEY` set (and the feature `anthropic` on) it is `anthropic::Anthropic`. Else
/// it is [`TestModel`], and one line on standard error says so.
///
/// ```no_run
/// use haft::{Request, Runner, Toolkit};
///
/// # async fn example(kit: Toolkit) -> Result<(), haft::Error> {
/// let provider = haft::provider_from_env()?;
/// let end = Runner::new(provider, kit, Request::new("claude-opus-5-5").user("Hello")).run_to_completion().await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Where a provider's settings in the environment cannot work, such as a base URL that is none.
pub fn provider_from_env() -> Result<Box<dyn Provider>, Error> {
    #[cfg(feature = "anthropic")]
    if super::anthropic::Anthropic::is_in_env() {
        return Ok(Box::new(super::anthropic::Anthropic::from_env()?));
    }
    #[allow(
        clippy::print_stderr,
        reason = "what the program runs on is for the person who started it"
    )]
    {
        let reason = if cfg!(feature = "anthropic") {
            "no ANTHROPIC_API_KEY is set"
        } else {
            "haft was built without a provider"
        };
        eprintln!("haft: {reason}, so the test model answers");
    }
    Ok(Box::new(TestModel::new()))
}
