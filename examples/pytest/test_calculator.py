"""The calculator against Python, on expressions made at random."""

from __future__ import annotations

import random
from typing import Callable

import pytest
from calculator import evaluate


def expression(seed: int, depth: int = 6) -> str:
    """An expression."""
    choose = random.Random(seed)

    def make(depth: int) -> str:
        if depth == 0 or choose.random() < 0.1:
            return str(choose.randrange(1, 1000))
        both = f"{make(depth - 1)} {choose.choice('+-*')} {make(depth - 1)}"
        return f"({both})" if choose.random() < 0.3 else both

    return make(depth)


def agrees(text: str) -> None:
    """The check: raises where the calculator is wrong, and nothing where the text is no expression."""
    try:
        expected = eval(text, {"__builtins__": {}})
        value = evaluate(text)
    except (SyntaxError, TypeError, NameError):
        return
    assert value == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_calculator_agrees_with_python(seed: int, smallest: Callable[..., None]) -> None:
    smallest(agrees, expression(seed), "python")
