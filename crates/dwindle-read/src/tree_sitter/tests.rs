//! Which trees come from tree-sitter's grammars, and what holds of any text that they read.

use super::*;
use crate::grammar::parse;
use crate::languages::Language;
use crate::parser::parse_around;
use crate::samples::{all, counted, language as find};
use dwindle_core::Tree;
use dwindle_core::linked::{ClosureDepth, Links};
use dwindle_core::{Gaps, Subset, Variant};
use proptest::prelude::*;

fn tokens(tree: &Tree) -> u64 {
    tree.text().tokens(&Subset::full(tree.text().len())).unwrap_or(0)
}

fn rendered(tree: &Tree) -> Vec<u8> {
    Variant::whole(tree.text().clone()).render()
}

/// The outline on one line: what may go as `?( .. )`, what is required as `=( .. )`, `~` before
/// separators.
fn check(language: &str, input: &str, expect: &str) {
    let Some(language) = find(language) else { return };
    let mut words: Vec<&str> = Vec::new();
    let mut ends = Vec::new();
    for step in outline(input.as_bytes(), language.grammar()).unwrap().steps {
        let Some(Syntax { role, .. }) = step.syntax() else {
            words.extend(ends.pop().flatten());
            continue;
        };
        let (start, end) = match role {
            Role::Fixed => (None, None),
            Role::Deletable => (Some("?("), Some(")")),
            Role::StandIn(_) => (Some("=("), Some(")")),
            Role::Separator => (Some("~"), None),
        };
        words.extend(start);
        if let Step::Token { start, end: behind, .. } = step {
            words.push(&input[start as usize..behind as usize]);
            words.extend(end);
        } else {
            ends.push(end);
        }
    }
    assert_eq!(words.join(" "), expect, "{input}");
}

#[test]
fn the_productions_derive_what_the_grammar_does() {
    for (language, text) in all() {
        let (nodes, derived) = parse(text.into(), language).unwrap().derived();
        assert!(100 * derived > 95 * nodes, "{language}: {derived} of {nodes}");
    }
}

/// The spans of all nodes that have a slot, with the grammar's minimal strings of those.
fn places(input: &[u8], grammar: &'static Grammar) -> Vec<(Range<usize>, String)> {
    let mut places = Vec::new();
    let mut open: Vec<(Option<u32>, Option<usize>)> = Vec::new();
    let mut end = 0;
    for step in outline(input, grammar).unwrap().steps {
        let (slot, start) = match step {
            Step::Open { syntax, .. } => {
                open.push((Syntax::from(syntax).slot, None));
                continue;
            }
            Step::Token { syntax, start, end: behind, .. } => {
                open.iter_mut().for_each(|(_, first)| *first = first.or(Some(start as usize)));
                end = behind as usize;
                (Syntax::from(syntax).slot, start as usize)
            }
            Step::Close => match open.pop() {
                Some((slot, Some(start))) => (slot, start),
                _ => continue,
            },
        };
        let minimal = slot.and_then(|slot| grammar.slots[slot as usize].minimal.clone());
        places.extend(minimal.map(|string| (start..end, String::from_utf8(string.bytes).unwrap())));
    }
    places
}

/// Not everywhere: grammars resolve conflicts between their productions, and between their tokens,
/// in ways that the productions do not tell.
#[test]
fn the_minimal_string_of_a_place_can_be_parsed_there() {
    for (language, input) in all() {
        let places = places(input.as_bytes(), language.grammar());
        let broken = |(span, string): &&(Range<usize>, String)| {
            let mut text = input.as_bytes().to_vec();
            let blank = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric).then_some(b' ');
            let (before, behind) = (blank(text[..span.start].last()), blank(text.get(span.end)));
            text.splice(span.clone(), before.into_iter().chain(string.bytes()).chain(behind));
            parse_around(&text, &language.parser(), &[]).unwrap().root_node().has_error()
        };
        let broken: Vec<_> = places.iter().filter(broken).collect();
        assert!(10 * broken.len() < places.len().max(1), "{language}: {broken:?} of {}", places.len());
    }
}

#[test]
fn what_makes_the_grammar_misread_a_text_is_hidden_from_it() {
    let Some(c) = find("c") else { return };
    let attribute =
        "extern int (__attribute__((__nonnull__(1), /* a */ __leaf__)) f)(char const *s, int n);\n";
    for input in [2, 4].map(|times| attribute.repeat(times).replace("/* a */ ", "")) {
        let tree = parse(input.clone().into(), c).unwrap();
        assert_eq!((tree.errors(), astray(&tree)), (Some(0), 0), "{input}");
        assert_eq!(rendered(&tree), input.as_bytes());
        let without = tokens(&parse(b"extern int (f)(char const *s, int n);".into(), c).unwrap());
        assert_eq!(tokens(&tree), (without + 11) * input.lines().count() as u64, "{input}");
    }
    // Comments are in no token, so that they can go.
    assert_ne!(parse(attribute.repeat(2).into(), c).unwrap().errors(), Some(0));
}

/// How many tokens of a tree the grammar could make no sense of: those directly below an `ERROR`.
fn astray(tree: &Tree) -> usize {
    let is_error = |node: usize| tree.kind_name(node) == "ERROR";
    let leaves = (0..tree.nodes().len()).filter(|&node| tree.subtree(node).len() == 1);
    leaves.filter(|&leaf| is_error(leaf) || tree.parent(leaf).is_some_and(is_error)).count()
}

#[test]
fn tokens_are_counted_as_the_leaves_of_the_grammar() {
    for (language, text, expect) in counted() {
        assert_eq!(tokens(&parse(text.into(), language).unwrap()), expect, "{language}");
    }
}

#[test]
fn every_language_has_a_sample_that_its_grammar_reads() {
    assert_eq!(all().len(), Language::all().count());
    for (language, text) in all() {
        let tree = parse(text.into(), language).unwrap();
        assert_eq!(rendered(&tree), text.as_bytes(), "{language}");
        assert_eq!(astray(&tree), 0, "{language}");
    }
}

#[test]
fn optional_nodes_and_elements_of_lists_may_go() {
    check(
        "c",
        "int f(int x, int y);",
        "?( =( int ) =( =( f ) =( ( ?( =( int ) ?( x ) ) ~ , ?( =( int ) ?( y ) ) ) ) ) ; )",
    );
    check(
        "c",
        "void g() { if (x > 1) { f(); } else { f(x, 2); } }",
        "?( =( void ) =( =( g ) =( ( ) ) ) =( { ?( if =( ( =( =( x ) > =( 1 ) ) ) ) =( { ?( ?( =( f ) =( ( ) ) ) ; ) } ) ?( else =( { ?( ?( =( f ) =( ( ?( x ) ~ , ?( 2 ) ) ) ) ; ) } ) ) ) } ) )",
    );
    check(
        "c",
        "struct S { int a, b; char c; };",
        "?( =( struct ?( S ) ?( { ?( =( int ) ?( a ) ~ , ?( b ) ; ) ?( =( char ) ?( c ) ; ) } ) ) ; )",
    );
    check(
        "python",
        "f(a, *b)[1:2]\nif a < b: pass",
        "?( =( =( =( f ) =( ( ?( a ) ~ , ?( * =( b ) ) ) ) ) [ =( ?( 1 ) : ?( 2 ) ) ] ) ) ?( if =( ?( a ) ~ < ?( b ) ) : =( =( pass ) ) )",
    );
    check(
        "rust",
        "fn f<T: A>(a: u8,) -> u8 { g!(a); 1 | 2 }",
        "?( fn =( f ) ?( < =( =( T ) ?( : =( A ) ) ) > ) =( ( ?( =( a ) : =( u8 ) ) ?( , ) ) ) ?( -> =( u8 ) ) =( { ?( =( =( g ) ! =( ( ?( a ) ) ) ) ; ) ?( =( 1 ) | =( 2 ) ) } ) )",
    );
    check(
        "javascript",
        "let {a, b} = [1, , 2]; f(x => x)",
        "?( let =( =( { ?( a ) ~ , ?( b ) } ) ?( = =( [ ?( 1 ) ~ , ~ , ?( 2 ) ] ) ) ) ; ) ?( =( =( f ) =( ( ?( =( x ) => =( x ) ) ) ) ) )",
    );
    check(
        "typescript",
        "class A extends B { x: number = 1; y; }",
        "?( class =( A ) ?( =( extends =( B ) ) ) =( { ?( =( x ) ?( : =( number ) ) ?( = =( 1 ) ) ) ?( ; ) ?( =( y ) ) ?( ; ) } ) )",
    );
    check(
        "java",
        "class A { @X private int a = 1, b; }",
        "?( class =( A ) =( { ?( ?( ?( @ =( X ) ) ?( private ) ) =( int ) ?( =( a ) ?( = =( 1 ) ) ) ~ , ?( =( b ) ) ; ) } ) )",
    );
    check(
        "go",
        "package a; import (\"fmt\"; \"os\")",
        "?( =( package =( a ) ) ; ) ?( import =( ( ?( =( \"fmt\" ) ) ~ ; ?( =( \"os\" ) ) ) ) )",
    );
    check("json", "[1, {\"a\": 2}]", "?( [ ?( 1 ) ~ , ?( { ?( =( \"a\" ) : =( 2 ) ) } ) ] )");
    check("css", "a, b { c: d; }", "?( =( ?( a ) ~ , ?( b ) ) =( { ?( =( c ) : =( d ) ?( ; ) ) } ) )");
    check(
        "html",
        "<a b=\"c\">x</a>",
        "?( =( < =( a ) ?( =( b ) ?( = =( \" ?( c ) \" ) ) ) > ) ?( x ) =( </ =( a ) > ) )",
    );
    check(
        "bash",
        "a b | c; d && e",
        "?( ?( =( =( a ) ) ?( b ) ) ~ | ?( =( =( c ) ) ) ) ~ ; ?( =( =( =( d ) ) ) && =( =( =( e ) ) ) )",
    );
    check("lua", "local a, b = 1, 2", "?( local =( =( ?( a ) ~ , ?( b ) ) = =( ?( 1 ) ~ , ?( 2 ) ) ) )");
    check(
        "php",
        "<?php f($a, 1);",
        "?( =( <?php ) ?( =( =( f ) =( ( ?( =( $ =( a ) ) ) ~ , ?( =( 1 ) ) ) ) ) ; ) )",
    );
    check(
        "sql",
        "SELECT a, b FROM c;",
        "?( =( =( =( SELECT ) =( ?( =( =( a ) ) ) ~ , ?( =( =( b ) ) ) ) ) ?( =( FROM ) =( =( =( c ) ) ) ) ) ; )",
    );
    // Errors, and what is in them.
    check("c", "int x = 1 $$ 2;", "?( =( int ) =( =( x ) = =( 1 ) ) ?( ?( $$ ) ?( 2 ) ) ; )");
}

#[test]
fn a_literal_is_one_token_that_weighs_its_leaves() {
    for (language, text, count, weight) in [
        ("c", "char *s = \"a\\n b\";", 6, 10),
        ("python", "s = 'a \\n \\t b'", 3, 6),
        ("json", "\"a\\tb\"", 1, 5),
    ] {
        let Some(language) = find(language) else { continue };
        let tree = parse(text.into(), language).unwrap();
        assert_eq!((tree.text().len(), tokens(&tree)), (count, weight), "{text}");
    }
}

#[test]
fn text_that_no_leaf_covers_is_in_tokens_without_weight() {
    let Some(c) = find("c") else { return };
    let tree = parse(b"int a \\\n = 1; // b\n".to_vec(), c).unwrap();
    let pieces: Vec<&[u8]> = (0..tree.text().len()).map(|i| tree.text().piece(i)).collect();
    assert_eq!(pieces, [b"int".as_slice(), b"a", b"\\", b"=", b"1", b";"]);
    assert_eq!(tokens(&tree), 5);
}

#[test]
fn comments_are_in_the_gaps() {
    let Some(rust) = find("rust") else { return };
    let tree = parse(b"/// doc\nfn /* a */ f() {} // b".to_vec(), rust).unwrap();
    assert_eq!(tokens(&tree), 6);
    assert_eq!(rendered(&tree), b"/// doc\nfn /* a */ f() {} // b");
}

#[test]
fn deep_nesting_takes_no_stack() {
    let Some(json) = find("json") else { return };
    let mut text = vec![b'['; 100_000];
    text.resize(200_000, b']');
    let tree = parse(text.clone(), json).unwrap();
    assert_eq!((tree.depth(), tokens(&tree)), (100_002, 200_000));
    assert_eq!(rendered(&tree), text);
}

#[test]
fn an_error_with_many_parts_takes_time_that_is_linear_in_them() {
    let Some(c) = find("c") else { return };
    let tree = parse(vec![b'('; 150_000], c).unwrap();
    assert_eq!(tokens(&tree), 150_000);
}

#[test]
fn html_that_would_take_the_square_of_its_depth_is_refused() {
    let Some(html) = find("html") else { return };
    let refused = |text: String| parse(text.into(), html).err();
    assert_eq!(refused("<div>".repeat(100_000)), Some(Refusal::TooManySteps));
    assert_eq!(refused("<div>".repeat(500)), None);
    assert_eq!(refused("<li>a<br>".repeat(500)), None);
}

#[test]
fn a_text_that_a_grammar_gets_stuck_in_is_refused() {
    let Some(kotlin) = find("kotlin") else { return };
    // C++, each line of which Kotlin could read in several ways.
    let text = r#"{
  typedef long unsigned int q
  typedef
#pragma GCC visibility
  extern "C++" __attribute__ ((__noreturn__, __always_inline__))
  inline void __terminate() noexcept
  {
    void terminate() noexcept __attribute__ ((__noreturn__));
    terminate();
  }
#pragma GCC visibility pop
}
namespace
{
  inline namespace __cxx11 __attribute__((__abi_tag__ ("cxx11")))
}
namespace
{
  inline namespace __cxx11 __attribute__((__abi_tag__ ("cxx11")))
}"#;
    let refused = |text: String| parse(text.into(), kotlin).err();
    assert_eq!(refused(text.to_owned()), Some(Refusal::TooManySteps));
    assert_eq!(refused(text.to_owned() + &"fun f() { g(1) }\n".repeat(1000)), Some(Refusal::TooManySteps));
    assert_eq!(refused("fun f() { g(1) }\n".repeat(1000)), None);
}

/// Words, numbers and single other characters.
fn words(bytes: &[u8]) -> Vec<&[u8]> {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
    let pieces = bytes.chunk_by(|a, b| word(a) && word(b));
    pieces.filter(|piece| !piece[0].is_ascii_whitespace()).collect()
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop::sample::select(b"ab1 \t\n\r\x0b\0\"'`\\+/*(){}[]<>;,:=#$.\xe9\xff".to_vec());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..80), prop::collection::vec(byte, 0..80)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn all_tokens_make_the_input_again(
        sample in prop::sample::select(all()),
        noise in bytes(),
        at in any::<prop::sample::Index>(),
        gone in 0..40usize,
    ) {
        let (language, text) = sample;
        let at = at.index(text.len());
        let mut mutated = text.as_bytes().to_vec();
        mutated.splice(at..(at + gone).min(text.len()), noise.iter().copied());
        for input in [&noise, &mutated] {
            let tree = parse(input.clone(), language).unwrap();
            prop_assert_eq!(&rendered(&tree), input, "{}", language);
            let seen = outline(input, language.grammar()).unwrap();
            let mut encoded = Vec::new();
            crate::outline::encode(&seen, &mut encoded);
            let decoded = crate::outline::decode(&encoded, input.len(), language.grammar());
            prop_assert_eq!(decoded, Some(seen), "{}", language);
        }
    }

    #[test]
    fn kept_tokens_do_not_run_together(
        sample in prop::sample::select(all()),
        kept in prop::collection::vec(any::<bool>(), 1..200),
    ) {
        let (language, input) = sample;
        let tree = parse(input.as_bytes().to_vec(), language).unwrap();
        let text = tree.text().clone();
        let mut variant = Variant { gaps: Gaps::Bare, ..Variant::whole(text.clone()) };
        (0..text.len()).filter(|i| !kept[i % kept.len()]).for_each(|i| variant.kept.remove(i));
        // Tokens that touch in the input may touch; all others are apart.
        let mut expected = Vec::new();
        for i in variant.kept.iter() {
            let touches = i > 0 && variant.kept.contains(i - 1) && text.span(i - 1).end == text.span(i).start;
            if !touches {
                expected.push(b'\n');
            }
            expected.extend_from_slice(text.piece(i));
        }
        let rendered = variant.render();
        prop_assert_eq!(words(&rendered), words(&expected), "{}", language);
    }

    #[test]
    fn only_white_space_and_comments_are_between_tokens(noise in bytes()) {
        let Some(json) = find("json") else { return Ok(()) };
        let tree = parse(noise.clone(), json).unwrap();
        prop_assume!(!noise.windows(2).any(|two| matches!(two, b"//" | b"/*")));
        let mut rest: &[u8] = &noise;
        for i in 0..tree.text().len() {
            let piece = tree.text().piece(i);
            let gap = rest.windows(piece.len()).position(|window| window == piece).unwrap();
            prop_assert!(is_blank(&rest[..gap]), "{:?}", noise.escape_ascii().to_string());
            rest = &rest[gap + piece.len()..];
        }
        prop_assert!(is_blank(rest));
    }
}

#[test]
fn an_attribute_makes_no_stranger_of_the_block_behind_it() {
    let head = "?( namespace ?( n ) ?( __attribute__ ( ( ?( a ) ( ?( b ) ) ) ) )";
    let body = "=( { ?( =( int ) =( x ) ; ) } ) )";
    let one = format!("{head} {body}");
    check("cpp", &"namespace n __attribute__((a(b))) { int x; }\n".repeat(4), &[&*one; 4].join(" "));
}

#[test]
fn what_is_hidden_weighs_what_it_weighed() {
    let Some(cpp) = find("cpp") else { return };
    let text = "namespace n __attribute__((a(\"b\"))) { int x; }\n".repeat(4);
    let tree = parse(text.into(), cpp).unwrap();
    assert_eq!((tree.errors(), tokens(&tree)), (Some(0), 4 * 18));
}

#[test]
fn a_declaration_goes_as_a_whole_with_what_its_only_name_needs() {
    let Some(cpp) = find("cpp") else { return };
    let text = "class F { };\nclass S {\n  virtual void f(const F& x) = 0;\n  void g(int a, int b);\n};\n";
    let tree = parse(text.into(), cpp).unwrap();
    let spelled = |node: usize| {
        let tokens = tree.tokens(node);
        let text = tree.text();
        String::from_utf8_lossy(&text.bytes()[text.span(tokens.start).start..text.span(tokens.end - 1).end])
            .into_owned()
    };
    let class = (1..tree.nodes().len()).find(|&node| spelled(node) == "class F { };").unwrap();
    let taken = Links::of(&tree).taken_by(&tree, class, ClosureDepth::Full);
    let taken: Vec<String> = taken.into_iter().map(|node| spelled(node as usize)).collect();
    assert_eq!(taken, ["class F { };", "virtual void f(const F& x) = 0;"]);
}
