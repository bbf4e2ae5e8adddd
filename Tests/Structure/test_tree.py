"""The rules hold in the sources, and fail in a copy of them where each is broken."""

import subprocess
import sys

from conftest import ROOT, Tree, structure

BROKEN = {
    "Sources/MediaEngine/Ground/Values/Broken.swift": [
        ("struct Broken { let session: ExportSession? }", "Ground/Values uses ExportSession of Requests/Export/Session"),
        ("let queue = WorkQueue(\"broken\")", "reelwire.broken isn't listed"),
        ("func run() { usleep(20_000) }", "usleep isn't listed"),
        ("final class Box: @unchecked Sendable {}", "Box isn't listed"),
        ("nonisolated(unsafe) var counter = 0", "nonisolated(unsafe)"),
        ("let soundRate = 0", "'sound' in the name soundRate"),
        ("// What the file says.", "'says' in prose"),
    ],
    "Sources/MediaEngine/Unlisted/Room.swift": [("enum Room {}", "the room Unlisted isn't in")],
}


def test_the_tree_has_no_violations() -> None:
    assert [str(violation) for violation in structure.violations(ROOT)] == []


def test_each_broken_rule_fails(checkout: Tree) -> None:
    for path, lines in BROKEN.items():
        checkout.write(path, "\n".join(line for line, _ in lines) + "\n")
    result = subprocess.run(
        [sys.executable, str(checkout.root / ".ci/structure.py")], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1, result.stderr
    for path, lines in BROKEN.items():
        for number, (_, text) in enumerate(lines, 1):
            assert any(
                found.startswith(f"{path}:{number}: ") and text in found
                for found in result.stdout.splitlines()), (path, number, text)
