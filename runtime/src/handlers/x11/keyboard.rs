//! The keyboard: which keys give a symbol, and what is done where none does.

use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask};
use xkeysym::{Keysym, key};

use super::display::{Action, Display, Held, Input};
use super::keys::Combination;
use crate::tool::ToolError;

/// Between two characters: programs lose keys that come faster than they redraw.
const PACE: Duration = Duration::from_millis(4);
/// Until programs have surely read a key, before it gets another symbol: they ask what it means when they read it.
const SETTLE: Duration = Duration::from_millis(150);

/// How a symbol is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stroke {
    code: u8,
    with_shift: bool,
}

/// The symbols of all keys.
#[derive(Debug)]
pub(super) struct Keymap {
    first: u8,
    /// How many symbols each key has: without and with Shift, in the first group, then in the second, and others.
    width: usize,
    symbols: Vec<u32>,
    /// The group that holds, such as a second language.
    group: usize,
}

impl Keymap {
    /// As it is now.
    pub(super) fn of(display: &Display) -> Result<Self, ToolError> {
        let setup = display.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let count = last.saturating_sub(first).saturating_add(1);
        let mapping = display.reply(display.connection.get_keyboard_mapping(first, count))?;
        let (_, state) = display.pointer()?;
        Ok(Self {
            first,
            width: usize::from(mapping.keysyms_per_keycode).max(1),
            symbols: mapping.keysyms,
            group: usize::from(state >> 13 & 3),
        })
    }

    fn keys(&self) -> impl Iterator<Item = (u8, &[u32])> {
        (self.first..=u8::MAX).zip(self.symbols.chunks_exact(self.width))
    }

    fn find(&self, symbol: Keysym) -> Option<Stroke> {
        if symbol.is_modifier_key() {
            // The key is what modifies, at whichever place it has its name.
            let first = |(_, row): &(u8, &[u32])| row.first() == Some(&symbol.raw());
            let any = |(_, row): &(u8, &[u32])| row.contains(&symbol.raw());
            let (code, _) = self.keys().find(first).or_else(|| self.keys().find(any))?;
            let with_shift = false;
            return Some(Stroke { code, with_shift });
        }
        let character = symbol.key_char().filter(|c| !c.is_control());
        let exact = |other: Keysym| other == symbol;
        // A character may have two symbols: that of an old alphabet, and that of Unicode.
        let same = |other: Keysym| {
            character.is_some() && other.key_char() == character && !other.is_keypad_key()
        };
        self.stroke(exact).or_else(|| self.stroke(same))
    }

    fn stroke(&self, is_meant: impl Fn(Keysym) -> bool) -> Option<Stroke> {
        [false, true].into_iter().find_map(|with_shift| {
            let mut keys = self.keys();
            let found = keys.find(|(_, row)| {
                let symbol = self.level(row, with_shift);
                symbol.is_some_and(|symbol| is_meant(Keysym::new(symbol)))
            });
            found.map(|(code, _)| Stroke { code, with_shift })
        })
    }

    /// What a key gives in the group that holds; keys without it have the first.
    fn level(&self, row: &[u32], with_shift: bool) -> Option<u32> {
        let of_group = row.get(2 * self.group..2 * self.group + 2);
        let is_empty = |group: &&[u32]| group.iter().all(|symbol| *symbol == key::NoSymbol);
        let group = of_group.filter(|group| !is_empty(group)).unwrap_or(row);
        group.get(usize::from(with_shift)).copied()
    }

    /// How to make a symbol, for which a key may be lent.
    fn stroke_of(&mut self, action: &mut Action<'_>, symbol: Keysym) -> Result<Stroke, ToolError> {
        if let Some(stroke) = self.find(symbol) {
            return Ok(stroke);
        }
        if self.free(action.display)?.is_none() && !action.hands.lent.is_empty() {
            action.pause(SETTLE)?;
            let older = action.hands.lent.len().div_ceil(2);
            let older = action.hands.lent.drain(..older).collect();
            take_back(action.display, older)?;
            *self = Self::of(action.display)?;
        }
        let Some(code) = self.free(action.display)? else {
            let symbol = shown(symbol);
            return Err(ToolError::new(format!(
                "no key is free for `{symbol}`, which the keyboard lacks"
            )));
        };
        // Both levels, so that it does not matter which keys are held.
        set_symbol(action.display, code, symbol.raw())?;
        action.hands.lent.push(code);
        let row = usize::from(code.saturating_sub(self.first)) * self.width;
        for own in self.symbols.iter_mut().skip(row).take(self.width.min(2)) {
            *own = symbol.raw();
        }
        let with_shift = false;
        Ok(Stroke { code, with_shift })
    }

    /// A key that has no symbol, and is no modifier.
    fn free(&self, display: &Display) -> Result<Option<u8>, ToolError> {
        let modifiers = display.reply(display.connection.get_modifier_mapping())?;
        let is_free = |(code, row): &(u8, &[u32])| {
            row.iter().all(|symbol| *symbol == key::NoSymbol) && !modifiers.keycodes.contains(code)
        };
        Ok(self.keys().find(is_free).map(|(code, _)| code))
    }

    fn shift(&self) -> Result<Input, ToolError> {
        let shift = self.find(Keysym::new(key::Shift_L));
        let none = || ToolError::new("the keyboard has no Shift key");
        shift.map(|stroke| Input::Key(stroke.code)).ok_or_else(none)
    }
}

/// A symbol for an error: its character, if it is one.
fn shown(symbol: Keysym) -> String {
    match symbol.key_char().filter(|c| !c.is_control()) {
        Some(character) => character.to_string(),
        None => format!("{symbol:?}"),
    }
}

/// Presses the keys of a combination.
pub(super) fn hold<'a>(
    action: &mut Action<'a>,
    combination: &Combination,
) -> Result<Held<'a>, ToolError> {
    let mut held = action.hold();
    if combination.is_empty() {
        return Ok(held);
    }
    let mut map = Keymap::of(action.display)?;
    let is_shift = |symbol: &Keysym| [key::Shift_L, key::Shift_R].contains(&symbol.raw());
    let mut has_shift = combination.iter().any(is_shift);
    for symbol in combination {
        let stroke = map.stroke_of(action, *symbol)?;
        if stroke.with_shift && !has_shift {
            held.press(map.shift()?)?;
            has_shift = true;
        }
        held.press(Input::Key(stroke.code))?;
    }
    Ok(held)
}

/// Presses and releases combinations, one after the other.
pub(super) fn press(
    action: &mut Action<'_>,
    combinations: &[Combination],
) -> Result<(), ToolError> {
    for combination in combinations {
        hold(action, combination)?.release()?;
        action.pause(PACE)?;
    }
    Ok(())
}

/// Types symbols.
pub(super) fn type_all(action: &mut Action<'_>, symbols: &[Keysym]) -> Result<(), ToolError> {
    let mut map = Keymap::of(action.display)?;
    let _unlocked = Unlocked::new(action, &map)?;
    for symbol in symbols {
        let stroke = map.stroke_of(action, *symbol)?;
        let mut held = action.hold();
        if stroke.with_shift {
            held.press(map.shift()?)?;
        }
        held.press(Input::Key(stroke.code))?;
        held.release()?;
        action.pause(PACE)?;
    }
    Ok(())
}

/// Caps Lock is off, and on again where this goes.
struct Unlocked<'a>(Option<(Held<'a>, Input)>);

impl<'a> Unlocked<'a> {
    fn new(action: &Action<'a>, map: &Keymap) -> Result<Self, ToolError> {
        let (_, state) = action.display.pointer()?;
        let lock = map.find(Keysym::new(key::Caps_Lock));
        let is_on = state & u16::from(KeyButMask::LOCK) != 0;
        let Some(lock) = lock.filter(|_| is_on) else {
            return Ok(Self(None));
        };
        let lock = Input::Key(lock.code);
        let mut tap = action.hold();
        tap.press(lock)?;
        tap.release()?;
        Ok(Self(Some((action.hold(), lock))))
    }
}

impl Drop for Unlocked<'_> {
    fn drop(&mut self) {
        if let Some((mut tap, lock)) = self.0.take() {
            // Where the connection is lost, that is told by what went before.
            drop(tap.press(lock));
        }
    }
}

/// Takes the symbols of keys that were lent.
pub(super) fn take_back(display: &Display, lent: Vec<u8>) -> Result<(), ToolError> {
    let mut lent = lent.into_iter();
    lent.try_for_each(|code| set_symbol(display, code, key::NoSymbol))
}

fn set_symbol(display: &Display, code: u8, symbol: u32) -> Result<(), ToolError> {
    let (connection, symbols) = (&display.connection, [symbol; 2]);
    display.done(connection.change_keyboard_mapping(1, code, 2, &symbols))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two groups of two levels.
    fn keymap(group: usize) -> Keymap {
        let rows = [
            [key::q, key::Q, key::Cyrillic_shorti, key::Cyrillic_SHORTI],
            [key::_1, key::exclam, 0, 0],
            [key::KP_Home, key::KP_7, 0, 0],
            [0, 0, 0, 0],
            [0, key::Super_L, 0, 0],
            [key::Super_L, 0, 0, 0],
            [0x0100_00e9, 0x0100_00c9, 0, 0],
        ];
        Keymap {
            first: 8,
            width: 4,
            symbols: rows.concat(),
            group,
        }
    }

    fn found(group: usize, symbol: u32) -> Option<(u8, bool)> {
        let stroke = keymap(group).find(Keysym::new(symbol));
        stroke.map(|stroke| (stroke.code, stroke.with_shift))
    }

    #[test]
    fn a_symbol_has_a_key_and_perhaps_shift() {
        assert_eq!(found(0, key::q), Some((8, false)));
        assert_eq!(found(0, key::Q), Some((8, true)));
        assert_eq!(found(0, key::exclam), Some((9, true)));
        assert_eq!(found(0, key::KP_7), Some((10, true)));
        assert_eq!(found(0, key::_7), None, "the keypad is not for text");
        assert_eq!(found(0, key::x), None);
    }

    #[test]
    fn the_group_that_holds_is_asked() {
        assert_eq!(found(0, key::Cyrillic_shorti), None);
        assert_eq!(found(1, key::Cyrillic_shorti), Some((8, false)));
        assert_eq!(found(1, key::Cyrillic_SHORTI), Some((8, true)));
        assert_eq!(found(1, key::q), None);
        assert_eq!(found(1, key::exclam), Some((9, true)));
        assert_eq!(found(3, key::q), Some((8, false)));
    }

    #[test]
    fn modifiers_are_keys_and_characters_may_have_two_symbols() {
        assert_eq!(found(0, key::Super_L), Some((13, false)));
        assert_eq!(found(0, key::eacute), Some((14, false)));
        assert_eq!(found(0, key::Eacute), Some((14, true)));
    }
}
