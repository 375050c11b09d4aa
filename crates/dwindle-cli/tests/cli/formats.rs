//! Formats and minimisers on odd inputs: whatever is chosen, the result is interesting, no larger
//! than the input, and the same every time.

use dwindle::Size;
use dwindle::core::MinimizerKind;
use dwindle::method::FORMATS;
use std::cmp::Ordering;
use std::path::Path;

use super::support::World;

/// Two words somewhere, in order; without a process of its own, so that many questions are cheap.
const TWO_WORDS: &str = "\
    seen=\n\
    while IFS= read -r line || [ -n \"$line\" ]; do\n\
      case \"$seen$line\" in *a*) case \"$line\" in *b*b*) exit 0;; esac; seen=a;; esac\n\
    done\n\
    exit 1";

/// Reduces `input` and checks all that holds of every result; the result.
#[track_caller]
fn check(world: &World, test: &Path, input: &[u8], flags: &[&str]) -> Vec<u8> {
    world.write("in.txt", input);
    let args = [&["test.sh", "in.txt"], flags].concat();
    let reports = [world.report(&args), world.report([&args[..], &["--output", "again.txt"]].concat())];
    let result = world.read("in.reduced.txt");
    let shown = result.escape_ascii();
    assert_eq!(world.read("again.txt"), result, "two runs, one result: {shown}, {flags:?}");
    assert_eq!(reports[0]["questions"], reports[1]["questions"], "two runs, the same questions: {flags:?}");
    assert!(world.finds_interesting(test, "in.txt", &result), "not interesting: {shown}, {flags:?}");
    let (before, after) = (Size::of(input), Size::of(&result));
    assert_ne!(after.compare(&result, before, input), Ordering::Greater, "larger: {shown}, {flags:?}");
    assert_eq!(reports[0]["end"], "finished");
    for (name, size) in [("before", before), ("after", after)] {
        assert_eq!(reports[0][name], serde_json::to_value(size).unwrap(), "{name} {flags:?}");
    }
    result
}

fn every_minimizer(flags: &[&str], expect: Option<&str>) {
    let world = World::new();
    let test = world.test("test.sh", TWO_WORDS);
    let input = "x (y)\n  the a1; t\nz = 'q'\n  no, b2 + b3;\nend\n";
    for minimizer in MinimizerKind::ALL {
        let flags = [flags, &["--minimizer", minimizer.name()]].concat();
        let result = check(&world, &test, input.as_bytes(), &flags);
        if let Some(expect) = expect {
            assert_eq!(String::from_utf8_lossy(&result), expect, "{}", minimizer.name());
        }
    }
}

#[test]
fn every_minimizer_reduces_by_default() {
    every_minimizer(&["--names", "short"], Some("a\n  b b3\n"));
}

#[test]
fn every_minimizer_deletes_at_the_fast_level_and_renames_by_one_pass() {
    every_minimizer(&["--level", "fast"], Some("  a1\n  b2 b3\n"));
    every_minimizer(&["--passes", "rename"], Some("  a\n  b b3\n"));
    every_minimizer(&["--no-rename"], None);
}

#[test]
fn every_minimizer_reduces_lines_then_tokens() {
    every_minimizer(&["--reducer", "list"], Some("  a1\n  b2 b3\n"));
}

#[test]
fn every_minimizer_reduces_lines() {
    every_minimizer(&["--format", "lines"], Some("  the a1; t\n  no, b2 + b3;\n"));
}

#[test]
fn every_minimizer_reduces_tokens() {
    every_minimizer(&["--format", "tokens"], Some("  a1\n  b2 b3\n"));
}

#[test]
fn every_minimizer_reduces_chars() {
    every_minimizer(&["--format", "chars"], None);
}

#[test]
fn every_minimizer_reduces_bytes() {
    every_minimizer(&["--format", "bytes"], None);
}

#[test]
fn odd_inputs_are_reduced_in_every_format() {
    let ends = "grep -q needle \"$1\"";
    let octets = "LC_ALL=C grep -q \"$(printf 'needle \\351\\200')\" \"$1\"";
    let carriage = "grep -q \"$(printf 'needle\\r$')\" \"$1\"";
    let blank = "[ \"$(wc -l < \"$1\")\" -ge 2 ]";
    let one = "[ \"$(wc -c < \"$1\")\" -ge 1 ]";
    let cases: [(&str, &[u8], &str, &[u8]); 9] = [
        ("no last newline", b"a\nb c\nneedle", ends, b"needle"),
        ("no last newline before what stays", b"a\nneedle\nb", ends, b"needle\n"),
        ("CRLF", b"a b\r\nthe needle\r\nc d\r\n", carriage, b"needle\r\n"),
        ("no UTF-8", b"caf\xe9 \xff\xfe\nneedle \xe9\x80\n\xf0\x9f\x98 x\n", octets, b"needle \xe9\x80\n"),
        ("one line", b"one long line with a needle in it\n", ends, b"needle\n"),
        ("one line without end", b"one long line with a needle in it", ends, b"needle"),
        ("white space", b" \t\n \t\n \t\n \t\n", blank, b" \t\n \t\n"),
        ("one byte", b"x", one, b"x"),
        ("zero bytes", b"a\0b\nneedle\0\0\n\0", ends, b"needle\n"),
    ];
    let world = World::new();
    for (name, input, body, smallest) in cases {
        let test = world.test("test.sh", body);
        for format in FORMATS.into_iter().chain(["list"]) {
            let flags = if format == "list" { ["--reducer", format] } else { ["--format", format] };
            let result = check(&world, &test, input, &flags);
            let tokens = |bytes: &[u8]| Size::of(bytes).tokens;
            match format {
                // A tree ends as the input does, with a line end or without.
                "auto" | "tree" => {
                    let end = if input.ends_with(b"\n") { &b""[..] } else { b"\n" };
                    let smallest = smallest.strip_suffix(end).unwrap_or(smallest);
                    assert_eq!(
                        result.escape_ascii().to_string(),
                        smallest.escape_ascii().to_string(),
                        "{name}"
                    );
                }
                "list" => assert_eq!(
                    result.escape_ascii().to_string(),
                    smallest.escape_ascii().to_string(),
                    "{name}"
                ),
                "tokens" => {
                    assert_eq!(tokens(&result), tokens(smallest), "{name}: {}", result.escape_ascii())
                }
                _ => {
                    assert!(tokens(&result) >= tokens(smallest), "{name} {format}: {}", result.escape_ascii())
                }
            }
        }
    }
}

#[test]
fn a_test_that_accepts_everything_has_no_result_and_an_earlier_one_stays() {
    let world = World::new();
    world.test("test.sh", "exit 0");
    for input in [&b"a b\nc\n"[..], b"x", b"\n", b"\xff\xfe"] {
        world.write("in.txt", input);
        for format in FORMATS {
            if format == "tokens" && input == b"\n" {
                continue; // There is no token to delete.
            }
            let said = world.run(["test.sh", "in.txt", "--format", format]);
            said.ends_with(10, &["the test accepts anything"]);
            let what = format!("{} {format}", input.escape_ascii());
            assert!(!world.path("in.reduced.txt").exists(), "{what}");
            world.write("in.reduced.txt", "earlier");
            world.run(["test.sh", "in.txt", "--format", format, "--fresh", "-q"]).ends_with(10, &[]);
            assert_eq!(world.read("in.reduced.txt"), b"earlier", "{what}");
            std::fs::remove_file(world.path("in.reduced.txt")).unwrap();
        }
    }
    world.write("in.txt", "a b\nc\n");
    world.write("in.reduced.txt", "earlier");
    for by in
        [&["in.txt", "--exit-code", "0", "--", "true"][..], &["test.sh", "in.txt", "--max-questions", "5"]]
    {
        world.run(by.iter().copied()).ends_with(10, &["the test accepts anything"]);
        assert_eq!(world.read("in.reduced.txt"), b"earlier");
    }
    for _ in 0..2 {
        world.run(["test.sh", "in.txt", "--in-place"]).ends_with(10, &["the test accepts anything"]);
        assert_eq!(world.read("in.txt"), b"a b\nc\n");
        assert!(!world.path("in.txt.orig").exists());
    }
    world.assert_no_file_is_left();
}

#[test]
fn what_cannot_get_smaller_is_its_own_result() {
    let world = World::new();
    world.write("in.txt", "a b\nc\n");
    world.test("test.sh", "[ \"$(cat)\" = \"$(printf 'a b\\nc')\" ] && [ $(wc -c < in.txt) = 6 ]");
    for format in FORMATS {
        let report = world.report(["test.sh", "in.txt", "--format", format]);
        assert_eq!(world.read("in.reduced.txt"), b"a b\nc\n");
        assert_eq!(report["before"], report["after"]);
    }
}

#[test]
fn a_byte_less_that_is_a_token_more_is_no_progress() {
    let world = World::new();
    let test = world.test("test.sh", "grep -q 'a b c' in.txt");
    for format in ["bytes", "chars"] {
        for minimizer in MinimizerKind::ALL {
            let flags = ["--format", format, "--minimizer", minimizer.name()];
            let result = check(&world, &test, b"say \"a b c\" now\n", &flags);
            assert_eq!(String::from_utf8_lossy(&result), "\"a b c\"", "{flags:?}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_questions_and_another_seed_other_ones() {
    let world = World::new().one_by_one();
    // Many local minima: any five lines, one of them from the first half.
    let body = "n=0; first=; while read -r line; do n=$((n+1)); case $line in 1*) first=1;; esac; done < in.txt\n\
                cksum < in.txt >> \"$WORLD/sums\"\n[ $n -ge 5 ] && [ -n \"$first\" ]";
    world.test("test.sh", body);
    let lines: String = (0..40).map(|number| format!("{}{number}\n", 1 + number / 20)).collect();
    world.write("in.txt", lines);
    for flags in [&["--minimizer", "probdd", "--random"][..], &["--minimizer", "active-coarsen"]] {
        let mut seen = Vec::new();
        for seed in ["7", "7", "8"] {
            let base = ["test.sh", "in.txt", "--format", "lines", "--seed", seed];
            let report = world.report([&base, flags].concat());
            assert_eq!(report["seed"], seed.parse::<u64>().unwrap());
            seen.push((world.read("in.reduced.txt"), world.note("sums")));
            std::fs::remove_file(world.root().join("sums")).unwrap();
        }
        assert_eq!(seen[0], seen[1], "{flags:?}");
        assert_ne!(seen[0].1, seen[2].1, "{flags:?}");
    }
}
