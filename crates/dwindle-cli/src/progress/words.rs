//! What is tried, in words that say more than the name of a pass.

/// What a search does whose label this is. The names of passes are those of `--passes`.
pub(crate) fn of_label(label: &str) -> &str {
    match label {
        "input" => "testing the input itself",
        "best" => "testing the best variant again",
        "result" => "testing the result once more",
        "coverage" => "finding out what the test runs",
        "format" => "laying the result out",
        "reading" => "reading the text",
        "comments" => "deleting comments",
        "backwards sweep" => "finding from the end what matters, and deleting the rest",
        "declarations and uses" => "deleting declarations together with their uses",
        "parts" => "replacing things by parts of themselves",
        "1-minimality check" => "proving that nothing single can be deleted",
        "brackets and lines" => "deleting brackets, lines and blocks",
        "lists" => "deleting from lists",
        "levels" => "deleting level by level of the syntax tree",
        "children" => "deleting the children of a node",
        "nodes" => "deleting single nodes",
        "chains" => "replacing nodes by nodes inside them",
        "hoists" | "hoist" => "replacing a construct by one inside it",
        "suspects" => "deleting what the test seems not to need",
        "bodies" | "bodies of functions" => "emptying the bodies of functions",
        "names for numbers" => "naming what is only numbered",
        "external" => "asking external commands",
        "bytes" => "deleting bytes",
        "characters" => "deleting characters",
        "lines" => "deleting lines",
        "items" => "deleting items",
        "tokens" => "deleting single tokens",
        "delete" => "deleting single nodes again",
        "brackets" => "deleting pairs of brackets",
        "along" => "deleting what belongs together by its names",
        "parameters" => "deleting parameters with their arguments",
        "calls" => "replacing calls by arguments or bodies",
        "results" => "letting functions return nothing",
        "halves" => "merging neighbours by halves",
        "flatten" => "taking blocks apart",
        "splice" => "replacing an element by what is inside it",
        "replace" => "replacing things by shorter ones of their kind",
        "files" => "joining files",
        "join" => "joining declarations",
        "fold" => "computing constant values",
        "inline" => "inlining what names stand for",
        "values" => "replacing names by values",
        "pointers" => "taking away levels of pointers and arrays",
        "alike" => "changing what reads the same everywhere",
        "generics" => "taking away type parameters",
        "unwrap" => "putting the only member of something in its place",
        "relocate" => "moving an expression to where its name is used",
        "merge" => "making two names one, and deleting one declaration",
        "unite" => "making two names one",
        "rename" => "shortening names",
        "literals" => "shortening numbers and strings",
        "shorten" => "cutting long tokens",
        "long-names" => "cutting long names",
        "abbreviate" => "abbreviating names",
        "layout" => "deleting blank lines and blanks",
        "phrases" => "saying things with fewer tokens",
        "words" => "replacing keywords",
        "operators" => "replacing operators by shorter ones",
        "windows" => "deleting runs of tokens",
        "twins" => "deleting two things that look alike",
        "pairs" => "deleting any two things at once",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle::core::passes::Pass;

    #[test]
    fn every_pass_has_words_for_it() {
        for name in Pass::ALL.map(Pass::name) {
            assert_ne!(of_label(name), name);
        }
    }
}
