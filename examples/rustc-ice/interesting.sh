#!/bin/sh
# Interesting: rustc 1.95.0 fails on input.rs with the assertion of rust-lang/rust#134587.
# Ordinary errors next to it are welcome, unless they keep rustc from getting that far.

RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-1.95.0}
RUSTC_ICE=0 # no crash report on disk
RUST_BACKTRACE=0
export RUSTUP_TOOLCHAIN RUSTC_ICE RUST_BACKTRACE

messages=$(
    timeout 20 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --crate-name=input -Awarnings \
        --emit=metadata=input.rmeta input.rs 2>&1 </dev/null
)
rm -f input.rmeta

# Three lines: where the compiler panicked, the assertion, and the type of its left operand.
printf '%s\n' "$messages" |
    grep -A 2 '^thread .* panicked at .*/rustc_middle/src/mir/statement\.rs:[0-9:]*$' |
    grep -A 1 '^assertion `left == right` failed$' |
    grep '^  left: \*' >/dev/null
