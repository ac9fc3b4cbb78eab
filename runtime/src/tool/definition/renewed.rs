//! A definition under another name, or of another tool, that keeps what else was set: ready handlers are set up so.

use super::{ToolDefinition, check_name};
use crate::error::Error;

impl ToolDefinition {
    /// Under another name.
    ///
    /// # Errors
    /// Where it is no name.
    #[cfg(feature = "http")]
    pub(crate) fn renamed(mut self, name: String) -> Result<Self, Error> {
        check_name(&name)?;
        self.inner_mut().name = name;
        Ok(self)
    }

    /// Without an option that was set before.
    #[cfg(feature = "http")]
    pub(crate) fn without_option(mut self, key: &str) -> Self {
        self.inner_mut().options.shift_remove(key);
        self
    }

    /// With the input of `other`, and what that is at its API.
    #[cfg(any(feature = "files", all(feature = "bash", unix)))]
    pub(crate) fn of_tool(mut self, other: &Self) -> Self {
        let inner = self.inner_mut();
        inner.input_schema = other.0.input_schema.clone();
        inner.provided.clone_from(&other.0.provided);
        self
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use crate::anthropic::tools::{MEMORY_20250818, TEXT_EDITOR_20250728};

    #[test]
    fn what_else_was_set_is_kept() {
        let memory = MEMORY_20250818.definition("memory", "Notes.").unwrap();
        let memory = memory.option("defer_loading", true);
        let notes = memory.clone().renamed("notes".to_owned()).unwrap();
        assert_eq!(
            (notes.name(), notes.options()),
            ("notes", memory.options()),
            "and the original has its name: {}",
            memory.name()
        );
        assert!(memory.clone().renamed("my notes".to_owned()).is_err());

        let editor = TEXT_EDITOR_20250728.definition("editor", "").unwrap();
        let changed = memory.of_tool(&editor);
        assert_eq!(changed.provided(), editor.provided());
        assert_eq!(changed.input_schema(), editor.input_schema());
        assert_eq!(changed.options().len(), 1);
    }
}
