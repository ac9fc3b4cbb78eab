//! The field `input_examples` of a function: whole inputs, made of what its parameters say of themselves.

use serde_json::{Map, Value};

use crate::tool::ToolDefinition;

pub(super) const FIELD: &str = "input_examples";

/// One input for each example that a parameter has. None where a required key has none, since the API refuses an
/// example that does not fit; and none where the definition has its own, or a schema that was given.
pub(super) fn examples(definition: &ToolDefinition) -> Option<Value> {
    if definition.schema().is_given() || definition.options().contains_key(FIELD) {
        return None;
    }
    let schema = definition.input_schema();
    let properties = schema.get("properties")?.as_object()?;
    let listed: Vec<(&String, &Vec<Value>)> = properties
        .iter()
        .filter_map(|(key, property)| Some((key, property.get("examples")?.as_array()?)))
        .filter(|(_, examples)| !examples.is_empty())
        .collect();
    let required = schema.get("required").and_then(Value::as_array);
    let has_example = |key: &Value| listed.iter().any(|(name, _)| *key == **name);
    if listed.is_empty() || !required.into_iter().flatten().all(has_example) {
        return None;
    }
    let count = listed.iter().map(|(_, examples)| examples.len()).max()?;
    let input = |at: usize| {
        let value = |(key, examples): &(&String, &Vec<Value>)| {
            let example = examples.get(at).or_else(|| examples.last())?;
            Some(((*key).clone(), example.clone()))
        };
        Value::Object(listed.iter().filter_map(value).collect::<Map<_, _>>())
    };
    Some((0..count).map(input).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(properties: &Value, required: &Value) -> Option<Value> {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        let made = ToolDefinition::from_generated("t".into(), String::new(), schema).unwrap();
        examples(&made)
    }

    #[test]
    fn an_input_is_made_of_what_parameters_say() {
        let (a, b) = (json!({"examples": [1, 2]}), json!({"examples": ["x"]}));
        assert_eq!(
            of(&json!({"a": a, "b": b, "c": {}}), &json!(["a"])),
            Some(json!([{"a": 1, "b": "x"}, {"a": 2, "b": "x"}]))
        );
        assert_eq!(of(&json!({"a": a, "c": {}}), &json!(["c"])), None);
        assert_eq!(of(&json!({"c": {}}), &json!([])), None);
    }

    #[test]
    fn what_a_program_gives_stays() {
        let schema = json!({"type": "object", "properties": {"a": {"examples": [1]}}});
        let given = ToolDefinition::new("t", "", schema.clone()).unwrap();
        assert_eq!(examples(&given), None);
        let made = ToolDefinition::from_generated("t".into(), String::new(), schema).unwrap();
        assert!(examples(&made).is_some());
        assert_eq!(examples(&made.option(FIELD, json!([{"a": 2}]))), None);
    }
}
