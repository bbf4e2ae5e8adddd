"""The libraries of a bundle, as ``Distribution/bundle.py`` copies them."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Distribution"))

import bundle  # noqa: E402

TOOLS = ["cc", "c++", "strip", "objcopy", "patchelf"]
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}"
)
C = "int twice(int number) { return 2 * number; }"
CXX = """
extern "C" int twice(int number) {
  try { throw number; } catch (int thrown) { return 2 * thrown; }
}
"""


def library(folder: Path, compiler: str, source: str) -> Path:
    path = folder / f"{compiler}.so"
    command = [compiler, "-shared", "-fPIC", "-fasynchronous-unwind-tables", "-x", "c++" if compiler == "c++" else "c", "-"]
    subprocess.run([*command, "-o", str(path)], input=source.encode(), check=True)
    return path


def section(path: Path, name: str, folder: Path) -> bytes:
    found = folder / "section"
    subprocess.run(["objcopy", "-O", "binary", "-j", name, str(path), str(found)], check=True)
    return found.read_bytes()


@pytest.mark.parametrize("compiler,source,is_kept", [("cc", C, False), ("c++", CXX, True)])
def test_a_library_has_the_tables_that_it_uses(
    compiler: str, source: str, is_kept: bool, tmp_path: Path
) -> None:
    made = library(tmp_path, compiler, source)
    assert bundle.has_exceptions(made) == is_kept
    target = tmp_path / "lib" / made.name
    unused = () if is_kept else bundle.UNWIND_TABLES
    bundle.copy_stripped(made, target, "--strip-unneeded", rpath="$ORIGIN", unused=unused)
    assert any(section(made, ".eh_frame", tmp_path))
    assert any(section(target, ".eh_frame", tmp_path)) == is_kept
    assert ctypes.CDLL(str(target)).twice(21) == 42
