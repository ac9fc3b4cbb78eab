//! Which of some names was probably meant by one that is none of them.

use strsim::damerau_levenshtein;

/// The name that was probably meant by `name`, if one is near enough.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // One letter in three may differ; of a name of two, all would.
    let near = |known: &&str| damerau_levenshtein(name, known) <= name.chars().count() / 3;
    known
        .into_iter()
        .filter(near)
        .min_by_key(|known| damerau_levenshtein(name, known))
}
