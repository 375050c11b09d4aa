"""The command `dwindle` that was installed with this package."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import os

from ._dwindle import parse_by


@functools.cache
def find() -> None:
    """Has large texts, and those of languages whose parsers may fail, parsed by the command, so that a parser that crashes
    does not take this process along. Without the command, they are parsed here."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("dwindle") or []:
            path = os.path.realpath(file.locate())
            if file.name == "dwindle" and file.parent.name == "bin" and os.access(path, os.X_OK):
                parse_by(path)
