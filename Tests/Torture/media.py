"""The media of the rows: clips that are made here, and the corpus where there is one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Dict, List, Optional

from server import HERE  # noqa: F401  (makes the neighbours importable)

from support import Clips, ffmpeg

# The files that are made of the small clip, in addition to itself: one container after the other, without encoding
# where that works.
CONTAINERS: Dict[str, List[str]] = {
    "fast.mp4": ["-c", "copy", "-movflags", "+faststart"],
    "fragments.mp4": ["-c", "copy", "-movflags", "frag_keyframe+empty_moov"],
    "small.mov": ["-c", "copy"],
    "small.mkv": ["-c", "copy"],
    "small.ts": ["-c", "copy", "-f", "mpegts"],
    "small.flv": ["-c", "copy"],
    "small.avi": ["-c:v", "mpeg4", "-c:a", "mp3"],
    "small.webm": ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis"],
    "small.mpg": ["-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2", "-f", "mpeg"],
    "small.ogg": ["-vn", "-c:a", "libvorbis"],
    "small.mp3": ["-vn", "-c:a", "libmp3lame", "-metadata", "title=small"],
    "small.flac": ["-vn", "-c:a", "flac"],
    "small.m4a": ["-vn", "-c:a", "copy"],
    "small.wav": ["-vn", "-c:a", "pcm_s16le"],
    "small.aac": ["-vn", "-c:a", "copy"],
    "small.gif": ["-an", "-vf", "scale=80:-2,fps=5"],
    "small.png": ["-an", "-frames:v", "1"],
    "small.jpg": ["-an", "-frames:v", "1"],
}


class Media:
    """Clips are made when they are first requested."""

    def __init__(self, folder: Path, corpus: Optional[Path]) -> None:
        self.folder = folder
        self.corpus = corpus if corpus is not None and corpus.is_dir() else None
        self.folder.mkdir(parents=True, exist_ok=True)
        (folder / "clips").mkdir()
        self.clips = Clips(folder / "clips")

    @property
    def good(self) -> Path:
        """H.264 and AAC in MP4, 2 s."""
        return self.clips["small.mp4"]

    @property
    def big(self) -> Path:
        """4 s of noise, which takes long to encode."""
        return self.clips["big.mp4"]

    @property
    def long(self) -> Path:
        """The same ten times over: encoding it lasts for seconds on any machine."""
        path = self.folder / "long.mp4"
        if not path.exists():
            ffmpeg("-stream_loop", "9", "-i", str(self.big), "-c", "copy", str(path))
        return path

    def __getitem__(self, name: str) -> Path:
        if name in ("small.mp4", "big.mp4", "big.wav"):
            return self.clips[name]
        path = self.folder / name
        if not path.exists():
            ffmpeg("-i", str(self.good), *CONTAINERS[name], str(path))
        return path

    def all(self) -> List[Path]:
        """One small clip a container."""
        return [self.good, *(self[name] for name in CONTAINERS)]

    def few(self) -> List[Path]:
        return [self.good, self["fragments.mp4"], self["small.mkv"], self["small.ts"], self["small.wav"]]

    def ordinary(self, largest: int) -> List[Path]:
        """Files of others up to a size; none without a corpus."""
        if self.corpus is None:
            return []
        folders = [self.corpus / name for name in ("video", "audio", "images")]
        found = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
        return [path for path in found if 0 < path.stat().st_size <= largest]

    def hostile(self) -> List[Path]:
        if self.corpus is None or not (self.corpus / "hostile").is_dir():
            return []
        return sorted(path for path in (self.corpus / "hostile").rglob("*") if path.is_file())


def has(*programs: str) -> List[str]:
    """Those programs that are missing here."""
    return [program for program in programs if shutil.which(program) is None]
