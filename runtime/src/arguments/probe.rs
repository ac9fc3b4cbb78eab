//! [`Probe`]: questions to a type that a constant answers, whatever alias the type has.
//!
//! An expansion says `<Probe<T>>::IS_OPTION` with [`ProbeOtherwise`] in scope. The compiler takes a constant of the
//! type itself before one of a trait, so the answer is true where it is written for the type, and false otherwise.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

/// A type that is asked.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The answers where no other is given.
pub trait ProbeOtherwise {
    /// Whether it is an `Option`.
    const IS_OPTION: bool = false;
    /// Whether it is a map of the standard library with numbers or truth values as keys.
    const HAS_NUMBER_KEYS: bool = false;
}

impl<T: ?Sized> ProbeOtherwise for Probe<T> {}

impl<T> Probe<Option<T>> {
    /// It is one.
    pub const IS_OPTION: bool = true;
}

macro_rules! number_keys {
    ($($key:ty)*) => {$(
        impl<V, S> Probe<HashMap<$key, V, S>> {
            /// It has.
            pub const HAS_NUMBER_KEYS: bool = true;
        }

        impl<V> Probe<BTreeMap<$key, V>> {
            /// It has.
            pub const HAS_NUMBER_KEYS: bool = true;
        }
    )*};
}

number_keys!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);

#[cfg(test)]
mod tests {
    use super::*;

    type Alias = Option<u8>;
    type Counts = HashMap<u32, String>;

    #[test]
    fn constants_tell_what_a_type_is() {
        const ANSWERS: [bool; 3] = [
            <Probe<Alias>>::IS_OPTION,
            <Probe<Box<Alias>>>::IS_OPTION,
            <Probe<str>>::IS_OPTION,
        ];
        assert_eq!(ANSWERS, [true, false, false]);
        const KEYS: [bool; 5] = [
            <Probe<Counts>>::HAS_NUMBER_KEYS,
            <Probe<BTreeMap<bool, ()>>>::HAS_NUMBER_KEYS,
            <Probe<HashMap<i128, u8, Alias>>>::HAS_NUMBER_KEYS,
            <Probe<BTreeMap<String, u8>>>::HAS_NUMBER_KEYS,
            <Probe<u8>>::HAS_NUMBER_KEYS,
        ];
        assert_eq!(KEYS, [true, true, true, false, false]);
    }
}
