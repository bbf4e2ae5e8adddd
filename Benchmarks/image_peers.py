"""Images by other libraries, each as fast as it can do them: `image_peers.py WAY < JOB > RESULT`.

`images.py` starts this once for each turn. A job names the file, the folder to write JPEG files to, the
frames by their places, and the positions of the sync samples; the result has the seconds from after the
imports to the last file, and the memory. The memory of a bare Python does not
count: `base` is to be subtracted.
"""

from __future__ import annotations

import bisect
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any, Callable

Job = dict[str, Any]


def memory() -> int:
    """The most resident memory so far, in kilobytes."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def key_before(job: Job, place: int) -> int:
    """The last sync sample's place that is not after a frame."""
    keys: list[int] = job["keys"]
    return keys[bisect.bisect_right(keys, place) - 1]


def output(job: Job, number: int) -> str:
    return str(Path(job["folder"], f"{number:03d}.jpg"))


def pyav() -> Callable[[Job], None]:
    """PyAV: decodes on all cores, and seeks only where a sync sample lies between."""
    import av
    import PIL.JpegImagePlugin  # noqa: F401  imported by saving

    def save(frame: Any, job: Job, number: int) -> None:
        small = frame.reformat(job["width"], job["height"], "rgb24")
        small.to_image().save(output(job, number), quality=85)

    def way(job: Job) -> None:
        with av.open(job["file"]) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            frames = container.decode(stream)
            last, place = None, -1
            for number, wanted, pts in sorted(job["frames"], key=lambda frame: frame[1]):
                key = key_before(job, wanted)
                if last is None or key > place:
                    container.seek(job["times"][key], stream=stream)
                    frames, last = container.decode(stream), None
                while last is None or last.pts < pts:
                    last = next(frames)
                place = wanted
                save(last, job, number)

    return way


def pyav_two() -> Callable[[Job], None]:
    """PyAV by hand: two containers on two threads, without the frames that no other refers to."""
    import av
    import threading
    import PIL.JpegImagePlugin  # noqa: F401

    def groups_of(job: Job) -> list[tuple[int, list[Any]]]:
        groups: dict[int, list[Any]] = {}
        for frame in sorted(job["frames"], key=lambda frame: frame[1]):
            groups.setdefault(key_before(job, frame[1]), []).append(frame)
        return list(groups.items())

    def run(job: Job, groups: list[tuple[int, list[Any]]]) -> None:
        with av.open(job["file"]) as container:
            stream = container.streams.video[0]
            context = stream.codec_context
            context.thread_count = 1
            while groups:
                try:
                    key, frames = groups.pop(0)
                except IndexError:
                    return
                wanted: dict[int, list[int]] = {}
                for number, _, pts in frames:
                    wanted.setdefault(pts, []).append(number)
                container.seek(job["times"][key], stream=stream)
                left = set(wanted)
                for packet in container.demux(stream):
                    context.skip_frame = "DEFAULT" if packet.pts in wanted else "NONREF"
                    left.discard(packet.pts)
                    decoded = context.decode(packet)
                    if not left:
                        decoded += context.decode(None)
                    for frame in decoded:
                        for number in wanted.get(frame.pts, ()):
                            small = frame.reformat(job["width"], job["height"], "rgb24")
                            small.to_image().save(output(job, number), quality=85)
                    if not left:
                        break

    def way(job: Job) -> None:
        groups = groups_of(job)
        threads = [threading.Thread(target=run, args=(job, groups)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return way


def pyav_keys() -> Callable[[Job], None]:
    """PyAV: the sync sample before each time, and nothing else is decoded."""
    import av
    import PIL.JpegImagePlugin  # noqa: F401

    def way(job: Job) -> None:
        with av.open(job["file"]) as container:
            stream = container.streams.video[0]
            stream.codec_context.skip_frame = "NONKEY"
            for number, _, pts in job["frames"]:
                container.seek(pts, stream=stream)
                frame = next(container.decode(stream))
                small = frame.reformat(job["width"], job["height"], "rgb24")
                small.to_image().save(output(job, number), quality=85)

    return way


def opencv() -> Callable[[Job], None]:
    """OpenCV: grabs forward, and sets a position only where a sync sample lies between."""
    import cv2

    def way(job: Job) -> None:
        capture = cv2.VideoCapture(job["file"], cv2.CAP_FFMPEG)
        place, picture = -1, None
        for number, wanted, _ in sorted(job["frames"], key=lambda frame: frame[1]):
            # Setting a position decodes from some 16 frames before it, so a short way is walked.
            if key_before(job, wanted) > place + 32:
                capture.set(cv2.CAP_PROP_POS_FRAMES, wanted)
                place = wanted - 1
            while place < wanted:
                capture.grab()
                place += 1
            _, picture = capture.retrieve()
            size = (job["width"], job["height"])
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
            cv2.imwrite(output(job, number), small, [cv2.IMWRITE_JPEG_QUALITY, 85])

    return way


def decord() -> Callable[[Job], None]:
    """decord: one batch of all frames, made smaller by its own filter."""
    import decord as library
    import PIL.Image
    import PIL.JpegImagePlugin  # noqa: F401

    def way(job: Job) -> None:
        reader = library.VideoReader(
            job["file"], library.cpu(0), job["width"], job["height"], num_threads=2
        )
        ordered = sorted(job["frames"], key=lambda frame: frame[1])
        pictures = reader.get_batch([place for _, place, _ in ordered]).asnumpy()
        for picture, (number, _, _) in zip(pictures, ordered):
            PIL.Image.fromarray(picture).save(output(job, number), quality=85)

    return way


def client() -> Callable[[Job], None]:
    """Reelwire as a Python program uses it: its client starts the engine."""
    import reelwire

    def way(job: Job) -> None:
        with reelwire.Engine(job["binary"]) as engine, engine.open(job["file"]) as asset:
            size = (job["width"], job["height"])
            with asset.image_generator(tolerance=0, maximum_size=size) as generator:
                times = [reelwire.MediaTime(*time) for time in job["moments"]]
                for image in generator.images(times, delivery=f"{job['folder']}/%03d.jpg"):
                    image.blob  # raises the error

    return way


WAYS = {
    "pyav": pyav,
    "pyav_two": pyav_two,
    "pyav_keys": pyav_keys,
    "opencv": opencv,
    "decord": decord,
    "client": client,
}


def main() -> None:
    """One turn of one way; without input only the import is tried."""
    base = memory()
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))
    way = WAYS[sys.argv[1]]()
    text = sys.stdin.read()
    if not text:
        return
    job = json.loads(text)
    job["times"] = {int(place): pts for place, pts in job["times"].items()}
    before = time.perf_counter()
    way(job)
    taken = time.perf_counter() - before
    # The largest process of the client's engine; the libraries have no children.
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"seconds": taken, "memory": memory() + children, "base": base}))


if __name__ == "__main__":
    main()
