"""The desk of somebody who solves tasks with the program, and the numbers of other programs about the results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

from waiting import HANG

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire")).resolve()

FILM = (
    "-f lavfi -i testsrc2=duration=6:size=320x180:rate=30 "
    "-f lavfi -i aevalsrc='0.3*sin(2*PI*(200+100*t)*t)|0.2*sin(2*PI*(900-50*t)*t)':d=6:s=48000 "
    "-c:v libx264 -preset veryfast -g 60 -pix_fmt yuv420p -c:a aac -b:a 160k "
    "-metadata title=Holiday -metadata location=+52.5200+013.4050/ -metadata:s:a language=eng"
)
#: The media of the tasks, by their names.
FILES = {
    "film.mp4": FILM,
    "film.mkv": FILM,
    # Another camera: another size, shape, rate and sample rate.
    "other.mp4": "-f lavfi -i testsrc2=duration=4:size=160x120:rate=25 -f lavfi -i sine=700:duration=4:r=44100 "
    "-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac",
    # A phone that was held upright: its file is turned below.
    "phone.mov": "-f lavfi -i testsrc2=duration=3:size=320x180:rate=30 -f lavfi -i sine=500:duration=3:r=48000 "
    "-c:v libx264 -preset veryfast -g 30 -pix_fmt yuv420p -c:a aac "
    "-movflags use_metadata_tags -metadata creation_time=2024-03-01T10:00:00Z -metadata comment=private "
    "-metadata com.apple.quicktime.location.ISO6709=+52.5200+013.4050/",
    # Three scenes.
    "scenes.mp4": "-f lavfi -i testsrc2=size=160x120:rate=25 -f lavfi -i mandelbrot=size=160x120:rate=25:end_scale=0.2 "
    "-f lavfi -i testsrc2=size=160x120:rate=25 "
    "-filter_complex [0]trim=end_frame=50,format=yuv420p[a];[1]trim=end_frame=40,format=yuv420p[b];"
    "[2]trim=start_frame=60:end_frame=120,setpts=PTS-STARTPTS,format=yuv420p,negate,hflip[c];[a][b][c]concat=3 "
    "-c:v libx264 -preset veryfast -g 250",
    # Someone talks from 0 to 4 s, from 7 to 12 s and from 16 to 20 s.
    "podcast.wav": "-f lavfi "
    "-i aevalsrc='0.3*sin(2*PI*440*t)*(1-between(t,4,6.9999)-between(t,12,15.9999))':d=20:s=48000",
    "song.mp3": "-f lavfi -i sine=1000:duration=9:r=44100 -c:a libmp3lame",
    "music.wav": "-f lavfi -i sine=3000:duration=3:r=48000",
    "logo.png": "-f lavfi -i color=red@0.5:s=40x20,format=rgba -frames:v 1",
    "cover.jpg": "-f lavfi -i testsrc=size=200x200 -frames:v 1",
}
TEXTS = {
    "hello.en.srt": "1\n00:00:01,000 --> 00:00:02,500\nHello there\n\n2\n00:00:03,000 --> 00:00:04,000\nGoodbye\n",
    "hello.de.srt": "1\n00:00:01,000 --> 00:00:02,500\nGuten Tag\n",
}


class Desk:
    """A folder with files to work on, in which commands and programs run as a reader of the pages writes them."""

    def __init__(self, folder: Path) -> None:
        assert BINARY.exists(), f"there is no {BINARY}; run make test-readme"
        self.folder = folder
        (folder / "clients").symlink_to(ROOT / "clients")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("REELWIRE_", "PYTHON"))}
        self.environment = {
            **inherited,
            "PATH": f"{BINARY.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "clients/python/src"),
        }

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def bring(self, *names: str) -> None:
        """Puts media or texts into the folder."""
        for name in names:
            if name in TEXTS:
                (self.folder / name).write_text(TEXTS[name])
            else:
                self.ffmpeg(*FILES[name].split(), name)
            if name.startswith("phone"):
                turn(self.folder / name)

    def ffmpeg(self, *arguments: str) -> None:
        command = ["ffmpeg", "-v", "error", "-nostdin", "-bitexact", *arguments]
        subprocess.run(command, cwd=self.folder, check=True)

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=2 * HANG,
        )  # fmt: skip

    def sh(self, text: str) -> str:
        """Runs commands that have to work, and returns what they print."""
        ended = self.run("bash", "-ec", text)
        assert ended.returncode == 0, f"{text}\n{ended.stdout}{ended.stderr}"
        return ended.stdout

    def refused(self, text: str) -> str:
        """Runs a command that has to be refused, and returns the message."""
        ended = self.run("bash", "-ec", text)
        assert ended.returncode == 1 and "Traceback" not in ended.stderr, f"{text}\n{ended.stderr}"
        return ended.stderr

    def python(self, program: str) -> str:
        ended = self.run(sys.executable, "-W", "error", "-c", program)
        assert ended.returncode == 0, f"{ended.stdout}{ended.stderr}"
        return ended.stdout

    def node(self, program: str) -> str:
        (self.folder / "program.mjs").write_text(program)
        ended = self.run("node", "program.mjs")
        assert ended.returncode == 0, f"{ended.stdout}{ended.stderr}"
        return ended.stdout

    # What ffprobe and ffmpeg find in a file.

    def facts(self, name: str, *options: str) -> Dict[str, Any]:
        command = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", *options]
        printed = subprocess.run([*command, self.path(name)], capture_output=True, check=True, text=True)
        assert printed.stderr == "", printed.stderr
        facts: Dict[str, Any] = json.loads(printed.stdout)
        return facts

    def stream(self, name: str, kind: str) -> Dict[str, Any]:
        """The only stream of a kind."""
        (stream,) = [each for each in self.facts(name)["streams"] if each["codec_type"] == kind]
        found: Dict[str, Any] = stream
        return found

    def duration(self, name: str) -> float:
        return float(self.facts(name)["format"]["duration"])

    def times(self, name: str, stream: str = "v:0") -> List[float]:
        """The times of the decoded frames of a stream."""
        command = ["ffprobe", "-v", "error", "-of", "json", "-select_streams", stream]
        shown = ["-show_entries", "frame=pts_time", self.path(name)]
        printed = subprocess.run([*command, *shown], capture_output=True, check=True, text=True)
        return [float(frame["pts_time"]) for frame in json.loads(printed.stdout)["frames"]]

    def hashes(self, name: str, *options: str) -> List[str]:
        """The hashes of the frames of the video, or with `-c copy` of its packets."""
        printed = self.decoded(name, "-map", "0:v:0", *options, "-fps_mode", "passthrough", "-f", "framemd5").decode()
        return [line.split()[-1] for line in printed.splitlines() if not line.startswith("#")]

    def decoded(self, name: str, *options: str) -> bytes:
        command = ["ffmpeg", "-v", "error", "-nostdin", "-i", self.path(name), *options, "-"]
        ended = subprocess.run(command, capture_output=True, check=True)
        assert ended.stderr == b"", ended.stderr
        return ended.stdout

    def frames(self, name: str, filters: str = "null", pixels: str = "rgb24") -> "np.ndarray[Any, Any]":
        """All frames, upright, as (frames, height, width, 3), or for `gray` (frames, height, width)."""
        command = ["-map", "0:v:0", "-vf", f"{filters},format={pixels}", "-fps_mode", "passthrough", "-c:v", "png"]
        printed = self.decoded(name, *command, "-frames:v", "1", "-f", "image2pipe")
        (width, height) = (int.from_bytes(printed[at : at + 4], "big") for at in (16, 20))
        shape = (-1, height, width) if pixels == "gray" else (-1, height, width, 3)
        return np.frombuffer(self.decoded(name, *command[:-2], "-f", "rawvideo"), np.uint8).reshape(shape)

    def samples(self, name: str, rate: int = 48000, stream: str = "a:0") -> "np.ndarray[Any, Any]":
        """The audio of the first channel, from the time 0 on."""
        options = ["-map", f"0:{stream}", "-af", f"aresample={rate}:first_pts=0,pan=mono|c0=c0", "-f", "f32le"]
        return np.frombuffer(self.decoded(name, *options), np.float32)


def turn(film: Path) -> None:
    """Lets a film state that it is to be shown turned by 90°, as phones do that are held upright."""
    stored = film.rename(film.with_name(f"stored-{film.name}"))
    copy = ["-map_metadata", "0", "-movflags", "use_metadata_tags", "-c", "copy"]
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    turned = [*command, "-display_rotation", "90", "-i", str(stored), *copy, str(film)]
    if subprocess.run(turned, stderr=subprocess.DEVNULL).returncode:
        # FFmpeg before 6 has a tag of the output for that.
        turned = [*command, "-i", str(stored), *copy, "-metadata:s:v:0", "rotate=90", str(film)]
        subprocess.run(turned, check=True)
    stored.unlink()


def nearest(frame: "np.ndarray[Any, Any]", among: "np.ndarray[Any, Any]") -> int:
    """The number of the frame that a lossy copy of a frame is most like."""
    differences = among.astype(np.int16) - frame.astype(np.int16)
    return int(np.abs(differences).mean(axis=tuple(range(1, among.ndim))).argmin())


def off(one: "np.ndarray[Any, Any]", other: "np.ndarray[Any, Any]") -> float:
    """The mean difference of pixels, of 255."""
    assert one.shape == other.shape, (one.shape, other.shape)
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())


def decibels(samples: "np.ndarray[Any, Any]") -> float:
    """The level of samples, in decibels of full scale."""
    return float(10 * np.log10(np.mean(samples.astype(np.float64) ** 2) + 1e-12))


def level_of(samples: "np.ndarray[Any, Any]", frequency: float, rate: int = 48000) -> float:
    """The amplitude of a tone."""
    turns = np.exp(-2j * np.pi * frequency * np.arange(len(samples)) / rate)
    return float(2 * abs(np.mean(samples * turns)))
