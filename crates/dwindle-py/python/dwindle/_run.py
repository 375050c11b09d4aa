"""Answering the questions of a search, by threads of Python."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import threading
import time
import traceback
import warnings
from typing import Any, Callable, NoReturn

from ._dwindle import Ended, News, Question, Run

#: How long other threads may take to come back from a predicate when one of them has raised an exception, in seconds.
PATIENCE = 1.0


def drive(
    run: Run,
    answer: Callable[[Question], None],
    *,
    jobs: int,
    watch: Callable[[News], None] | None,
    result: Callable[[Ended], Any],
) -> Ended:
    """Answers all questions of `run`, on this thread or on so many others, and has `watch` see its news.

    Whatever is raised on the way, also by a signal, ends the run and is raised here, with what `result` makes of the
    best so far as its attribute ``dwindle_result``.
    """
    threads = Threads(run, answer, jobs) if jobs > 1 else None
    try:
        if threads is not None:
            threads.start()
        while (event := run.next(questions=threads is None, news=True)) is not None:
            if isinstance(event, Question):
                answer(event)
            elif event.warning is not None:
                warnings.warn(event.warning, RuntimeWarning, stacklevel=4)
            elif watch is not None:
                watch(event)
        if threads is not None:
            threads.join(PATIENCE if threads.failed() else None)
            threads.check()
        return run.finish()
    except BaseException as error:
        raised = error
        run.stop()
        if threads is not None:
            try:
                threads.join(PATIENCE)
            except BaseException as second:
                # A second signal does not wait for them.
                raised = second
        with contextlib.suppress(Exception):
            note(raised, result(run.finish()))
        if threads is not None:
            threads.tell_others(raised)
        raise raised


def note(error: BaseException, result: Any) -> None:
    """Gives an exception the best result so far."""
    error.dwindle_result = result  # type: ignore[attr-defined]
    say(error, f"the best so far is the attribute dwindle_result of this exception: {result.summary()}")


def say(error: BaseException, text: str) -> None:
    """Adds a line to what an exception shows."""
    if sys.version_info >= (3, 11):
        error.add_note(f"dwindle: {text}")


class Threads:
    """Threads that answer questions until there are no more."""

    def __init__(self, run: Run, answer: Callable[[Question], None], jobs: int) -> None:
        self._run = run
        self._answer = answer
        self._process = os.getpid()
        self._errors: list[BaseException] = []
        # They may be in a predicate that does not return when Python ends.
        self._threads = [threading.Thread(target=self._work, name=f"dwindle-{n}", daemon=True) for n in range(jobs)]

    def start(self) -> None:
        """Has them answer."""
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        try:
            while (question := self._run.next(questions=True, news=False)) is not None:
                assert isinstance(question, Question)
                self._answer(question)
        except BaseException as error:
            if os.getpid() != self._process:
                # A fork that the predicate has made. Python would end this thread, and the process with 0.
                leave(error)
            self._errors.append(error)
            self._run.stop()

    def join(self, patience: float | None) -> None:
        """Waits for their end, not longer than so many seconds."""
        deadline = None if patience is None else time.monotonic() + patience
        for thread in self._threads:
            # One that was never started has no end to be waited for.
            if thread.ident is not None:
                thread.join(None if deadline is None else max(0.0, deadline - time.monotonic()))

    def failed(self) -> bool:
        """Whether one of them has raised an exception."""
        return bool(self._errors)

    def check(self) -> None:
        """Raises what one of them has raised first."""
        if self._errors:
            raise self._errors[0]

    def tell_others(self, raised: BaseException) -> None:
        """Lets `raised` show what other threads have raised beside it."""
        for error in self._errors:
            if error is not raised:
                say(raised, f"another thread raised {error!r}")


def leave(error: BaseException) -> NoReturn:
    """Ends this process as Python ends one whose main thread raises `error`."""
    code = 1
    # Its standard streams may be closed.
    with contextlib.suppress(Exception):
        if not isinstance(error, SystemExit):
            traceback.print_exception(type(error), error, error.__traceback__)
        elif error.code is None or isinstance(error.code, int):
            code = error.code or 0
        else:
            print(error.code, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code & 0xFF)


def verdict(said: object, test: str = "predicate") -> str:
    """What a predicate has said of a candidate."""
    if said is None:
        raise TypeError(f"the {test} returned None; it must return True where the candidate is interesting, else False")
    if inspect.isawaitable(said):
        raise TypeError(f"the {test} returned something to be awaited; it must be a plain function, not `async def`")
    return "interesting" if said else "uninteresting"
