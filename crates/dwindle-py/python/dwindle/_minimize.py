"""Lists of anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Callable, Generic, TypeVar

from . import _dwindle
from ._errors import NotInteresting
from ._progress import Progress
from ._run import drive, verdict

T = TypeVar("T")


@dataclass(frozen=True)
class Minimized(Generic[T]):
    """What came of minimising a list."""

    items: list[T]
    """The items that are needed, in their order."""
    indices: list[int]
    """Where they are in the sequence that was given."""
    original: int
    """How many items that has."""
    questions: int
    """How often the predicate was asked, not counting what ran ahead for nothing."""
    finished: bool
    """Whether the search was over; if not, more may go."""
    ended: str
    """Why it ended: ``finished``, ``max-questions``, ``max-time`` or ``interrupted``."""
    seconds: float
    """How long it took."""

    def summary(self) -> str:
        """The sizes in a sentence."""
        return f"{self.original} items became {len(self.items)} after {self.questions} questions"


def minimize(
    items: Iterable[T],
    predicate: Callable[[list[T]], object],
    *,
    weights: Sequence[int] | None = None,
    minimizer: str | None = None,
    sigma: float | None = None,
    p0: float | None = None,
    theta: float | None = None,
    alpha: float | None = None,
    random: bool = False,
    seed: int = 0,
    jobs: int = 1,
    max_questions: int | None = None,
    max_time: float | None = None,
    progress: Callable[[Progress[list[T]]], object] | None = None,
) -> Minimized[T]:
    """The items that are needed for ``predicate(items)`` to be true.

    The items may be anything; nothing is asked of them. The predicate must be true of the whole list, gets lists of some
    of the items in their order, and is asked about none of them twice. The result of the default minimizers is 1-minimal:
    without any one of its items the predicate is false.

    `minimizer` is a name that `choices` lists; ``wddmin`` and ``wprobdd`` look at `weights`, one for each item, and the
    default does so if there are any: heavy items go first. Exceptions, `progress`, `jobs` and budgets are those of
    `reduce`.

    :raises ValueError: for a parameter that is not known or does not fit the others.
    :raises NotInteresting: when the predicate is false of the whole list.
    """
    all_items = list(items)
    options = {
        "minimizer": minimizer,
        "sigma": sigma,
        "p0": p0,
        "theta": theta,
        "alpha": alpha,
        "random": random,
        "seed": seed,
        "max_questions": max_questions,
        "max_time": max_time,
    }
    if weights is not None:
        weights = list(weights)
        if len(weights) != len(all_items):
            raise ValueError(f"there are {len(all_items)} items, but {len(weights)} weights")
        if not all(isinstance(weight, int) and 0 < weight < 2**32 for weight in weights):
            raise ValueError("weights must be whole numbers above 0")
        if minimizer not in (None, "wddmin", "wprobdd"):
            raise ValueError(f"weights go with minimizer wddmin and wprobdd, not with {minimizer}")
        options["minimizer"] = minimizer or "wddmin"
    run = _dwindle.minimize(weights or [1] * len(all_items), options, jobs=jobs)

    def chosen(indices: list[int]) -> list[T]:
        return [all_items[index] for index in indices]

    def answer(question: _dwindle.Question) -> None:
        question.answer(verdict(predicate(chosen(question.items or []))))

    best = all_items

    def see(news: _dwindle.News) -> None:
        nonlocal best
        best = best if news.items is None else chosen(news.items)
        if progress is not None:
            progress(
                Progress(
                    best=best,
                    tokens=len(best),
                    size=len(best),
                    questions=news.questions,
                    kept=news.items is not None,
                    stage=news.stage,
                    seconds=news.seconds,
                )
            )

    def result(ended: _dwindle.Ended) -> Minimized[T]:
        return Minimized(
            items=chosen(ended.items[0]),
            indices=ended.items[0],
            original=len(all_items),
            questions=ended.questions,
            finished=ended.end == "finished",
            ended=ended.end,
            seconds=ended.seconds,
        )

    ended = drive(run, answer, jobs=jobs, watch=see, result=result)
    if ended.kind == "contrary":
        raise NotInteresting("the predicate is false of the whole list; it must be true of it")
    return result(ended)
