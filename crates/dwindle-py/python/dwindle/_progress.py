"""How a search stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Progress(Generic[T]):
    """How a search stands, after a question or when something smaller was found."""

    best: T
    """The smallest text or list so far; of an isolation, the variant that fails."""
    tokens: int
    """Its tokens, or items."""
    size: int
    """Its bytes, or items."""
    questions: int
    """How often the predicate was asked so far; of what ran ahead, only what was needed."""
    kept: bool
    """Whether ``best`` is a new one."""
    stage: str
    """What is being tried, in a word or two."""
    seconds: float
    """Since the beginning."""
