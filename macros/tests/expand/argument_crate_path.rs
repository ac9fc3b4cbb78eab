#[argument(crate = ::my_haft)]
struct Place<T> {
    city: T,
}
