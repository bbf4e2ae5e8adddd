"""Names of containers are compared in the room of containers only (`.ci/structure.py`)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

import structure  # noqa: E402

ENGINE = Path("Sources/MediaEngine")
PLACE = ENGINE / "Reading/Readers/Added.swift"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ENGINE / "Reading/Readers").mkdir(parents=True)
    shutil.copytree(ROOT / ENGINE / "Formats/Containers", tmp_path / ENGINE / "Formats/Containers")
    return tmp_path


def found(tree: Path) -> list[str]:
    """The violations of the rule of containers that the script finds in a tree."""
    return [str(violation) for violation in structure.container_comparisons(tree)]


def test_the_project_has_none() -> None:
    assert found(ROOT) == []


def test_the_script_fails_for_one(tmp_path: Path) -> None:
    for name in (str(ENGINE), "docs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / PLACE).write_text('if fileType.name == "ts" { pad() }\n', encoding="utf-8")
    script = [sys.executable, str(ROOT / ".ci/structure.py"), "--root", str(tmp_path)]
    result = subprocess.run(script, stdout=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert any(line.startswith(f"{PLACE}:1: ") for line in result.stdout.splitlines())


@pytest.mark.parametrize("line", [
    'if fileType.name == "ts" { pad() }',
    'if fileType.name == "flac" { pad() }',
    'if "flac" == fileType.name { pad() }',
    'switch session.fileType.name {',
    'switch format.muxer {',
    'case "matroska", "other": true',
    'let estimating: Set = ["aac", "mpegts"]',
    'if demuxer.formatName.hasPrefix("aac") { pad() }',
    'return formats.contains(container.formatName)',
    'return costs[fileType.name]',
    'if fileType == .mov { pad() }',
    'if fileType.format.muxer != "flac" { pad() }',
])
def test_a_comparison_is_found(tree: Path, line: str) -> None:
    (tree / PLACE).write_text(f"// A file.\n{line}\n", encoding="utf-8")
    assert [text.split(": ")[0] for text in found(tree)] == [f"{PLACE}:2"]


@pytest.mark.parametrize("line", [
    'if fileType.format.hasMovieHeader { pad() }',
    '// fileType.name == "ts"',
    '"\\(fileType.name) files have no chapters"',
    '"Choose another file type (mkv holds nearly everything)"',
    'if parameters.codecName == "flac" { cut() }',
    'case .data(_, "image/gif"): "GIF"',
    'try Muxer(file: file, format: format.writer ?? "", interrupt: interrupt)',
])
def test_what_decides_nothing_by_a_container_is_allowed(tree: Path, line: str) -> None:
    (tree / PLACE).write_text(f"{line}\n", encoding="utf-8")
    assert found(tree) == []


def test_a_new_container_counts(tree: Path) -> None:
    """The names come from the room itself."""
    (tree / PLACE).write_text('case "nsv": true\n', encoding="utf-8")
    assert found(tree) == []
    (tree / ENGINE / "Formats/Containers/NUT.swift").write_text(
        'extension DemuxerTraits {\n  static let nsv = DemuxerTraits("nsv")\n}\n', encoding="utf-8")
    assert len(found(tree)) == 1


def test_families_may_compare(tree: Path) -> None:
    (tree / ENGINE / "Formats/Containers/Added.swift").write_text(
        'if format.muxer == "matroska" { pad() }\n', encoding="utf-8")
    assert found(tree) == []
