// There may be none, and there may be more than a tuple's traits allow.
use haft::{
    Toolkit,
    serde_json::{Value, json},
    tool, toolkit,
};

/// Tell the time.
#[tool]
async fn now() -> u8 {
    12
}

/// Add many numbers.
#[tool]
#[rustfmt::skip]
async fn add(
    a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8, m: u8,
    n: u8, o: u8, p: u8, q: u8, r: u8, s: u8, t: u8, u: u8, v: u8, w: u8, x: u8, y: u8, z: u8,
) -> u8 {
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z].iter().sum()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![now, add];
    assert_eq!(kit.call("now", json!({})).await.text(), "12");
    assert_eq!(kit.call("now", json!(null)).await.text(), "12");
    let ones: Value = ('a'..='z').map(|key| (key.to_string(), json!(1))).collect();
    assert_eq!(kit.call("add", ones).await.text(), "26");
}
