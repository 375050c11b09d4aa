"""Lists of anything."""

from __future__ import annotations

import random
import threading

import dwindle
import pytest


class Thing:
    """Neither hashable nor comparable."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        raise AssertionError("nobody compares them")


def test_items_may_be_anything() -> None:
    things = [Thing(number) for number in range(50)]
    needed = {3, 17, 40}
    minimized = dwindle.minimize(things, lambda chosen: needed <= {thing.number for thing in chosen})
    assert [thing.number for thing in minimized.items] == minimized.indices == [3, 17, 40]
    assert minimized.original == 50 and minimized.finished


def test_any_iterable_and_the_empty_list_will_do() -> None:
    assert dwindle.minimize((letter for letter in "abc"), lambda letters: "b" in letters).items == ["b"]
    assert dwindle.minimize([], lambda nothing: True).items == []
    assert dwindle.minimize([1, 2, 3], lambda anything: True).items == []


@pytest.mark.parametrize("minimizer", dwindle.choices()["minimizer"])
def test_every_minimizer_finds_what_is_needed(minimizer: str) -> None:
    minimized = dwindle.minimize(range(40), lambda numbers: {3, 30} <= set(numbers), minimizer=minimizer)
    assert minimized.items == [3, 30]


def test_nothing_is_asked_twice_and_jobs_change_nothing() -> None:
    def run(jobs: int) -> dwindle.Minimized[int]:
        asked: list[tuple[int, ...]] = []
        lock = threading.Lock()

        def predicate(numbers: list[int]) -> bool:
            with lock:
                asked.append(tuple(numbers))
            return sum(numbers) % 7 == 4 and 11 in numbers

        numbers = random.Random(5).sample(range(60), 40) + [11]
        numbers.append(next(number for number in range(100, 107) if (sum(numbers) + number) % 7 == 4))
        minimized = dwindle.minimize(numbers, predicate, minimizer="ddmin", jobs=jobs)
        assert len(asked) == len(set(asked))
        assert minimized.questions <= len(asked)
        if jobs == 1:
            assert minimized.questions == len(asked)
        return minimized

    one, four = run(1), run(4)
    assert (one.items, one.questions) == (four.items, four.questions)


def test_heavy_items_go_first() -> None:
    asked: list[list[str]] = []

    def predicate(words: list[str]) -> bool:
        asked.append(words)
        return "small" in words

    words = ["small", "tiny", "huge", "little"]
    assert dwindle.minimize(words, predicate, weights=[1, 1, 100, 1]).items == ["small"]
    assert "huge" not in asked[1]
    for weights, minimizer, said in [
        ([1], None, "4 items, but 1 weights"),
        ([1, 1, 0, 1], None, "above 0"),
        ([1, 1, 1, 1], "ddmin", "wddmin and wprobdd"),
    ]:
        with pytest.raises(ValueError, match=said):
            dwindle.minimize(words, predicate, weights=weights, minimizer=minimizer)


def test_budgets_and_what_is_wrong() -> None:
    minimized = dwindle.minimize(range(100), lambda numbers: 50 in numbers, max_questions=4)
    assert (minimized.questions, minimized.ended, minimized.finished) == (4, "max-questions", False)
    assert 50 in minimized.items and len(minimized.items) < 100
    slow = threading.Event()
    minimized = dwindle.minimize(range(100), lambda numbers: slow.wait(0.02) or 50 in numbers, max_time=0.1)
    assert minimized.ended == "max-time" and 50 in minimized.items
    with pytest.raises(dwindle.NotInteresting):
        dwindle.minimize(range(3), lambda numbers: False)
    with pytest.raises(ValueError, match="ddmin, ddmin-complement"):
        dwindle.minimize(range(3), lambda numbers: True, minimizer="best")
    with pytest.raises(TypeError, match="returned None"):
        dwindle.minimize(range(3), lambda numbers: None)


def test_progress_has_the_items() -> None:
    told: list[dwindle.Progress[list[int]]] = []
    minimized = dwindle.minimize(range(100), lambda numbers: 50 in numbers, progress=told.append)
    assert told[-1].best == [50] and told[-1].questions == minimized.questions
