//! [`CallSlots`]: the calls of a message while they arrive, however loosely a server says which call a part is of.

use super::chunk::{Arguments, CallDelta};
use crate::json::RawJson;
use crate::raw_object::{RawObject, string};

/// Calls in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct CallSlots(Vec<CallSlot>);

/// One call while it arrives.
#[derive(Debug, Default)]
pub(super) struct CallSlot {
    index: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) arguments: String,
    is_custom: bool,
    extra_content: Option<RawJson>,
    /// Its place in the reply, once it was told.
    pub(super) place: Option<usize>,
    /// How much of the arguments was told.
    pub(super) told: usize,
    /// Its arguments are whole, and were told as that.
    pub(super) is_closed: bool,
}

impl CallSlots {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&CallSlot> {
        self.0.get(at)
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut CallSlot> {
        self.0.get_mut(at)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &CallSlot> {
        self.0.iter()
    }

    /// Whether another call than the one at a place has this id.
    pub(super) fn is_taken(&self, id: &str, at: usize) -> bool {
        let mut others = self.0.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(_, slot)| slot.place.is_some() && slot.id.as_deref() == Some(id))
    }

    /// Leaves those out that have no name; the place of each of the others among them by its place before.
    pub(super) fn leave_out_nameless(&mut self) -> Vec<usize> {
        let mut named = 0;
        let places = self.0.iter().map(|slot| {
            let place = named;
            named += usize::from(slot.name.is_some());
            place
        });
        let places = places.collect();
        self.0.retain(|slot| slot.name.is_some());
        places
    }

    /// Takes a part in; which call it is of. It may stand behind another one in the list of its chunk.
    pub(super) fn add(&mut self, delta: CallDelta, is_behind_another: bool) -> usize {
        let at = match self.slot_of(&delta, is_behind_another) {
            Some(at) => at,
            None => {
                self.0.push(CallSlot {
                    index: delta.index,
                    ..CallSlot::default()
                });
                self.0.len().saturating_sub(1)
            }
        };
        if let Some(slot) = self.0.get_mut(at) {
            slot.grow(delta);
        }
        at
    }

    /// The call that a part goes on with; none where it begins another.
    fn slot_of(&self, delta: &CallDelta, is_behind_another: bool) -> Option<usize> {
        let at = match delta.index {
            Some(index) => self.0.iter().rposition(|slot| slot.index == Some(index))?,
            None => self.0.len().checked_sub(1)?,
        };
        let slot = self.0.get(at)?;
        let is_other = |id: &String| slot.id.as_ref().is_some_and(|own| own != id);
        let has_other_id = delta.id.as_ref().is_some_and(is_other);
        // With an index, an id alone is no new call: some servers make one up for each part.
        let begins = match delta.index {
            Some(_) => has_other_id && delta.name.is_some(),
            None => has_other_id,
        };
        // No call has two names. Alone, one may still be the rest of a name that comes in parts.
        let has_new_id = delta.id.is_some() && delta.id != slot.id;
        let names = slot.name.as_ref().zip(delta.name.as_ref());
        let has_other_name =
            names.is_some_and(|(own, other)| own != other) && (has_new_id || slot.is_whole());
        // What is whole cannot go on, so a name with arguments behind it is another call's, unless it has the same id.
        let has_same_id = delta.id.is_some() && delta.id == slot.id;
        let is_next = || {
            let says = delta.arguments.as_ref().is_some_and(says);
            delta.name.is_some()
                && !has_same_id
                && (delta.index.is_none() || says)
                && slot.is_whole()
        };
        // A list has each call once: two of its items that have names are two calls.
        let is_listed = is_behind_another && delta.index.is_none() && names.is_some();
        let is_beside = is_listed && (!has_same_id || slot.is_whole());
        (!begins && !has_other_name && !is_beside && !is_next()).then_some(at)
    }
}

fn says(arguments: &Arguments) -> bool {
    let (Arguments::Part(text) | Arguments::Whole(text)) = arguments;
    !text.trim().is_empty()
}

impl CallSlot {
    /// Whether the arguments are an object, to which nothing can be added.
    pub(super) fn is_whole(&self) -> bool {
        // Asked with each part, so that most have to be told apart without reading all.
        let may_be = self.arguments.trim_end().ends_with('}');
        may_be && RawJson::from_text(self.arguments.clone()).is_object()
    }

    fn grow(&mut self, delta: CallDelta) {
        // The first of each counts, and nothing is put together of them: some servers repeat them with each part.
        self.id = self.id.take().or(delta.id);
        self.name = self.name.take().or(delta.name);
        self.extra_content = delta.extra_content.or(self.extra_content.take());
        self.is_custom |= delta.is_custom;
        if self.is_closed {
            return;
        }
        match delta.arguments {
            Some(Arguments::Part(part)) => {
                if self.arguments == "null" && !part.is_empty() {
                    // A gateway has said so before the model began.
                    self.arguments.clear();
                }
                self.arguments.push_str(&part);
            }
            Some(Arguments::Whole(whole)) => self.arguments = whole,
            None => {}
        }
    }

    /// The part of the arguments that was not told yet.
    pub(super) fn untold(&mut self) -> Option<String> {
        // It may be taken back by the next part.
        if self.arguments == "null" {
            return None;
        }
        let part = self.arguments.get(self.told..)?.to_owned();
        self.told = self.arguments.len();
        (!part.is_empty()).then_some(part)
    }

    /// The call as a plain reply has it.
    pub(super) fn compose(&self) -> RawJson {
        let text = |text: &Option<String>| string(text.as_deref().unwrap_or_default());
        let (kind, key) = if self.is_custom {
            ("custom", "input")
        } else {
            ("function", "arguments")
        };
        let arguments = match self.arguments.trim() {
            "" | "null" if !self.is_custom => "{}",
            _ => &self.arguments,
        };
        let mut inner = RawObject::default();
        inner.set("name", text(&self.name));
        inner.set(key, string(arguments));
        let mut call = RawObject::default();
        call.set("id", text(&self.id));
        call.set("type", string(kind));
        call.set(kind, inner.compose());
        if let Some(extra) = &self.extra_content {
            call.set("extra_content", extra.clone());
        }
        call.compose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(index: Option<u64>, id: &str, name: &str, arguments: &str) -> CallDelta {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        CallDelta {
            index,
            id: text(id),
            name: text(name),
            arguments: Some(Arguments::Part(arguments.to_owned())),
            ..CallDelta::default()
        }
    }

    fn calls(parts: Vec<CallDelta>) -> Vec<String> {
        let mut slots = CallSlots::default();
        for part in parts {
            slots.add(part, false);
        }
        told(&slots)
    }

    fn told(slots: &CallSlots) -> Vec<String> {
        let told = |slot: &CallSlot| {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            format!("{} {} {}", text(&slot.id), text(&slot.name), slot.arguments)
        };
        slots.iter().map(told).collect()
    }

    #[test]
    fn parts_are_of_the_call_of_their_index() {
        let parts = vec![
            part(Some(0), "a", "f", "{"),
            part(Some(1), "b", "g", "{"),
            part(Some(0), "", "", "}"),
            part(Some(1), "", "", "}"),
        ];
        assert_eq!(calls(parts), ["a f {}", "b g {}"]);
    }

    #[test]
    fn an_id_that_is_made_up_for_each_part_is_no_new_call() {
        let parts = vec![part(Some(0), "a", "f", "{"), part(Some(0), "b", "", "}")];
        assert_eq!(calls(parts), ["a f {}"]);
    }

    #[test]
    fn a_name_that_is_repeated_is_no_new_call() {
        let parts = vec![part(Some(0), "a", "f", "{"), part(Some(0), "", "f", "}")];
        assert_eq!(calls(parts), ["a f {}"]);
        let parts = vec![part(None, "a", "f", "{"), part(None, "a", "f", "}")];
        assert_eq!(calls(parts), ["a f {}"]);
    }

    #[test]
    fn whole_calls_without_index_and_id_are_several() {
        for index in [None, Some(0)] {
            let parts = vec![
                part(index, "", "f", "{}"),
                part(index, "", "f", "{\"a\":1}"),
            ];
            assert_eq!(calls(parts), [" f {}", " f {\"a\":1}"], "{index:?}");
        }
        let parts = vec![part(None, "a", "f", "{}"), part(None, "b", "f", "{}")];
        assert_eq!(calls(parts), ["a f {}", "b f {}"]);
    }

    #[test]
    fn an_index_that_is_used_again_with_another_id_and_name_is_another_call() {
        let parts = vec![part(Some(0), "a", "f", "{}"), part(Some(0), "b", "g", "{}")];
        assert_eq!(calls(parts), ["a f {}", "b g {}"]);
    }

    #[test]
    fn another_name_at_an_index_is_another_call() {
        for (first, second) in [("", ""), ("a", "a"), ("a", "")] {
            let parts = vec![
                part(Some(0), first, "f", "{}"),
                part(Some(0), second, "g", ""),
                part(Some(0), "", "", "{}"),
            ];
            let expected = [format!("{first} f {{}}"), format!("{second} g {{}}")];
            assert_eq!(calls(parts), expected);
        }
        let parts = vec![part(Some(0), "", "f", ""), part(Some(0), "b", "g", "{}")];
        assert_eq!(calls(parts), [" f ", "b g {}"]);
    }

    #[test]
    fn items_of_one_list_that_have_names_are_calls_each() {
        for (first, second) in [("", ""), ("a", "b")] {
            let mut slots = CallSlots::default();
            slots.add(part(None, first, "f", ""), false);
            slots.add(part(None, second, "f", ""), true);
            let expected = [format!("{first} f "), format!("{second} f ")];
            assert_eq!(told(&slots), expected);
        }
        let mut slots = CallSlots::default();
        slots.add(part(None, "a", "f", "{"), false);
        slots.add(part(None, "", "", "}"), true);
        assert_eq!(told(&slots), ["a f {}"], "one without a name goes on");
    }
}
