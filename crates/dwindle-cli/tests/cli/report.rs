//! `--report`: a page about a reduction.

use std::fs;

use super::support::{World, haystack};

fn page(world: &World, name: &str) -> String {
    String::from_utf8(world.read(name)).expect("a page is UTF-8, whatever the input is")
}

#[test]
fn a_page_tells_what_was_asked_and_what_is_left() {
    let world = World::new();
    let test = world.test("look.sh", "grep -q needle \"$1\"\n");
    let input = world.write("hay.txt", haystack(60, &[(31, "needle")]));
    let (test, input) = (test.to_str().unwrap(), input.to_str().unwrap());
    let page_at = world.path("page.html");
    world
        .run([test, input, "--jobs", "2", "--report", page_at.to_str().unwrap()])
        .ends_with(0, &["reduced: "]);
    let page = page(&world, "page.html");
    for part in [
        "The search came to its end.",
        "<b>needle</b>",
        "testing the input itself",
        "tests over time",
        "class='hot'",
        "1-tree-minimal",
        "--report",
        "deleted lines",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // It opens without a network.
    assert!(!page.contains("http") && !page.contains("src=") && !page.contains("@import"), "{page}");
    assert_eq!(
        fs::read_dir(world.path(""))
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().contains(".tmp"))
            .count(),
        0
    );
}

#[test]
fn a_budget_ends_with_a_page_and_a_journal_makes_one_later() {
    let world = World::new();
    let test = world.test("look.sh", "grep -q needle \"$1\"\n");
    let input = world.write("hay.txt", haystack(60, &[(31, "needle")]));
    let [first, second] =
        ["first.html", "second.html"].map(|name| world.path(name).to_str().unwrap().to_owned());
    let output = world.path("hay.reduced.txt").to_str().unwrap().to_owned();
    let (test, input) = (test.to_str().unwrap(), input.to_str().unwrap());
    world.run([test, input, "--max-questions", "6", "--report", &first]).ends_with(0, &["stopped after"]);
    let page_of_run = page(&world, "first.html");
    assert!(
        page_of_run.contains("budget of questions was spent") && page_of_run.contains("nothing: the search")
    );
    world.run(["history", &output, "--report", &second]).ends_with(0, &[]);
    let later = page(&world, "second.html");
    assert!(later.contains("This reduction is not finished.") && later.contains("over questions"), "{later}");
    world
        .run(["history", &output, "--report", input])
        .ends_with(2, &["would replace a file of the reduction"]);
    world
        .run(["history", &output, "--report", &output])
        .ends_with(2, &["would replace a file of the reduction"]);
}

#[test]
fn nothing_in_a_file_or_a_name_is_markup() {
    let world = World::new();
    let test = world.test("look.sh", "grep -qa needle \"$1\"\n");
    let input =
        world.write("<script>x&y.txt", b"needle </code><script>alert(1)</script> \xff\xfe\x00 needle\n");
    let page_at = world.path("page.html");
    let args = [test.to_str().unwrap(), input.to_str().unwrap(), "--report", page_at.to_str().unwrap()];
    world.run(args).ends_with(0, &[]);
    let page = page(&world, "page.html");
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains("&lt;script&gt;") && page.contains("\\xff\\xfe"), "{page}");
}

#[test]
fn a_page_that_cannot_be_written_is_said_before_anything_is_asked() {
    let world = World::new();
    let test = world.test("look.sh", "touch ran\n");
    let input = world.write("hay.txt", "needle\n");
    let (test, input) = (test.to_str().unwrap(), input.to_str().unwrap());
    world
        .run([test, input, "--report", "/nowhere/page.html"])
        .ends_with(7, &["cannot write the report", "no such folder"]);
    world.run([test, input, "--report", input]).ends_with(2, &["is a file of the reduction"]);
    assert_eq!(world.runs(), 0);
}
