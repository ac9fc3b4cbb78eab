//! Which of some names was probably meant by one that is none of them.

use strsim::damerau_levenshtein;

/// A longer text is no name with a slip: to compare it would take its length squared, in time and in memory.
const LONGEST: usize = 100;

/// The name that was probably meant by `name`, if one is near enough.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > LONGEST {
        return None;
    }
    // One letter in three may differ; of a name of two, all would.
    let most = length / 3;
    let near = |known: &'a str| {
        // It has at least as many differences as letters more or less: those are not worth a look.
        if known.chars().take(2 * LONGEST).count().abs_diff(length) > most {
            return None;
        }
        let differences = damerau_levenshtein(name, known);
        (differences <= most).then_some((differences, known))
    };
    known
        .into_iter()
        .filter_map(near)
        .min_by_key(|(differences, _)| *differences)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_if_one_is_near() {
        assert_eq!(nearest("colour", ["width", "color"]), Some("color"));
        assert_eq!(
            nearest("colour", ["col", "colours", "colous"]),
            Some("colours")
        );
        assert_eq!(nearest("colour", ["width", ""]), None);
        assert_eq!(nearest("ab", ["ac"]), None);
    }

    #[test]
    fn a_long_text_is_no_name() {
        let long = "a".repeat(100_000);
        let known = vec![long.as_str(); 1000];
        assert_eq!(nearest(&long, known.iter().copied()), None);
        assert_eq!(nearest("colour", known), None);
    }
}
