//! [`Stored`]: the replies of a script that the Responses API has stored, and goes on from.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use haft::serde_json::{self, Value, json};

/// The items up to the end of each reply, by its id.
#[derive(Debug, Default)]
pub(super) struct Stored(Mutex<HashMap<String, Vec<Value>>>);

impl Stored {
    fn replies(&self) -> MutexGuard<'_, HashMap<String, Vec<Value>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The API loses them, as it does after a month.
    pub(super) fn lose(&self) {
        self.replies().clear();
    }

    /// Puts what is stored before what is sent, so that a body has all.
    ///
    /// # Errors
    /// What the API answers where it has lost that.
    pub(super) fn complete(&self, body: &mut Value) -> Result<(), Value> {
        let Some(id) = body["previous_response_id"].as_str() else {
            return Ok(());
        };
        let Some(mut items) = self.replies().get(id).cloned() else {
            let message = format!("Previous response with id '{id}' not found.");
            let code = "previous_response_not_found";
            let error = json!({"type": "invalid_request_error", "code": code, "message": message});
            return Err(json!({"error": error}));
        };
        items.extend(body["input"].as_array().into_iter().flatten().cloned());
        body["input"] = items.into();
        Ok(())
    }

    /// Stores the reply to a body that has all.
    pub(super) fn keep(&self, reply: &Value, body: &Value) {
        let mut items = body["input"].as_array().cloned().unwrap_or_default();
        items.extend(output(reply));
        let id = reply["id"].as_str().unwrap_or_default();
        self.replies().insert(id.to_owned(), items);
    }
}

/// The items of a reply. What the model has got wrong is the API's own affair, since it is not sent again.
fn output(reply: &Value) -> impl Iterator<Item = Value> {
    let items = reply["output"].as_array().into_iter().flatten();
    items.cloned().map(|mut item| {
        let arguments = item["arguments"].as_str();
        let value = arguments.and_then(|text| serde_json::from_str::<Value>(text).ok());
        if arguments.is_some() && !value.is_some_and(|value| value.is_object()) {
            item["arguments"] = "{}".into();
        }
        item
    })
}
