"""Reductions of texts."""

from __future__ import annotations

import json
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dwindle
import pytest

TEXT = "int main(void) { int x = 1, y = 2; if (x < y) { return needle(x, y); } return 0; }\n"


def has_needle(text: str) -> bool:
    return "needle" in text


def test_a_text_is_reduced_by_the_tree_of_its_language() -> None:
    reduction = dwindle.reduce(TEXT, has_needle, language="c")
    assert (reduction.text.strip(), reduction.tokens, reduction.language) == ("needle", 1, "c")
    assert reduction.finished and reduction.ended == "finished"
    assert reduction.original_size == len(TEXT) and reduction.original_tokens > 30
    assert reduction.report["questions"]["total"] == reduction.questions


def test_the_predicate_is_asked_as_often_as_is_reported_and_with_the_type_that_was_given() -> None:
    asked: list[bytes] = []

    def predicate(text: bytes) -> bool:
        asked.append(text)
        return b"needle" in text

    reduction = dwindle.reduce(TEXT.encode(), predicate, name="a.c")
    assert isinstance(reduction.text, bytes) and reduction.language == "c"
    assert len(asked) == reduction.questions
    assert all(isinstance(text, bytes) for text in asked)


def test_candidates_that_are_no_text_are_never_shown() -> None:
    seen: list[str] = []

    def predicate(text: str) -> bool:
        seen.append(text)
        return "ü" in text

    # The three bytes of € would have to go together.
    assert dwindle.reduce("aé ü €", predicate, format="bytes").text == "ü€"
    assert "ü€" in seen and all(text.encode() for text in seen)


def test_the_result_is_the_same_for_any_number_of_jobs() -> None:
    one = dwindle.reduce(TEXT, has_needle, language="c")
    for jobs in (2, 5):
        threads = set()

        def predicate(text: str) -> bool:
            threads.add(threading.current_thread().name)
            time.sleep(0.001)
            return has_needle(text)

        several = dwindle.reduce(TEXT, predicate, language="c", jobs=jobs)
        assert (several.text, several.questions) == (one.text, one.questions)
        assert len(threads) == jobs and "MainThread" not in threads


def test_questions_are_asked_at_the_same_time() -> None:
    barrier = threading.Barrier(3)

    def predicate(text: str) -> bool:
        if len(text) < len(TEXT):
            # Passed only when three are here at once.
            try:
                barrier.wait(timeout=0.05)
                together.append(text)
            except threading.BrokenBarrierError:
                barrier.reset()
        return has_needle(text)

    together: list[str] = []
    dwindle.reduce(TEXT, predicate, language="c", jobs=3)
    assert together


def test_several_reductions_run_in_a_thread_pool() -> None:
    words = [f"word{number}" for number in range(8)]
    text = " ".join(words)

    def reduce(word: str) -> str:
        return dwindle.reduce(text, lambda candidate: word in candidate, jobs=2).text

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(reduce, words)) == words


def test_others_run_while_it_computes() -> None:
    # The lock of the interpreter is free while 300 kB are parsed, before the first candidate.
    text = "int f(void) { return 1 + 2; }\n" * 10000
    beats = 0
    over = threading.Event()

    def beat() -> None:
        nonlocal beats
        while not over.wait(0.001):
            beats += 1

    thread = threading.Thread(target=beat)
    thread.start()
    beats_at_questions = []

    def predicate(candidate: str) -> bool:
        beats_at_questions.append(beats)
        return bool(candidate)

    dwindle.reduce(text, predicate, language="c", max_questions=3)
    over.set()
    thread.join()
    assert beats_at_questions[2] > beats_at_questions[1] + 2


def test_a_pass_of_the_user_offers_texts() -> None:
    offered: list[str] = []

    def halve(text: str) -> list[str]:
        offered.append(text)
        number = int(text.split()[-1])
        return [f"needle {number // 2}", text + " longer"]

    def predicate(text: str) -> bool:
        words = text.split(" ")
        return len(words) == 2 and words[0] == "needle" and words[1].isdigit() and int(words[1]) > 9

    for jobs in (1, 2):
        reduction = dwindle.reduce("needle 1000", predicate, format="lines", passes=[halve], jobs=jobs)
        assert reduction.text == "needle 15"
        assert offered[0] == "needle 1000" and offered[-1] == "needle 15"
        offered.clear()


def test_progress_is_told_on_the_thread_of_the_caller() -> None:
    for jobs in (1, 2):
        told: list[dwindle.Progress[str]] = []
        threads = set()

        def note(progress: dwindle.Progress[str]) -> None:
            told.append(progress)
            threads.add(threading.current_thread())

        reduction = dwindle.reduce(TEXT, has_needle, language="c", progress=note, jobs=jobs)
        assert threads == {threading.current_thread()}
        assert told[-1].questions == reduction.questions
        assert told[-1].best == reduction.text
        sizes = [progress.size for progress in told if progress.kept]
        assert sizes == sorted(sizes, reverse=True) and sizes[-1] == reduction.size


def test_budgets_end_it_with_the_best_so_far() -> None:
    reduction = dwindle.reduce(TEXT, has_needle, language="c", max_questions=6)
    assert (reduction.questions, reduction.finished, reduction.ended) == (6, False, "max-questions")
    assert "needle" in reduction.text and len(reduction.text) < len(TEXT)

    def slow(text: str) -> bool:
        time.sleep(0.02)
        return has_needle(text)

    began = time.monotonic()
    reduction = dwindle.reduce(TEXT * 50, slow, max_time=0.2)
    assert reduction.ended == "max-time" and "needle" in reduction.text
    assert time.monotonic() - began < 2
    early = dwindle.reduce(TEXT, slow, max_time=0.01)
    assert (early.text, early.ended) == (TEXT, "max-time")


@pytest.mark.parametrize("reducer", dwindle.choices()["reducer"])
def test_every_reducer_is_there(reducer: str) -> None:
    assert "needle" in dwindle.reduce(TEXT, has_needle, language="c", reducer=reducer).text


@pytest.mark.parametrize("minimizer", dwindle.choices()["minimizer"])
def test_every_minimizer_is_there(minimizer: str) -> None:
    reduction = dwindle.reduce(TEXT, has_needle, format="tokens", minimizer=minimizer)
    assert reduction.text.strip() == "needle"
    assert reduction.report["minimizer"] == minimizer


def test_parameters_arrive() -> None:
    report = dwindle.reduce(
        TEXT, has_needle, language="c", minimizer="probdd", sigma=0.25, theta=0.8, random=True, seed=7, level="fast"
    ).report
    assert (report["sigma"], report["theta"], report["random"], report["seed"]) == (0.25, 0.8, True, 7)
    assert report["level"] == "fast"
    assert dwindle.reduce(TEXT, has_needle, minimizer="cdd", p0=0.3).report["p0"] == 0.3
    assert dwindle.reduce(TEXT, has_needle, minimizer="active-coarsen", alpha=0.3).report["alpha"] == 0.3
    assert dwindle.reduce(TEXT, has_needle, language="c", names="short").report["names"] == "short"
    assert "return" in dwindle.reduce(TEXT, has_needle, language="c", keep="return n").text
    assert dwindle.reduce(TEXT, has_needle, language="c", format_result=True).report["formatting"]["by"] == "dwindle"
    long = "int needlessly_long; int f(void) { return needlessly_long; }"
    assert "needlessly_long" in dwindle.reduce(long, lambda text: "int" in text, language="c", rename=False, level="fast",
                                               keep=["needlessly_long"]).text


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"language": "klingon"}, "python"),
        ({"reducer": "magic"}, "hdd, hdd+"),
        ({"format": "words"}, "auto, bytes, chars"),
        ({"minimizer": "best"}, "ddmin, ddmin-complement"),
        ({"level": "utmost"}, "fast, default, thorough"),
        ({"names": "long"}, "original, short"),
        ({"reducer": "hdd", "format": "lines"}, "reducer hdd reduces trees"),
        ({"level": "default", "format": "lines"}, "level transforms trees"),
        ({"sigma": 0.5}, "sigma goes with minimizer probdd, wprobdd, not with dfs"),
        ({"sigma": 1.0, "minimizer": "probdd"}, "above 0 and below 1"),
        ({"theta": 0.0, "minimizer": "probdd"}, "above 0 and up to 1"),
        ({"jobs": 0}, "jobs must be between 1 and 1024"),
        ({"jobs": 5000}, "jobs must be between 1 and 1024"),
        ({"max_questions": 1}, "max_questions must be 2 or more"),
        ({"max_questions": -1}, "max_questions must be 2 or more"),
        ({"max_time": 0.0}, "above 0"),
        ({"max_time": -1.0}, "above 0"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"keep": "("}, "keep"),
        ({"keep": "nothing"}, "nothing"),
    ],
)
def test_what_is_wrong_is_a_value_error_that_says_what_there_is(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as error:
        dwindle.reduce(TEXT, has_needle, **parameters)
    assert said in str(error.value)


def test_what_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="str or bytes, not int"):
        dwindle.reduce(1, has_needle)  # type: ignore[type-var,arg-type]


def test_a_predicate_that_is_not_interested_or_wavers_is_an_error() -> None:
    with pytest.raises(dwindle.NotInteresting, match="false of the text itself"):
        dwindle.reduce(TEXT, lambda text: False)
    answers = iter([True, False])
    with pytest.raises(dwindle.FlakyPredicate):
        dwindle.reduce(TEXT, lambda text: next(answers))
    asked = []

    def breaks(text: str) -> bool:
        asked.append(text)
        return len(asked) < 4

    with pytest.raises(dwindle.FlakyPredicate) as error:
        dwindle.reduce(TEXT, breaks)
    assert error.value.dwindle_result.text  # type: ignore[attr-defined]


def test_a_predicate_that_returns_nothing_is_told_so() -> None:
    with pytest.raises(TypeError, match="returned None"):
        dwindle.reduce(TEXT, lambda text: None)


def test_warnings_are_those_of_python() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dwindle.reduce(json.dumps({"a": [1, 2]}), lambda text: "1" in text, language="json")
