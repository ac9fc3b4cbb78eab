//! [`ComputerUse`]: the single computer tool of older models, over what the toolset's members run on.

use std::fmt;

use serde_json::{Map, Value};

use super::ProviderTool;
use super::computer::ComputerAction;
use super::computer_toolset::{Computer, NoInput, computer_members};
use super::toolset::Member;
use crate::arguments::{Input, read_whole};
use crate::error::Error;
use crate::schema::InputSchema;
use crate::tool::{Call, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput};

/// The single computer tool, in any version, over a [`Computer`]: what models had before the
/// [toolset](super::ComputerToolset).
///
/// Each action runs the member of the same name, and tells the same. The versions know less than the members, or more:
///
/// - Seconds may have a fraction there; they are rounded up.
/// - A drag that does not say where from begins where the mouse is, by [`cursor_position`](Computer::cursor_position).
/// - What the computer does not implement is offered all the same, and is an error: the API has no switch for it, but
///   for [`zoom`](ProviderTool::with_zoom).
///
/// Its calls run alone, in the model's order.
///
/// ```
/// use haft::anthropic::tools::{COMPUTER_20251124, Click, Computer, ComputerUse};
/// use haft::serde_json::json;
/// use haft::{ToolError, Toolkit};
///
/// struct Desk;
///
/// impl Computer for Desk {
///     async fn left_click(&self, click: Click) -> Result<(), ToolError> {
///         println!("a click at {:?}", click.coordinate);
///         Ok(())
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let tool = ComputerUse::new(COMPUTER_20251124.display(1024, 768), Desk);
/// let kit: Toolkit = Toolkit::new().with(tool)?;
/// let result = kit.call("computer", json!({"action": "left_click", "coordinate": [3, 4]})).await;
/// assert_eq!(result.text(), "Clicked.");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ComputerUse<T: 'static> {
    definition: ToolDefinition,
    /// Reads an action, and gives its JSON, in which keys without a value are left out.
    read: fn(Input<'_>) -> Result<Map<String, Value>, ToolError>,
    members: Vec<Member<T>>,
    runs: T,
}

impl<T: Computer> ComputerUse<T> {
    /// The tool of a display, such as `COMPUTER_20251124.display(1024, 768)`, over a computer. Its name is `computer`.
    #[must_use]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "a tool is described in the call: `COMPUTER_20251124.display(1024, 768)`"
    )]
    pub fn new<A: ComputerAction>(tool: ProviderTool<A>, runs: T) -> Self {
        let schema = InputSchema::of_whole::<A>();
        let description = "Use a computer with a screen, a mouse and a keyboard.";
        let name = tool.wire_name().to_owned();
        let definition = ToolDefinition::from_checked(name, description.to_owned(), schema);
        Self {
            definition: definition
                .with_provided(Some(tool.provided()))
                .exclusive(true),
            read: read::<A>,
            members: computer_members(),
            runs,
        }
    }

    /// Under a name of one's own, by which the program knows it.
    ///
    /// # Errors
    /// Where it is not 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fn named(mut self, name: impl Into<String>) -> Result<Self, Error> {
        self.definition = self.definition.renamed(name.into())?;
        Ok(self)
    }

    /// Whether the program is asked before an action is done.
    #[must_use]
    pub fn approval(mut self, approval: bool) -> Self {
        self.definition = self.definition.approval(approval);
        self
    }

    /// A field of the definition, such as `cache_control`.
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.definition = self.definition.option(key, value);
        self
    }

    /// The definition.
    #[must_use]
    pub const fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// What does the actions.
    #[must_use]
    pub const fn get_ref(&self) -> &T {
        &self.runs
    }

    async fn act(&self, mut action: Map<String, Value>) -> Result<ToolOutput, ToolError> {
        let name = action.remove("action");
        let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
        let Some(member) = self.members.iter().find(|member| member.name == name) else {
            return Err(ToolError::new(format!("unknown computer action '{name}'")));
        };
        if let Some(seconds) = action.get("duration").and_then(Value::as_f64) {
            // What is too much or too little for an integer is so for the member.
            let seconds = seconds.ceil() as i64;
            action.insert("duration".to_owned(), seconds.into());
        }
        if name == "left_click_drag" && !action.contains_key("start_coordinate") {
            let start = self.runs.cursor_position(NoInput {}).await?;
            let start = vec![start.x, start.y];
            action.insert("start_coordinate".to_owned(), start.into());
        }
        (member.run)(&self.runs, &Value::Object(action).to_string()).await
    }
}

fn read<A: ComputerAction>(input: Input<'_>) -> Result<Map<String, Value>, ToolError> {
    let action: A = read_whole(input)?;
    match serde_json::to_value(action).map_err(ToolError::from_error)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(ToolError::new("an action must be an object")),
    }
}

impl<S, T: Computer> Tool<S> for ComputerUse<T> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        let action = (self.read)(Input::new(&self.definition, call.input()));
        Box::pin(async move { self.act(action?).await })
    }
}

impl<T> fmt::Debug for ComputerUse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ComputerUse")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::json;

    use super::*;
    use crate::provider::anthropic::tools::{
        COMPUTER_20241022, COMPUTER_20250124, COMPUTER_20251124, Click, Drag, HeldKey, Point,
        Region,
    };
    use crate::{Image, Toolkit};

    /// Writes down what it is told.
    #[derive(Clone, Default)]
    struct Desk(Arc<Mutex<Vec<String>>>);

    impl Desk {
        fn note(&self, what: impl fmt::Debug) -> Result<(), ToolError> {
            self.0.lock().unwrap().push(format!("{what:?}"));
            Ok(())
        }
    }

    impl Computer for Desk {
        async fn cursor_position(&self, _: NoInput) -> Result<Point, ToolError> {
            Ok(Point { x: 7, y: 9 })
        }

        async fn double_click(&self, click: Click) -> Result<(), ToolError> {
            self.note(click)
        }

        async fn left_click_drag(&self, drag: Drag) -> Result<(), ToolError> {
            self.note(drag)
        }

        async fn hold_key(&self, key: HeldKey) -> Result<(), ToolError> {
            self.note(key)
        }

        async fn zoom(&self, region: Region) -> Result<Image, ToolError> {
            self.note(region)?;
            Err(ToolError::new("too dark"))
        }
    }

    /// What the model reads, and what was done.
    async fn told<A: ComputerAction>(tool: ProviderTool<A>, action: Value) -> (String, String) {
        let desk = Desk::default();
        let kit: Toolkit = Toolkit::new()
            .with(ComputerUse::new(tool, desk.clone()))
            .unwrap();
        let text = kit.call("computer", action).await.text();
        let done = desk.0.lock().unwrap().join(", ");
        (text, done)
    }

    #[tokio::test]
    async fn an_action_runs_its_member_in_every_version() {
        let click = json!({"action": "double_click"});
        let done = "Click { coordinate: None, text: None }".to_owned();
        let expected = ("Double-clicked.".to_owned(), done);
        assert_eq!(
            told(COMPUTER_20241022.display(9, 9), click.clone()).await,
            expected
        );
        assert_eq!(
            told(COMPUTER_20250124.display(9, 9), click.clone()).await,
            expected
        );
        assert_eq!(told(COMPUTER_20251124.display(9, 9), click).await, expected);

        let zoom = json!({"action": "zoom", "region": [0, 0, 3, 3]});
        let (text, done) = told(COMPUTER_20251124.display(9, 9).with_zoom(), zoom).await;
        assert_eq!(text, "Error: too dark");
        assert_eq!(done, "Region { region: [0, 0, 3, 3] }");
    }

    #[tokio::test]
    async fn a_drag_begins_where_the_mouse_is() {
        let drag = json!({"action": "left_click_drag", "coordinate": [1, 2]});
        let (text, done) = told(COMPUTER_20241022.display(9, 9), drag).await;
        assert_eq!(text, "Dragged.");
        assert_eq!(
            done,
            "Drag { start_coordinate: [7, 9], coordinate: [1, 2], text: None }"
        );
        let drag = json!({
            "action": "left_click_drag", "coordinate": [1, 2], "start_coordinate": [3, 4], "text": "alt",
        });
        let (_, done) = told(COMPUTER_20250124.display(9, 9), drag).await;
        assert_eq!(
            done,
            "Drag { start_coordinate: [3, 4], coordinate: [1, 2], text: Some(\"alt\") }"
        );
    }

    #[tokio::test]
    async fn seconds_are_rounded_up_and_bounded() {
        let hold = |duration: f64| json!({"action": "hold_key", "text": "a", "duration": duration});
        let tool = || COMPUTER_20250124.display(9, 9);
        let (text, done) = told(tool(), hold(1.2)).await;
        assert_eq!(text, "Held a for 2s.");
        assert_eq!(done, "HeldKey { text: \"a\", duration: 2 }");
        for (duration, problem) in [
            (300.5, "at most 300, got 301"),
            (-2.0, "at least 0, got -2"),
        ] {
            let (text, done) = told(tool(), hold(duration)).await;
            assert!(text.ends_with(problem), "{text}");
            assert_eq!(done, "");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_done_is_told() {
        let wait = json!({"action": "wait", "duration": 1});
        let (text, _) = told(COMPUTER_20250124.display(9, 9), wait.clone()).await;
        assert_eq!(
            text,
            "Error: This action is not available in this environment."
        );
        let (text, _) = told(COMPUTER_20241022.display(9, 9), wait).await;
        assert!(
            text.starts_with("Error: Invalid input for tool 'computer': "),
            "{text}"
        );
    }

    #[test]
    fn the_definition_is_that_of_its_version() {
        let described = COMPUTER_20251124.display(1024, 768).with_zoom();
        let tool = ComputerUse::new(described.clone(), Desk::default());
        let tool = tool
            .named("desk")
            .unwrap()
            .approval(true)
            .option("defer_loading", true);
        let definition = tool.definition();
        assert_eq!(definition.name(), "desk");
        assert!(definition.is_exclusive() && definition.needs_approval());
        let declared = described.definition("desk", "").unwrap();
        assert_eq!(definition.provided(), declared.provided());
        assert_eq!(definition.input_schema(), declared.input_schema());
        assert!(tool.get_ref().0.lock().unwrap().is_empty());
    }
}
