//! Which leaves of a syntax tree are names, which of them introduce their names, and which nodes are
//! scopes.
//!
//! Grammars do not say so, but they call things by their names: a field `name` or `declarator` of
//! something that is a declaration, a definition or a parameter holds what it introduces, a
//! `function_body` is a scope (see [`super::vocabulary`]). To this is added what a grammar's own queries
//! say (see [`super::queries`]).
//!
//! A wrong introduction costs more than a missed one, because what it is in takes all mentions along
//! when it goes. So what refers to something that is declared elsewhere (calls, members, qualified
//! names, jumps) introduces nothing, however its fields are called.

use super::languages::{ENDS_NAMES, VARIABLES};
use super::vocabulary::{Facts, Field};

/// What a token has to do with names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Naming {
    /// Nothing: punctuation and keywords.
    #[default]
    Nothing,
    /// It is a name, and introduces it.
    Introduces,
    /// It is the name of the scope that it is directly in, and introduces it around that.
    Heads,
    /// It is a name, and introduces it where nothing else does.
    Assigns,
    /// It is a name that is known from elsewhere.
    Uses,
    /// There may be names in it, as in a string.
    Words,
    /// There are names in it, as in the body of a macro.
    Code,
    /// It is a word of the language, and a name if the text introduces it.
    Builtin,
}

impl Naming {
    /// All of them; the position is the number in an outline.
    pub(super) const ALL: [Self; 8] = [
        Self::Nothing,
        Self::Introduces,
        Self::Heads,
        Self::Assigns,
        Self::Uses,
        Self::Words,
        Self::Code,
        Self::Builtin,
    ];
}

/// What a name does in a place of the syntax tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// It is used, but what declares something may stand there.
    Uses,
    /// It refers to something, and so does what is below.
    Refers,
    /// It is the name of the package that the text belongs to, which nothing in it mentions.
    Package,
    /// It is introduced.
    Introduces,
    /// It is introduced unless it is a constructor, as in what a `match` compares with.
    Matches,
    /// It is introduced if nothing else does.
    Assigns,
}

/// A node that is open, as far as names are concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    facts: Facts,
    place: Place,
    /// Whether what it may need to declare something is there.
    has_body: bool,
    /// Whether it is the declarator of something that has a body, which its parameters belong to.
    heads_body: bool,
    /// How far it is with the names that come first in it.
    phase: Phase,
    /// How many children were seen, and whether the first is a name in no field.
    children: u32,
    begins_with_name: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Before,
    During,
    Behind,
}

impl Frame {
    pub(super) fn root(facts: Facts) -> Self {
        Self {
            facts,
            place: Place::Uses,
            has_body: true,
            heads_body: false,
            phase: Phase::Before,
            children: 0,
            begins_with_name: false,
        }
    }

    /// A child that stands in `field`, and whether it is a scope.
    pub(super) fn below(
        &mut self,
        facts: Facts,
        field: Field,
        has_body: impl FnOnce() -> bool,
    ) -> (Self, bool) {
        let place = self.place(facts, field, false);
        self.children += 1;
        let heads_body =
            (self.facts.has_body || self.heads_body) && matches!(field, Field::Declarator | Field::None);
        let has_body = !facts.needs_body || has_body();
        let parameters = field == Field::Parameters && !self.heads_body && !self.facts.has_body;
        let scope = facts.scope && has_body || parameters;
        (
            Self {
                facts,
                place,
                has_body,
                heads_body,
                phase: Phase::Before,
                children: 0,
                begins_with_name: false,
            },
            scope,
        )
    }

    /// Whether a name in no field is all that is in it before its last child, which gives it a value.
    pub(super) fn begins_with_name(&self) -> bool {
        self.begins_with_name && self.children == 2 && !self.facts.refers
    }

    /// What a name does that a query has marked, in the innermost of these nodes; `assigns` says what
    /// it does in an assignment.
    pub(super) fn marked(frames: &[Self], assigns: Naming) -> Naming {
        let around = || frames.iter().rev().take(3);
        if frames.last().is_some_and(|frame| !frame.has_body) {
            Naming::Uses
        } else if around().any(|frame| frame.facts.assigns) {
            assigns
        } else {
            Naming::Introduces
        }
    }

    /// What a leaf with the text `word` does.
    pub(super) fn leaf(&mut self, facts: Facts, field: Field, kind: &str, word: &[u8]) -> Naming {
        let word_of_name = is_word(word) && !is_keyword(kind.as_bytes(), word);
        let builtin = facts.builtin && word_of_name;
        let name = (facts.name || builtin)
            && word_of_name
            && (!facts.property || VARIABLES.iter().any(|sign| word.starts_with(sign.as_bytes())));
        self.children += 1;
        if self.children == 1 {
            self.begins_with_name = name && field == Field::None;
        }
        if facts.label && word.ends_with(b":") {
            return Naming::Introduces;
        }
        if !name {
            let separates = is_one_of(word, ENDS_NAMES);
            if separates || self.phase == Phase::During && word != b"," {
                self.phase = Phase::Behind;
            }
            return match facts {
                Facts { code: true, .. } => Naming::Code,
                Facts { named: true, .. } => Naming::Words,
                _ => Naming::Nothing,
            };
        }
        let direct = field == Field::Name && self.facts.scope;
        match self.place(facts, field, true) {
            Place::Uses | Place::Refers if builtin => Naming::Builtin,
            Place::Uses | Place::Refers => Naming::Uses,
            Place::Package => Naming::Words,
            Place::Introduces if direct => Naming::Heads,
            Place::Introduces => Naming::Introduces,
            Place::Matches if word.first().is_some_and(u8::is_ascii_uppercase) => Naming::Uses,
            Place::Matches => Naming::Introduces,
            Place::Assigns => Naming::Assigns,
        }
    }

    fn place(&mut self, child: Facts, field: Field, leaf: bool) -> Place {
        let (own, place) = (self.facts, self.place);
        if own.jumps || place == Place::Refers && !own.has_body {
            return Place::Refers;
        }
        if own.package && (leaf || child.path) || place == Place::Package && own.path {
            return Place::Package;
        }
        if own.refers {
            return Place::Uses;
        }
        let passed = place != Place::Uses && own.passes;
        match field {
            Field::Name | Field::Declarator if own.pattern && passed => {
                if child.field_name {
                    Place::Uses
                } else {
                    place
                }
            }
            Field::Name if own.is_reference => {
                if passed {
                    place
                } else {
                    Place::Uses
                }
            }
            Field::Name if own.import && own.has_alias => Place::Uses,
            Field::Name if own.introduces_all => Place::Introduces,
            Field::Name | Field::Left if own.declares && self.has_body => Place::Introduces,
            Field::Left if own.loops => Place::Introduces,
            Field::Left if own.assigns && !own.pattern => {
                if place == Place::Introduces {
                    place
                } else {
                    Place::Assigns
                }
            }
            Field::Name if own.assigns => Place::Assigns,
            Field::Alias => Place::Introduces,
            Field::Declarator if own.matches => Place::Matches,
            Field::Declarator => {
                if own.passes && place != Place::Uses {
                    place
                } else {
                    Place::Introduces
                }
            }
            Field::Left | Field::Value if own.pattern && passed => place,
            Field::None if passed => place,
            Field::None if own.introduces_all => Place::Introduces,
            Field::None if own.declares && !own.names_by_field && self.has_body => self.first(child, leaf),
            _ => Place::Uses,
        }
    }

    /// The place of a child of something that says nothing of its fields: names that come first are
    /// what it introduces.
    fn first(&mut self, child: Facts, leaf: bool) -> Place {
        let fits = child.name && (leaf || child.passes) && (self.facts.is_type || !child.is_type);
        if !fits || self.phase == Phase::Behind {
            if self.phase == Phase::During {
                self.phase = Phase::Behind;
            }
            return Place::Uses;
        }
        self.phase = Phase::During;
        Place::Introduces
    }
}

/// Whether a leaf is called like its text, such as `keyword_from` or `kFrom`.
fn is_keyword(kind: &[u8], word: &[u8]) -> bool {
    kind.len().checked_sub(word.len()).is_some_and(|start| {
        let called = matches!(&kind[..start], b"" | b"k") || kind[..start].ends_with(b"_");
        called && kind[start..].eq_ignore_ascii_case(word)
    })
}

/// Whether a token is one of `signs`.
pub(super) fn is_one_of(word: &[u8], signs: &[&str]) -> bool {
    signs.iter().any(|sign| sign.as_bytes() == word)
}

/// Whether the text of a leaf can be a name.
pub(super) fn is_word(text: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0x80..);
    let word = bare(text);
    let marked = word.len() < text.len() && b"%@$".contains(&text[0]) || is_marked_number(text);
    word.first().is_some_and(|first| letter(first) || marked)
        && word != b"_"
        && !text.contains(&b' ')
        && !text.contains(&b'\n')
}

/// A name without what marks it as one: `%x`, `x:` and `x` are the same.
pub(super) fn bare(text: &[u8]) -> &[u8] {
    if is_marked_number(text) {
        return text;
    }
    let mark = |byte: &u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..));
    let start = text.iter().position(|byte| !mark(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !mark(byte)).map_or(start, |end| end + 1);
    &text[start..end]
}

/// Whether it is a number that only its mark makes a name, as LLVM's `!5` and `#5` are, which are different things.
fn is_marked_number(text: &[u8]) -> bool {
    matches!(text, [b'!' | b'#', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use dwindle_core::linked::{ClosureDepth, Links};
    use dwindle_core::{Change, Edit};
    use dwindle_core::{How, Role, StandIn, Tree, Variant};

    use crate::samples::{all, language};
    use crate::{FrontEnd, Language, tree};

    fn read(name: &str, text: &str) -> Option<Tree> {
        let own = || FrontEnd::named(name).filter(|front_end| !matches!(front_end, FrontEnd::Grammar(_)));
        let front_end = own().or_else(|| language(name).map(FrontEnd::Grammar))?;
        Some(tree(text.into(), front_end).0)
    }

    /// The spellings of all mentions of that kind, in the order of the text.
    fn spelled(tree: &Tree, how: How) -> Vec<String> {
        let names = tree.names();
        let of_it = names.mentions().iter().filter(|mention| mention.how == how);
        of_it.map(|mention| String::from_utf8_lossy(names.spelling(mention.name)).into_owned()).collect()
    }

    /// `introduces` are all names that are introduced in `text`, in its order.
    fn check(language: &str, text: &str, introduces: &str) {
        let Some(tree) = read(language, text) else { return };
        let found = spelled(&tree, How::Introduces).join(" ");
        assert_eq!(found, introduces, "{language}: {text}");
    }

    const LISP: &str = "(define (f x) (let ((y 1)) (g x y)))\n(define z (lambda (w) (f w)))";

    #[cfg(feature = "all-grammars")]
    #[test]
    fn declarations_introduce_in_languages_that_are_not_built_in_by_default() {
        check("scheme", LISP, "f x y z w");
        check(
            "ada",
            "generic\n   type T is private;\n   with procedure P (A : in T);\n\
             package G is\n   procedure Q (B : in T);\nend G;\n",
            "t p a q b",
        );
    }

    #[test]
    fn declarations_introduce_and_uses_do_not() {
        check(
            "c",
            "#define N 3\ntypedef struct s { int a, *b; } t;\nenum e { X, Y = N };\nstruct s *g(t *p, int (*q)(int r)), h[N];\n\
             int f(int n) { struct s v = { .a = n }; enum e w = X; l: if (v.a > w) goto l; return g(&v, 0)->a; }",
            "N s a b t e X Y g p q r h f n v w l",
        );
        check(
            "cpp",
            "namespace n { template <class T> class A : public B<T> { A(T x); int f() const; T m{1}; }; }\n\
             int n::A<int>::f() const { auto [a, b] = g(m); for (auto &c : d) c(); return a; }\nusing U = n::A<int>;",
            "n T A x f m a b c U",
        );
        check(
            "go",
            "package p\nimport (\"fmt\"; q \"os\")\ntype T struct { a, b int; E }\nvar v = 1\n\
             func (r *T) m(x, y int) (z int) {\n\tc, d := x, r.a\nL:\n\tfor i := range c { fmt.Print(i); if d > 1 { break L } }\n\
             \tv = q.Getpid()\n\treturn v\n}\n",
            "fmt q T a b v r m x y z c d L i",
        );
        check(
            "rust",
            "use std::{fmt, io::Read as R};\nstruct S<T: Ord> { a: T }\nenum E { A(u8), B { c: u8 } }\n\
             impl<T> S<T> { fn f<'a>(&'a self, x: u8) -> u8 { let (p, q) = (x, S { a: 1 }); \
             match p { E::A(y) => y, None => q.a, z => fmt::g(z, |w| w) } } }\nconst C: u8 = 1; macro_rules! m { () => {} }",
            "fmt R S T a E A B c T f a x p q y z w C m",
        );
        check(
            "java",
            "package a.b;\nimport java.util.List;\nclass A<T> extends B { private int x = 1, y; A(int z) { x = z; } \
             T f(List<T> l) { for (T t : l) { g(t); } try { h(); } catch (E e) { } return this.y; } }\nenum F { P, Q }",
            "List A T x y z f l t e F P Q",
        );
        check(
            "typescript",
            "import d, { a, b as c } from \"m\";\ninterface I<T> { p: T; q(r: number): void }\ntype U = I<a>;\n\
             class K implements I<U> { constructor(private s: d) { this.p = s; } m(): void { const { t, u: v } = c({ p: 1 }); } }\n\
             enum G { H, J = 2 }\nexport const f = (w: K, ...x: U[]): G => { for (const y of x) f(y); return G.H; };",
            "d a c I T p q r U K constructor s m t v G H J f w x y",
        );
        check(
            "javascript",
            "function f(a, { b, c = 1 }) { let d = a + b; lab: for (var i in d) { c.p = i; } return g => f(g, e); }",
            "f a b c d lab i g",
        );
        check(
            "python",
            "import os.path\nfrom m import a, b as c\nclass A(B):\n    x = 1\n    def f(self, y, *z, w=2):\n        v = y\n        \
             v = a(v)\n        for i, j in z: self.k = i\n        with g(w) as h: c(h, q=[n for n in j])\n",
            "path a c A x f self y z w v i j h n",
        );
        check(
            "solidity",
            "contract A is B { uint public x = 1; struct S { uint a; } enum E { P, Q } event V(address b); \
             modifier m() { _; } function f(uint c, S memory d) public m returns (uint) { uint e = x + c; d.a = e; return e; } }",
            "A x S a E P Q V b m f c d e",
        );
        check(
            "php",
            "<?php namespace N; use P\\Q; const K = 1; class A extends B { public $x = 1; function f(int $y) { $z = $y; \
             $z = $this->x + K; foreach ($z as $v) { g($v); } } }",
            "N Q K A x f y z",
        );
        check(
            "lua",
            "local a, b = 1\nfunction f(x, ...) local y = x; z = y; z = a; for i = 1, b do g(i) end end",
            "a b f x y z i",
        );
        check(
            "sql",
            "CREATE TABLE t (A INTEGER PRIMARY KEY, b TEXT);\nCREATE VIEW v AS SELECT a, count(*) AS n FROM T WHERE B = 'x';\n",
            "t a b v n",
        );
        check(
            "fortran",
            "module m\n type s\n  integer :: a\n end type s\ncontains\n subroutine f(X, y)\n  integer, intent(in) :: x, y\n  call g(X, y)\n \
             end subroutine f\nend module m\n",
            "m s a f x y x y",
        );
        check(
            "glsl",
            "uniform float a, b;\nstruct S { vec3 c; };\nvoid main() { S d = S(a); gl_Position = vec4(d.c, b); }",
            "a b S c main d",
        );
        check(
            "verilog",
            "module m #(parameter W = 8) (input wire c, output reg d);\n wire x, y;\n localparam P = 1;\n n u (.p(x), .q(y));\n always @(posedge c) d <= P;\nendmodule\n",
            "m W c d x y P",
        );
        check(
            "llvm",
            "%s = type { i32 }\n@g = global i32 1\ndefine i32 @f(i32 %a) {\nentry:\n  %c = add i32 %a, 1\n  br label %1\n1:\n  ret i32 %c\n}\n",
            "s g f a entry c 1",
        );
        check(
            "scss",
            "$a: 1px;\n@mixin m($x, $y: 2) { margin: $x + $a; }\n@function f($z) { @return $z; }\n.b { --c: red; @include m($a); }",
            "a m x y f z c",
        );
        check(
            "smt2",
            "(declare-const x Int)(define-fun f ((y Int)) Int (let ((z y)) (+ z x)))(assert (forall ((w Int)) (p w)))",
            "x f y z w",
        );
        check(
            "wat",
            "(module (func $f (param $x i32) (block $b (br $b)) (call $g (local.get $x))) (export \"f\" (func $f)))",
            "f x b",
        );
        check("lisp", LISP, "f x y z w");
        check(
            "xml",
            "<!DOCTYPE a [<!ENTITY e 'x'>]><a><b id='i'>&e;</b><c ref='#i' name='n' w='1'/></a>",
            "e i n",
        );
        check("brackets", "set foo = 1\ncall foo(bar, 2)\nprint \"foo\" bar\n", "foo bar");
    }

    #[test]
    fn something_is_introduced_in_every_language_that_declares() {
        let none =
            ["bash", "cmake", "css", "dockerfile", "html", "json", "markdown", "proto", "regex", "yaml"];
        for (language, text) in all() {
            let (tree, _) = tree(text.into(), FrontEnd::Grammar(language));
            if !none.contains(&language.name()) {
                assert!(!spelled(&tree, How::Introduces).is_empty(), "{language}");
            }
        }
    }

    #[test]
    fn words_in_strings_and_comments_are_weak_where_they_are_names() {
        let Some(tree) = read("c", "int f; /* f and g */ char *s = \"f of h\"; // s") else { return };
        assert_eq!(spelled(&tree, How::Weak), ["f", "f"]);
    }

    #[test]
    fn a_word_of_the_language_is_a_name_where_the_text_introduces_it() {
        let text = "typedef unsigned int uint8_t;\nuint8_t f(int8_t x);\n";
        check("c", text, "uint8_t f x");
        let Some(tree) = read("c", text) else { return };
        assert_eq!(spelled(&tree, How::Uses), ["uint8_t"], "nothing introduces int8_t");
    }

    #[test]
    fn nothing_uses_the_package_that_a_text_belongs_to() {
        let texts =
            [("go", "package p\ntype p struct { a int }\n"), ("java", "package p.q; class p { q a; }")];
        for (language, text) in texts {
            let Some(tree) = read(language, text) else { continue };
            let used = spelled(&tree, How::Uses);
            assert!(!used.iter().any(|name| name == "p"), "{language}: {used:?}");
        }
    }

    #[test]
    fn the_path_of_an_import_uses_only_what_is_declared_in_the_text() {
        let Some(tree) = read("rust", "mod m { pub struct A; }\nuse std::io;\nuse m::A;\nuse std::fmt;\n")
        else {
            return;
        };
        assert_eq!(spelled(&tree, How::Uses), ["m"]);
        assert_eq!(spelled(&tree, How::Introduces), ["m", "A", "io", "A", "fmt"]);
    }

    #[test]
    fn an_import_of_a_path_in_a_string_introduces_its_last_part() {
        check(
            "go",
            "package p\nimport \"encoding/json\"\nimport \"a/rand/v2\"\nvar x = json.F(rand.G)\n",
            "json rand x",
        );
    }

    #[test]
    fn functions_blocks_and_classes_are_scopes() {
        let Some(tree) = read("java", "class A { int f(int x) { { int y; } return x; } }") else { return };
        let scopes: Vec<&str> = (0..tree.nodes().len())
            .filter(|&node| tree.is_scope(node))
            .map(|node| tree.kind_name(node))
            .collect();
        assert_eq!(scopes, ["class_declaration", "method_declaration", "block", "block"]);
    }

    #[test]
    fn parameters_of_a_prototype_are_known_in_it_only() {
        let Some(tree) = read("c", "int f(int x);\nint g(int y) { return y; }") else { return };
        let scopes: Vec<&str> = (0..tree.nodes().len())
            .filter(|&node| tree.is_scope(node))
            .map(|node| tree.kind_name(node))
            .collect();
        assert_eq!(scopes, ["parameter_list", "function_definition", "compound_statement"]);
    }

    /// What goes with the last node whose text is `gone`, by its text.
    fn along(language: &str, text: &str, gone: &str, depth: ClosureDepth) -> Option<Vec<String>> {
        let tree = read(language, text)?;
        let source = |node: usize| {
            let tokens = tree.tokens(node);
            let span = tree.text().span(tokens.start).start..tree.text().span(tokens.end - 1).end;
            String::from_utf8_lossy(&tree.text().bytes()[span]).into_owned()
        };
        let can_go = |&node: &usize| tree.role(node) == Role::Deletable && source(node) == gone;
        let node = (0..tree.nodes().len()).find(can_go).expect("it stands in the text");
        let taken = Links::of(&tree).taken_by(&tree, node, depth).into_iter();
        Some(taken.map(|node| source(node as usize)).filter(|other| other != gone).collect())
    }

    /// Whether a C program loses names when each of these parts of it becomes what stands beside it.
    fn loses(text: &str, becomes: &[(&str, &str)]) -> bool {
        let tree = read("c", text).expect("C is built in");
        let mut edits = Vec::new();
        for &(part, with) in becomes {
            let start = text.find(part).expect("it stands in the text");
            let inside = |&token: &usize| {
                let span = tree.text().span(token);
                start <= span.start && span.end <= start + part.len()
            };
            let tokens: Vec<usize> = (0..tree.text().len()).filter(inside).collect();
            let range = tokens[0]..tokens[tokens.len() - 1] + 1;
            let string = StandIn { bytes: with.into(), tokens: 1 };
            edits.push(if with.is_empty() { Edit::cut(range) } else { Edit::replacement(range, string) });
        }
        Links::of(&tree)
            .leaves_dangling(&tree, &Change::new(edits).apply(&tree, &Variant::whole(tree.text().clone())))
    }

    #[test]
    fn a_name_is_lost_where_nothing_introduces_it_for_its_uses() {
        let text = "int a; int f(int b) { int a = b; return a + 1; } int g(int c) { return a - 2; } int d;";
        for (becomes, lost) in [
            (&[("int a; int f", "int f")][..], true),
            (&[("int a = b;", "")], false),
            (&[("int a; int f", "int f"), ("a - 2", "3")], false),
            (&[("int b", "")], true),
            (&[("int b", "int z"), ("= b", "= z")], false),
            (&[("int b", "int z")], true),
            (&[("a - 2", "c")], false),
            (&[("a - 2", "b")], true),
            (&[("a - 2", "f(1)")], false),
            (&[("a - 2", "d")], true),
            (&[("int d;", ""), ("a - 2", "d")], false),
            (&[("a + 1", "a+1"), ("int a = b", "int  a=b")], false),
        ] {
            assert_eq!(loses(text, becomes), lost, "{becomes:?}");
        }
    }

    #[test]
    fn arguments_go_with_the_names_of_parameters() {
        let text = "package p\nfunc f(x, y int, z T) { g(x, z) }\nfunc h() { f(1, 2, 3) }\n";
        if let Some(taken) = along("go", text, "y", ClosureDepth::Narrow) {
            assert_eq!(taken, ["2"]);
        }
        if let Some(taken) = along("go", text, "x, y int", ClosureDepth::Narrow) {
            assert_eq!(taken, ["x", "1", "2"]);
        }
    }

    #[test]
    fn a_parameter_that_nobody_uses_goes_with_its_type() {
        let text = "package p\nconst c = 1\nfunc f(x int, y T) {\n\tif y == c {\n\t\tg()\n\t}\n\th(x)\n}\n";
        if let Some(taken) = along("go", text, "const c = 1", ClosureDepth::Full) {
            assert_eq!(taken, ["y T", "if y == c {\n\t\tg()\n\t}"]);
        }
    }

    #[test]
    fn a_function_goes_with_its_last_statement() {
        let body = "if (b) { return c; } return 2;";
        let text = |body: &str| format!("class A {{ int c; int f(int b) {{ {body} }} int g() {{ h(); }} }};");
        let reversed = "if (b) { return 2; } return c;";
        let taken = |language, body: &str| along(language, &text(body), "int c;", ClosureDepth::Full);
        if let (Some(first), Some(last)) = (taken("cpp", body), taken("cpp", reversed)) {
            assert_eq!(first, ["return c;"]);
            assert_eq!(last, [format!("int f(int b) {{ {reversed} }}")]);
        }
    }

    #[test]
    fn a_function_stays_where_another_statement_may_end_it() {
        let text = "class A { int c; int f(int b) { if (b) { return 2; } return c; } }";
        if let Some(last) = along("java", text, "int c;", ClosureDepth::Full) {
            assert_eq!(last, ["return c;"]);
        }
    }

    #[test]
    fn what_is_unused_goes_with_all_that_declares_it_and_not_as_a_name_alone() {
        let Some(taken) =
            along("cpp", "int c;\nint f() { return c; }", "int f() { return c; }", ClosureDepth::Full)
        else {
            return;
        };
        assert_eq!(taken, ["int c;"]);
        let text = "struct s { int a; };\nint f(s *x) { return 1; }";
        let taken = along("cpp", text, "int f(s *x) { return 1; }", ClosureDepth::Full);
        assert_eq!(taken, Some(vec![]), "a struct without a name is no better");
    }

    #[test]
    fn the_function_of_a_template_goes_with_its_last_statement() {
        let text = "int c;\ntemplate <class T> int f(T t) { return c; }";
        if let Some(taken) = along("cpp", text, "int c;", ClosureDepth::Full) {
            assert_eq!(taken, ["template <class T> int f(T t) { return c; }"]);
        }
    }

    #[test]
    fn a_namespace_is_a_scope() {
        let text =
            "namespace a { int c; int f() { return c; } }\nnamespace b { int c; int g() { return 2; } }";
        if let Some(taken) = along("cpp", text, "int g() { return 2; }", ClosureDepth::Full) {
            assert_eq!(taken, [""; 0]);
        }
        if let Some(taken) = along("cpp", text, "int f() { return c; }", ClosureDepth::Full) {
            assert_eq!(taken, ["int c;"], "though the other namespace has one, too");
        }
    }

    #[test]
    fn attributes_go_with_what_they_are_about() {
        let text = "fn f() {}\n#[test]\n#[a]\nstruct A;\n#[test]\nfn g() {}\n";
        if let Some(taken) = along("rust", text, "struct A;", ClosureDepth::Full) {
            assert_eq!(taken, ["#[test]", "#[a]"]);
        }
        if let Some(taken) = along("rust", text, "#[a]", ClosureDepth::Full) {
            assert_eq!(taken, [""; 0]);
        }
        if let Some(taken) = along("xml", "<a b='1' c='2'/>", "c='2'", ClosureDepth::Full) {
            assert_eq!(taken, [""; 0]);
        }
    }

    #[test]
    fn of_names_that_get_values_by_their_order_none_goes_alone() {
        let text = "package p\nconst c = 1\nfunc f() {\n\ta, b := g()\n\tif a == c {\n\t}\n\th(b)\n}\n";
        if let Some(taken) = along("go", text, "const c = 1", ClosureDepth::Full) {
            assert_eq!(taken, ["if a == c {\n\t}"]);
        }
    }

    /// A grammar crate that changes its queries changes what is seen of names.
    #[test]
    fn all_queries_that_the_table_names_are_understood() {
        for language in Language::all() {
            assert_eq!(language.grammar().queries.len(), language.queries().len(), "{language}");
        }
        let with = Language::all().filter(|language| !language.queries().is_empty());
        assert!(with.count() >= 15);
    }
}
