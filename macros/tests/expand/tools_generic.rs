#[tools]
impl<'a, T: Item, const N: usize> Shelf<'a, T, N>
where
    T: Clone,
{
    /// Put something on the shelf.
    #[tool]
    async fn put(&self, items: Vec<T>, place: HashMap<String, T>) -> Option<String> {
        self.push(items, place)
    }
}
