//! [`BlockOptions`]: fields of a content block that only some providers know.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Fields of a content block that only some providers know. Most blocks have none, and cost a pointer for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct BlockOptions(Option<Box<Map<String, Value>>>);

impl BlockOptions {
    pub(crate) const fn are_none(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn set(&mut self, key: String, value: Value) {
        self.0.get_or_insert_default().insert(key, value);
    }

    pub(crate) fn get(&self) -> Option<&Map<String, Value>> {
        self.0.as_deref()
    }
}
