//! The tools that the models of the scripts call, by what they say of themselves.

use std::sync::LazyLock;

use haft::serde_json::json;
use haft::{Request, ToolDefinition};

/// What a tool says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// Whether a call that was interrupted may run again.
    pub(crate) repeats: bool,
    pub(crate) is_exclusive: bool,
    pub(crate) needs_approval: bool,
    pub(crate) is_of: Owner,
}

/// Who has a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Toolkit,
    /// It is defined, and nobody runs it.
    Request,
    Nobody,
}

const PLAIN: Part = Part {
    name: "plain",
    repeats: false,
    is_exclusive: false,
    needs_approval: false,
    is_of: Owner::Toolkit,
};

pub(crate) const CAST: [Part; 10] = [
    PLAIN,
    Part {
        name: "also_plain",
        ..PLAIN
    },
    Part {
        name: "reads",
        repeats: true,
        ..PLAIN
    },
    Part {
        name: "sets",
        repeats: true,
        ..PLAIN
    },
    Part {
        name: "alone",
        is_exclusive: true,
        ..PLAIN
    },
    Part {
        name: "sets_alone",
        is_exclusive: true,
        repeats: true,
        ..PLAIN
    },
    Part {
        name: "asks",
        needs_approval: true,
        ..PLAIN
    },
    Part {
        name: "asks_alone",
        needs_approval: true,
        is_exclusive: true,
        ..PLAIN
    },
    Part {
        name: "person",
        is_of: Owner::Request,
        ..PLAIN
    },
    Part {
        name: "nobody",
        is_of: Owner::Nobody,
        ..PLAIN
    },
];

/// Fails always, and in the same way; nobody counts its calls.
pub(crate) const PICKY: &str = "picky";

impl Part {
    /// Made once: all scripts have the same.
    pub(crate) fn definition(&self) -> ToolDefinition {
        static MADE: LazyLock<Vec<ToolDefinition>> =
            LazyLock::new(|| CAST.iter().map(Part::make).collect());
        let mut made = MADE.iter();
        made.find(|made| made.name() == self.name).unwrap().clone()
    }

    pub(crate) fn make(&self) -> ToolDefinition {
        let schema = json!({
            "type": "object",
            "properties": {"key": {"type": "string"}},
            "required": ["key"],
        });
        let mut definition = ToolDefinition::new(self.name, "", schema)
            .unwrap()
            .exclusive(self.is_exclusive)
            .approval(self.needs_approval);
        if self.repeats {
            definition = match self.name {
                "reads" => definition.read_only(true),
                _ => definition.idempotent(true),
            };
        }
        definition
    }
}

/// What every script begins with.
pub(crate) fn request() -> Request {
    let of_request = CAST.iter().filter(|part| part.is_of == Owner::Request);
    of_request.fold(Request::new("any").user("Go"), |request, part| {
        request.tool(part.definition())
    })
}
