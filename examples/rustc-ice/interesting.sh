#!/bin/sh
# Interesting: rustc 1.95.0 fails on input.rs with the internal error of rust-lang/rust#140123.
# The candidate has to be valid otherwise, since any ordinary error hides this one.

RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-1.95.0}
RUSTC_ICE=0 # no crash report on disk
RUST_BACKTRACE=0
export RUSTUP_TOOLCHAIN RUSTC_ICE RUST_BACKTRACE

messages=$(
    timeout 20 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --crate-name=input -Awarnings \
        --emit=metadata=input.rmeta input.rs 2>&1 </dev/null
)
rm -f input.rmeta

printf '%s\n' "$messages" |
    grep '^error: internal compiler error: error performing operation: fully_perform$' >/dev/null
