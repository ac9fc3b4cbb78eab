//! [`Settings`]: what a definition says beside name, description and schema.

use std::time::Duration;

use syn::LitStr;

use crate::args::ToolArgs;
use crate::options::ProviderOption;

/// What a definition says beside name, description and schema.
pub(crate) struct Settings {
    pub(crate) title: Option<LitStr>,
    /// The setters of what is on or off, in the order in which they are told.
    pub(crate) switches: Vec<(&'static str, bool)>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) options: Vec<(String, String)>,
}

impl Settings {
    pub(crate) fn new(args: &ToolArgs) -> Self {
        let hints = [
            ("read_only", &args.read_only),
            ("destructive", &args.destructive),
            ("idempotent", &args.idempotent),
            ("open_world", &args.open_world),
            ("strict", &args.strict),
        ];
        let flags = [("exclusive", &args.exclusive), ("approval", &args.approval)];
        let hints = hints
            .into_iter()
            .filter_map(|(setter, switch)| Some((setter, switch.as_ref()?.is_on)));
        let flags = flags
            .into_iter()
            .filter_map(|(setter, flag)| flag.as_ref().map(|_| (setter, true)));
        let option = |option: &ProviderOption| (option.name(), option.json.clone());
        Self {
            title: args.title.clone(),
            switches: hints.chain(flags).collect(),
            timeout: args.timeout.as_ref().map(|limit| limit.duration),
            options: args.options.iter().map(option).collect(),
        }
    }
}
