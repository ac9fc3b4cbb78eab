//! One object of a union of tagged ones: a tool's arguments are an object, and most APIs take no union for it.

use serde_json::{Map, Value, json};

/// Makes one object of a union of closed objects that a tag tells apart; anything else stays as it is.
///
/// A key is required where all branches require it. Who else needs it is said in its description, as is what it means
/// where that differs.
///
/// ```text
/// {"anyOf": [{"type": "object", "properties": {"do": {"const": "go"}, "to": {..}}, "required": ["do", "to"]},
///            {"type": "object", "properties": {"do": {"const": "stay"}}, "required": ["do"]}]}
/// {"type": "object", "properties": {"do": {"type": "string", "enum": ["go", "stay"]}, "to": {..}}, "required": ["do"]}
/// ```
pub(super) fn flat(schema: &Value) -> Value {
    let branches = schema.get("anyOf").and_then(Value::as_array);
    let objects = branches.and_then(|branches| branches.iter().map(Branch::of).collect());
    let Some(mut flat) = objects.and_then(|objects: Vec<Branch<'_>>| joined(&objects)) else {
        return schema.clone();
    };
    for key in ["description", "$defs"] {
        if let (Some(value), Some(node)) = (schema.get(key), flat.as_object_mut()) {
            node.insert(key.to_owned(), value.clone());
        }
    }
    flat
}

/// One object of the union.
struct Branch<'a> {
    node: &'a Map<String, Value>,
    properties: &'a Map<String, Value>,
}

impl<'a> Branch<'a> {
    fn of(schema: &'a Value) -> Option<Self> {
        let node = schema.as_object()?;
        let properties = node.get("properties")?.as_object()?;
        Some(Self { node, properties })
    }

    fn requires(&self, key: &str) -> bool {
        let required = self.node.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|name| name == key))
    }

    fn constant(&self, key: &str) -> Option<&'a str> {
        self.properties.get(key)?.get("const")?.as_str()
    }
}

fn joined(branches: &[Branch<'_>]) -> Option<Value> {
    let first = branches.first()?;
    let is_tag = |key: &&String| branches.iter().all(|branch| branch.constant(key).is_some());
    let tag = first.properties.keys().find(is_tag)?;
    let mut properties = Map::new();
    properties.insert(tag.clone(), tag_schema(branches, tag));
    for key in branches.iter().flat_map(|branch| branch.properties.keys()) {
        if !properties.contains_key(key) {
            properties.insert(key.clone(), property(branches, tag, key));
        }
    }
    let is_required = |key: &&String| branches.iter().all(|branch| branch.requires(key));
    let required: Vec<_> = properties.keys().filter(is_required).cloned().collect();
    Some(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

/// The tag's names, and what each branch says of itself.
fn tag_schema(branches: &[Branch<'_>], tag: &str) -> Value {
    let names: Vec<_> = branches
        .iter()
        .filter_map(|branch| branch.constant(tag))
        .collect();
    let mut schema = json!({"type": "string", "enum": names});
    let lines: Vec<_> = names
        .iter()
        .zip(branches)
        .filter_map(|(name, branch)| {
            let text = branch.node.get("description")?.as_str()?;
            Some(format!("- `{name}`: {text}"))
        })
        .collect();
    if !lines.is_empty()
        && let Some(node) = schema.as_object_mut()
    {
        node.insert("description".to_owned(), lines.join("\n").into());
    }
    schema
}

/// The schema of a key that some of the branches have.
fn property(branches: &[Branch<'_>], tag: &str, key: &str) -> Value {
    let having: Vec<_> = branches
        .iter()
        .filter_map(|branch| Some((branch, branch.properties.get(key)?)))
        .collect();
    let mut kinds: Vec<Value> = Vec::new();
    for (_, schema) in &having {
        let mut kind = (*schema).clone();
        if let Some(node) = kind.as_object_mut() {
            node.shift_remove("description");
            node.shift_remove("examples");
        }
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut schema = match kinds.len() {
        1 => kinds.remove(0),
        _ => json!({ "anyOf": kinds }),
    };
    let examples = having.iter().find_map(|(_, schema)| schema.get("examples"));
    if let (Some(examples), Some(node)) = (examples, schema.as_object_mut()) {
        node.insert("examples".to_owned(), examples.clone());
    }
    let text = described(&having, branches.len(), tag, key);
    if !text.is_empty()
        && let Some(node) = schema.as_object_mut()
    {
        node.insert("description".to_owned(), text.into());
    }
    schema
}

/// What a key means, and which of the tag's names need it or take it.
fn described(having: &[(&Branch<'_>, &Value)], all: usize, tag: &str, key: &str) -> String {
    let text = |schema: &Value| {
        let text = schema.get("description").and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let name = |branch: &Branch<'_>| format!("`{}`", branch.constant(tag).unwrap_or_default());
    let mut texts: Vec<_> = having.iter().map(|(_, schema)| text(schema)).collect();
    texts.dedup();
    let mut words = match texts.as_slice() {
        [only] => only.clone(),
        _ => {
            let lines = having
                .iter()
                .map(|(branch, schema)| format!("{}: {}", name(branch), text(schema)));
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    let needing: Vec<_> = having
        .iter()
        .filter(|(branch, _)| branch.requires(key))
        .map(|(branch, _)| name(branch))
        .collect();
    if needing.len() == all {
        return words;
    }
    let (rule, names) = if needing.is_empty() {
        let taking: Vec<_> = having.iter().map(|(branch, _)| name(branch)).collect();
        ("Taken by", taking)
    } else {
        ("Required by", needing)
    };
    if !words.is_empty() {
        words.push(if texts.len() == 1 { ' ' } else { '\n' });
    }
    words.push_str(&format!("{rule} {}.", names.join(", ")));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_of_tagged_objects_becomes_one_object() {
        let object = |fields: Value, required: Value, text: &str| {
            json!({
                "type": "object", "description": text, "properties": fields, "required": required,
                "additionalProperties": false,
            })
        };
        let string = |text: &str| json!({"type": "string", "description": text});
        let union = json!({"anyOf": [
            object(
                json!({"do": {"type": "string", "const": "go"}, "to": string("Where to."), "by": string("How.")}),
                json!(["do", "to"]),
                "Go there.",
            ),
            object(
                json!({"do": {"type": "string", "const": "call"}, "to": string("Whom."), "at": {"type": "integer"}}),
                json!(["do", "to", "at"]),
                "Call someone.",
            ),
        ]});
        assert_eq!(
            flat(&union),
            json!({
                "type": "object",
                "properties": {
                    "do": {
                        "type": "string", "enum": ["go", "call"],
                        "description": "- `go`: Go there.\n- `call`: Call someone.",
                    },
                    "to": {"type": "string", "description": "`go`: Where to.\n`call`: Whom."},
                    "by": {"type": "string", "description": "How. Taken by `go`."},
                    "at": {"type": "integer", "description": "Required by `call`."},
                },
                "required": ["do", "to"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn what_stands_beside_the_branches_stays() {
        let branch = json!({"properties": {"do": {"const": "go"}, "to": {"$ref": "#/$defs/A"}}});
        let union =
            json!({"description": "D", "anyOf": [branch], "$defs": {"A": {"type": "string"}}});
        let flat = flat(&union);
        assert_eq!(
            (&flat["description"], &flat["$defs"]),
            (&union["description"], &union["$defs"])
        );
        assert_eq!(flat["properties"]["to"]["$ref"], "#/$defs/A");
    }

    #[test]
    fn what_is_no_such_union_stays() {
        for schema in [
            json!({"type": "object", "properties": {}}),
            json!({"anyOf": []}),
            json!({"anyOf": [{"type": "string"}]}),
            json!({"anyOf": [{"properties": {"a": {"type": "string"}}}]}),
        ] {
            assert_eq!(flat(&schema), schema);
        }
    }
}
