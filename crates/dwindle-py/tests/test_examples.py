"""The example with pytest, and the code of the pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_the_fixture_shows_the_smallest_input() -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(ROOT / "examples" / "pytest")]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, timeout=60, check=False)
    assert ran.returncode == 1
    assert "3 failed" in ran.stdout
    # What the readme shows.
    assert "117 tokens became 5 (292 bytes became 9) after 32 questions: '0 - 0 + 1'" in ran.stdout


@pytest.mark.parametrize("page", ["docs/book/src/python-package.md"])
def test_the_code_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        line = text[: text.index(block)].count("\n")
        exec(compile("\n" * line + block, page, "exec"), names)
