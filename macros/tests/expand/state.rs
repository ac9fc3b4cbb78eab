#[derive(State)]
#[state(crate = ::my_haft)]
struct App<T>
where
    T: Send,
{
    db: Db<T>,
    #[state(skip)]
    started: Instant,
    r#type: Kind,
}
