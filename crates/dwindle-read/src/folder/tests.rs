use std::path::PathBuf;

use dwindle_core::passes::Pass;
use dwindle_core::{Role, Subset, Variant};

use super::*;
use crate::bundle::{Item, join, split};
use crate::front_end::file;

fn bundle(files: &[(&str, &str)]) -> Vec<u8> {
    let items: Vec<_> =
        files.iter().map(|(path, text)| (PathBuf::from(path), Item::Text(0o644, text.as_bytes()))).collect();
    join(&items)
}

/// What is left without the nodes that read so.
fn without(tree: &Tree, nodes: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let text = tree.text();
    let mut kept = Subset::full(text.len());
    for (index, node) in tree.nodes().iter().enumerate() {
        let tokens = node.tokens();
        let words: Vec<_> = tokens.clone().map(|token| String::from_utf8_lossy(text.piece(token))).collect();
        if node.role == Role::Deletable && index > 0 && nodes(&words.join(" ")) {
            kept.remove_range(tokens);
        }
    }
    read(&Variant { kept, ..Variant::whole(text.clone()) }.render())
}

/// The files of a bundle.
fn read(bytes: &[u8]) -> Vec<(String, String)> {
    let entries = split(bytes).expect("it is a bundle still");
    let files = entries.into_iter().filter_map(|entry| match entry.content {
        Content::Text { bytes: range, .. } => {
            Some((entry.path.display().to_string(), String::from_utf8_lossy(&bytes[range]).into_owned()))
        }
        _ => None,
    });
    files.collect()
}

/// The files that are left when a change of a pass is made, for each change.
fn passed(pass: Pass, files: &[(&str, &str)]) -> Vec<Vec<(String, String)>> {
    let tree = parse(bundle(files), file).unwrap();
    let whole = Variant::whole(tree.text().clone());
    let changes = pass.propose(&tree).into_iter().flat_map(|choice| choice.alternatives);
    changes.map(|change| read(&change.apply(&tree, &whole).render())).collect()
}

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn no_file_is_read_where_there_are_too_many() {
    let check = |files: usize, bytes: usize, too_many: bool| {
        let text = "int a;\n".repeat(bytes / files / 7 + 1);
        let items: Vec<_> = (0..files)
            .map(|number| (PathBuf::from(format!("{number}.c")), Item::Text(0o644, text.as_bytes())))
            .collect();
        let bundle = join(&items);
        let found = too_many_files(&bundle);
        assert_eq!(found, too_many.then_some((files, files * text.len())), "{files} files");
        assert_eq!(texts(&bundle).unwrap().count() == 0, too_many, "{files} files");
    };
    check(MANY + 1, LARGE, true);
    check(MANY, LARGE, false);
    check(MANY + 1, LARGE / 2, false);
}

/// Some ways to join these files must be among those that are proposed; line ends apart.
fn check_joined(files: &[(&str, &str)], expect: &[&[(&str, &str)]]) {
    let squeezed = |files: Vec<(String, String)>| -> Vec<(String, String)> {
        let lines = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        files.into_iter().map(|(path, text)| (path, lines(&text))).collect()
    };
    let joined: Vec<_> = passed(Pass::Files, files).into_iter().map(squeezed).collect();
    for expect in expect {
        let expect = squeezed(owned(expect));
        assert!(joined.contains(&expect), "{expect:#?}: {joined:#?}");
    }
}

#[test]
fn a_file_comes_where_it_is_imported_or_behind_another() {
    check_joined(
        &[("a.h", "#pragma once\nint a;\n"), ("b.c", "int b;\n#include \"a.h\"\nint c;\n")],
        &[
            &[("b.c", "int b;\n#pragma once\nint a;\nint c;\n")],
            &[("b.c", "int b;\nint c;\n#pragma once\nint a;\n")],
            &[("a.h", "#pragma once\nint a;\nint b;\n#include \"a.h\"\nint c;\n")],
        ],
    );
    check_joined(
        &[("m.rs", "fn f() {}\n"), ("n.rs", "mod m;\nfn g() {}\n")],
        &[
            &[("n.rs", "mod m{fn f() {}}\nfn g() {}\n")],
            &[("n.rs", "fn f() {}\nfn g() {}\n")],
            &[("n.rs", "fn g() {}\nfn f() {}\n")],
        ],
    );
}

#[test]
fn what_two_files_have_goes_once_or_from_both() {
    check_joined(
        &[("p.java", "package o;\nimport x;\nclass P {}\n"), ("q.java", "package o;\nclass Q {}\n")],
        &[
            &[("p.java", "package o;\nimport x;\nclass P {}\nclass Q {}\n")],
            &[("p.java", "import x;\nclass P {}\n"), ("q.java", "class Q {}\n")],
        ],
    );
}

#[test]
fn files_stay_files_whatever_goes_inside() {
    let files = [
        ("a.py", "if x:\n    y = 1\n    z = 2\n"),
        ("b.c", "int a;\nint b;\n"),
        ("c.txt", "one two\nthree"),
        ("d.yaml", "k:\n  - a\n  - b\n"),
        ("e.xml", "<a><b/> c </a>"),
        ("f.c", "// x\r\nint a;\r\nint b;\r\n"),
    ];
    let tree = parse(bundle(&files), file).unwrap();
    assert_eq!(without(&tree, |_| false), owned(&files));
    let left = without(&tree, |node| node == "int a ;" || node == "y = 1");
    assert_eq!(left[0].1, "if x:\n    z = 2\n");
    assert_eq!(left[1].1, "int b;\n");
    assert_eq!(left[2..5], owned(&files)[2..5]);
    assert_eq!(left[5].1, "int b;\r\n");
    let entries = |bytes: &[u8]| {
        let entries = split(bytes).unwrap().into_iter();
        entries.map(|entry| bytes[entry.line].to_vec()).collect::<Vec<_>>()
    };
    let input = entries(&bundle(&files));
    let bare = Variant { gaps: dwindle_core::Gaps::Bare, ..Variant::whole(tree.text().clone()) }.render();
    assert_eq!(entries(&bare), input, "without comments");
    // Each node that can go, alone.
    for (index, node) in tree.nodes().iter().enumerate().skip(1) {
        if node.role == Role::Deletable {
            let mut kept = Subset::full(tree.text().len());
            kept.remove_range(node.tokens());
            let bytes = Variant { kept, ..Variant::whole(tree.text().clone()) }.render();
            let is_file = tree.kind_name(index) == "file";
            let left = entries(&bytes);
            assert!(left.iter().all(|line| input.contains(line)), "{:?}", String::from_utf8_lossy(&bytes));
            assert_eq!(
                left.len(),
                files.len() - usize::from(is_file),
                "{:?}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }
}

/// Which tokens use which files.
fn links(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let tree = parse(bundle(files), file).unwrap();
    let names = tree.names();
    let of_files = names.mentions().iter().filter(|mention| mention.how == How::Uses).filter_map(|mention| {
        let name = String::from_utf8_lossy(names.spelling(mention.name)).into_owned();
        let token = String::from_utf8_lossy(tree.text().piece(mention.token as usize)).into_owned();
        Some((token.trim_matches(['"', '\'']).to_owned(), name.strip_prefix("file ")?.to_owned()))
    });
    of_files.collect()
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    assert_eq!(links(files), owned(expected));
}

#[test]
fn paths_and_names_of_modules_lead_to_files() {
    let c = [
        ("include/u.h", "int u(void);"),
        ("src/m.c", "#include <stdio.h>\n#include \"u.h\"\nint m = 1.5;\n"),
    ];
    check(&c, &[("u.h", "include/u.h")]);
    check(
        &[
            ("src/lib.rs", "mod a;\npub mod b;\nfn a2() {}\n"),
            ("src/a.rs", ""),
            ("src/b/mod.rs", "mod c;"),
            ("src/b/c.rs", ""),
        ],
        &[("a", "src/a.rs"), ("b", "src/b/mod.rs"), ("c", "src/b/c.rs")],
    );
    check(
        &[("a.ts", "import { f } from './lib/b';\nf();\n"), ("lib/b.ts", "export function f() {}\n")],
        &[("./lib/b", "lib/b.ts")],
    );
    check(
        &[("p/__init__.py", ""), ("p/a.py", "x = 1\n"), ("t.py", "from p.a import x\nimport os\n")],
        &[("p", "p/__init__.py"), ("a", "p/a.py")],
    );
}

#[test]
fn what_is_imported_is_used() {
    let files = [("a.py", "def f():\n    pass\n"), ("b.py", "from a import f\nfrom c import g\n")];
    let tree = parse(bundle(&files), file).unwrap();
    let names = tree.names();
    let how = |word: &[u8]| {
        let mentions = names.mentions().iter().filter(|mention| names.spelling(mention.name) == word);
        mentions.map(|mention| mention.how).collect::<Vec<_>>()
    };
    assert_eq!(how(b"f"), [How::Introduces, How::Uses]);
    assert_eq!(how(b"g"), [How::Introduces]);
}

#[test]
fn files_of_one_language_have_the_same_kinds() {
    let tree = parse(bundle(&[("a.c", "int a;"), ("b.py", "x"), ("c.c", "int c;")]), file).unwrap();
    let kinds = |name: &str| {
        let nodes = tree.nodes().iter().enumerate().filter(|&(node, _)| tree.kind_name(node) == name);
        nodes.map(|(_, node)| node.kind).collect::<Vec<_>>()
    };
    let declarations = kinds("declaration");
    assert_eq!(declarations.len(), 2);
    assert_eq!(declarations[0], declarations[1]);
}

#[test]
fn only_many_files_that_are_large_together_are_not_read() {
    let check = |files: usize, bytes: usize, read: usize| {
        let text = "a".repeat(bytes / files);
        let names: Vec<String> = (0..files).map(|number| number.to_string()).collect();
        let all: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*text)).collect();
        let bundle = bundle(&all);
        let found = read_now(&split(&bundle).unwrap()).into_iter().filter(|read| *read).count();
        assert_eq!(found, read, "{files} files of {bytes} bytes");
        assert_eq!(too_many_files(&bundle).is_some(), read == 0);
    };
    check(MANY + 1, LARGE + 2 * MANY, 0);
    check(MANY + 1, LARGE / 8, MANY + 1);
    // The small ones first: the others are read when these have become smaller.
    check(MANY, LARGE + 2 * MANY, ENOUGH / (LARGE / MANY + 2) + 1);
    check(3, 3 * LARGE, 1);
}
