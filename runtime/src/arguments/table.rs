//! [`Parameters`]: a function's table of parameters, as nested pairs, and the two ways to read along it.

use super::object::Arguments;
use super::parameter::Parameter;
use super::problem::Problems;
use crate::schema::{InputSchema, Property, Shape};
use crate::tool::Provided;

/// A function's table of parameters: rows as nested pairs, `(first, (second, ()))`, which have no limit.
pub trait Parameters {
    /// The arguments, nested in the same way.
    type Values;
    /// A place for each of them.
    type Slots;

    /// Reads all, also after one that does not fit; `None` where any does not.
    fn read(&self, object: &Arguments<'_>, problems: &mut Problems) -> Option<Self::Values>;

    /// Empty places.
    fn slots() -> Self::Slots;

    /// Reads the value at the front of `json` into the place for `key`, and gives its length. `None` where anything is
    /// wrong: no such key, one that is there twice, a value that does not fit or keep its bounds. There is a shape for
    /// each row.
    fn fill(
        &self,
        shapes: &[Shape],
        slots: &mut Self::Slots,
        key: &str,
        json: &str,
    ) -> Option<usize>;

    /// The arguments, with those that were left out; `None` where one must not be.
    fn values(&self, slots: Self::Slots) -> Option<Self::Values>;

    /// Shows each row to `look`, in order.
    fn for_each(&self, look: &mut dyn FnMut(Property));

    /// The schema of the arguments, and what is wrong with it, each with its JSON path and what to do.
    #[allow(private_interfaces, reason = "expansions only name the trait")]
    fn schema(&self) -> (InputSchema, Vec<String>) {
        let mut properties = Vec::new();
        self.for_each(&mut |property| properties.push(property));
        InputSchema::of_properties(&mut properties)
    }

    /// The provider's tool that these are the arguments of, if it is one.
    #[allow(private_interfaces, reason = "expansions only name the trait")]
    fn provided(&self) -> Option<Provided> {
        None
    }
}

impl Parameters for () {
    type Values = ();
    type Slots = ();

    fn read(&self, _: &Arguments<'_>, _: &mut Problems) -> Option<()> {
        Some(())
    }

    fn slots() {}

    fn fill(&self, _: &[Shape], (): &mut (), _: &str, _: &str) -> Option<usize> {
        None
    }

    fn values(&self, (): ()) -> Option<()> {
        Some(())
    }

    fn for_each(&self, _: &mut dyn FnMut(Property)) {}
}

impl<T, Rest: Parameters> Parameters for (Parameter<T>, Rest) {
    type Values = (T, Rest::Values);
    type Slots = (Option<T>, Rest::Slots);

    fn read(&self, object: &Arguments<'_>, problems: &mut Problems) -> Option<Self::Values> {
        let first = self.0.value(object, problems);
        let rest = self.1.read(object, problems);
        first.zip(rest)
    }

    #[inline]
    fn slots() -> Self::Slots {
        (None, Rest::slots())
    }

    #[inline]
    fn fill(
        &self,
        shapes: &[Shape],
        slots: &mut Self::Slots,
        key: &str,
        json: &str,
    ) -> Option<usize> {
        let (shape, others) = shapes.split_first()?;
        if self.0.key() != key {
            return self.1.fill(others, &mut slots.1, key, json);
        }
        if slots.0.is_some() || !shape.fits(json) {
            return None;
        }
        let (value, length) = self.0.value_at(json)?;
        slots.0 = Some(value);
        Some(length)
    }

    #[inline]
    fn values(&self, slots: Self::Slots) -> Option<Self::Values> {
        let first = slots.0.or_else(|| self.0.left_out())?;
        Some((first, self.1.values(slots.1)?))
    }

    fn for_each(&self, look: &mut dyn FnMut(Property)) {
        look(self.0.property());
        self.1.for_each(look);
    }
}
