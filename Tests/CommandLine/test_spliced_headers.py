"""Copies that are cut and joined between sync samples: their bitstreams' headers by ffmpeg's `trace_headers`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from conftest import Program, ffmpeg

# The number of a picture parameter set, in itself and in slices, of H.264 and of HEVC.
PICTURE_SETS = ("pic_parameter_set_id", "pps_pic_parameter_set_id", "slice_pic_parameter_set_id")

Unit = Tuple[str, Dict[str, int]]

# Of HEVC: pictures that refer to others across the sync sample, and those after which nothing refers back.
RASL, BLA, IDR = (8, 9), (16, 17, 18), (19, 20)


def traced(path: Path) -> List[Tuple[int, List[Unit]]]:
    """The packets of the video with their presentation times and units; the first is the file's header."""
    command = ["ffmpeg", "-hide_banner", "-nostats", "-nostdin", "-i", str(path), "-map", "0:v", "-c", "copy"]
    command += ["-bsf:v", "trace_headers", "-f", "null", "-"]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    packets: List[Tuple[int, List[Unit]]] = []
    for line in re.findall(r"^\[trace_headers[^\]]*\] (.*)", ended.stderr, re.M):
        assert "rror" not in line and "nvalid" not in line and "not available" not in line, line
        field = re.match(r"\d+ +(\S+) +[01x…]* *= (-?\d+)$", line)
        if line == "Extradata":
            packets.append((-1, []))
        elif line.startswith("Packet:"):
            packets.append((int(re.findall(r"pts (-?\d+)", line)[0]), []))
        elif not field:
            packets[-1][1].append((line, {}))
        else:
            packets[-1][1][-1][1].setdefault(field[1], int(field[2]))
    return packets


def pictures(path: Path) -> List[Tuple[int, Any, Dict[str, int], Dict[str, int]]]:
    """For each picture its time, its unit and parameter sets; a slice may have no others than the current."""
    sequence: Dict[int, Dict[str, int]] = {}
    sets: Dict[int, Tuple[Dict[str, int], Dict[str, int]]] = {}
    found = []
    for time, units in traced(path):
        first = True
        for name, fields in units:
            id = next((fields[member] for member in PICTURE_SETS if member in fields), None)
            if name == "Sequence Parameter Set":
                sequence[fields.get("seq_parameter_set_id", fields.get("sps_seq_parameter_set_id", -1))] = fields
            elif name == "Picture Parameter Set":
                assert id is not None
                owner = fields.get("seq_parameter_set_id", fields.get("pps_seq_parameter_set_id", -1))
                sets[id] = (sequence[owner], fields)
            elif name.startswith("Slice"):
                assert id in sets, (path, time, id, list(sets))
                if first:
                    found.append((time, fields, *sets[id]))
                first = False
    return found


def orders(path: Path, codec: str) -> List[Tuple[int, Tuple[int, int]]]:
    """The times of the pictures, in coded order, and their places: a sequence and a picture order count in it."""
    found, number, previous, frame = [], -1, (0, 0), 0
    for time, unit, sps, _ in pictures(path):
        kind = unit["nal_unit_type"]
        # Without the counts of type 0, pictures are shown in coded order.
        isCounted = sps.get("pic_order_cnt_type", 0) == 0
        size = 1 << (sps["log2_max_pic_order_cnt_lsb_minus4"] + 4) if isCounted else 0
        low = unit.get("pic_order_cnt_lsb", unit.get("slice_pic_order_cnt_lsb", 0))
        if (kind == 5) if codec == "h264" else (kind in (*BLA, *IDR) or number < 0):
            number, previous, frame, high = number + 1, (0, 0), 0, 0
            assert unit.get("frame_num", 0) == 0
        else:
            steps = [previous[0] + step * size for step in (-1, 0, 1)]
            high = min(steps, key=lambda high: abs(high + low - sum(previous))) if isCounted else previous[0] + 1
            if codec == "h264":
                # No picture is missing that others could refer to (7.4.3 of H.264).
                wanted = (frame + 1) % (1 << (sps["log2_max_frame_num_minus4"] + 4))
                assert unit["frame_num"] == wanted, (path, time, unit["frame_num"], wanted)
        found.append((time, (number, high + low)))
        isReferred = unit.get("nal_ref_idc", kind not in (0, 6, 7, *RASL))
        if isReferred or not isCounted:
            previous = (high, low)
        if isReferred:
            frame = unit.get("frame_num", 0)
    return found


SOURCES = {
    "h264": "-c:v libx264 -g 25 -bf 3",
    "h264-open": "-c:v libx264 -g 25 -bf 3 -x264-params open-gop=1:slices=2",
    "h264-plain": "-c:v libx264 -g 25 -bf 0 -x264-params cabac=0:weightp=0",
    "hevc": "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:keyint=25:open-gop=0",
    "hevc-open": "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:keyint=25",
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spliced")
    for name, options in SOURCES.items():
        ffmpeg(["-f", "lavfi", "-i", "testsrc2=duration=4:size=192x128", *options.split(), folder / f"{name}.mp4"])
    return folder


@pytest.mark.parametrize("extension", ["mp4", "mkv"])
@pytest.mark.parametrize(
    "parts",
    [
        ("h264#t=1.52,3.2",), ("h264-open#t=,2.52",), ("hevc#t=1.52,3.2",), ("hevc-open#t=1.52,3.2",),
        ("h264#t=3", "h264#t=0.4,2.4", "h264#t=,1"), ("h264-open#t=,2.4", "h264-open"),
        ("hevc#t=3", "hevc#t=0.4,2.4", "hevc"), ("hevc-open#t=2", "hevc-open#t=0.4,2.4", "hevc-open"),
        ("h264#t=0.4,2.4", "h264-plain", "h264#t=3"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_headers_are_consistent(program: Program, sources: Path, parts: Tuple[str, ...], extension: str) -> None:
    files = [str(sources / part.replace("#", ".mp4#")) if "#" in part else f"{sources / part}.mp4" for part in parts]
    name = f"out.{extension}"
    program.ok("join", *files, "-o", name, *(["--in-band"] if "h264-plain" in parts else []))
    found = orders(program.folder / name, parts[0][:4])
    assert len(found) > 30
    times = [time for time, _ in found]
    assert len(set(times)) == len(times)
    # Shown in the order of their counts, and each count is there once.
    places = [place for _, place in sorted(found)]
    assert places == sorted(set(places))


@pytest.mark.parametrize("name", [name for name in SOURCES if name.startswith("hevc")])
def test_no_leading_picture_refers_across_a_splice(program: Program, sources: Path, name: str) -> None:
    program.ok("join", f"{sources}/{name}.mp4#t=2", f"{sources}/{name}.mp4#t=1", "-o", "out.mp4")
    sync = None
    for _, unit, *_ in pictures(program.folder / "out.mp4"):
        kind = unit["nal_unit_type"]
        sync = kind if 16 <= kind <= 23 else sync
        assert sync is not None and not (kind in RASL and sync in (*BLA, *IDR))
