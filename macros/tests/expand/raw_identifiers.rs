/// Name a type.
#[tool]
async fn r#type(r#struct: String) -> String {
    r#struct
}
