"""The linear decode of a file by `ffmpeg`, and the digest of a picture that the engine returns."""

from __future__ import annotations

import hashlib
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import oracle

# Frames decoded into one of these are delivered unchanged. The rest is converted to 4:2:0, by both sides
# alike; YUV in the range that it has.
RAW = {"yuvj420p": "yuv420p", "yuv420p": "yuv420p", "gray": "gray", "rgb24": "rgb24"}
RAW.update({"rgba": "rgba", "bgra": "bgra"})
# By zimg, as the engine does, so that the bytes are the same: the comparison is about which frame it is. The
# exactness of conversions is tested in Tests/LibAVTests. Chroma on the left, as H.264 has it.
CONVERSION = "zscale=filter=bicubic:param_a=0:param_b=0.6:chromal=left"
# The number of frames of a long file that are decoded.
MOST = 150


class Decoded(NamedTuple):
    """A frame as it comes out of the decoder."""

    # In ticks, as the file states it.
    pts: int
    digest: str


def video_of(path: Path) -> Optional[Dict[str, Any]]:
    streams = oracle.media_streams(oracle.facts(path)["streams"])
    return next((s for s in streams if s["codec_type"] == "video"), None)


def lasts(path: Path) -> float:
    """The duration in seconds; not the one that a file states, which may be wrong by hours."""
    stream = video_of(path)
    assert stream
    times = [p["pts"] for p in oracle.packets(path).get(stream["index"], []) if "pts" in p]
    return float((max(times) - min(times)) * Fraction(stream["time_base"])) if times else 0.0


def even(stream: Dict[str, Any]) -> Tuple[str, str]:
    """Filters around a conversion that repeat the last column and row of an odd size, and undo it."""
    width, height, pixels = stream["width"], stream["height"], stream["pix_fmt"]
    right, bottom = width % 2, height % 2
    if not right and not bottom:
        return "", ""
    pad = f"pad={width + right}:{height + bottom},"
    pad += f"fillborders=right={right}:bottom={bottom}:mode=smear,"
    return pad, f",crop={width}:{height}:0:0:exact=1"


def planes(stream: Dict[str, Any]) -> Tuple[str, str]:
    """A filter that makes planes of a frame, and the colour properties that zimg doesn't know."""
    pixels = stream["pix_fmt"]
    if pixels.startswith("yuv"):
        return "", ""
    # libswscale reads a palette's entries otherwise than as the RGB that they stand for.
    written_out = "format=rgb24," if pixels == "pal8" else ""
    matrix = "709" if stream["height"] >= 720 else "470bg"
    return f"{written_out}format={'gbrp16le' if '64' in pixels else 'gbrp'},", f":matrix={matrix}:range=limited"


def decode(path: Path, most: Optional[int] = None) -> List[Decoded]:
    """The frames that ffmpeg decodes from the start to the end, or the first ``most``, in presentation order."""
    stream = video_of(path)
    assert stream
    conversion: List[str] = []
    if stream["pix_fmt"] not in RAW:
        is_full = stream.get("color_range") == "pc" and stream["pix_fmt"].startswith("yuv")
        target = "yuvj420p" if is_full else "yuv420p"
        (before, after), (taken_apart, colors) = even(stream), planes(stream)
        converted = f"{CONVERSION}{colors},format={target}"
        # Slices that are scaled at the same time would have edges.
        conversion = ["-filter_threads", "1", "-vf", taken_apart + before + converted + after]
    decoded = subprocess.run(
        ["ffmpeg", "-v", "error", "-noautorotate", "-copyts", "-i", f"file:{path}"]
        + ["-map", f"0:{stream['index']}", "-fps_mode", "passthrough", *conversion]
        + ([] if most is None else ["-frames:v", str(most)])
        + ["-enc_time_base", "-1", "-f", "framemd5", "-"],
        capture_output=True,
        check=True,
    )
    lines = decoded.stdout.decode().splitlines()
    base = next(line.split(":")[1] for line in lines if line.startswith("#tb 0:"))
    scale = Fraction(base.strip()) / Fraction(stream["time_base"])
    rows = [line.split(",") for line in lines if line and not line.startswith("#")]
    assert all((int(row[2]) * scale).denominator == 1 for row in rows)
    late = oracle.delay(path)
    return [Decoded(int(int(row[2]) * scale) - late, row[5].strip()) for row in rows]


_pool = ThreadPoolExecutor(max_workers=1)
_decoded: "Dict[Path, Future[List[Decoded]]]" = {}


def frames_of(path: Path, files: List[Path]) -> List[Decoded]:
    """The linear decode of one of the files, of a long one its beginning; that of the next is begun."""
    place = files.index(path)
    for near in files[place : place + 2]:
        if near not in _decoded:
            _decoded[near] = _pool.submit(decode, near, None if lasts(near) < 20 else MOST)
    return _decoded[path].result()


def picture_digest(data: memoryview, picture: Dict[str, Any], planes: Any, pixel: int = 1) -> str:
    """The MD5 of pixels without the padding of their rows; the first plane has ``pixel`` bytes a pixel."""
    digest = hashlib.md5()
    for position, plane in enumerate(planes):
        width = -(-picture["width"] // 2) if position else picture["width"] * pixel
        step, first = plane["bytesPerRow"], plane["offset"]
        if step == width:
            digest.update(data[first : first + step * plane["height"]])
            continue
        for start in range(first, first + step * plane["height"], step):
            digest.update(data[start : start + width])
    return digest.hexdigest()
