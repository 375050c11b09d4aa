"""Differences."""

from __future__ import annotations

import dwindle
import pytest
from dwindle import Outcome

PASSING = "def f(a):\n    b = a + 1\n    return b\n\ndef g():\n    return 2\n"
FAILING = "def f(a):\n    b = a - 1\n    return b\n\ndef g():\n    return 3\n\ndef h():\n    pass\n"


def test_the_difference_of_two_texts_is_isolated() -> None:
    def test(text: str) -> Outcome:
        if "h" in text and "3" not in text:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if "a - 1" in text else Outcome.PASS

    for jobs in (1, 3):
        isolated = dwindle.isolate(PASSING, FAILING, test, language="python", jobs=jobs)
        assert isolated.left == 1 < isolated.differences
        assert test(isolated.failing) == Outcome.FAIL and test(isolated.passing) == Outcome.PASS
        assert isolated.failing.replace("a - 1", "a + 1") == isolated.passing
        assert "-    b = a + 1\n+    b = a - 1\n" in isolated.diff
        assert isolated.finished and isolated.report["language"] == "python"


def test_bytes_stay_bytes() -> None:
    isolated = dwindle.isolate(b"a\n\xff\nc\n", b"A\n\xfe\nC\n", lambda text: "fail" if b"\xfe" in text else "pass")
    assert isolated.failing == b"a\n\xfe\nc\n" and isolated.passing == b"a\n\xff\nc\n"
    assert "\\xfe" in isolated.diff


def test_what_one_list_has_and_the_other_not_is_isolated() -> None:
    old = ["-O0", "-Wall", "-g"]
    new = ["-O2", "-Wall", "-fno-common", "-fipa-pta", "-g"]
    asked: list[list[str]] = []

    def test(flags: list[str]) -> str:
        asked.append(flags)
        if "-O0" in flags and "-O2" in flags:
            return "unresolved"
        return "fail" if "-fipa-pta" in flags else "pass"

    for jobs in (1, 2):
        isolated = dwindle.isolate(old, new, test, jobs=jobs)
        assert (isolated.added, isolated.removed) == (["-fipa-pta"], [])
        assert test(isolated.failing) == "fail" and test(isolated.passing) == "pass"
        assert isolated.differences == 4 and isolated.left == 1
    assert asked[0] == new and ["-O0", "-Wall", "-g"] in asked


def test_items_need_not_be_hashable() -> None:
    old = [{"a": 1}, {"b": 2}]
    new = [{"a": 1}, {"c": 3}, {"b": 2}, {"d": 4}]
    isolated = dwindle.isolate(old, new, lambda maps: "fail" if {"d": 4} in maps else "pass")
    assert isolated.added == [{"d": 4}] and isolated.differences == 2


def test_a_removal_may_be_what_matters() -> None:
    isolated = dwindle.isolate([1, 2, 3], [1, 3, 4], lambda numbers: "pass" if 2 in numbers else "fail", algorithm="dd")
    assert (isolated.added, isolated.removed) == ([], [2])


def test_what_is_wrong_is_said() -> None:
    def test(text: str) -> str:
        return "fail"

    with pytest.raises(dwindle.NotInteresting, match='"pass" for what is to pass'):
        dwindle.isolate("a", "b", test)
    with pytest.raises(dwindle.NotInteresting, match='"pass" for what is to pass'):
        dwindle.isolate(["a"], ["b"], lambda letters: "fail")
    with pytest.raises(dwindle.NotInteresting, match='"fail" for what is to fail'):
        dwindle.isolate("a", "b", lambda text: "pass")
    with pytest.raises(ValueError, match="are the same"):
        dwindle.isolate("a", "a", test)
    with pytest.raises(ValueError, match="are the same"):
        dwindle.isolate([1], [1], lambda numbers: "fail")
    with pytest.raises(ValueError, match="auto, lines, tokens, tree"):
        dwindle.isolate("a", "b", test, units="words")
    with pytest.raises(ValueError, match="dd, guided"):
        dwindle.isolate("a", "b", test, algorithm="best")
    with pytest.raises(TypeError, match='must return "pass", "fail"'):
        dwindle.isolate("a", "b", lambda text: True)  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match="passing is str, but failing is bytes"):
        dwindle.isolate("a", b"b", test)  # type: ignore[arg-type]
