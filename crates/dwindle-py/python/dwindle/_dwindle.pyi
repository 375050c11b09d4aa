from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, final

__all__ = [
    "__version__",
    "Run",
    "Question",
    "News",
    "Ended",
    "size",
    "parse_by",
    "reduce",
    "isolate",
    "minimize",
    "isolate_list",
    "choices",
]

__version__: str

def choices() -> dict[str, list[str]]:
    """The names that each parameter accepts."""

def size(text: bytes) -> tuple[int, int]:
    """The tokens and bytes of a text."""

def parse_by(command: str | PathLike[str]) -> None:
    """From now on this command parses what may make a parser fail."""

def reduce(text: bytes, options: Mapping[str, Any], *, jobs: int, passes: int) -> Run: ...
def isolate(passing: bytes, failing: bytes, options: Mapping[str, Any], *, jobs: int) -> Run: ...
def minimize(weights: Sequence[int], options: Mapping[str, Any], *, jobs: int) -> Run: ...
def isolate_list(differences: int, options: Mapping[str, Any], *, jobs: int) -> Run: ...
@final
class Run:
    """A search that runs on a thread of its own until it is over or stopped."""

    def next(self, *, questions: bool, news: bool) -> Question | News | None:
        """The next question or news, or None when there is no more of what is wanted."""

    def stop(self) -> None:
        """Stops the search. Nothing more is asked."""

    def finish(self) -> Ended:
        """Waits for the end of the search."""

@final
class Question:
    @property
    def text(self) -> bytes | None: ...
    @property
    def items(self) -> list[int] | None: ...
    @property
    def number(self) -> int | None: ...
    def answer(self, outcome: str) -> None:
        """What a candidate is: interesting, uninteresting or unresolved."""

    def offer(self, texts: Sequence[bytes]) -> None:
        """What a pass offers."""

@final
class News:
    @property
    def questions(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def stage(self) -> str: ...
    @property
    def seconds(self) -> float: ...
    @property
    def text(self) -> bytes | None: ...
    @property
    def items(self) -> list[int] | None: ...
    @property
    def warning(self) -> str | None: ...

@final
class Ended:
    @property
    def kind(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def report(self) -> str | None: ...
    @property
    def texts(self) -> list[bytes]: ...
    @property
    def items(self) -> list[list[int]]: ...
    @property
    def questions(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def end(self) -> str: ...
