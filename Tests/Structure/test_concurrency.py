"""Threads, waits with a time limit and unchecked types are those that concurrency.md lists."""

import pytest

from conftest import Tree

SOURCE, DOCUMENT = "Sources/MediaEngine/Reading/Readers/Unlisted.swift", "docs/concurrency.md"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ('let queue = DispatchQueue(label: "reelwire.unlisted")', "reelwire.unlisted"),
        ('let queue = WorkQueue("unlisted")', "reelwire.unlisted"),
        ("DispatchQueue.main.async {}", "DispatchQueue.main"),
        ("DispatchQueue.global().async {}", "DispatchQueue.global"),
        ("Thread.detachNewThread {}", "Thread"),
        ("Thread { run() }", "Thread"),
        ("try BlockingThread.start {}", "BlockingThread.start"),
        ("while semaphore.wait(timeout: .now()) == .timedOut {}", "wait(timeout:)"),
        ("queue.asyncAfter(deadline: .now()) {}", "asyncAfter"),
        ("try await Task.sleep(for: .seconds(1))", "Task.sleep"),
        ("usleep(20_000)", "usleep"),
        ("final class Unlisted: @unchecked Sendable {}", "Unlisted"),
        ("extension Unlisted: @unchecked Sendable {}", "Unlisted"),
        ("nonisolated(unsafe) var counter = 0", "nonisolated(unsafe)"),
    ],
)
def test_what_is_not_listed(tree: Tree, code: str, text: str) -> None:
    tree.write(SOURCE, "import Dispatch\n" + code + "\n")
    assert tree.reported(SOURCE, 2, text)


def test_a_comment_is_none(tree: Tree) -> None:
    tree.write(SOURCE, "// DispatchQueue.main, nonisolated(unsafe), usleep(1)\n")
    assert not tree.reported(SOURCE, 1, "")


@pytest.mark.parametrize(
    ("listed", "file"),
    [
        ("reelwire.flush", "EarlyFlush.swift"),
        ("Task.sleep", "DataBuffer.swift"),
        ("Block", "Block.swift"),
    ],
)
def test_what_is_listed_and_not_there(checkout: Tree, listed: str, file: str) -> None:
    checkout.replace(DOCUMENT, f"| `{listed}` | `{file}`", f"| `{listed}Absent` | `{file}`")
    found = checkout.violations()
    assert any(f"{file} has no {listed}Absent" in line for line in found)
    assert any(f"{listed} isn't listed" in line for line in found)


def test_a_table_that_is_missing(tree: Tree) -> None:
    tree.replace(DOCUMENT, "## Waits with a time limit", "## Other waits")
    assert tree.reported(DOCUMENT, 1, "no table below 'Waits with a time limit'")
