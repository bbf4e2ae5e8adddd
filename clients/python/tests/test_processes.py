"""Engines and their objects, in other processes."""

import concurrent.futures
import importlib.util
import multiprocessing
import os
import subprocess
import sys
import traceback
from pathlib import Path

import numpy
import pytest
from conftest import nothing_left, run
from waiting import HANG

import reelwire

EXAMPLES = Path(__file__).parents[1] / "examples"


def in_a_fork(body):
    """Runs a function in a fork of this process, and returns its result as text."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            text = str(body())
        except BaseException:
            text = traceback.format_exc()
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return text


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_cannot_use_its_parents_engine(engine, clip):
    with engine.open(clip) as asset, asset.frames() as frames:

        def body():
            errors = []
            for attempt in (lambda: asset.image(1), lambda: frames[3], engine.stats):
                with pytest.raises(reelwire.EngineClosedError, match="forked") as caught:
                    attempt()
                errors.append(caught.value.hint)
            asset.close()
            engine.close()
            return errors

        assert in_a_fork(body) == str(["Start an engine in each process."] * 3)
        # Here it continues, and nothing has been closed.
        assert frames[3].index == 3


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_cannot_use_its_parents_asyncio_engine(binary, clip):
    async def body():
        async with reelwire.AsyncEngine(binary) as engine, await engine.open(clip) as asset:

            def child():
                step = asset.image(1)
                with pytest.raises(reelwire.EngineClosedError, match="forked"):
                    step.send(None)
                closing = engine.close()
                with pytest.raises(StopIteration):
                    closing.send(None)
                return "refused"

            assert in_a_fork(child) == "refused"
            assert (await asset.image(1)).width == 322

    run(body())


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_keeps_the_arrays_that_it_has(engine, clip):
    """Also when this process releases their memory, and the engine writes other bytes there."""
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        kept = numpy.asarray(generator.image(0, format="rgb24", delivery="shm"))
        right = int(kept.sum())
        go, gone = multiprocessing.Pipe()
        pid = os.fork()
        if pid == 0:
            go.recv()
            os._exit(0 if int(kept.sum()) == right else 1)
        del kept
        for number in range(1, 40):
            generator.image(number / 10, format="rgb24", delivery="shm").release()
        gone.send(True)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
    return module


def test_the_data_loader_with_spawned_workers(binary, clip):
    pytest.importorskip("torch")
    made = subprocess.run(
        [sys.executable, str(EXAMPLES / "dataloader.py"), str(clip), str(clip)],
        env={**os.environ, "REELWIRE_BINARY": str(binary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=2 * HANG,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines() == [f"{clip} (8, 89, 160, 3) torch.uint8"] * 2


def test_its_data_set_in_spawned_workers(engine, binary, clip, monkeypatch):
    """As a data loader has it, with Python's own means."""
    monkeypatch.setenv("REELWIRE_BINARY", str(binary))
    monkeypatch.syspath_prepend(str(EXAMPLES))
    clips = example("dataloader").Clips([str(clip)] * 3, count=4)
    with engine.open(clip) as asset, asset.frames(maximum_size=(160, 90)) as frames:
        right = frames[[0, 39, 79, 119]]
    assert numpy.array_equal(clips[0], right)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for made in pool.map(clips.__getitem__, range(3)):
            assert numpy.array_equal(made, right)
    clips._engine.close()
    nothing_left(engine)


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_dlpack_shares_the_memory(engine, clip, name):
    library = pytest.importorskip(name)
    output = reelwire.TrackOutput("video", pixel_format="rgb24")
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        image = generator.image(1, format="rgb24", delivery="shm")
        with asset.reader(output) as reader:
            sample = reader.outputs[0].next()[0]
            for picture in (image, sample):
                assert picture.__dlpack_device__() == (1, 0)
                right = picture.to_ndarray()
                made = library.from_dlpack(picture)
                assert tuple(made.shape) == right.shape == (180, 322, 3)
                assert numpy.array_equal(numpy.asarray(made), right)
                own = made.data_ptr() if name == "torch" else made.ctypes.data
                assert own == right.ctypes.data
            del picture, right, made, sample
        del image


def test_what_is_written_by_dlpack_spoils_nothing(engine, clip):
    """PyTorch doesn't know of memory that is to be read only."""
    torch = pytest.importorskip("torch")
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        right = bytes(generator.image(1, format="rgb24").data)
        tensor = torch.from_dlpack(generator.image(1, format="rgb24", delivery="shm"))
        tensor.zero_()
        del tensor
        nothing = engine.stats()["leases"]
        for _ in range(3):
            image = generator.image(1, format="rgb24", delivery="shm")
            assert bytes(image.data) == right
            del image
            nothing = engine.stats()["leases"]
        assert nothing == 0
