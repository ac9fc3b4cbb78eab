// A block of any type: with generic parameters, bounds, lifetimes and constants; with a name; and joined to others.
#![deny(warnings)]

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use haft::{CallContext, Json, Provide, Toolkit, serde_json::json, tools};

struct Db(&'static str);

struct Github {
    db: Db,
    calls: AtomicU32,
}

impl Provide<Db> for Github {
    fn provide(&self) -> &Db {
        &self.db
    }
}

#[tools]
impl Github {
    const PAGE: u32 = 3;

    /// List open issues.
    #[tool(read_only, title = "Issues")]
    pub async fn issues(
        &self,
        /// Which page.
        #[arg(default = Self::PAGE, max = Self::PAGE * 3)]
        page: u32,
    ) -> Result<Json<Vec<u32>>, std::fmt::Error> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Ok(Json(vec![page, Self::PAGE]))
    }

    /// Find a user.
    #[tool(name = "find-user")]
    async fn find_user(&self, db: &Db, context: &CallContext, name: String) -> String {
        format!("{name} in {} by {}", db.0, context.tool_name())
    }

    /// Tell the rules.
    #[tool]
    fn rules() -> &'static str {
        "Be kind."
    }

    /// Count the calls.
    #[tool(blocking, timeout = "1s")]
    fn count(&self) -> u32 {
        self.calls.load(Ordering::Relaxed)
    }

    /// What was there before.
    #[deprecated]
    #[tool]
    async fn r#type(&self, r#fn: u8) -> u8 {
        r#fn
    }
}

#[tools(name = pulls, crate = ::haft)]
impl Github {
    /// Merge a pull request.
    #[haft::tool(destructive, approval)]
    async fn merge(&self, number: u32) -> u32 {
        number
    }
}

struct Cell<T, const N: usize>([T; N]);

#[tools]
impl<T, const N: usize> Cell<T, N>
where
    T: Display + Send + Sync + 'static,
{
    /// How many there are.
    #[tool]
    async fn size(&self, #[arg(default = 7, max = 9)] most: usize) -> usize {
        N.min(most)
    }

    /// All of them.
    #[tool]
    fn all(&self) -> String {
        self.0
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

struct Named<'a> {
    name: &'a str,
}

#[tools]
impl<'a> Named<'a> {
    /// The name.
    #[tool]
    async fn name(&self) -> String {
        self.name.to_owned()
    }
}

struct Lent<'a, T> {
    value: &'a T,
}

#[tools]
impl<T: Display> Lent<'_, T> {
    /// The value.
    #[tool]
    fn value(&self) -> String {
        self.value.to_string()
    }
}

mod elsewhere {
    pub struct Shop;

    #[haft::tools]
    impl Shop {
        /// Buy.
        #[haft::tool]
        pub(crate) async fn buy(&self, article: String) -> String {
            article
        }
    }
}

macro_rules! counter {
    ($name:ident, $method:ident, $type:ty) => {
        struct $name;

        #[tools]
        impl $name {
            /// Count.
            #[tool]
            async fn $method(&self, #[arg(default = 1)] by: $type) -> $type {
                by
            }
        }
    };
}

counter!(Small, count, u8);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let github = Github {
        db: Db("there"),
        calls: AtomicU32::new(0),
    };
    let kit: Toolkit = Github::tools()
        .extend(Github::pulls())
        .unwrap()
        .with_shared_state(Arc::new(github));
    assert_eq!(
        kit.names().collect::<Vec<_>>(),
        ["issues", "find-user", "rules", "count", "type", "merge"]
    );
    assert_eq!(kit.call("issues", json!({})).await.text(), "[3,3]");
    assert!(kit.call("issues", json!({"page": 10})).await.is_error());
    let found = kit.call("find-user", json!({"name": "Ann"})).await;
    assert_eq!(found.text(), "Ann in there by find-user");
    assert_eq!(kit.call("count", json!({})).await.text(), "1");
    assert_eq!(kit.call("type", json!({"fn": 4})).await.text(), "4");

    let kit: Toolkit = Cell([1, 2]).into_toolkit();
    assert_eq!(kit.call("size", json!({})).await.text(), "2");
    assert_eq!(kit.call("all", json!({})).await.text(), "1 2");
    assert_eq!(Cell::<char, 3>::tools().with_state(Cell(['a'; 3])).len(), 2);

    let kit = Named { name: "Ann" }.into_toolkit();
    assert_eq!(kit.call("name", json!({})).await.text(), "Ann");

    let kit = Lent { value: &7 }.into_toolkit();
    assert_eq!(kit.call("value", json!({})).await.text(), "7");

    let kit = elsewhere::Shop.into_toolkit().extend(Small.into_toolkit());
    assert_eq!(kit.unwrap().names().collect::<Vec<_>>(), ["buy", "count"]);
    assert_eq!(elsewhere::Shop.buy("tea".to_owned()).await, "tea");

    struct Local;
    #[tools]
    impl Local {
        /// Here.
        #[tool]
        fn here(&self) -> u8 {
            1
        }
    }
    assert_eq!(
        Local.into_toolkit().call("here", json!({})).await.text(),
        "1"
    );
}
