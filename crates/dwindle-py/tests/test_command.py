"""The command that the wheel installs beside the module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import dwindle
import pytest

DEEP = "".join(f"{' ' * depth}a:\n" for depth in range(400)) + " " * 400 + "needle: 1\n"

REDUCE = """
import sys
import dwindle
reduction = dwindle.reduce(sys.stdin.read(), lambda text: "needle" in text, language="yaml", max_questions=300)
print(reduction.language, "needle" in reduction.text)
"""


def test_a_parser_that_aborts_does_not_take_python_along(tmp_path: Path) -> None:
    command = os.environ.get("DWINDLE_COMMAND")
    if command is None:
        pytest.skip("DWINDLE_COMMAND is not set to a built command")
    # As an installed wheel lies: its record names the command.
    info = tmp_path / "lib" / f"dwindle-{dwindle.__version__}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: dwindle\nVersion: {dwindle.__version__}\n")
    (info / "RECORD").write_text("../bin/dwindle,,\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "dwindle").symlink_to(command)
    path = os.pathsep.join([str(tmp_path / "lib"), str(Path(dwindle.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": path}
    ran = subprocess.run(
        [sys.executable, "-c", REDUCE], input=DEEP, stdout=subprocess.PIPE, text=True, env=environment, timeout=60, check=False
    )
    # The parser's limit is hit in the command, so the text is read by its brackets and indentation.
    assert (ran.returncode, ran.stdout) == (0, "brackets True\n")
