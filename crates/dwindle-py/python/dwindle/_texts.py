"""Texts as `str` or `bytes`, as the caller has them."""

from __future__ import annotations

from typing import AnyStr, Callable, cast


def encoded(text: object, called: str) -> bytes:
    """The bytes of a text."""
    if isinstance(text, str):
        return text.encode()
    if isinstance(text, bytes):
        return text
    raise TypeError(f"{called} must be str or bytes, not {type(text).__name__}; of a file, pass what it contains")


def decoder(text: AnyStr) -> Callable[[bytes], AnyStr]:
    """What makes bytes a text of the type of this one. A part of a character is no text: `UnicodeDecodeError`."""
    if isinstance(text, str):
        return cast("Callable[[bytes], AnyStr]", bytes.decode)
    return cast("Callable[[bytes], AnyStr]", bytes)
