//! [`Details`]: OpenRouter's `reasoning_details`, which come in parts, as they go back: each whole.

use crate::json::RawJson;
use crate::raw_object::{RawObject, list, string};

/// The details of the reasoning so far.
#[derive(Debug, Default)]
pub(super) struct Details(Vec<Detail>);

/// One of them: its fields, and those that are joined.
#[derive(Debug)]
struct Detail {
    fields: RawObject,
    joined: Vec<(&'static str, String)>,
}

/// Fields whose parts are joined; of the others the last counts.
const JOINED: [&str; 3] = ["text", "summary", "data"];
/// What tells which detail a part is of.
const SAME: [&str; 2] = ["type", "index"];

impl Details {
    /// Takes a part in; what is shown of it. None where it is no part.
    pub(super) fn add(&mut self, part: &RawJson) -> Option<String> {
        let mut fields = RawObject::parse(part).ok()?;
        let mut texts = Vec::new();
        for key in JOINED {
            let text = fields.get(key).and_then(|it| it.decode::<String>().ok());
            if let Some(text) = text {
                fields.take(key);
                texts.push((key, text));
            }
        }
        let shown = texts.iter().filter(|(key, _)| *key != "data");
        let shown: String = shown.map(|(_, text)| text.as_str()).collect();
        match self.0.last_mut().filter(|last| last.is_same(&fields)) {
            Some(last) => last.grow(fields, texts),
            None => self.0.push(Detail {
                fields,
                joined: texts,
            }),
        }
        Some(shown)
    }

    /// All of them; nothing where there are none.
    pub(super) fn compose(&self) -> Option<RawJson> {
        let details: Vec<_> = self.0.iter().map(Detail::compose).collect();
        (!details.is_empty()).then(|| list(&details))
    }
}

impl Detail {
    fn is_same(&self, fields: &RawObject) -> bool {
        let has_index = fields.get("index").is_some();
        has_index
            && SAME
                .iter()
                .all(|key| self.fields.get(key) == fields.get(key))
    }

    fn grow(&mut self, fields: RawObject, texts: Vec<(&'static str, String)>) {
        self.fields.update(fields);
        for (key, text) in texts {
            match self.joined.iter_mut().find(|(own, _)| *own == key) {
                Some((_, joined)) => joined.push_str(&text),
                None => self.joined.push((key, text)),
            }
        }
    }

    fn compose(&self) -> RawJson {
        let mut fields = RawObject::default();
        for (key, value) in self.fields.fields() {
            fields.set(key, value.clone());
        }
        for (key, text) in &self.joined {
            fields.set(key, string(text));
        }
        fields.compose()
    }
}
