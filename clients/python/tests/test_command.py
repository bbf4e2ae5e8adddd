"""The command of the package: it becomes the engine's program, without importing the client."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import reelwire

SOURCES = Path(reelwire.__file__).parents[1]


def _run(*arguments, module="reelwire_command", **variables):
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), **variables}
    start = f"import {module}; {module}.main()"
    command = [sys.executable, "-W", "error", "-c", start, *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True)


def test_it_becomes_the_program(binary):
    ended = _run("--version", REELWIRE_BINARY=binary)
    assert (ended.returncode, ended.stdout.count("."), ended.stderr) == (0, 2, "")
    assert _run("probe", REELWIRE_BINARY=binary).returncode == 2


def test_it_does_not_import_the_client(binary):
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES)}
    start = "import sys, reelwire_command; print('reelwire' in sys.modules, 'asyncio' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", start], env=env, capture_output=True, text=True)
    assert ended.stdout.split() == ["False", "False"]


def test_the_package_is_a_command(binary):
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCES), "REELWIRE_BINARY": str(binary)}
    ended = subprocess.run(
        [sys.executable, "-m", "reelwire", "--version"], env=env, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.fixture
def package(tmp_path):
    """The command as it is installed without an engine and a checkout, and its script on the PATH."""
    home = tmp_path / "site"
    home.mkdir()
    shutil.copy(SOURCES / "reelwire_command.py", home)
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    script = scripts / "reelwire"
    script.write_text(f"#!{sys.executable}\nfrom reelwire_command import main\nmain()\n")
    script.chmod(0o755)
    return home, scripts


def _installed(package, path, *arguments):
    home, scripts = package
    env = {"PATH": path, "PYTHONPATH": str(home)}
    return subprocess.run(
        [scripts / "reelwire", *arguments], env=env, capture_output=True, text=True
    )


def test_without_a_program_it_ends_with_advice(package):
    ended = _installed(package, str(package[1]), "--version")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("reelwire: this package has no program inside")


def test_it_finds_a_program_behind_itself_on_the_path(package, binary, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "reelwire").symlink_to(binary)
    ended = _installed(package, f"{package[1]}{os.pathsep}{other}", "--version")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_name_that_is_no_program_is_reported(tmp_path):
    ended = _run("--version", REELWIRE_BINARY=str(tmp_path / "none"))
    assert ended.returncode == 1
    assert "none can't be run" in ended.stderr
