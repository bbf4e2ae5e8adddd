"""The configuration of Dolby Vision in copies, against ffprobe."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Any, Optional

import pytest

from conftest import Program, ffmpeg

CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}


def box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, name) + content


def record(profile: int) -> bytes:
    """Level 6, a base layer with metadata that is compatible with HDR10."""
    bits = profile << 9 | 6 << 3 | 0b101
    content = bytes([1, 0]) + struct.pack(">H", bits) + bytes([1 << 4]) + bytes(19)
    return box(b"dvvC" if profile > 7 else b"dvcC", content)


def described(data: bytes, extra: bytes, code: Optional[bytes]) -> bytes:
    """A movie whose index is at its end, with a box more in each description of HEVC."""
    result, offset = b"", 0
    while offset + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, offset)
        content = data[offset + 8 : offset + size]
        if name in CONTAINERS:
            content = described(content, extra, code)
        elif name == b"stsd" and content[12:16] == b"hvc1":
            content = content[:8] + box(code or b"hvc1", content[16:] + extra)
        result += box(name, content)
        offset += size
    return result


def stream(path: Path) -> Any:
    run = ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)]
    return json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout)["streams"][0]


def configuration(path: Path) -> Any:
    wanted = "DOVI configuration record"
    found = [data for data in stream(path).get("side_data_list", []) if data["side_data_type"] == wanted]
    return found[0] if found else None


def make(folder: Path, name: str, profile: int, code: Optional[bytes] = None) -> Path:
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1", "-pix_fmt", "yuv420p10"]
    ffmpeg([*pictures, "-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", folder / f"plain-{name}"])
    path = folder / name
    path.write_bytes(described((folder / f"plain-{name}").read_bytes(), record(profile), code))
    assert configuration(path)["dv_profile"] == profile
    return path


@pytest.mark.parametrize("target", ["mov", "mp4", "mkv"])
@pytest.mark.parametrize("source", ["mov", "mp4"])
@pytest.mark.parametrize("profile", [5, 8])
def test_copies_have_the_configuration(program: Program, source: str, target: str, profile: int) -> None:
    path = make(program.folder, f"a.{source}", profile)
    program.ok("export", path.name, f"out.{target}", "--preset", "Passthrough")
    assert configuration(program.folder / f"out.{target}") == configuration(path)


@pytest.mark.parametrize("target", ["mov", "mkv"])
def test_a_code_of_its_own_is_one_of_movies(program: Program, target: str) -> None:
    path = make(program.folder, "a.mov", 5, b"dvh1")
    program.ok("export", path.name, f"out.{target}", "--preset", "Passthrough")
    copy = program.folder / f"out.{target}"
    assert configuration(copy) == configuration(path)
    assert stream(copy)["codec_name"] == "hevc"


def test_parts_and_index_first_have_it(program: Program) -> None:
    path = make(program.folder, "a.mov", 8)
    program.ok("export", path.name, "part.mov", "--preset", "Passthrough", "--start", "0.4", "--faststart")
    assert configuration(program.folder / "part.mov") == configuration(path)
    run = ["ffmpeg", "-v", "error", "-xerror", "-i", str(program.folder / "part.mov"), "-f", "null", "-"]
    assert subprocess.run(run, capture_output=True).stderr == b""
