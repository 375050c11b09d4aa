"""What makes the difference between two texts, or two lists."""

from __future__ import annotations

import difflib
import re
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from os import PathLike, fspath
from typing import Any, AnyStr, Callable, Generic, TypeVar, Union, cast, overload

from . import _command, _dwindle
from ._errors import Error, FlakyPredicate, NotInteresting
from ._progress import Progress
from ._run import drive, note
from ._texts import decoder, encoded

T = TypeVar("T")


class Outcome(str, Enum):
    """What a test says of a variant. The plain strings will do as well."""

    PASS = "pass"
    """It behaves like what passes."""
    FAIL = "fail"
    """It behaves like what fails."""
    UNRESOLVED = "unresolved"
    """Neither, or the test cannot say."""


#: What a test returns: an `Outcome`, or its name.
Said = Union[Outcome, str]

_OUTCOMES = {"fail": "interesting", "pass": "uninteresting", "unresolved": "unresolved"}


@dataclass(frozen=True)
class Isolated(Generic[AnyStr]):
    """Two texts with a minimal difference, one that passes and one that fails."""

    passing: AnyStr
    """The one that passes."""
    failing: AnyStr
    """The one that fails."""
    diff: str
    """The difference, as a unified diff."""
    differences: int
    """How many differences there were between the two texts."""
    left: int
    """How many there are between these."""
    questions: int
    """How often the test was asked, not counting what ran ahead for nothing."""
    finished: bool
    """Whether the search was over."""
    ended: str
    """Why it ended: ``finished``, ``max-questions``, ``max-time`` or ``interrupted``."""
    seconds: float
    """How long it took."""
    report: dict[str, Any] = field(repr=False)
    """The report of the command's ``--json``."""

    def summary(self) -> str:
        """The sizes in a sentence."""
        return f"{self.differences} differences became {self.left} after {self.questions} questions"


@dataclass(frozen=True)
class IsolatedList(Generic[T]):
    """Two lists with a minimal difference, one that passes and one that fails."""

    passing: list[T]
    """The one that passes."""
    failing: list[T]
    """The one that fails."""
    added: list[T]
    """What only the second one has."""
    removed: list[T]
    """What only the first one has."""
    differences: int
    """How many differences there were between the two lists."""
    left: int
    """How many there are between these."""
    questions: int
    """How often the test was asked, not counting what ran ahead for nothing."""
    finished: bool
    """Whether the search was over."""
    ended: str
    """Why it ended: ``finished``, ``max-questions``, ``max-time`` or ``interrupted``."""
    seconds: float
    """How long it took."""

    def summary(self) -> str:
        """The sizes in a sentence."""
        return f"{self.differences} differences became {self.left} after {self.questions} questions"


@overload
def isolate(
    passing: str,
    failing: str,
    test: Callable[[str], Said],
    *,
    language: str | None = ...,
    name: str | PathLike[str] | None = ...,
    units: str = ...,
    algorithm: str | None = ...,
    jobs: int = ...,
    max_questions: int | None = ...,
    max_time: float | None = ...,
    progress: Callable[[Progress[str]], object] | None = ...,
) -> Isolated[str]: ...
@overload
def isolate(
    passing: bytes,
    failing: bytes,
    test: Callable[[bytes], Said],
    *,
    language: str | None = ...,
    name: str | PathLike[str] | None = ...,
    units: str = ...,
    algorithm: str | None = ...,
    jobs: int = ...,
    max_questions: int | None = ...,
    max_time: float | None = ...,
    progress: Callable[[Progress[bytes]], object] | None = ...,
) -> Isolated[bytes]: ...
@overload
def isolate(
    passing: Sequence[T],
    failing: Sequence[T],
    test: Callable[[list[T]], Said],
    *,
    algorithm: str | None = ...,
    jobs: int = ...,
    max_questions: int | None = ...,
    max_time: float | None = ...,
    progress: Callable[[Progress[list[T]]], object] | None = ...,
) -> IsolatedList[T]: ...
def isolate(
    passing: Any,
    failing: Any,
    test: Callable[[Any], Said],
    *,
    language: str | None = None,
    name: str | PathLike[str] | None = None,
    units: str = "auto",
    algorithm: str | None = None,
    jobs: int = 1,
    max_questions: int | None = None,
    max_time: float | None = None,
    progress: Callable[[Progress[Any]], object] | None = None,
) -> Any:
    """Moves something that passes and something that fails towards each other, until hardly anything lies between them.

    Both are texts, or both are sequences of anything. The test gets variants of that type (lists, for sequences) and
    returns an `Outcome` or its name: ``"fail"`` where a variant behaves like `failing`, ``"pass"`` where it behaves
    like `passing`, and ``"unresolved"`` where it can say neither.

    `language`, `name` and `units` say what the differences of texts are, as the command's ``--language`` and ``--format``
    do: nodes of syntax trees, or lines and tokens. `algorithm` is ``guided`` or ``dd``. Exceptions, `progress`, `jobs` and
    budgets are those of `reduce`.

    :raises ValueError: for a parameter that is not known, or when there is no difference.
    :raises NotInteresting: when the test does not say of `passing` that it passes, and of `failing` that it fails.
    :raises FlakyPredicate: when it says now this and then that.
    """
    budgets = {"algorithm": algorithm, "max_questions": max_questions, "max_time": max_time}
    texts = [isinstance(side, (str, bytes)) for side in (passing, failing)]
    if not any(texts):
        return _lists(list(passing), list(failing), test, budgets, jobs, progress)
    if type(passing) is not type(failing):
        raise TypeError(f"passing is {type(passing).__name__}, but failing is {type(failing).__name__}")
    options = {**budgets, "language": language, "name": None if name is None else fspath(name), "units": units}
    return _texts(passing, failing, test, options, jobs, progress)


def _texts(
    passing: AnyStr,
    failing: AnyStr,
    test: Callable[[AnyStr], Said],
    options: dict[str, Any],
    jobs: int,
    progress: Callable[[Progress[AnyStr]], object] | None,
) -> Isolated[AnyStr]:
    decode = decoder(failing)
    _command.find()
    run = _dwindle.isolate(encoded(passing, "passing"), encoded(failing, "failing"), options, jobs=jobs)

    def answer(question: _dwindle.Question) -> None:
        try:
            variant = decode(question.text or b"")
        except UnicodeDecodeError:
            question.answer("unresolved")
            return
        question.answer(_outcome(test(variant)))

    best = failing

    def see(news: _dwindle.News) -> None:
        nonlocal best
        best = best if news.text is None else decode(news.text)
        if progress is not None:
            progress(_progress(best, news, news.text is not None))

    def result(ended: _dwindle.Ended) -> Isolated[AnyStr]:
        ends = [decode(text) for text in ended.texts] or [passing, failing]
        report: dict[str, Any] = json.loads(ended.report) if ended.report else {}
        return Isolated(
            passing=ends[0],
            failing=ends[1],
            diff=_diff(ends[0], ends[1]),
            differences=report.get("differences", 0),
            left=report.get("left", 0),
            questions=ended.questions,
            finished=ended.end == "finished",
            ended=ended.end or "interrupted",
            seconds=ended.seconds,
            report=report,
        )

    ended = drive(run, answer, jobs=jobs, watch=see, result=result)
    if ended.kind == "done":
        return result(ended)
    if ended.kind == "early":
        return replace(result(ended), ended="max-time")
    raise _error(ended)


def _lists(
    passing: list[T],
    failing: list[T],
    test: Callable[[list[T]], Said],
    options: dict[str, Any],
    jobs: int,
    progress: Callable[[Progress[list[T]]], object] | None,
) -> IsolatedList[T]:
    pieces, count = _pieces(passing, failing)
    if count == 0:
        raise ValueError("the two sequences are the same, so no difference between them makes the one fail")
    run = _dwindle.isolate_list(count, options, jobs=jobs)

    def applied(differences: list[int]) -> list[T]:
        return [item for piece in pieces for item in piece.with_(set(differences))]

    def answer(question: _dwindle.Question) -> None:
        question.answer(_outcome(test(applied(question.items or []))))

    best = failing

    def see(news: _dwindle.News) -> None:
        nonlocal best
        best = best if news.items is None else applied(news.items)
        if progress is not None:
            progress(_progress(best, news, news.items is not None))

    def result(ended: _dwindle.Ended) -> IsolatedList[T]:
        few, more = ended.items
        chosen = set(more) - set(few)
        between = [piece for piece in pieces if piece.number in chosen]
        return IsolatedList(
            passing=applied(few),
            failing=applied(more),
            added=[piece.item for piece in between if piece.is_new],
            removed=[piece.item for piece in between if not piece.is_new],
            differences=count,
            left=len(chosen),
            questions=ended.questions,
            finished=ended.end == "finished",
            ended=ended.end,
            seconds=ended.seconds,
        )

    ended = drive(run, answer, jobs=jobs, watch=see, result=result)
    if ended.kind in ("done", "early"):
        return result(ended)
    raise _error(ended)


@dataclass(frozen=True)
class _Piece(Generic[T]):
    """An item of either list, or of both."""

    item: T
    number: int | None
    """Which difference it is, if it is one."""
    is_new: bool
    """Whether that brings it, or takes it away."""

    def with_(self, differences: set[int]) -> list[T]:
        """It, where it is there with these differences."""
        return [self.item] if self.number is None or (self.number in differences) == self.is_new else []


def _pieces(passing: list[T], failing: list[T]) -> tuple[list[_Piece[T]], int]:
    """The items of both lists, and how many differences there are: each item that only one of them has."""
    names = _Names()
    matcher = difflib.SequenceMatcher(
        None, [names.of(item) for item in passing], [names.of(item) for item in failing], autojunk=False
    )
    pieces: list[_Piece[T]] = []
    count = 0
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            pieces.extend(_Piece(item, None, False) for item in passing[old_start:old_end])
            continue
        for items, is_new in ((passing[old_start:old_end], False), (failing[new_start:new_end], True)):
            for item in items:
                pieces.append(_Piece(item, count, is_new))
                count += 1
    return pieces, count


class _Names:
    """A number for each item, the same for equal ones, hashable or not."""

    def __init__(self) -> None:
        self._hashed: dict[Any, int] = {}
        self._others: list[Any] = []

    def of(self, item: object) -> int:
        try:
            return self._hashed.setdefault(item, len(self._hashed))
        except TypeError:
            for number, other in enumerate(self._others):
                if other is item or other == item:
                    return -1 - number
            self._others.append(item)
            return -len(self._others)


def _outcome(said: object) -> str:
    try:
        return _OUTCOMES[cast(str, said)]
    except (KeyError, TypeError):
        raise TypeError(f'the test returned {said!r}; it must return "pass", "fail" or "unresolved"') from None


def _progress(best: T, news: _dwindle.News, kept: bool) -> Progress[T]:
    return Progress(
        best=best,
        tokens=news.tokens,
        size=news.size,
        questions=news.questions,
        kept=kept,
        stage=news.stage,
        seconds=news.seconds,
    )


def _diff(passing: AnyStr, failing: AnyStr) -> str:
    old, new = (text if isinstance(text, str) else text.decode("utf-8", "backslashreplace") for text in (passing, failing))
    # Other characters that end lines elsewhere end none in a diff.
    old_lines, new_lines = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (old, new))
    lines = difflib.unified_diff(old_lines, new_lines, "passing", "failing")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _error(ended: _dwindle.Ended) -> Exception:
    if ended.kind == "contrary-failing":
        return NotInteresting('the test does not return "fail" for what is to fail')
    if ended.kind == "contrary-passing":
        return NotInteresting('the test does not return "pass" for what is to pass')
    if ended.kind == "flaky":
        return FlakyPredicate("the test says now this and then that of the same variant; make it always say the same")
    if ended.kind == "value":
        return ValueError("the two texts are the same, so no difference between them makes the one fail")
    return Error(ended.message)
