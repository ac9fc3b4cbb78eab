// What is under a condition is there when it holds: the block, a method, a parameter.
#![deny(warnings)]

use haft::{Toolkit, serde_json::json, tools};

struct Shell;

#[cfg(any())]
struct Missing;

#[cfg(any())]
#[tools]
impl Missing {
    /// Not there.
    #[tool]
    async fn run(&self, program: NoType) -> NoType {
        program
    }
}

#[cfg(all())]
#[tools]
impl Shell {
    /// Run a program.
    #[cfg(all())]
    #[tool]
    async fn run(
        &self,
        program: String,
        #[cfg(all())] times: u8,
        #[cfg(any())] other: NoType,
    ) -> String {
        format!("{program} {times}")
    }

    /// Run a program elsewhere.
    #[cfg(any())]
    #[tool]
    async fn run(&self, program: NoType) -> String {
        program
    }

    /// Stop it.
    #[cfg(any())]
    #[tool(name = "stop")]
    async fn stop(&self, #[cfg(all())] program: NoType, db: &NoType) -> NoType {
        program
    }

    /// Tell the time.
    #[tool]
    fn now(
        #[cfg(any())] zone: NoType,
        #[arg(default = 3)]
        #[cfg(all())]
        offset: u8,
    ) -> u8 {
        offset
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = Shell.into_toolkit();
    assert_eq!(kit.names().collect::<Vec<_>>(), ["run", "now"]);
    let result = kit.call("run", json!({"program": "ls", "times": 2})).await;
    assert_eq!(result.text(), "ls 2");
    assert_eq!(kit.call("now", json!({})).await.text(), "3");
}
