"""Pickling for another process: errors and bytes can be sent; an object of an engine raises an error with the
reason."""

import concurrent.futures
import copy
import errno
import multiprocessing
import pickle

import pytest
from conftest import run
from waiting import HANG

import reelwire
from reelwire import error_codes
from reelwire.errors import error_from_wire

CLASSES = sorted(error_codes.CLASSES.items())


def _wire(code, **data):
    data = {"name": "someName", "hint": "Do this.", "path": "/a", **data}
    return {"code": code, "message": "it failed", "data": data}


def _copies(error):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(error, protocol))
    yield copy.copy(error)
    yield copy.deepcopy(error)


def _same(error, other):
    assert (vars(other), other.args) == (vars(error), error.args)
    assert other == error
    assert other is not error
    assert hash(other) == hash(error)
    assert type(other) is type(error)
    assert (str(other), repr(other), other.args) == (str(error), repr(error), error.args)
    assert vars(other) == vars(error)
    if isinstance(error, OSError):
        assert (other.errno, other.strerror, other.filename) == (
            error.errno,
            error.strerror,
            error.filename,
        )


@pytest.mark.parametrize(("code", "cls"), CLASSES)
def test_errors(code, cls):
    for libav in ({}, {"code": "ENOENT"}, {"code": "EISDIR"}, {"code": "AVERROR_INVALIDDATA"}):
        error = error_from_wire(_wire(code, libav=libav) if libav else _wire(code))
        assert isinstance(error, cls)
        for other in _copies(error):
            _same(error, other)


def test_errors_of_the_client():
    for error in (
        reelwire.EngineDiedError(-9, ["one", "two"]),
        reelwire.EngineDiedError(3, []),
        reelwire.EngineClosedError("the engine was closed", hint="Start another one."),
        reelwire.ReelwireError("something", code=7),
    ):
        for other in _copies(error):
            _same(error, other)


def test_different_errors_are_different():
    first = error_from_wire(_wire(-11823))
    assert first == error_from_wire(_wire(-11823))
    assert first != error_from_wire(_wire(-11823, path="/b"))
    assert first != error_from_wire(_wire(-11822))
    assert first != error_from_wire({**_wire(-11823), "message": "another"})
    assert first != "it failed"


def _fails_in_a_worker(path):
    with reelwire.Engine() as engine:
        engine.open(path).load("duration")


def test_an_error_comes_back_from_a_worker(binary, tmp_path, monkeypatch):
    monkeypatch.setenv("REELWIRE_BINARY", str(binary))
    path = tmp_path / "nothing.mp4"
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        with pytest.raises(FileNotFoundError) as caught:
            pool.submit(_fails_in_a_worker, str(path)).result(timeout=HANG)
    assert isinstance(caught.value, reelwire.ReelwireError)
    assert caught.value.errno == errno.ENOENT
    assert caught.value.hint


def test_what_works_by_an_engine_says_so(engine, clip, tmp_path):
    asset = engine.open(clip)
    with asset.image_generator() as generator, asset.frames() as frames:
        with asset.reader("video") as reader, asset.sample_cursor(asset.tracks[0]) as cursor:
            with asset.export_session(tmp_path / "a.mp4", "Passthrough") as session:
                held = [engine, asset, asset.tracks[0], generator, frames, reader, cursor, session]
                held += [each._core for each in held] + [*reader.outputs, [{"deep": asset}]]
                for each in held:
                    for action in (pickle.dumps, copy.deepcopy):
                        with pytest.raises(TypeError, match="open it in the worker"):
                            action(each)
                name = type(asset).__name__
                with pytest.raises(TypeError, match=rf"^{name} objects can't be pickled"):
                    pickle.dumps(asset)
    asset.close()


def test_what_works_by_an_asyncio_engine_says_so(binary, clip):
    async def body():
        async with reelwire.AsyncEngine(binary) as engine, await engine.open(clip) as asset:
            for each in (engine, asset, (await asset.load_tracks())[0]):
                with pytest.raises(TypeError, match="open it in the worker"):
                    pickle.dumps(each)

    run(body())


def test_bytes_go_along(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        images = [asset.image(1), asset.image(1, path=tmp_path / "a.jpg")]
        with asset.image_generator() as generator:
            images += [generator.image(1, format="rgba", delivery="shm")]
            others = [pickle.loads(pickle.dumps(image)) for image in images]
            for image, other in zip(images, others):
                assert bytes(other.data) == bytes(image.data)
                assert (other.width, other.format) == (image.width, image.format)
                assert other.actual_time == image.actual_time
            del images, image
        assert bytes(others[0].data)[:2] == b"\xff\xd8"
        with asset.frames(maximum_size=64) as frames:
            frame = pickle.loads(pickle.dumps(frames[3]))
            assert frame.to_ndarray().shape[1] == 64
        metadata = pickle.loads(pickle.dumps(asset.load("metadata", "duration")))
        assert metadata["duration"] == asset.duration
    released = reelwire.Blob({"kind": "inline", "data": "", "size": 0, "mimeType": ""}, None)
    released.release()
    with pytest.raises(reelwire.HandleClosedError):
        pickle.dumps(released)
