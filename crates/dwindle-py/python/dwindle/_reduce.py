"""Reductions of texts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Any, AnyStr, Callable, Generic

from . import _command, _dwindle
from ._errors import Error, FlakyPredicate, NotInteresting
from ._progress import Progress
from ._run import drive, note, verdict
from ._texts import decoder, encoded


@dataclass(frozen=True)
class Reduction(Generic[AnyStr]):
    """What came of a reduction."""

    text: AnyStr
    """The smallest text that the predicate found interesting."""
    tokens: int
    """Its tokens."""
    size: int
    """Its bytes."""
    original_tokens: int
    """The tokens of what was given."""
    original_size: int
    """The bytes of that."""
    questions: int
    """How often the predicate was asked, not counting what ran ahead for nothing."""
    finished: bool
    """Whether the search was over; if not, more may go."""
    ended: str
    """Why it ended: ``finished``, ``max-questions``, ``max-time`` or ``interrupted``."""
    seconds: float
    """How long it took."""
    language: str | None
    """What the text was read as."""
    report: dict[str, Any] = field(repr=False)
    """The report of the command's ``--json``; empty where the reduction ended before the input had been asked about."""

    def summary(self) -> str:
        """The sizes in a sentence."""
        return (
            f"{self.original_tokens} tokens became {self.tokens} ({self.original_size} bytes became {self.size}) "
            f"after {self.questions} questions"
        )


def reduce(
    text: AnyStr,
    predicate: Callable[[AnyStr], object],
    *,
    language: str | None = None,
    name: str | PathLike[str] | None = None,
    reducer: str | None = None,
    format: str = "auto",
    minimizer: str | None = None,
    level: str | None = None,
    names: str = "original",
    rename: bool = True,
    keep: str | Iterable[str] = (),
    passes: Iterable[Callable[[AnyStr], Iterable[AnyStr]]] = (),
    sigma: float | None = None,
    p0: float | None = None,
    theta: float | None = None,
    alpha: float | None = None,
    random: bool = False,
    seed: int = 0,
    jobs: int = 1,
    max_questions: int | None = None,
    max_time: float | None = None,
    format_result: bool = False,
    progress: Callable[[Progress[AnyStr]], object] | None = None,
) -> Reduction[AnyStr]:
    """Makes `text` as small as can be while ``predicate(candidate)`` is true.

    The predicate gets candidates of the type of `text`. It must be true of `text` itself, which it is asked twice. It is
    called on this thread, or with ``jobs=N`` on N others; the result is the same for every N.

    `language` is a name that `choices` lists, and `name` that of a file by which the language is recognised. Without
    either, the text is read by its brackets, lines and indentation. `reducer`, `format`, `minimizer`, `level` and `names`
    accept what `choices` lists and mean what the options of the command of these names mean, as do `rename`, `keep`,
    `sigma`, `p0`, `theta`, `alpha`, `random`, `seed`, `max_questions` and `max_time` (in seconds).

    With `format_result` the result is laid out at the end, like the text or by its brackets; that is one more question. What
    stands between comments with ``dwindle: keep`` and ``dwindle: end`` in `text` stays as it is.

    Each of `passes` is called with the best text when nothing more is found, and returns or yields others; the first
    smaller one that is interesting is taken. `progress` is called on this thread after each question.

    Whatever the predicate, a pass or `progress` raises ends the reduction and is raised here, and so is
    `KeyboardInterrupt`; the best so far is its attribute ``dwindle_result``, a `Reduction`.

    :raises ValueError: for a parameter that is not known or does not fit the others.
    :raises NotInteresting: when the predicate is false of `text`.
    :raises FlakyPredicate: when it says now this and then that.
    """
    decode = decoder(text)
    original = encoded(text, "text")
    all_passes = list(passes)
    options = {
        "language": language,
        "name": None if name is None else fspath(name),
        "reducer": reducer,
        "format": format,
        "minimizer": minimizer,
        "level": level,
        "names": names,
        "rename": rename,
        "keep": [keep] if isinstance(keep, str) else list(keep),
        "sigma": sigma,
        "p0": p0,
        "theta": theta,
        "alpha": alpha,
        "random": random,
        "seed": seed,
        "max_questions": max_questions,
        "max_time": max_time,
        "format_result": format_result,
    }
    _command.find()
    run = _dwindle.reduce(original, options, jobs=jobs, passes=len(all_passes))

    def answer(question: _dwindle.Question) -> None:
        candidate = question.text or b""
        if question.number is not None:
            offered = all_passes[question.number](decode(candidate))
            question.offer([encoded(other, "what a pass offers") for other in offered])
            return
        try:
            decoded = decode(candidate)
        except UnicodeDecodeError:
            question.answer("uninteresting")
            return
        question.answer(verdict(predicate(decoded)))

    best = original
    asked = 0

    def see(news: _dwindle.News) -> None:
        nonlocal best, asked
        kept = news.text is not None
        best, asked = (news.text if news.text is not None else best), news.questions
        if progress is not None:
            progress(
                Progress(
                    best=decode(best),
                    tokens=news.tokens,
                    size=news.size,
                    questions=news.questions,
                    kept=kept,
                    stage=news.stage,
                    seconds=news.seconds,
                )
            )

    def result(ended: _dwindle.Ended) -> Reduction[AnyStr]:
        smallest = ended.texts[0] if ended.texts else best
        tokens, size = _dwindle.size(smallest)
        original_tokens, original_size = _dwindle.size(original)
        report: dict[str, Any] = json.loads(ended.report) if ended.report else {}
        if report:
            # As the grammar counts them.
            tokens, original_tokens = report["after"]["tokens"], report["before"]["tokens"]
        return Reduction(
            text=decode(smallest),
            tokens=tokens,
            size=size,
            original_tokens=original_tokens,
            original_size=original_size,
            questions=ended.questions or asked,
            finished=ended.end == "finished",
            ended=ended.end or "interrupted",
            seconds=ended.seconds,
            language=report.get("language"),
            report=report,
        )

    ended = drive(run, answer, jobs=jobs, watch=see, result=result)
    if ended.kind == "done":
        return result(ended)
    if ended.kind == "early":
        return replace(result(ended), ended="max-time")
    error: Exception
    if ended.kind == "contrary":
        error = NotInteresting(
            "the predicate is false of the text itself; it must be true of it, and of every candidate that shall be kept"
        )
    elif ended.kind == "flaky":
        error = FlakyPredicate(
            "the predicate says now this and then that of the same text; make it so that it always says the same, by "
            "repeating what it does, say"
        )
    elif ended.kind == "value":
        error = ValueError(ended.message)
    else:
        error = Error(ended.message)
    if ended.kind not in ("contrary", "value"):
        note(error, result(ended))
    raise error
