//! [`Logprobs`]: how likely each token was, put together from the chunks of a stream.

use crate::json::RawJson;
use crate::raw_object::{RawObject, list};

/// The lists of all chunks, each as one; of anything else the last.
#[derive(Debug, Default)]
pub(super) struct Logprobs(Option<Vec<(String, Values)>>);

#[derive(Debug)]
enum Values {
    List(Vec<RawJson>),
    One(RawJson),
}

impl Logprobs {
    pub(super) fn add(&mut self, logprobs: &RawJson) {
        let Ok(newer) = RawObject::parse(logprobs) else {
            return;
        };
        let own = self.0.get_or_insert_default();
        for (key, value) in newer.into_fields() {
            let known = own.iter_mut().find(|(own, _)| *own == *key);
            let items = value.decode::<Vec<RawJson>>();
            match (known.map(|(_, values)| values), items) {
                (Some(Values::List(before)), Ok(items)) => before.extend(items),
                // Nothing is said of this chunk; what was said of others stays.
                (Some(_), Err(_)) if value.as_str() == "null" => {}
                (Some(before), Ok(items)) => *before = Values::List(items),
                (Some(before), Err(_)) => *before = Values::One(value),
                (None, Ok(items)) => own.push((key.to_string(), Values::List(items))),
                (None, Err(_)) => own.push((key.to_string(), Values::One(value))),
            }
        }
    }

    /// As a plain reply has them; nothing where there are none.
    pub(super) fn compose(&self) -> Option<RawJson> {
        let mut fields = RawObject::default();
        for (key, values) in self.0.as_ref()? {
            let value = match values {
                Values::List(items) => list(items),
                Values::One(value) => value.clone(),
            };
            fields.set(key, value);
        }
        Some(fields.compose())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_are_joined_and_null_takes_nothing_back() {
        let mut logprobs = Logprobs::default();
        assert!(logprobs.compose().is_none());
        for part in [
            json!({"content": null, "refusal": null}),
            json!({"content": [1, 2], "refusal": null}),
            json!({"content": null}),
            json!({"content": [3]}),
        ] {
            logprobs.add(&RawJson::from(part));
        }
        let whole = logprobs.compose().map(|it| it.to_value());
        assert_eq!(whole, Some(json!({"content": [1, 2, 3], "refusal": null})));
    }
}
