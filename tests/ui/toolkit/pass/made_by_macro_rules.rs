// A list that another macro makes, of paths that it is given or has.
#![deny(warnings)]

use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
pub async fn get_weather() {}

pub mod forecast {
    /// Get the forecast.
    #[haft::tool]
    pub async fn get_forecast() {}
}

macro_rules! kit {
    ($($path:path),*; $last:ident) => {
        toolkit![$($path,)* $last, $crate::all::get_all]
    };
}

mod all {
    /// Get all.
    #[haft::tool]
    pub async fn get_all() {}

    /// Get more.
    #[haft::tool]
    pub async fn get_more() {}
}

fn main() {
    use all::get_more;
    let kit: Toolkit = kit![get_weather, forecast::get_forecast; get_more];
    assert_eq!(kit.len(), 4);
}
