"""A fixture that makes a failing input small before pytest shows it."""

from __future__ import annotations

from typing import Callable

import dwindle
import pytest

Check = Callable[[str], None]


@pytest.fixture
def smallest() -> Callable[..., None]:
    """Calls a check with a text. If it raises, the text is reduced as long as the check raises an exception of the same
    type, and the check is called with the smallest text: its exception is what pytest shows."""

    def run(check: Check, text: str, language: str | None = None) -> None:
        try:
            check(text)
        except Exception as error:
            kind = type(error)
        else:
            return

        def fails(candidate: str) -> bool:
            try:
                check(candidate)
            except Exception as other:
                return type(other) is kind
            return False

        reduction = dwindle.reduce(text, fails, language=language, max_questions=2000)
        print(f"{reduction.summary()}: {reduction.text!r}")
        check(reduction.text)

    return run
