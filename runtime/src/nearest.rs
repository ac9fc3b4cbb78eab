//! Which of some names was probably meant by one that is none of them.

/// The name that was probably meant by `name`, if one is near enough.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |known: &&str| strsim::damerau_levenshtein(name, known) <= (name.len() / 3).max(1);
    known
        .into_iter()
        .filter(near)
        .min_by_key(|known| strsim::damerau_levenshtein(name, known))
}
