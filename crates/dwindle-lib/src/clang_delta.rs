//! `clang_delta`, the transformations of C-Reduce and C-Vise that clang's own view of C and C++ makes possible.
//!
//! It is not linked, only run, one instance of a transformation at a time, and it need not be there.

use std::path::{Path, PathBuf};

use crate::external::Helper;
use crate::probe::in_path;

/// Where packages put it, which is in no `PATH`.
const FOLDERS: [&str; 6] = [
    "/usr/lib/cvise",
    "/usr/libexec/cvise",
    "/usr/lib/creduce",
    "/usr/libexec/creduce",
    "/usr/local/libexec/cvise",
    "/usr/local/libexec/creduce",
];

/// The transformations, in the order in which C-Vise has them. Those that only give other names are left
/// out: the passes do that.
const TRANSFORMATIONS: [&str; 66] = [
    "replace-function-def-with-decl",
    "remove-namespace",
    "aggregate-to-scalar",
    "param-to-global",
    "param-to-local",
    "remove-nested-function",
    "union-to-struct",
    "return-void",
    "simple-inliner",
    "reduce-pointer-level",
    "lift-assignment-expr",
    "copy-propagation",
    "callexpr-to-value",
    "replace-callexpr",
    "simplify-callexpr",
    "remove-unused-function",
    "remove-unused-enum-member",
    "remove-enum-member-value",
    "remove-unused-var",
    "simplify-if",
    "reduce-array-dim",
    "reduce-array-size",
    "move-definition-to-declaration",
    "simplify-comma-expr",
    "simplify-dependent-typedef",
    "replace-simple-typedef",
    "replace-dependent-typedef",
    "replace-one-level-typedef-type",
    "remove-unused-field",
    "instantiate-template-type-param-to-int",
    "instantiate-template-param",
    "template-arg-to-int",
    "template-non-type-arg-to-int",
    "reduce-class-template-param",
    "remove-trivial-base-template",
    "class-template-to-class",
    "merge-base-class",
    "remove-base-class",
    "replace-derived-class",
    "remove-unresolved-base",
    "remove-ctor-initializer",
    "replace-class-with-base-template-spec",
    "simplify-nested-class",
    "remove-unused-outer-class",
    "empty-struct-to-int",
    "remove-pointer",
    "reduce-pointer-pairs",
    "remove-array",
    "remove-addr-taken",
    "simplify-struct",
    "replace-undefined-function",
    "replace-array-index-var",
    "replace-array-access-with-index",
    "replace-dependent-name",
    "simplify-recursive-template-instantiation",
    "vector-to-array",
    "remove-try-catch",
    "class-to-struct",
    "member-to-global",
    "local-to-global",
    "combine-global-var",
    "combine-local-var",
    "simplify-struct-union-decl",
    "move-global-var",
    "unify-function-decl",
    "binop-simplification",
];

/// Whether it reads this language.
pub(crate) fn reads(language: &str) -> bool {
    matches!(language, "c" | "cpp")
}

/// The program, where it is installed: in `PATH`, or where packages put it.
pub(crate) fn find() -> Option<PathBuf> {
    let packaged = || FOLDERS.map(|folder| Path::new(folder).join("clang_delta"));
    in_path("clang_delta").or_else(|| packaged().into_iter().find(|program| program.is_file()))
}

/// One helper for each transformation.
pub(crate) fn helpers(program: &Path) -> impl Iterator<Item = Helper> {
    let helper = |transformation| Helper::ClangDelta { program: program.to_owned(), transformation };
    TRANSFORMATIONS.into_iter().map(helper)
}
