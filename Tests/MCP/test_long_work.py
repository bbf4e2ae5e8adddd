"""Calls that take long: progress, jobs, tasks, cancelling, and the end in between."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from child_processes import children_of
from conftest import MODERN, TASKS, Server, images, text
from faults import READ, STALL, FaultMemory
from waiting import eventually


class Held:
    """A server, and a film of which reads are held until the test lets them continue."""

    def __init__(self, clips: Path, take: Path, folder: Path, version: str) -> None:
        self.take = take
        self.faults = FaultMemory(folder)
        self.server = Server(
            clips, "--progress-interval", "0", environment=self.faults.environment, version=version
        )

    def begin_export(self, output: Path) -> int:
        """An export that has begun, and can't end."""
        number = self.server.begin("tools/call", export(self.take, output), progressToken="t:1")
        while (message := self.server.next()).get("method") != "notifications/progress":
            pass
        self.step = dict(message["params"])
        self.faults.fail(READ, STALL, forever=True, inode=self.take.stat().st_ino)
        self.faults.struck()
        return number


@pytest.fixture(params=[MODERN, "2025-11-25", "2024-11-05"])
def held(
    clips: Path, long_take: Path, tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[Held]:  # fmt: skip
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler")
    held = Held(clips, long_take, tmp_path_factory.mktemp("faults"), request.param)
    yield held
    held.faults.heal()
    assert held.server.end() == 0


@pytest.fixture(params=[MODERN, "2025-11-25", "2024-11-05"])
def quick(clips: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that reports each step."""
    server = Server(clips, "--progress-interval", "0", version=request.param)
    yield server
    assert server.end() == 0


def export(path: Path, output: Path, **more: Any) -> Dict[str, Any]:
    arguments = {"path": str(path), "output": str(output), "settings": {"width": 960}, **more}
    return {"name": "export", "arguments": arguments}


def short(output: Path, **more: Any) -> Dict[str, Any]:
    """The arguments of an export that is quick."""
    return export(Path("take.mp4"), output, settings={"width": 160}, **more)


def is_empty(folder: Path) -> bool:
    return not os.listdir(folder)


def test_progress_increases(held: Held, tmp_path: Path) -> None:
    number = held.begin_export(tmp_path / "new.mp4")
    held.faults.heal()
    steps = [held.step]
    while len(steps) < 4:
        message = held.server.next()
        assert message.get("method") == "notifications/progress", message
        steps.append(message["params"])
    held.server.notify("notifications/cancelled", requestId=number)
    values = [step["progress"] for step in steps]
    assert values == sorted(set(values)) and 0 < values[0] and values[-1] < 1
    assert {step["progressToken"] for step in steps} == {"t:1"}
    assert all(" %" in step["message"] and step["total"] == 1 for step in steps)


def test_without_a_token_nothing_is_reported(quick: Server, tmp_path: Path) -> None:
    quick.answer(quick.begin("tools/call", short(tmp_path / "new.mp4")))
    assert quick.notifications == []


def test_a_cancelled_call_has_no_answer_and_no_file(held: Held, tmp_path: Path) -> None:
    number = held.begin_export(tmp_path / "new.mp4")
    held.server.notify("notifications/cancelled", requestId=number, reason="no longer wanted")
    held.faults.heal()
    eventually("an empty folder", lambda: is_empty(tmp_path))
    held.server.request("resources/list")
    assert number not in held.server.answers


def test_a_slow_export_is_in_no_ones_way(held: Held, tmp_path: Path) -> None:
    number = held.begin_export(tmp_path / "new.mp4")
    for _ in range(3):
        held.server.call("probe", path="take.mp4")
        held.server.call("view_frames", path="take.mp4", times=[1])
    assert is_empty(tmp_path) and number not in held.server.answers
    held.server.notify("notifications/cancelled", requestId=number)
    held.faults.heal()
    eventually("an empty folder", lambda: is_empty(tmp_path))


def test_a_job_and_its_result(quick: Server, tmp_path: Path) -> None:
    output = tmp_path / "new.mp4"
    answer = quick.call("export", **short(output, wait_seconds=0)["arguments"])
    assert "\"action\": \"status\"" in text(answer)
    name = text(answer).split()[0]
    if "structuredContent" in answer:
        assert answer["structuredContent"]["job"] == name
        assert answer["structuredContent"]["state"] == "running"
    while not images(result := quick.call("job", job=name, action="status", wait_seconds=50)):
        pass
    assert output.exists() and "160 × 90" in text(result)
    # The result is there until others take its place.
    assert images(quick.call("job", job=name))


def test_a_job_is_cancelled(quick: Server, long_take: Path, tmp_path: Path) -> None:
    answer = quick.call("export", **export(long_take, tmp_path / "new.mp4", wait_seconds=0)["arguments"])
    name = text(answer).split()[0]
    cancelled = quick.call("job", job=name, action="cancel")
    assert "was cancelled" in text(cancelled)
    eventually("an empty folder", lambda: is_empty(tmp_path))
    assert "was cancelled" in text(quick.call("job", job=name))


def test_a_failed_job(quick: Server, clips: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.mp4").write_bytes((clips / "take.mp4").read_bytes()[:200])
    arguments = export(tmp_path / "broken.mp4", tmp_path / "new.mp4", wait_seconds=30)["arguments"]
    assert "Hint:" in quick.failure("export", **arguments)


# The extension for tasks


def test_tasks(clips: Path, tmp_path: Path) -> None:
    server = Server(clips)
    params = short(tmp_path / "new.mp4")
    created = server.request("tools/call", params, capabilities=TASKS)
    assert created["resultType"] == "task" and created["status"] == "working"
    assert created["ttlMs"] is None and created["pollIntervalMs"] > 0
    assert created["createdAt"].endswith("Z") and "T" in created["createdAt"]
    name = {"taskId": created["taskId"]}
    states: List[Dict[str, Any]] = []

    def has_ended() -> bool:
        states.append(server.request("tasks/get", name, capabilities=TASKS))
        return states[-1]["status"] != "working"

    eventually("the end of a task", has_ended)
    ended = states[-1]
    assert ended["resultType"] == "complete" and ended["status"] == "completed"
    assert images(ended["result"]) and not ended["result"]["isError"]
    assert server.request("tasks/update", {**name, "inputResponses": {}}, capabilities=TASKS)
    assert server.refusal("tasks/get", {"taskId": "x"}, capabilities=TASKS)["code"] == -32602
    # A quick export is answered at once.
    quick = server.request(
        "tools/call", {"name": "probe", "arguments": {"path": "take.mp4"}}, capabilities=TASKS
    )
    assert quick["resultType"] == "complete"
    assert server.end() == 0


def test_a_task_is_cancelled(clips: Path, long_take: Path, tmp_path: Path) -> None:
    server = Server(clips)
    params = export(long_take, tmp_path / "new.mp4")
    name = {"taskId": server.request("tools/call", params, capabilities=TASKS)["taskId"]}
    server.request("tasks/cancel", name, capabilities=TASKS)
    eventually(
        "the end of a task",
        lambda: server.request("tasks/get", name, capabilities=TASKS)["status"] == "cancelled",
    )
    assert is_empty(tmp_path)
    assert server.end() == 0


# The end


@pytest.mark.parametrize("by_signal", [False, True])
def test_the_end_of_the_client_ends_its_work(held: Held, tmp_path: Path, by_signal: bool) -> None:
    held.begin_export(tmp_path / "a.mp4")
    arguments = export(held.take, tmp_path / "b.mp4", wait_seconds=0)["arguments"]
    assert "is running" in text(held.server.call("export", **arguments))
    if by_signal:
        held.server.process.send_signal(signal.SIGTERM)
    assert held.server.end() == 0
    assert is_empty(tmp_path)


def test_a_worker_that_dies_is_a_tools_error(held: Held, tmp_path: Path) -> None:
    server = held.server
    number = held.begin_export(tmp_path / "a.mp4")
    for child in children_of(server.process.pid):
        os.kill(child, signal.SIGSEGV)
    result = server.answer(number)["result"]
    held.faults.heal()
    assert result["isError"] and "workerDied" in text(result)
    assert "Hint: A decoder has crashed. Call again" in text(result) and "andles" not in text(result)
    assert is_empty(tmp_path)
    assert images(server.call("view_frames", path="take.mp4", times=[1]))
