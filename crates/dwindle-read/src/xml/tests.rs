//! Which trees come from documents, whole and broken.

use super::*;
use crate::brackets::tests::{dump, reduced};
use dwindle_core::{TreeReducer, Variant};
use proptest::prelude::*;

const SAMPLE: &str = r##"<?xml version="1.0" encoding='UTF-8' standalone="yes" ?>
<?xml-stylesheet type="text/xsl" href="a.xsl"?>
<!-- <hi> -->
<!DOCTYPE note PUBLIC "-//W3C" "http://x" [
<!ELEMENT note (to,(from|x)*)?>
<!ELEMENT note (#PCDATA|b)*>
<!ATTLIST note a CDATA #REQUIRED b (x|y) "x" d CDATA #FIXED "q&amp;r" >
<!ENTITY x "abc&lt;d">
<!ENTITY % y SYSTEM "foo">
<!ENTITY z SYSTEM "foo" NDATA gif>
<?pi?> %y;
]>
<a x = "1 2"
   y='&amp;>q' z="&#65;">  some text, more &lt; text
 and <b/> tail <![CDATA[ x<y ]]> <!-- c --> <x:c  z="" ></x:c >
 &#65;<?php?><d><e>x</e>y<e f="">z</e></d>
</a>
<!-- end -->
"##;

fn whole(tree: &Tree) -> Vec<u8> {
    Variant::whole(tree.text().clone()).render()
}

fn tokens(tree: &Tree) -> Option<u64> {
    Variant::whole(tree.text().clone()).tokens()
}

fn check(input: &str, expect: &str) {
    let tree = parse(input.into()).unwrap();
    assert_eq!(String::from_utf8_lossy(&whole(&tree)), input);
    assert_eq!(dump(&tree), format!("!document({expect})"), "{input}");
}

fn well_formed(bytes: &[u8]) -> Result<(), String> {
    let mut reader = Reader::from_reader(bytes);
    reader.config_mut().check_comments = true;
    let (mut depth, mut roots) = (0, 0);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Eof => break,
            Event::Start(start) => {
                start.attributes().try_for_each(|a| a.map(|_| ())).map_err(|error| error.to_string())?;
                roots += u32::from(depth == 0);
                depth += 1;
            }
            Event::Empty(start) => {
                start.attributes().try_for_each(|a| a.map(|_| ())).map_err(|error| error.to_string())?;
                roots += u32::from(depth == 0);
            }
            Event::End(_) => depth -= 1,
            Event::Text(text) if depth == 0 && !text.trim_ascii().is_empty() => {
                return Err("text outside".into());
            }
            _ => {}
        }
    }
    if (depth, roots) == (0, 1) { Ok(()) } else { Err(format!("depth {depth}, {roots} elements")) }
}

#[test]
fn an_element_has_its_tags_attributes_and_content() {
    check(
        "<a x='1'\n y = \"&lt;\"><b/> t u<c>v</c>\n</a >\n",
        "!element(!< !a attribute(!x !Eq !'1') attribute(!y !Eq !\"&lt;\") !> element(!< !b !/>) text(t u) \
         element(!< !c !> v !</ !c !>) !</ !a !>)"
            .replace("Eq", "=")
            .as_str(),
    );
    check(
        "\u{feff}<?xml version='1.0'?><!--c--><a>&x;b<![CDATA[ d e ]]></a>",
        "xml_declaration(!<? !xml !attribute(!version != !'1.0') !?>) <!--c--> \
         !element(!< !a !> text(&x; b) cdata(!<![CDATA[ d e !]]>) !</ !a !>)",
    );
    check(
        "<!DOCTYPE a SYSTEM 'x' [<!ENTITY b 'c'> <?d?> %e;]><a/>",
        "doctype(!<! !DOCTYPE !a external_id(!SYSTEM !'x') \
         internal_subset(![ markup_declaration(!<! !ENTITY !b !'c' !>) <?d?> %e; !]) !>) !element(!< !a !/>)",
    );
}

#[test]
fn broken_documents_are_read_as_far_as_can_be() {
    check(
        "<a><b><c></b></d>x & y</a>",
        "!element(!< !a !> element(!< !b !> element(!< !c !>) !</ !b !>) </d> text(x & y) !</ !a !>)",
    );
    check(
        "<a b c=d =e><f>",
        "!element(!< !a attribute(!b) attribute(!c != !d) attribute(!=e) !> element(!< !f !>))",
    );
    check("x<a/>y<b/>", "x !element(!< !a !/>) y element(!< !b !/>)");
    assert_eq!(parse(b"no markup".to_vec()).unwrap_err(), NotXml::NoElement);
    assert_eq!(parse(b"<\0a\0>\0".to_vec()).unwrap_err(), NotXml::Nul(1));
    for unclosed in ["<a>\n<b", "<a><!-- ", "<a><![CDATA[ ]]", "<a b='>", "<!DOCTYPE a [ <a>", "<a><?b >"] {
        assert!(matches!(parse(unclosed.into()), Err(NotXml::Broken { .. })), "{unclosed}");
    }
}

#[test]
fn tokens_are_those_of_the_grammar() {
    for (input, expect) in COUNTS {
        assert_eq!(tokens(&parse((*input).into()).unwrap()), Some(*expect), "{input}");
    }
}

/// What the tree-sitter grammar of XML counts, where it finds no error (it does in instructions
/// that say anything, and then counts some of what they say).
const COUNTS: &[(&str, u64)] = &[
    (SAMPLE, 200),
    ("<a>x y<b/>&lt;z<![CDATA[ a b ]]></a>", 19),
    ("<?xml version='1.0' encoding=\"UTF-8\"?>\n<!-- c -->\n<a b='1 2' c = '&amp;x&#65;'/>", 29),
    ("<!DOCTYPE a SYSTEM \"x\" [<!ENTITY b \"c\">%d;]><a>&b;</a>", 28),
    ("<!DOCTYPE a PUBLIC \"x\" \"y\"><a> <b> </b>\n<?pi?></a>", 25),
    ("<?xml-stylesheet type='a'?><a xmlns:x='y'><x:b x:c=''/></a>", 24),
];

#[test]
fn without_any_one_node_a_document_is_still_well_formed() {
    for input in [SAMPLE, "<a><b/><c>x</c></a>", "<a b='' c=''>d<e/>f&amp;g</a>"] {
        let tree = parse(input.into()).unwrap();
        well_formed(input.as_bytes()).unwrap();
        for (index, node) in tree.nodes().iter().enumerate().filter(|(_, node)| node.role == Role::Deletable)
        {
            let mut variant = Variant::whole(tree.text().clone());
            variant.kept.remove_range(node.tokens());
            let left = variant.render();
            well_formed(&left).unwrap_or_else(|error| {
                panic!("without {}: {error}\n{}", tree.kind_name(index), String::from_utf8_lossy(&left))
            });
        }
    }
}

fn source() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        "<a>",
        "</a>",
        "<b c='d' e=\"&f;\">",
        "</b>",
        "<g/>",
        "< h",
        " i",
        "=",
        "'",
        "\"",
        ">",
        "<",
        "/>",
        "\n",
        "  ",
        "text",
        "&j;",
        "&#107;",
        "&",
        "<![CDATA[",
        " l ",
        "]]>",
        "<!-- m -->",
        "<!--",
        "-->",
        "<?n o?>",
        "<?",
        "?>",
        "<?xml version='1.0'?>",
        "<!DOCTYPE p [<!ENTITY q 'r'>]>",
        "<!DOCTYPE",
        "[",
        "]",
        "%",
        ";",
        "\u{e9}",
        "\u{feff}",
    ]);
    let part = part.prop_map(str::as_bytes).prop_map(<[u8]>::to_vec);
    prop::collection::vec(prop_oneof![20 => part, 1 => Just(b"\xe9".to_vec())], 0..40)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn all_tokens_make_the_input_again(bytes in prop::collection::vec(any::<u8>(), 0..60), source in source()) {
        for input in [bytes, source] {
            let Ok(tree) = parse(input.clone()) else { continue };
            prop_assert_eq!(&whole(&tree), &input);
            // Gaps are white space.
            let pieces: Vec<u8> = (0..tree.text().len()).flat_map(|i| tree.text().piece(i).to_vec()).collect();
            let solid = |bytes: &[u8]| bytes.iter().copied().filter(|&byte| !is_space(byte)).collect::<Vec<_>>();
            let input = input.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&input);
            prop_assert_eq!(solid(&pieces), solid(input));
        }
    }
}

#[test]
fn any_depth_takes_linear_time() {
    let n = 100_000;
    for input in [
        [b"<a>".repeat(n), b"</a>".repeat(n)].concat(),
        [b"<a b='c'>\n".repeat(n), b"x</a>\n".repeat(n)].concat(),
        b"<a>".repeat(n),
        [b"<a>".repeat(n), b"</b>".repeat(n), b"</a>".repeat(n)].concat(),
        [b"<b><a>".repeat(n), b"</b>".repeat(n)].concat(),
        [b"<a>", &b"&x; & y".repeat(n)[..], b"</a>"].concat(),
        [b"<a", &b" b='c'".repeat(n)[..], b"/>"].concat(),
        [b"<!DOCTYPE a [", &b"<!ENTITY b 'c'>%d;".repeat(n)[..], b"]><a/>"].concat(),
    ] {
        let tree = parse(input.clone()).unwrap();
        assert!(whole(&tree) == input);
    }
}

#[test]
fn a_document_is_reduced_to_what_is_needed() {
    let needed = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        well_formed(bytes).is_ok() && text.contains("<e") && text.contains("f=\"\"") && text.contains("<x:c")
    };
    for reducer in TreeReducer::ALL {
        let (result, questions) = reduced(parse(SAMPLE.into()).unwrap(), reducer, needed);
        let expect = "<a\n   >\n <x:c ></x:c >\n <d><e f=\"\"></e></d>\n</a>\n";
        assert_eq!(result.replace("> <", "><"), expect, "{reducer:?} {questions}");
    }
}

#[test]
fn files_are_recognised_by_name_or_first_line() {
    for (name, bytes, expect) in [
        ("a.XML", "", true),
        ("a.svg", "<svg>", true),
        ("a", "\u{feff}\n<?xml version='1.0'?>", true),
        ("a.txt", "<?xmlx?>", false),
        ("a.html", "<html>", false),
    ] {
        assert_eq!(recognise(Path::new(name), bytes.as_bytes()), expect, "{name}");
    }
}
