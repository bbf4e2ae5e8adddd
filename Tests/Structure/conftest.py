"""A copy of the sources and documents, in which a test breaks a rule of `.ci/structure.py`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import List

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["Sources", "docs", "clients", "README.md", "protocol.md", ".ci"]
SKIPPED = shutil.ignore_patterns("node_modules", "__pycache__", ".*_cache", "dist", "*.vsix")


@dataclass
class Tree:
    root: Path

    def violations(self) -> List[str]:
        """What the script prints about this tree, and that its exit status fits."""
        result = subprocess.run(
            [sys.executable, str(self.root / ".ci/structure.py"), "--root", str(self.root)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = result.stdout.splitlines()
        assert result.returncode == (1 if lines else 0), result.stderr
        return lines

    def append(self, path: str, text: str) -> int:
        """Adds lines at the end of a file; the number of the first of them."""
        file = self.root / path
        before = file.read_text(encoding="utf-8")
        assert before.endswith("\n")
        file.write_text(before + text + "\n", encoding="utf-8")
        return before.count("\n") + 1

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        before = file.read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{path} has {before.count(old)} times {old!r}"
        file.write_text(before.replace(old, new), encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def reported(self, path: str, line: int, text: str) -> bool:
        """Whether a violation is reported at that place, with that in its text."""
        return any(
            found.startswith(f"{path}:{line}: ") and text in found for found in self.violations())


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    for name in COPIED:
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=SKIPPED)
        else:
            shutil.copy(source, target)
    return Tree(tmp_path)
