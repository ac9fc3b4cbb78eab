#[automatically_derived]
#[allow(unused_qualifications)]
impl<T> ::my_haft::Provide<Db<T>> for App<T>
where
    T: Send,
{
    fn provide(&self) -> &Db<T> {
        &self.db
    }
}
#[automatically_derived]
#[allow(unused_qualifications)]
impl<T> ::my_haft::Provide<Kind> for App<T>
where
    T: Send,
{
    fn provide(&self) -> &Kind {
        &self.r#type
    }
}
