"""Asset writers, against other libraries: `writing.py [--binary PATH] [--rounds N] [--quick]`.

First a video of NumPy's arrays, against other libraries: 300 frames of 1080p, rgb24, to H.264 by libx264 with the same settings (veryfast, CRF 23). Every turn is a fresh
process, and the programs run in turns; each file must have all frames. OpenCV writes with the encoder of
its package, which is another one if that has no libx264. The floor is `ffmpeg` that encodes the same pictures from
planes of `yuv420p` in memory: it converts and transfers nothing.

Then 30 seconds of 1080p to 720p: samples of a reader that are transferred inside the engine, against the export session.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import results
from frames import made_clip
from images import KEPT

WIDTH, HEIGHT, RATE, COUNT = 1920, 1080, 30, 300
PRESET, FACTOR = "veryfast", 23
# The number of frames in memory, which are repeated.
KEPT_FRAMES = 30
FLOOR = "encoder's floor"
# The goals by the compared programs; costs of the first are divided by the floor's, others by those of the first.
GOALS = {"PyAV": "write-pyav", "OpenCV": "write-opencv", "imageio-ffmpeg": "write-imageio", "export session": "transfer"}


def frames(clip: str) -> Any:
    """The first frames of a clip as one array."""
    import numpy

    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", clip, "-frames:v", str(KEPT_FRAMES)]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return numpy.frombuffer(data, numpy.uint8).reshape(-1, HEIGHT, WIDTH, 3)


def planes(clip: str, path: str) -> str:
    """The same frames as planes of `yuv420p`."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", clip, "-frames:v", str(KEPT_FRAMES)]
    subprocess.run([*command, "-f", "rawvideo", "-pix_fmt", "yuv420p", path], check=True)
    return path


def all_of(arrays: Any) -> Iterator[Any]:
    for number in range(COUNT):
        yield arrays[number % len(arrays)]


def by_reelwire(arrays: Any, path: str, binary: str) -> None:
    import reelwire

    settings = {"codec": "h264", "rateFactor": FACTOR}
    with reelwire.Engine(binary) as engine:
        engine.write_video(path, all_of(arrays), fps=RATE, settings=settings)


def by_pyav(arrays: Any, path: str, binary: str) -> None:
    import av

    with av.open(path, "w") as container:
        stream = container.add_stream(
            "libx264", rate=RATE, options={"preset": PRESET, "crf": str(FACTOR)}
        )
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for array in all_of(arrays):
            frame = av.VideoFrame.from_ndarray(array, format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def by_opencv(arrays: Any, path: str, binary: str) -> None:
    import cv2

    code = cv2.VideoWriter_fourcc(*"avc1")
    writer = cv2.VideoWriter(path, code, RATE, (WIDTH, HEIGHT))
    if not writer.isOpened():
        writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"mp4v"), RATE, (WIDTH, HEIGHT))
    for array in all_of(arrays):
        writer.write(cv2.cvtColor(array, cv2.COLOR_RGB2BGR))
    writer.release()


def by_imageio(arrays: Any, path: str, binary: str) -> None:
    import imageio_ffmpeg

    writer = imageio_ffmpeg.write_frames(
        path, (WIDTH, HEIGHT), fps=RATE, codec="libx264", quality=None, macro_block_size=1,
        output_params=["-preset", PRESET, "-crf", str(FACTOR)],
    )  # fmt: skip
    writer.send(None)
    for array in all_of(arrays):
        writer.send(array)
    writer.close()


def by_encoder(planes: str, path: str, binary: str) -> None:
    command = ["ffmpeg", "-nostdin", "-v", "error", "-stream_loop", str(COUNT // KEPT_FRAMES - 1)]
    command += ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE)]
    command += ["-i", planes, "-c:v", "libx264", "-preset", PRESET, "-crf", str(FACTOR), path]
    subprocess.run(command, check=True)


def by_transfer(clip: str, path: str, binary: str) -> None:
    import reelwire
    from reelwire import TrackOutput, VideoInput

    output = TrackOutput("video", pixel_format="yuv420p", width=1280, height=720)
    with reelwire.Engine(binary) as engine, engine.open(clip) as asset:
        with asset.reader(output) as reader:
            with engine.asset_writer(path, video=VideoInput(settings=PRESET_720)) as writer:
                writer.transfer((reader.outputs[0], writer.video))


def by_export(clip: str, path: str, binary: str) -> None:
    import reelwire

    with reelwire.Engine(binary) as engine, engine.open(clip) as asset:
        asset.export(path, preset=PRESET_720)


PRESET_720 = "1280x720"
TRANSFERS = {"transfer": by_transfer, "export session": by_export}
ARRAYS = {
    "reelwire": by_reelwire,
    "PyAV": by_pyav,
    "OpenCV": by_opencv,
    "imageio-ffmpeg": by_imageio,
    FLOOR: by_encoder,
}


def turn(name: str, clip: str, path: str, binary: str) -> dict[str, float]:
    """One turn, in this process."""
    source = clip
    if name == FLOOR:
        source = planes(clip, f"{path}.planes")
    elif name in ARRAYS:
        source = frames(clip)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = before.ru_utime + before.ru_stime
    began, own = time.perf_counter(), time.process_time()
    (ARRAYS | TRANSFERS)[name](source, path, binary)
    seconds, own = time.perf_counter() - began, time.process_time() - own
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"seconds": seconds, "cpu": own + after.ru_utime + after.ru_stime - spent}


def count(path: str) -> int:
    """The number of frames of a file."""
    command = ["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-of", "csv=p=0"]
    command += ["-show_entries", "stream=nb_read_packets", path]
    return int(subprocess.check_output(command))


def compare(names: list[str], expected: int, clip: str, goals: results.Report, rounds: int) -> None:
    """Runs programs in turns, and prints a table; the others are compared with the first one."""
    binary = str(goals.binary)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    sizes: dict[str, int] = {}
    memory_disk = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory_disk) as folder:
        for number in range(rounds):
            for position in range(len(names)):
                name = names[(number + position) % len(names)]
                path = str(Path(folder) / "written.mp4")
                command = [sys.executable, __file__, "--binary", binary, "--turn", name, clip, path]
                ended = subprocess.run(command, capture_output=True, check=False)
                if ended.returncode:
                    reason = ended.stderr.decode().strip().splitlines()[-1:]
                    print(f"without {name}: {''.join(reason)}", file=sys.stderr)
                    continue
                if count(path) != expected:
                    raise SystemExit(f"{name} has written {count(path)} pictures")
                sizes[name] = os.path.getsize(path)
                for made in Path(folder).iterdir():
                    made.unlink()
                found[name].append(json.loads(ended.stdout))
    taken = {name: [each["seconds"] for each in turns] for name, turns in found.items() if turns}
    first = taken[names[0]]
    ours = statistics.median(first)
    print(f"{'':16}{'median':>10}{'min':>10}{'processor':>12}{'size':>12}{f'× {names[0]}':>12}")
    for name, seconds in taken.items():
        cells = f"{statistics.median(seconds):8.2f} s{min(seconds):8.2f} s"
        cells += f"{statistics.median(each['cpu'] for each in found[name]):10.2f} s{sizes[name]:12}"
        print(f"{name:16}{cells}{statistics.median(seconds) / ours:12.2f}")
    for name, seconds in taken.items():
        if name == FLOOR:
            goals.add("write-floor", results.ratio(first, seconds))
        elif name in GOALS:
            goals.add(GOALS[name], results.ratio(seconds, first))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="A video of arrays, against other libraries")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--turn", nargs=3, metavar=("WAY", "CLIP", "PATH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.turn:
        print(json.dumps(turn(*arguments.turn, arguments.binary)))
        return
    import reelwire

    goals = results.Report(reelwire.find_binary(arguments.binary), records=not arguments.quick)
    KEPT.mkdir(parents=True, exist_ok=True)
    rounds = 1 if arguments.quick else arguments.rounds
    print(f"{COUNT} frames of 1080p to H.264, {PRESET}, CRF {FACTOR}")
    compare(list(ARRAYS), COUNT, str(made_clip(KEPT, 20)), goals, rounds)
    print(f"\n30 seconds of 1080p to {PRESET_720}")
    compare(list(TRANSFERS), 30 * RATE, str(made_clip(KEPT, 30)), goals, rounds)


if __name__ == "__main__":
    main()
