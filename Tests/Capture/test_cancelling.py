"""Requests of recordings and photos that wait for the end, and are cancelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import Engine, EngineError
from sessions import Session, numbers, same, samples, tone, total
from waiting import eventually

MOVIE = {"type": "movieFile"}


def begun(session: Session, path: Path, **more: object) -> int:
    """A request that is answered with the end of its recording, which waits for samples."""
    request = session.engine.send(
        "captureOutput/startRecording", captureOutput=session.outputs[0], outputURL=str(path),
        completion="response", **more,
    )  # fmt: skip
    # Requests take effect one after the other.
    session.configure()
    assert path.exists()
    return request


def cancelled(session: Session, request: int) -> None:
    """The answer, which doesn't wait long for what the request has begun: a file may be removed after it."""
    session.engine.notify("$/cancelRequest", id=request)
    with pytest.raises(EngineError) as refused:
        session.engine.result(request)
    assert refused.value.code == -32800 and refused.value.data["name"] == "requestCancelled"


def holds(folder: Path, *names: str) -> None:
    """A folder has these files, and the removed ones no more."""
    eventually(lambda: f"{list(folder.iterdir())}", lambda: {entry.name for entry in folder.iterdir()} == set(names))


def retained(session: Session, request: int) -> None:
    """The answer is the end of a recording whose file stays, unless finishing it takes longer than a cancelled request has."""
    session.engine.notify("$/cancelRequest", id=request)
    try:
        end = session.engine.result(request)
    except EngineError as error:
        assert error.code == -32800
        return
    assert end["status"] == "cancelled" and "error" not in end
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]


@pytest.mark.parametrize("isStarted", [True, False])
def test_a_recording_that_hasnt_begun(engine: Engine, tmp_path: Path, isStarted: bool) -> None:
    session = Session(engine, MOVIE, isStarted=isStarted)
    cancelled(session, begun(session, tmp_path / "a.mov"))
    error = session.wait("captureOutput/willFinishRecording")["error"]
    assert error["data"]["name"] == "operationCancelled"
    holds(tmp_path)
    assert not session.call("recordingState")["isRecording"]
    session.take()
    assert session.names() == ["willFinishRecording"]
    session.close()


def test_a_recording_that_is_paused_from_its_beginning_on(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    request = begun(session, tmp_path / "a.mov")
    session.call("pauseRecording")
    session.advance(1)
    cancelled(session, request)
    holds(tmp_path)
    session.close()


def test_a_recording_that_has_begun_is_answered_with_its_end(engine: Engine, tmp_path: Path) -> None:
    session = Session(engine, MOVIE)
    request = begun(session, tmp_path / "a.mov")
    session.advance(1)
    retained(session, request)
    session.stop()
    assert numbers(tmp_path / "a.mov") == list(range(30))
    session.close()


def test_a_switch_that_hasnt_begun_leaves_its_samples_to_the_first(engine: Engine, tmp_path: Path) -> None:
    """At a frame a second it would begin with frame 2."""
    session = Session(engine, MOVIE, frameRate=1)
    first = session.record(tmp_path / "a.mov", settings={"audio": {"codec": "alac"}})
    session.advance(1.25)
    request = begun(session, tmp_path / "b.mov")
    session.advance(0.5)
    cancelled(session, request)
    session.advance(0.75)
    session.stop()
    end = session.end(first)
    assert end["status"] == "completed"
    assert [track["written"] for track in end["tracks"]] == [3, 120_000]
    assert all(total(track["dropped"]) == 0 for track in end["tracks"])
    holds(tmp_path, "a.mov")
    session.close()


def test_only_the_recording_of_the_request_ends(engine: Engine, tmp_path: Path) -> None:
    """Frames 0 and 1 are the first file's, which is cancelled while the second waits for frame 2."""
    session = Session(engine, MOVIE, frameRate=1, audio=False)
    request = begun(session, tmp_path / "a.mov")
    session.advance(1.25)
    second = session.record(tmp_path / "b.mov")
    retained(session, request)
    session.advance(2)
    session.stop()
    assert [numbers(tmp_path / name) for name in ("a.mov", "b.mov")] == [[0, 1], [2, 3]]
    assert session.end(second)["status"] == "completed"
    session.close()


def test_the_first_of_two_files_has_all_samples_up_to_its_end(engine: Engine, tmp_path: Path) -> None:
    """The second one waits for frame 3, with the audio from 2.25 on."""
    session = Session(engine, MOVIE, frameRate=1)
    settings = {"audio": {"codec": "alac"}}
    request = begun(session, tmp_path / "a.mov", settings=settings)
    session.advance(2.25)
    second = session.record(tmp_path / "b.mov", settings=settings)
    session.advance(0.5)
    retained(session, request)
    session.advance(1)
    session.stop()
    assert numbers(tmp_path / "a.mov") == [0, 1, 2] and numbers(tmp_path / "b.mov") == [3]
    assert same(samples(tmp_path / "a.mov"), tone(132_000))
    assert same(samples(tmp_path / "b.mov"), tone(180_000)[144_000:])
    # From 2.75 to 3.
    assert session.end(second)["tracks"][1]["trimmed"] == 12_000
    session.close()


def test_a_photo_that_waits_for_its_frame(engine: Engine) -> None:
    session = Session(engine, {"type": "photo"})
    for _ in range(9):
        request = engine.send(
            "captureOutput/capturePhoto", captureOutput=session.outputs[0], completion="response"
        )
        session.configure()
        cancelled(session, request)
    session.advance(0.1)
    assert session.names() == []
    session.close()
