//! [`Whole`]: the arguments of a tool that a provider defines, which are one value as a whole and no row each.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::object::Arguments;
use super::problem::{Problems, of_whole};
use super::table::Parameters;
use crate::schema::{InputSchema, Property, Shape};
use crate::tool::{Provided, ProviderTool};

/// What the model sends to a tool that a provider defines: any type that can be read from JSON and has a schema.
///
/// The types of `anthropic::tools` and `openai::tools` are; others can be, for a [`ProviderTool`] of one's own provider.
pub trait ToolInput: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolInput for T {}

/// A provider's tool whose input is an `I`.
#[diagnostic::on_unimplemented(
    message = "a handler of a `{Self}` must not take `{I}`",
    label = "the provider's tool does not send this",
    note = "take what stands in the angle brackets of a `ProviderTool<..>`",
    note = "a `ComputerTool<..>` becomes one by its display: `COMPUTER_20251124.display(1024, 768)`"
)]
pub trait Sends<I> {
    /// The tool.
    fn tool(self) -> ProviderTool<I>;
}

impl<I: ToolInput> Sends<I> for ProviderTool<I> {
    fn tool(self) -> Self {
        self
    }
}

/// A table of one row that is the whole.
#[derive(Debug)]
pub struct Whole<I>(ProviderTool<I>);

/// The arguments of a provider's tool, as the function takes them.
#[must_use]
pub fn whole<I, P: Sends<I>>(tool: P) -> Whole<I> {
    Whole(tool.tool())
}

impl<I: ToolInput> Parameters for Whole<I> {
    type Values = (I, ());
    type Slots = ();

    fn read(&self, object: &Arguments<'_>, problems: &mut Problems) -> Option<(I, ())> {
        match I::deserialize(object.sound()?) {
            Ok(input) => Some((input, ())),
            Err(error) => {
                problems.add("", of_whole(&error));
                None
            }
        }
    }

    fn slots() {}

    // There are no shapes, so nobody asks.
    fn fill(&self, _: &[Shape], (): &mut (), _: &str, _: &str) -> Option<usize> {
        None
    }

    fn values(&self, (): ()) -> Option<(I, ())> {
        None
    }

    fn for_each(&self, _: &mut dyn FnMut(Property)) {}

    #[allow(private_interfaces, reason = "expansions only name the trait")]
    fn schema(&self) -> (InputSchema, Vec<String>) {
        (InputSchema::of_whole::<I>(), Vec::new())
    }

    #[allow(private_interfaces, reason = "expansions only name the trait")]
    fn provided(&self) -> Option<Provided> {
        Some(self.0.provided())
    }
}
