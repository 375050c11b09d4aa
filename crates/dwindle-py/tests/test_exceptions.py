"""What a predicate raises, and signals."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import traceback
import warnings
from typing import Callable

import dwindle
import pytest
from dwindle import _run

TEXT = "one two three needle four five six seven eight nine ten " * 3


class Surprise(Exception):
    pass


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_exception_of_the_predicate_reaches_the_caller_with_its_traceback_and_the_best_so_far(jobs: int) -> None:
    asked = []

    def predicate(text: str) -> bool:
        asked.append(text)
        if len(asked) > 8:
            raise_it()
        return "needle" in text

    def raise_it() -> None:
        raise Surprise("on purpose")

    with pytest.raises(Surprise, match="on purpose") as raised:
        dwindle.reduce(TEXT, predicate, jobs=jobs)
    assert "raise_it" in "".join(traceback.format_tb(raised.tb))
    result = raised.value.dwindle_result  # type: ignore[attr-defined]
    assert isinstance(result, dwindle.Reduction)
    assert not result.finished and "needle" in result.text and len(result.text) < len(TEXT)
    if sys.version_info >= (3, 11):
        assert "dwindle_result" in raised.value.__notes__[0]


def test_nothing_more_is_asked_after_an_exception() -> None:
    asked = []

    def predicate(text: str) -> bool:
        asked.append(text)
        if len(asked) == 5:
            raise Surprise
        return "needle" in text

    with pytest.raises(Surprise):
        dwindle.reduce(TEXT, predicate, format_result=True)
    assert len(asked) == 5


def test_an_exception_about_the_input_has_the_input_as_its_result() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        dwindle.reduce(TEXT, lambda text: bool(1 // 0))
    assert raised.value.dwindle_result.text == TEXT  # type: ignore[attr-defined]


@pytest.mark.parametrize("jobs", [1, 2])
def test_exceptions_of_passes_and_of_progress_end_it_as_well(jobs: int) -> None:
    def offer(text: str) -> list[str]:
        raise Surprise(text)

    with pytest.raises(Surprise) as raised:
        dwindle.reduce(TEXT, lambda text: "needle" in text, passes=[offer], jobs=jobs)
    assert raised.value.dwindle_result.text == "needle"  # type: ignore[attr-defined]

    def tell(progress: dwindle.Progress[str]) -> None:
        if progress.questions > 4:
            raise Surprise

    with pytest.raises(Surprise):
        dwindle.reduce(TEXT, lambda text: "needle" in text, progress=tell, jobs=jobs)


def test_exceptions_end_minimize_and_isolate() -> None:
    def predicate(numbers: list[int]) -> bool:
        if len(numbers) < 20:
            raise Surprise
        return 7 in numbers

    with pytest.raises(Surprise) as raised:
        dwindle.minimize(range(100), predicate)
    assert 7 in raised.value.dwindle_result.items  # type: ignore[attr-defined]

    def test(text: str) -> str:
        if text not in ("a\nb\n", "A\nB\n"):
            raise Surprise
        return "fail" if "B" in text else "pass"

    with pytest.raises(Surprise) as raised:
        dwindle.isolate("a\nb\n", "A\nB\n", test)
    assert raised.value.dwindle_result.failing == "A\nB\n"  # type: ignore[attr-defined]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_it_promptly_with_the_best_so_far(jobs: int) -> None:
    program = textwrap.dedent(
        f"""
        import sys, time
        import dwindle

        asked = 0

        def predicate(text):
            global asked
            asked += 1
            if asked == 12:
                print("asked", flush=True)
                time.sleep(60)
            return "needle" in text

        try:
            dwindle.reduce({TEXT!r}, predicate, jobs={jobs})
        except KeyboardInterrupt as error:
            print("interrupted", len(error.dwindle_result.text), flush=True)
            sys.exit(3)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    word, size = process.stdout.readline().split()
    assert word == "interrupted" and int(size) < len(TEXT)
    assert process.wait(timeout=5) == 3
    assert time.monotonic() - began < 3
    process.stdout.close()


def test_an_interrupt_also_ends_what_dwindle_computes() -> None:
    # 4 MB are parsed between the second and the third question.
    asked = threading.Event()

    def predicate(text: bytes) -> bool:
        asked.set()
        return True

    def interrupt() -> None:
        asked.wait()
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as raised:
        dwindle.reduce(b"int f(void) { return 1 + 2 * (3 - 4); }\n" * 100000, predicate, language="c", max_time=60)
    assert time.monotonic() - began < 5
    assert raised.value.dwindle_result.ended == "interrupted"  # type: ignore[attr-defined]
    thread.join()


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize(
    ("leave", "code"),
    [("sys.exit(5)", 5), ("sys.exit()", 0), ("sys.exit('why')", 1), ("return True", 1), ("raise ValueError", 1)],
)
def test_a_fork_in_the_predicate_that_does_not_end_there_changes_nothing(jobs: int, leave: str, code: int) -> None:
    program = textwrap.dedent(
        f"""
        import os, sys
        import dwindle

        codes = set()

        def predicate(text):
            if (child := os.fork()) == 0:
                sys.stderr.close()
                {leave}
            codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            return "needle" in text

        parent = os.getpid()
        result = dwindle.reduce("hay needle " * 6, predicate, jobs={jobs})
        if os.getpid() == parent:
            print(result.text, result.ended, codes)
        """
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], stdout=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, f"needle finished {{{code}}}\n")


def test_a_fork_shows_what_it_raises() -> None:
    program = textwrap.dedent(
        """
        import os
        import dwindle

        def predicate(text):
            if (child := os.fork()) == 0:
                print("said")
                raise ValueError("in the fork")
            os.waitpid(child, 0)
            return True

        dwindle.reduce("a b", predicate, jobs=2, max_questions=2)
        """
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "said" in done.stdout
    assert "ValueError: in the fork" in done.stderr and "in predicate" in done.stderr


def test_a_predicate_may_use_processes_that_are_forked() -> None:
    context = multiprocessing.get_context("fork")

    def predicate(text: str) -> bool:
        process = context.Process(target=check, args=(text,))
        process.start()
        process.join()
        return process.exitcode == 0

    def check(text: str) -> None:
        sys.exit(0 if "needle" in text else 1)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert dwindle.reduce("hay needle " * 3, predicate).text == "needle"


def test_the_threads_are_waited_for_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    predicate, inside, open_gate = hanging_predicate()
    join = _run.Threads.join

    def opened(threads: _run.Threads, patience: float | None) -> None:
        open_gate()
        join(threads, patience)

    monkeypatch.setattr(_run.Threads, "join", opened)
    dwindle.reduce(TEXT, predicate, jobs=2, max_time=1)
    assert inside == ["began", "ended"]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("dwindle")]


def test_what_several_threads_raise_is_shown() -> None:
    both = threading.Barrier(2, timeout=10)
    asked = []

    def predicate(text: str) -> bool:
        asked.append(text)
        # The input is asked about twice by one thread.
        if len(asked) > 2:
            both.wait()
            raise Surprise(threading.current_thread().name)
        return True

    with pytest.raises(Surprise) as raised:
        dwindle.reduce(TEXT, predicate, jobs=2)
    assert raised.value.dwindle_result.text == TEXT  # type: ignore[attr-defined]
    if sys.version_info >= (3, 11):
        assert any("another thread raised Surprise('dwindle-" in note for note in raised.value.__notes__)


def test_an_interrupt_while_threads_start_ends_those_that_run(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        if thread.name == "dwindle-1":
            raise KeyboardInterrupt
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt) as raised:
        dwindle.reduce(TEXT, lambda text: "needle" in text, jobs=3)
    assert raised.value.dwindle_result.ended == "interrupted"  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("dwindle")]


def test_an_interrupt_does_not_wait_for_a_predicate_that_hangs_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    predicate, inside, open_gate = hanging_predicate()
    join = _run.Threads.join

    def interrupted(threads: _run.Threads, patience: float | None) -> None:
        if patience is None:
            os.kill(os.getpid(), signal.SIGINT)
        join(threads, patience)

    monkeypatch.setattr(_run.Threads, "join", interrupted)
    monkeypatch.setattr(_run, "PATIENCE", 0.1)
    with pytest.raises(KeyboardInterrupt) as raised:
        dwindle.reduce(TEXT, predicate, jobs=2, max_time=1)
    assert inside == ["began"]
    assert "needle" in raised.value.dwindle_result.text  # type: ignore[attr-defined]
    open_gate()


def test_a_second_interrupt_also_has_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(threads: _run.Threads, patience: float | None) -> None:
        raise KeyboardInterrupt

    def predicate(text: str) -> bool:
        raise Surprise

    monkeypatch.setattr(_run.Threads, "join", interrupted)
    with pytest.raises(KeyboardInterrupt) as raised:
        dwindle.reduce(TEXT, predicate, jobs=2)
    assert raised.value.dwindle_result.text == TEXT  # type: ignore[attr-defined]


def hanging_predicate() -> tuple[Callable[[str], bool], list[str], Callable[[], None]]:
    """A predicate whose fourth call waits until a gate is opened, whether that call began and ended, and what opens the gate."""
    asked: list[str] = []
    inside: list[str] = []
    gate = threading.Event()

    def predicate(text: str) -> bool:
        asked.append(text)
        if len(asked) == 4:
            inside.append("began")
            gate.wait(10)
            inside.append("ended")
        return "needle" in text

    return predicate, inside, gate.set
