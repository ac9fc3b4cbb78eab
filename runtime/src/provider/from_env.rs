//! [`provider_from_env`]: whichever provider the environment has a key for.

use super::Provider;
use crate::error::Error;
use crate::testing::TestModel;

/// The provider that the environment has settings for, else the test model.
///
/// | set in the environment | provider |
/// |---|---|
/// | `ANTHROPIC_API_KEY` | `anthropic::Anthropic`, also where a key of OpenAI is set |
/// | `OPENAI_API_KEY` | `openai::Responses`, at `OPENAI_BASE_URL` if that is set, too |
/// | `OPENAI_BASE_URL` alone | `openai::Chat`: a server of one's own needs no key, and speaks that |
/// | none of them | [`TestModel`], and one line on standard error says so |
///
/// A provider whose feature is off is passed over. The request names a model, which has to be one of that provider.
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
    #[cfg(feature = "openai")]
    match super::openai::in_env() {
        (true, _) => return Ok(Box::new(super::openai::Responses::from_env()?)),
        (false, true) => return Ok(Box::new(super::openai::Chat::from_env()?)),
        (false, false) => {}
    }
    #[allow(
        clippy::print_stderr,
        reason = "what the program runs on is for the person who started it"
    )]
    {
        let reason = match (cfg!(feature = "anthropic"), cfg!(feature = "openai")) {
            (true, true) => {
                "neither ANTHROPIC_API_KEY nor OPENAI_API_KEY nor OPENAI_BASE_URL is set"
            }
            (true, false) => "no ANTHROPIC_API_KEY is set",
            (false, true) => "neither OPENAI_API_KEY nor OPENAI_BASE_URL is set",
            (false, false) => "haft was built without a provider",
        };
        eprintln!("haft: {reason}, so the test model answers");
    }
    Ok(Box::new(TestModel::new()))
}
