//! [`Encoded`]: what a thing is on the wire, kept beside it so that it is written once and not at
//! each turn.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::api::Api;
use crate::error::Error;

/// The form in which a thing is encoded: an API's, in the variant that its codec numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) api: Api,
    pub(crate) variant: u64,
}

/// The bytes of one value in the form that was asked for last.
///
/// One entry is enough: a run that moves to another provider writes its tools anew once, and stays there. (For its
/// messages, see [`Joined`](crate::joined::Joined).)
#[derive(Default)]
pub(crate) struct Encoded(Mutex<Option<(Form, Bytes)>>);

impl Encoded {
    /// Shows `look` the kept bytes, or those that `encode` makes.
    pub(crate) fn with<T>(
        &self,
        form: &Form,
        encode: impl FnOnce() -> Result<Bytes, Error>,
        look: impl FnOnce(&Bytes) -> T,
    ) -> Result<T, Error> {
        // A poisoned lock is fine: the entry is replaced as a whole, never half.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, bytes)) = &*kept
            && of == form
        {
            return Ok(look(bytes));
        }
        let (_, bytes) = kept.insert((form.clone(), encode()?));
        Ok(look(bytes))
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Encoded(..)")
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_thing_is_encoded_once_for_one_form() {
        let (encoded, times) = (Encoded::default(), Cell::new(0));
        let get = |api: Api, variant: u64| {
            let encode = || {
                times.set(times.get() + 1);
                Ok(Bytes::from(format!("{api} {variant}")))
            };
            encoded
                .with(
                    &Form {
                        api: api.clone(),
                        variant,
                    },
                    encode,
                    Bytes::clone,
                )
                .unwrap()
        };
        assert_eq!(get(Api::TESTING, 0), "testing 0");
        assert_eq!(get(Api::TESTING, 0), "testing 0");
        assert_eq!(times.get(), 1);
        assert_eq!(get(Api::TESTING, 1), "testing 1");
        assert_eq!(get(Api::ANTHROPIC_MESSAGES, 1), "anthropic-messages 1");
        assert_eq!(times.get(), 3, "another form is other bytes");
    }
}
