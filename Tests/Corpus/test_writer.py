"""Reader to writer: samples that are read and written as they are stored, against ffmpeg's own copy.

Files of up to 3 MB go into their own container. Of each packet the bytes, the sync flag and the distance to
the one before it have to be ffmpeg's; where a file begins on its container's clock is ffmpeg's own business.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Dict, List

import pytest

from engine import CORPUS, Engine, EngineError, files, name
from writing import copy, packets

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

OWN = {"m4v": "mp4", "m4a": "mp4", "qt": "mov", "3gp": "mp4", "mka": "mkv", "opus": "ogg"}
TYPES = {"mov", "mp4", "mkv", "webm", "mp3", "wav", "flac", "ogg"}

#: Files whose copies differ, and why.
EXCEPTIONS: Dict[str, str] = {
    "audio/mb_vorbis-eos.ogg": "its last packet has no samples, and readers leave it out",
    "video/tc_nasa_13013.mp4": "the muxer has one clock for both video tracks, as in exports",
}


def cases() -> List[Path]:
    return [
        path
        for path in files("video", "audio")
        if own(path) in TYPES and path.stat().st_size <= 3_000_000
    ]


def own(path: Path) -> str:
    suffix = path.suffix[1:].lower()
    return OWN.get(suffix, suffix)


@pytest.mark.parametrize("path", cases(), ids=name)
def test_a_copy_is_ffmpegs(engine: Engine, path: Path, tmp_path: Path) -> None:
    if name(path) in EXCEPTIONS:
        pytest.skip(EXCEPTIONS[name(path)])
    target, reference = (tmp_path / f"{stem}.{own(path)}" for stem in ("out", "copy"))
    try:
        tracks, _ = copy(engine, path, outputURL=str(target))
    except EngineError as error:
        assert list(tmp_path.iterdir()) == []
        pytest.skip(str(error)[:200])
    if not tracks:
        pytest.skip("neither video nor audio")
    ffmpeg = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:V?", "-map", "0:a?", "-c", "copy"]
        + [str(reference)],
        capture_output=True, text=True,
    )
    if ffmpeg.returncode != 0:
        pytest.skip("ffmpeg doesn't copy it")
    for kind, stream in (("video", "V"), ("audio", "a")):
        for number in range(sum(track["mediaType"] == kind for track in tracks)):
            ours = packets(target, f"{stream}:{number}")
            assert ours == packets(reference, f"{stream}:{number}"), f"{stream}:{number}"
