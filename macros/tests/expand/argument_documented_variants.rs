#[argument]
enum Mode {
    /// As fast as it can.
    Fast,
    Slow,
    Timed { seconds: u32 },
}
