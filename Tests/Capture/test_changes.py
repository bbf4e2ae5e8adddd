"""A client's copy of a session's state, by the reports of its changes."""

from __future__ import annotations

import os
import signal
from typing import Any, Dict, List

from engine import Engine
from sessions import Session, device_process

CHANGE = "captureSession/didChange"
BOTH = {"add": "input", "device": "synthetic:2", "settings": {"video": False}}


def check(session: Session) -> Dict[str, Any]:
    """The copy, which is the state."""
    state = session.engine.call("captureSession/state", captureSession=session.handle)

    def compared(of: Dict[str, Any]) -> List[Any]:
        found = [of["isRunning"], of["isInterrupted"]]
        for kind, members in (("inputs", ("captureInput", "device", "isConnected")),
                              ("outputs", ("captureOutput", "type"))):  # fmt: skip
            found += [[item[member] for member in members] for item in of.get(kind, [])]
        return found

    # The changes of a request are reported after its answer, and another answer may come before them.
    while compared(copy := session.copy()) != compared(state):
        session.engine.receive()
    return copy


def test_a_copy_is_kept_by_them(engine: Engine) -> None:
    session = Session(
        engine, {"type": "movieFile"}, unplugAt=2, replugAt=3, stallAt=5, stallFor=3, dropEvery=3
    )
    made = session.configure(BOTH)
    copy = check(session)
    assert copy["isRunning"] and not copy["isInterrupted"]
    assert (copy["connections"], copy["resolved"]) == (made["connections"], made["resolved"])
    session.advance(2.5)
    copy = check(session)
    assert copy["isInterrupted"]
    assert [item["isConnected"] for item in copy["inputs"]] == [False, True]
    session.advance(1)
    assert not check(session)["isInterrupted"]
    session.advance(3)
    copy = check(session)
    assert [item["isInterrupted"] for item in copy["inputs"]] == [True, False]
    ends = {"captureInput": session.input, "captureOutput": session.outputs[0]}
    made = session.configure(
        {"set": {"connection": {**ends, "mediaType": "video"}, "isEnabled": False}},
        {"set": {"preset": "medium"}}, {"remove": session.made["inputs"][0]},
    )  # fmt: skip
    copy = check(session)
    assert (copy["connections"], copy["resolved"]) == (made["connections"], made["resolved"])
    assert copy["preset"] == "medium" and not copy["isInterrupted"]
    session.stop()
    assert not check(session)["isRunning"]
    session.close()


def test_what_changes_nothing_isnt_reported(engine: Engine) -> None:
    session = Session(engine, {"type": "videoData"})
    check(session)
    count = len(session.of(CHANGE))
    session.configure(BOTH, dryRun=True)
    session.configure({"set": {"preset": "high"}})
    session.advance(1)
    session.start()
    check(session)
    assert len(session.of(CHANGE)) == count
    session.close()


def test_it_runs_no_more_where_its_process_has_died(engine: Engine) -> None:
    session = Session(engine, {"type": "videoData"})
    assert check(session)["isRunning"]
    os.kill(device_process(engine), signal.SIGKILL)
    session.wait("captureSession/didStop")
    assert not session.copy()["isRunning"]
    session.close()
