//! [`Asked`]: what is known of a reply before it comes.

use super::ModelCall;
use crate::toolkit::Names;

/// What is known of a reply before it comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The model that was asked.
    pub(super) model: &'a str,
    /// How many replies the run has received before.
    pub(super) turn: usize,
    /// How the API names the tools that it defines.
    pub(super) names: &'a Names,
}

impl<'a> From<ModelCall<'a>> for Asked<'a> {
    fn from(call: ModelCall<'a>) -> Self {
        Self {
            model: &call.request().model,
            turn: call.turn(),
            names: call.definitions().names(),
        }
    }
}

impl Asked<'_> {
    /// The id of a call whose server gave none, by its block's place: the same however often it is read.
    pub(super) fn missing_id(self, place: usize) -> String {
        format!("call_{}_{place}", self.turn)
    }

    /// The same in nine letters and digits, which suit all servers of chat completions.
    pub(super) fn short_missing_id(self, place: usize) -> String {
        format!("call{}{}", base_36::<3>(self.turn), base_36::<2>(place))
    }
}

/// A number in letters and digits, in so many of them at least.
fn base_36<const WIDTH: usize>(mut number: usize) -> String {
    let mut digits = Vec::new();
    while number > 0 || digits.len() < WIDTH {
        let digit = u32::try_from(number % 36).unwrap_or_default();
        digits.extend(char::from_digit(digit, 36));
        number /= 36;
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_calls_without_an_id_get_the_same() {
        let places = [
            (1, 0),
            (10, 0),
            (1, 100),
            (100, 1),
            (1001, 0),
            (100, 100),
            (0, 0),
        ];
        let names = Names::NONE;
        let ids = places.map(|(turn, at)| {
            let asked = Asked {
                model: "m",
                turn,
                names: &names,
            };
            asked.short_missing_id(at)
        });
        assert!(ids.iter().all(|id| id.len() == 9), "{ids:?}");
        assert_eq!(HashSet::from(ids.clone()).len(), 7, "{ids:?}");
    }
}
