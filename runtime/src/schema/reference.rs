//! Where a reference within a schema leads.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Where a reference leads, within the schema itself. (One into another document leads nowhere: nothing is fetched.)
pub(crate) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(&decoded(reference.strip_prefix('#')?)?)
}

/// The reference of a schema.
pub(super) fn reference(node: &Map<String, Value>) -> Option<&str> {
    node.get("$ref")?.as_str()
}

/// What to say of a reference that leads nowhere.
pub(super) fn unresolved(root: &Value, node: &Map<String, Value>, path: &str) -> Option<String> {
    let reference = reference(node)?;
    resolve(root, reference).is_none().then(|| {
        format!("{path}.$ref: `{reference}` leads nowhere in this schema; refer to what stands in its `$defs`")
    })
}

/// A reference is a URI, so that schemars writes the name of a type with `%` where it has more than ASCII.
fn decoded(pointer: &str) -> Option<Cow<'_, str>> {
    let Some((plain, rest)) = pointer.split_once('%') else {
        return Some(pointer.into());
    };
    let mut bytes = plain.as_bytes().to_vec();
    for part in rest.split('%') {
        let (digits, plain) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_leads_to_a_place_in_the_schema() {
        let root = json!({"$defs": {"Größe": 1, "a b": 2, "a/b": 3, "%": 4, "a": 5}});
        let rows = [
            ("#/$defs/a", Some(5)),
            ("#/$defs/Größe", Some(1)),
            ("#/$defs/Gr%C3%B6%c3%9Fe", Some(1)),
            ("#/%24defs/a%20b", Some(2)),
            ("#/$defs/a~1b", Some(3)),
            ("#/$defs/%25", Some(4)),
            ("#/$defs/%", None),
            ("#/$defs/%ff", None),
            ("#/$defs/%2ß", None),
            ("#a", None),
            ("/$defs/a", None),
            ("https://example.com/#/$defs/a", None),
        ];
        for (reference, place) in rows {
            let found = resolve(&root, reference).and_then(Value::as_u64);
            assert_eq!(found, place, "{reference}");
        }
        assert_eq!(resolve(&root, "#"), Some(&root));
    }
}
