"""Trees of files in which a test breaks a rule of `.ci/structure.py`."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import List

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["Sources", "Tests", "docs", "clients", "README.md", "protocol.md", ".ci", "CITATION.cff"]
TABLES = ["docs/overview.md", "docs/concurrency.md", "docs/testing.md"]
SKIPPED = shutil.ignore_patterns("node_modules", "__pycache__", ".*_cache", "dist", "*.vsix")


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("structure", ROOT / ".ci/structure.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


structure = load()


@dataclass
class Tree:
    root: Path

    def violations(self) -> List[str]:
        return [str(violation) for violation in structure.violations(self.root)]

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        before = file.read_text(encoding="utf-8")
        assert before.count(old) == 1, f"{path} has {before.count(old)} times {old!r}"
        file.write_text(before.replace(old, new), encoding="utf-8")

    def reported(self, path: str, line: int, text: str) -> bool:
        """True if a violation is reported at that place, with that in its text."""
        return any(
            found.startswith(f"{path}:{line}: ") and text in found for found in self.violations())


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """The tables that the rules read, and no sources."""
    for name in TABLES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return Tree(tmp_path)


@pytest.fixture
def checkout(tmp_path: Path) -> Tree:
    """A copy of all that the rules read."""
    for name in COPIED:
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=SKIPPED)
        else:
            shutil.copy(source, target)
    return Tree(tmp_path)
