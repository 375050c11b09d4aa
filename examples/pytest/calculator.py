"""A calculator for whole numbers with +, -, * and brackets. It has a bug."""

from __future__ import annotations

import re


def evaluate(text: str) -> int:
    """The value of an expression."""
    tokens = re.findall(r"\d+|[-+*()]", text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise SyntaxError(text)
    value, rest = _sum(tokens)
    if rest:
        raise SyntaxError(text)
    return value


def _sum(tokens: list[str]) -> tuple[int, list[str]]:
    value, tokens = _product(tokens)
    if tokens and tokens[0] in "+-":
        # Here: `1 - 2 - 3` is read as `1 - (2 - 3)`.
        other, rest = _sum(tokens[1:])
        return (value + other if tokens[0] == "+" else value - other), rest
    return value, tokens


def _product(tokens: list[str]) -> tuple[int, list[str]]:
    value, tokens = _factor(tokens)
    while tokens and tokens[0] == "*":
        other, tokens = _factor(tokens[1:])
        value *= other
    return value, tokens


def _factor(tokens: list[str]) -> tuple[int, list[str]]:
    if not tokens:
        raise SyntaxError("an operand is missing")
    if tokens[0] == "(":
        value, rest = _sum(tokens[1:])
        if rest[:1] != [")"]:
            raise SyntaxError("a bracket is missing")
        return value, rest[1:]
    if tokens[0].isdigit():
        return int(tokens[0]), tokens[1:]
    raise SyntaxError(tokens[0])
