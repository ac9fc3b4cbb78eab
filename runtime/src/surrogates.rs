//! Lone surrogates in JSON text: `\ud83d` without its other half, which is no character. Models write them, and APIs
//! refuse each request in which one stands.

use bytes::Bytes;
use memchr::memchr_iter;

/// The same JSON text without any; a copy only where it may have one.
pub(crate) fn without_lone_surrogates(json: Bytes) -> Bytes {
    let mut escapes = memchr_iter(b'\\', &json);
    let may_be_one = |at| matches!(json.get(at + 1..at + 3), Some([b'u', b'd' | b'D']));
    if !escapes.any(may_be_one) {
        return json;
    }
    let mut json = json.to_vec();
    replace_lone_surrogates(&mut json);
    json.into()
}

/// Puts U+FFFD in place of each, in JSON text; its length stays the same.
pub(crate) fn replace_lone_surrogates(json: &mut [u8]) {
    let mut at = 0;
    while let Some(found) = json.iter().skip(at).position(|byte| *byte == b'\\') {
        let start = at + found;
        at = match (unit(json, start), unit(json, start + ESCAPE)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => start + 2 * ESCAPE,
            (Some(0xd800..=0xdfff), _) => {
                if let Some(digits) = json.get_mut(start + 2..start + ESCAPE) {
                    digits.copy_from_slice(b"fffd");
                }
                start + ESCAPE
            }
            (Some(_), _) => start + ESCAPE,
            // `\\`, `\n` and the like.
            (None, _) => start + 2,
        };
    }
}

/// The length of `\ud83d`.
const ESCAPE: usize = 6;

/// The UTF-16 unit that is written out at `start`, if one is.
fn unit(json: &[u8], start: usize) -> Option<u16> {
    let digits = json.get(start..start + ESCAPE)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(json: &str) -> String {
        let mut json = json.as_bytes().to_vec();
        replace_lone_surrogates(&mut json);
        String::from_utf8(json).unwrap()
    }

    #[test]
    fn a_half_without_the_other_is_replaced() {
        assert_eq!(replaced(r#"{"a":"\ud83d"}"#), r#"{"a":"\ufffd"}"#);
        assert_eq!(
            replaced(r#"["\uDC00","\uD83Dx"]"#),
            r#"["\ufffd","\ufffdx"]"#
        );
        assert_eq!(
            replaced(r#""\ud83d\ud83d\ude00""#),
            r#""\ufffd\ud83d\ude00""#
        );
        assert_eq!(replaced(r#""\ud83d\n""#), r#""\ufffd\n""#);
    }

    #[test]
    fn all_else_stays() {
        for json in [
            "",
            r#""\ud83d\ude00 \u00e9 \\ud83d \" \n""#,
            r#""é \\\\ud83d""#,
            r#""\u""#,
            "\"\\",
        ] {
            assert_eq!(replaced(json), json);
        }
    }
}
