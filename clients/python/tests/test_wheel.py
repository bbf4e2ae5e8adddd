"""A wheel with the engine's program inside, installed where nothing else is."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("setuptools", minversion="70.1", reason="wheels need a newer setuptools")

PACKAGE = Path(__file__).parents[1]
PROGRAM = """
import sys, reelwire
with reelwire.Engine() as engine:
    with engine.open(sys.argv[1]) as asset:
        asset.image(1, path="frame.jpg")
        print(asset.duration.seconds)
print(reelwire.find_binary())
"""


def _pip(*arguments, env=None):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    ended = subprocess.run(
        [*command, *map(str, arguments)], env=env, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def _wheel(folder, **variables):
    env = {name: value for name, value in os.environ.items() if name != "REELWIRE_BUNDLE"}
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    _pip("wheel", *options, "--wheel-dir", folder, PACKAGE, env={**env, **variables})
    (wheel,) = folder.glob("*.whl")
    return wheel


def _stripped(program, folder):
    """The program without its symbols, which take most of the time of packing it; itself without binutils."""
    if not shutil.which("strip"):
        return program
    subprocess.run(["strip", "-o", folder / "reelwire", program], check=True)
    return folder / "reelwire"


def test_a_wheel_has_its_program_inside(binary, clip, tmp_path):
    binary = _stripped(binary, tmp_path)
    wheel = _wheel(tmp_path / "dist", REELWIRE_BUNDLE=binary)
    assert wheel.name.startswith("reelwire-")
    assert "-py3-none-linux_" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        assert archive.getinfo("reelwire/bin/reelwire").file_size == os.path.getsize(binary)
        names = set(archive.namelist())
        assert {"reelwire/py.typed", "reelwire/jobs/__init__.py", "reelwire_command.py"} <= names
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)

    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    _pip("--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
    ended = subprocess.run(
        [python, "-W", "error", "-c", PROGRAM, clip],
        cwd=tmp_path,
        env={"PATH": str(home / "bin"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    duration, program = ended.stdout.split()
    assert float(duration) == pytest.approx(4, abs=0.1)
    assert Path(program).is_relative_to(home)
    command = [home / "bin" / "reelwire", "--version"]
    assert subprocess.run(command, env={}, check=True, capture_output=True).stdout
    assert (tmp_path / "frame.jpg").read_bytes()[:2] == b"\xff\xd8"


def test_without_a_program_it_is_for_any_platform(tmp_path):
    wheel = _wheel(tmp_path)
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not any("/bin/" in name for name in archive.namelist())
