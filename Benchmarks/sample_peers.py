"""Samples by other libraries, and by Reelwire's clients: `sample_peers.py WAY < JOB > RESULT`.

`samples.py` starts this once for each turn. A job names the file and the samples to read. Time is measured
from after the imports, and from before the start of an engine or a command, to the last sample. Each
returned array is read in the same manner, so that its bytes are really available.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

from image_peers import memory
from processes import cost

Job = dict[str, Any]
# Yields the arrays of a job, one after the other. The entries that it adds to the dictionary become a part
# of the result.
Way = Callable[[Job, dict[str, Any]], Iterator[Any]]
# So much is read from a pipe at a time, for sound.
CHUNK = 1 << 20


def is_planar(job: Job) -> bool:
    """True if frames have planes; then the luma is read."""
    return bool(job["format"].startswith("yuv"))


def client() -> Way:
    """Reelwire as a Python program uses it: its client starts the engine."""
    import numpy
    import reelwire

    def way(job: Job, result: dict[str, Any]) -> Iterator[Any]:
        if job["kind"] == "video":
            output = reelwire.TrackOutput("video", pixel_format=job["format"])
        else:
            output = reelwire.TrackOutput("audio", sample_format="f32", interleaved=False)
        with reelwire.Engine(job["binary"]) as engine, engine.open(job["file"]) as asset:
            with asset.reader(output) as reader:
                for sample in reader.outputs[0]:
                    yield numpy.asarray(sample.planes[0] if is_planar(job) else sample)
            result["engineCPU"], _, result["engineMemory"] = cost(engine.pid)

    return way


def pyav(threads: str) -> Way:
    import av

    def way(job: Job, result: dict[str, Any]) -> Iterator[Any]:
        with av.open(job["file"]) as container:
            stream = container.streams.video[0] if job["kind"] == "video" else container.streams.audio[0]
            if threads:
                stream.thread_type = threads
            if job["kind"] == "video":
                for frame in container.decode(stream):
                    array = frame.to_ndarray(format=job["format"])
                    # All planes are below each other.
                    yield array[: job["height"]] if is_planar(job) else array
            else:
                # AAC is decoded to planes of f32, so nothing is converted.
                for frame in container.decode(stream):
                    yield frame.to_ndarray()

    return way


def opencv() -> Way:
    """OpenCV: blue comes first; the view that turns it round costs nothing."""
    import cv2

    def way(job: Job, result: dict[str, Any]) -> Iterator[Any]:
        capture = cv2.VideoCapture(job["file"], cv2.CAP_FFMPEG)
        while True:
            isRead, picture = capture.read()
            if not isRead:
                return
            yield picture[..., ::-1]

    return way


def decord() -> Way:
    import decord as library

    def way(job: Job, result: dict[str, Any]) -> Iterator[Any]:
        reader = library.VideoReader(job["file"], library.cpu(0))
        for number in range(len(reader)):
            yield reader[number].asnumpy()

    return way


def torchcodec(mode: str) -> Way:
    """Tensors, with the colours in the last dimension, as the others have them."""
    from torchcodec.decoders import VideoDecoder

    def way(job: Job, result: dict[str, Any]) -> Iterator[Any]:
        decoder = VideoDecoder(
            job["file"], dimension_order="NHWC", num_ffmpeg_threads=0, seek_mode=mode
        )
        for frame in decoder:
            yield frame.numpy()

    return way


def ffmpeg() -> Way:
    """A command that writes raw samples to a pipe, read into one buffer."""
    import numpy

    def way(job: Job, result: dict[str, Any]) -> Iterator[Any]:
        command = ["ffmpeg", "-nostdin", "-v", "error", "-i", job["file"]]
        if job["kind"] == "video":
            command += ["-an", "-fps_mode", "passthrough", "-pix_fmt", job["format"]]
            command += ["-f", "rawvideo", "-"]
            size = job["size"]
        else:
            command += ["-vn", "-f", "f32le", "-"]
            size = CHUNK
        with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as process:
            assert process.stdout is not None
            fcntl.fcntl(process.stdout, 1031, 1 << 20)  # F_SETPIPE_SZ
            buffer = bytearray(size)
            view = memoryview(buffer)
            while True:
                filled = 0
                while filled < size and (count := process.stdout.readinto(view[filled:])):
                    filled += count
                if not filled:
                    break
                if job["kind"] == "video":
                    shape = (job["height"], job["width"]) + (() if is_planar(job) else (3,))
                    count = math.prod(shape)
                    yield numpy.frombuffer(buffer, job["type"], count).reshape(shape)
                else:
                    yield numpy.frombuffer(view[:filled], "<f4").reshape(-1, 2).T
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        result["engineCPU"] = children.ru_utime + children.ru_stime
        result["engineMemory"] = children.ru_maxrss

    return way


WAYS: dict[str, Callable[[], Way]] = {
    "client": client,
    "pyav": lambda: pyav(""),
    "pyav_auto": lambda: pyav("AUTO"),
    "opencv": opencv,
    "decord": decord,
    "torchcodec": lambda: torchcodec("approximate"),
    "ffmpeg": ffmpeg,
}


def main() -> None:
    """One turn of one way; without input only the import is tried."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))
    import numpy  # noqa: F401  needed by all, so it isn't a library's memory

    base = memory()
    way = WAYS[sys.argv[1]]()
    text = sys.stdin.read()
    if not text:
        return
    job = json.loads(text)
    result: dict[str, Any] = {"base": base}
    count, total = 0, 0.0
    before, cpu = time.perf_counter(), time.process_time()
    if job["kind"] == "video":
        for picture in way(job, result):
            count += 1
            total += int(picture[::8, ::8].sum())
    else:
        for sound in way(job, result):
            count += sound.shape[1]
            total += float(sound[:, ::16].sum())
    result["seconds"] = time.perf_counter() - before
    result["cpu"] = time.process_time() - cpu
    result.update(memory=memory(), count=count, total=total)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
