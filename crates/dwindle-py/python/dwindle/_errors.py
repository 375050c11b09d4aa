"""Why there is no result."""

from __future__ import annotations


class Error(Exception):
    """There is no result, or none that can be trusted.

    Like any exception that ends a search, it has the best result so far as its attribute ``dwindle_result`` once there is
    one.
    """


class NotInteresting(Error, ValueError):
    """The predicate does not say of the input itself what it must say."""


class FlakyPredicate(Error):
    """The predicate says now this and then that of the same text."""
