"""Tests use no real clock but by helpers, and who pauses is listed."""

import pytest

from conftest import Tree

SWIFT, PYTHON, NODE = "Tests/AnyTests/Some.swift", "Tests/Any/test_some.py", "clients/node/test/some.js"


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        (SWIFT, "try await Task.sleep(for: .seconds(1))", "sleep"),
        (SWIFT, "let start = ContinuousClock.now", "ContinuousClock"),
        (SWIFT, "@Suite(.timeLimit(.minutes(60)))", "timeLimit"),
        (SWIFT, "let now = Date()", "Date()"),
        (PYTHON, "time.sleep(0.1)", "sleep"),
        (PYTHON, "await asyncio.sleep(1)", "sleep"),
        (PYTHON, "deadline = time.monotonic() + 10", "monotonic"),
        (PYTHON, "begin = time.time()", "time.time("),
        (NODE, "setTimeout(done, 10);", "setTimeout("),
        (NODE, "const start = performance.now();", "performance.now()"),
        (SWIFT, "try await pause(.seconds(1))", "it pauses"),
        (PYTHON, "pause(0.1)", "it pauses"),
    ],
)
def test_refused(tree: Tree, path: str, text: str, part: str) -> None:
    tree.write(path, text + "\n")
    assert tree.reported(path, 1, part)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (SWIFT, '// sleep\nlet text = "sleep"'),
        (SWIFT, "let date = Date(timeIntervalSince1970: 0)"),
        (PYTHON, 'subprocess.Popen(["sleep", "600"])\nawait asyncio.sleep(0)'),
        (NODE, "assert.ok(film.addedAt > new Date(2020, 1));"),
        ("Tests/TestSupport/Waiting.swift", "try await Task.sleep(for: .seconds(1))"),
        ("Tests/EngineServerTests/ManyAtOnceTests.swift", "try await pause(.seconds(1))"),
    ],
)
def test_allowed(tree: Tree, path: str, text: str) -> None:
    tree.write(path, text + "\n")
    assert not [found for found in tree.violations() if found.startswith(path)]


def test_who_is_listed_pauses(tree: Tree) -> None:
    tree.write("Tests/Any.swift", "")
    assert any("ManyAtOnceTests.swift doesn't pause" in found for found in tree.violations())
    tree.write("Tests/EngineServerTests/ManyAtOnceTests.swift", "try await pause(.seconds(1))\n")
    assert not any("ManyAtOnceTests" in found for found in tree.violations())
