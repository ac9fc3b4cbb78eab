//! [`Encoded`]: what a thing is on the wire, kept beside it so that it is written once and not at each turn.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::error::Error;
use crate::provider::Api;

/// The bytes of one value in the form of the API that asked last.
///
/// One entry is enough: a conversation that moves to another provider is written anew once, and stays there.
#[derive(Default)]
pub(crate) struct Encoded(Mutex<Option<(Api, Bytes)>>);

impl Encoded {
    /// The kept bytes, or those that `encode` makes.
    pub(crate) fn get_or_encode(
        &self,
        api: Api,
        encode: impl FnOnce() -> Result<Bytes, Error>,
    ) -> Result<Bytes, Error> {
        // A poisoned lock is fine: the entry is replaced as a whole, never half.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((of, bytes)) if *of == api => Ok(bytes.clone()),
            _ => {
                let bytes = encode()?;
                *kept = Some((api, bytes.clone()));
                Ok(bytes)
            }
        }
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Encoded(..)")
    }
}
