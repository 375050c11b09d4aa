//! What an external search asks its helpers, and when it is over.

use std::sync::Arc;

use dwindle_core::{
    Answer, AnySearch, Ask, ExternalSearch, Format, ListSearch, MinimizerConfig, MinimizerKind, Offers,
    Outcome, Pieces, Plan, Search, Shape, Text,
};

fn text(string: &str) -> Arc<Text> {
    Arc::new(Text::new(string.into(), Pieces::Bytes))
}

fn external(input: &str, helpers: usize) -> ExternalSearch {
    let plan = Plan { formats: vec![Format::Bytes], minimizer: MinimizerConfig::new(MinimizerKind::Ddmin) };
    let search = AnySearch::List(ListSearch::new(text(input), plan));
    ExternalSearch::new(search, helpers)
}

/// Reduces `input`; each helper replaces strings by others, one at a time, and its offers come in pages of
/// one. Returns the result, and what was asked of the helpers: the text, which of them, from which offer on.
fn run(
    input: &str,
    helpers: &[&[(&str, &str)]],
    interesting: impl Fn(&str) -> bool,
) -> (String, Vec<(String, u32, u32)>) {
    let mut search = external(input, helpers.len());
    let mut asked = Vec::new();
    loop {
        let answer = match search.ask() {
            Ask::Done => break,
            Ask::Test(variant) => {
                let bytes = String::from_utf8(variant.render()).expect("text stays text");
                let outcome = if interesting(&bytes) { Outcome::Interesting } else { Outcome::Uninteresting };
                Answer::Outcome(outcome)
            }
            Ask::Parse(variant, Shape::Offers(request)) => {
                let base = String::from_utf8(variant.render()).expect("text stays text");
                asked.push((base.clone(), request.helper, request.from));
                let rules = helpers[request.helper as usize];
                let offered = rules.get(request.from as usize).map(|(from, to)| base.replace(from, to));
                let smaller = offered.iter().filter(|offered| offered.len() < base.len());
                let texts = smaller.map(|offered| (request.from, text(offered))).collect();
                Answer::Offers(Arc::new(Offers { texts, next: offered.map(|_| request.from + 1) }))
            }
            Ask::Parse(variant, _) => {
                Answer::Text(text(std::str::from_utf8(&variant.render()).expect("text stays text")))
            }
        };
        search.tell(answer);
    }
    (String::from_utf8(search.best().render()).expect("text stays text"), asked)
}

#[test]
fn without_helpers_it_is_the_search() {
    assert_eq!(run("aXbYc", &[], |text| text.contains("XY")), ("XY".to_owned(), Vec::new()));
}

#[test]
fn helpers_are_asked_in_turn_until_all_have_nothing_for_one_text() {
    let helpers: [&[(&str, &str)]; 2] = [&[("ee", "e")], &[("seven", "7"), ("three", "3")]];
    let (result, asked) = run("three", &helpers, |text| ["three", "3"].contains(&text));
    assert_eq!(result, "3");
    let asked: Vec<_> = asked.iter().map(|(text, helper, from)| (text.as_str(), *helper, *from)).collect();
    // The first one offers what is refused, and has no more; the second goes on where it had something, and
    // is asked from its beginning before it counts as exhausted.
    assert_eq!(
        asked,
        [
            ("three", 0, 0),
            ("three", 0, 1),
            ("three", 1, 0),
            ("three", 1, 1),
            ("3", 1, 1),
            ("3", 1, 2),
            ("3", 0, 0),
            ("3", 0, 1),
            ("3", 1, 0),
            ("3", 1, 1),
            ("3", 1, 2),
        ]
    );
}

#[test]
fn the_search_goes_on_with_what_a_helper_found() {
    let (result, asked) = run("(two)", &[&[("two", "ab")]], |text| text == "(two)" || text.contains('a'));
    assert_eq!(result, "a");
    assert_eq!(
        asked.last().map(|(text, ..)| text.as_str()),
        Some("a"),
        "and the helper with what the search found"
    );
}
