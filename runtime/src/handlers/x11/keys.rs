//! The names of keys: what the model writes, such as `ctrl+s`, as symbols of X.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use xkeysym::{Keysym, key};

use crate::nearest::nearest;
use crate::tool::ToolError;

/// Other names than X's, which models write too; in lower case. X's own second names are among them, since the table of
/// names has one for each symbol.
const ALIASES: [(&str, u32); 31] = [
    ("alt", key::Alt_L),
    ("altgr", key::ISO_Level3_Shift),
    ("arrowdown", key::Down),
    ("arrowleft", key::Left),
    ("arrowright", key::Right),
    ("arrowup", key::Up),
    ("capslock", key::Caps_Lock),
    ("cmd", key::Super_L),
    ("command", key::Super_L),
    ("control", key::Control_L),
    ("ctrl", key::Control_L),
    ("del", key::Delete),
    ("enter", key::Return),
    ("esc", key::Escape),
    ("hyper", key::Hyper_L),
    ("ins", key::Insert),
    ("kp_page_down", key::KP_Page_Down),
    ("kp_page_up", key::KP_Page_Up),
    ("meta", key::Meta_L),
    ("numlock", key::Num_Lock),
    ("option", key::Alt_L),
    ("page_down", key::Page_Down),
    ("page_up", key::Page_Up),
    ("pagedown", key::Page_Down),
    ("pageup", key::Page_Up),
    ("printscreen", key::Print),
    ("shift", key::Shift_L),
    ("spacebar", key::space),
    ("super", key::Super_L),
    ("win", key::Super_L),
    ("windows", key::Super_L),
];

/// Where symbols with names are: X's own, those of Unicode, and those of media keys.
const NAMED: [RangeInclusive<u32>; 3] = [
    0x20..=0xffff,
    0x0100_0000..=0x0100_ffff,
    0x1008_0000..=0x1008_ffff,
];

/// Keys that are pressed together, in their order.
pub(super) type Combination = Vec<Keysym>;

/// Reads combinations, one after the other with spaces between them. A space alone is that key.
///
/// # Errors
/// Where a key is not known, or there is none.
pub(super) fn combinations(text: &str) -> Result<Vec<Combination>, ToolError> {
    if text == " " {
        return Ok(vec![vec![Keysym::new(key::space)]]);
    }
    let combinations: Vec<_> = text
        .split_whitespace()
        .map(combination)
        .collect::<Result<_, _>>()?;
    if combinations.is_empty() {
        return Err(ToolError::new(
            "`text` names no key; give one, such as `Return` or `ctrl+s`",
        ));
    }
    Ok(combinations)
}

/// Reads one combination: names with `+` between them, of which the last may be `+` itself.
///
/// # Errors
/// Where a key is not known.
pub(super) fn combination(text: &str) -> Result<Combination, ToolError> {
    let (names, last) = match text.strip_suffix('+') {
        Some("") => ("", Some("plus")),
        Some(names) if names.ends_with('+') => (names.trim_end_matches('+'), Some("plus")),
        _ => (text, None),
    };
    let names = names.split('+').filter(|name| !name.is_empty());
    names.chain(last).map(|name| symbol(name.trim())).collect()
}

/// The symbol of a key.
fn symbol(name: &str) -> Result<Keysym, ToolError> {
    let mut chars = name.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return character(only);
    }
    let exact = table().get(name).copied();
    let known = exact.or_else(|| {
        let lower = name.to_ascii_lowercase();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == lower);
        alias.map(|(_, symbol)| *symbol)
    });
    let known = known.or_else(|| code_point(name)).or_else(|| {
        let mut names = table().iter();
        let same = names.find(|(known, _)| known.eq_ignore_ascii_case(name));
        same.map(|(_, symbol)| *symbol)
    });
    known.map(Keysym::new).ok_or_else(|| unknown(name))
}

/// `U20AC`, as X writes characters that have no name.
fn code_point(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('U')?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    let is_long = (4..=6).contains(&digits.len());
    let character = char::from_u32(value).filter(|_| is_long)?;
    Some(Keysym::from_char(character).raw())
}

fn unknown(name: &str) -> ToolError {
    let meant = nearest(name, table().keys().map(String::as_str)).or_else(|| {
        let aliases = ALIASES.iter().map(|(alias, _)| *alias);
        nearest(&name.to_ascii_lowercase(), aliases)
    });
    let meant = meant.map(|meant| format!(" Did you mean `{meant}`?"));
    let shown: String = name.chars().take(100).collect();
    ToolError::new(format!(
        "unknown key `{shown}`.{} Keys have X's names: a character such as `a` or `/`, Return, Tab, Escape, BackSpace, \
         Delete, Insert, space, Up, Down, Left, Right, Home, End, Page_Up, Page_Down, F1 to F35, KP_0 to KP_9; \
         with ctrl, alt, shift or super before a `+` where they are held.",
        meant.unwrap_or_default()
    ))
}

/// The symbols of a text to type.
///
/// # Errors
/// Where a character cannot be typed.
pub(super) fn text(text: &str) -> Result<Vec<Keysym>, ToolError> {
    // Both mean one key.
    let text = text.replace("\r\n", "\n");
    text.chars().map(character).collect()
}

fn character(character: char) -> Result<Keysym, ToolError> {
    let typed = match character {
        '\n' | '\r' => Some(Keysym::new(key::Return)),
        '\t' | '\u{8}' | '\u{1b}' | '\u{7f}' => Some(Keysym::from_char(character)),
        _ if character.is_control() => None,
        _ => Some(Keysym::from_char(character)).filter(|symbol| symbol.raw() != key::NoSymbol),
    };
    typed.ok_or_else(|| {
        let code = u32::from(character);
        ToolError::new(format!("there is no key for the character U+{code:04X}"))
    })
}

/// The symbols by their names, in an order, so that of two that differ in case alone the same is found always.
fn table() -> &'static BTreeMap<String, u32> {
    static TABLE: OnceLock<BTreeMap<String, u32>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let symbols = NAMED.into_iter().flatten();
        let named = symbols.filter_map(|symbol| Some((named(symbol)?, symbol)));
        named.collect()
    })
}

fn named(symbol: u32) -> Option<String> {
    let name = Keysym::new(symbol).name()?;
    match name.strip_prefix("XF86XK_") {
        // So it is written everywhere but in C.
        Some(media) => Some(format!("XF86{media}")),
        None => name.strip_prefix("XK_").map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Vec<u32>> {
        let raw = |combination: Combination| combination.iter().map(|key| key.raw()).collect();
        combinations(text).unwrap().into_iter().map(raw).collect()
    }

    #[test]
    fn keys_have_the_names_of_x_and_those_that_models_use() {
        for (name, symbol) in [
            ("Return", key::Return),
            ("enter", key::Return),
            ("RETURN", key::Return),
            ("Page_Up", key::Page_Up),
            ("Prior", key::Page_Up),
            ("pagedown", key::Page_Down),
            ("F12", key::F12),
            ("f5", key::F5),
            ("KP_7", key::KP_7),
            ("slash", key::slash),
            ("/", key::slash),
            ("A", key::A),
            ("eacute", key::eacute),
            ("\u{20ac}", key::EuroSign),
            ("U20AC", key::EuroSign),
            ("U1F600", 0x0101_f600),
            ("XF86AudioMute", key::XF86_AudioMute),
            ("Super_L", key::Super_L),
            (" ", key::space),
        ] {
            assert_eq!(read(name), [[symbol]], "{name}");
        }
    }

    #[test]
    fn a_plus_joins_keys_and_is_one() {
        let plus = key::plus;
        assert_eq!(read("ctrl+s"), [[key::Control_L, key::s]]);
        assert_eq!(
            read("Ctrl+Shift+Tab"),
            [[key::Control_L, key::Shift_L, key::Tab]]
        );
        assert_eq!(read("+"), [[plus]]);
        assert_eq!(read("ctrl++"), [[key::Control_L, plus]]);
        assert_eq!(read("ctrl+plus"), [[key::Control_L, plus]]);
        assert_eq!(
            read("Down alt+F4"),
            [vec![key::Down], vec![key::Alt_L, key::F4]]
        );
    }

    #[test]
    fn an_unknown_key_is_told_with_what_is_known() {
        let error = combinations("ctrl+Return1").unwrap_err();
        let told = "unknown key `Return1`. Did you mean `Return`? Keys have X's names: ";
        assert!(error.message().starts_with(told), "{error}");
        let error = combinations("xyzzyplugh").unwrap_err();
        assert!(
            error.message().contains("`xyzzyplugh`. Keys have"),
            "{error}"
        );
        let error = combinations("  ").unwrap_err();
        assert!(error.message().contains("names no key"), "{error}");
        assert!(combination("").unwrap().is_empty());
    }

    #[test]
    fn a_text_is_checked_before_it_is_typed() {
        let symbols: Vec<_> = text("a\r\n\t\u{e4}").unwrap();
        let symbols: Vec<_> = symbols.iter().map(|symbol| symbol.raw()).collect();
        assert_eq!(symbols, [key::a, key::Return, key::Tab, key::adiaeresis]);
        let error = text("a\u{7}").unwrap_err();
        assert_eq!(error.message(), "there is no key for the character U+0007");
    }
}
