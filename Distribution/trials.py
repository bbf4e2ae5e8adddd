"""The trials of `elsewhere`: installs each package in a system that has nothing but Python and Node, and uses it.

    trials.py PACKAGES WORK ORACLES

WORK has clip.mp4, 3 s of 320 x 240 with audio; exports go to WORK/exports. The tests of the Python client are
below WORK/source, and the packages that they need in WORK/wheels; ORACLES has the programs that they compare with.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import time
import venv
from pathlib import Path

# One of each family, and the type of its file.
EXPORTS = {
    "Passthrough": "mp4",
    "HighestQuality": "mp4",
    "640x480": "mov",
    "HEVCHighestQuality": "mp4",
    "VP9HighestQuality": "webm",
    "AV1HighestQuality": "mkv",
    "AppleProRes422LPCM": "mov",
    "AppleM4V720pHD": "m4v",
    "AppleM4A": "m4a",
    "Opus": "ogg",
    "MP3": "mp3",
    "FLAC": "flac",
    "WAV": "wav",
    "FFV1": "mkv",
    "GIF": "gif",
    "APNG": "apng",
    "WebP": "webp",
}
CLIENT = """
import sys
import reelwire
with reelwire.Engine() as engine, engine.open(sys.argv[1]) as asset:
    image = asset.image(2, path=sys.argv[2])
    print(asset.duration.seconds, image.actual_time.seconds)
"""


def run(*command: str | Path, **environment: str) -> str:
    words = [str(word) for word in command]
    print("$", " ".join(words), flush=True)
    ended = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    if ended.returncode != 0:
        sys.exit(f"{ended.stdout}{ended.stderr}it ended with {ended.returncode}")
    return ended.stdout.strip()


def require(condition: bool, text: str) -> None:
    if not condition:
        sys.exit(text)


def only(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    require(len(found) == 1, f"{folder} has {len(found)} files {pattern}")
    return found[0]


def milliseconds(*command: str | Path, count: int = 20) -> float:
    """The median of some runs."""
    times = []
    for _ in range(count):
        begun = time.monotonic()
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - begun)
    return statistics.median(times) * 1000


def try_program(program: Path, clip: Path, exports: Path | None) -> None:
    findings = [json.loads(line) for line in run(program, "doctor", "--json").splitlines()]
    bad = [finding for finding in findings if finding["state"] == "bad"]
    require(not bad, f"doctor: {bad}")
    facts = json.loads(run(program, "probe", "--json", clip))
    require(facts["tracks"][0]["mediaType"] == "video", "probe")
    if exports is None:
        return
    exports.mkdir()
    for preset, ending in EXPORTS.items():
        run(program, "export", clip, exports / f"{preset}.{ending}", "--preset", preset, "--quiet")
    run(program, "image", clip, "-t", "1.5", "-o", exports / "image.png", "--quiet")
    print(f"reelwire --version: {milliseconds(program, '--version'):.0f} ms")
    print(f"reelwire probe: {milliseconds(program, 'probe', clip):.0f} ms")


def try_client_tests(home: Path, work: Path, oracles: Path) -> None:
    """Runs the tests of the Python client on the wheel that is installed in an environment."""
    if not (work / "wheels").is_dir():
        return
    # Their servers are on the loopback interface, which a network of its own begins without: SIOCSIFFLAGS of
    # netdevice(7), up and running.
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x41))
    run(home / "bin/pip", "install", "--quiet", "--no-index", *(work / "wheels").glob("*.whl"))
    program = only(home / "lib", "python3.*/site-packages/reelwire/bin/reelwire")
    command = [home / "bin/python", "-m", "pytest", "-q", "-rs", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider"]
    environment = {
        "PATH": f"{oracles}:{os.environ['PATH']}",
        "REELWIRE_BINARY": str(program),
        "REELWIRE_PATIENCE": "3",
    }
    code = subprocess.run(
        [str(word) for word in command], cwd=work / "source/clients/python", env={**os.environ, **environment}
    ).returncode
    require(code == 0, f"the tests of the Python client ended with {code}")


def main() -> None:
    packages, work, oracles = map(Path, sys.argv[1:])
    clip = work / "clip.mp4"
    for name in ["ffmpeg", "ffprobe", "swift"]:
        require(shutil.which(name) is None, f"{name} is here")

    print("- the folder")
    run("tar", "-xJf", only(packages, "reelwire-*.tar.xz"), "-C", "/tmp")
    installer = only(Path("/tmp"), "reelwire-*/install.sh")
    run(installer, "/opt/reelwire")
    try_program(Path("/opt/reelwire/bin/reelwire"), clip, work / "exports")
    # Once more, over itself; then away, without anything left.
    run(installer, "/opt/reelwire")
    run(installer, "--remove", "/opt/reelwire")
    left = [path for path in Path("/opt/reelwire").rglob("*") if not path.is_dir()]
    require(not left, f"left after the removal: {left}")

    print("- the wheel")
    home = Path("/tmp/venv")
    venv.create(home, with_pip=True, clear=True)
    wheel = only(packages, "reelwire-*-py3-none-manylinux*.whl")
    run(home / "bin/pip", "install", "--quiet", "--no-index", wheel)
    try_program(home / "bin/reelwire", clip, None)
    run(home / "bin/python", "-m", "reelwire", "--version")
    values = run(home / "bin/python", "-W", "error", "-c", CLIENT, clip, work / "exports/wheel.jpg")
    require(values == "3.0 2.0", f"the client printed {values}")
    print(f"reelwire --version of the wheel: {milliseconds(home / 'bin/reelwire', '--version'):.0f} ms")
    print(f"import reelwire: {milliseconds(home / 'bin/python', '-c', 'import reelwire'):.0f} ms")
    bare = f"{milliseconds(home / 'bin/python', '-c', 'pass'):.0f}"
    print(f"of which Python itself: {bare} ms")
    try_client_tests(home, work, oracles)

    print("- the Node package")
    modules = Path("/tmp/modules/node_modules")
    # Of an earlier trial in the same root.
    shutil.rmtree(modules.parent, ignore_errors=True)
    modules.mkdir(parents=True)
    run("tar", "-xzf", only(packages, "reelwire-*.tgz"), "-C", modules)
    (modules / "package").rename(modules / "reelwire")
    shutil.copy(work / "example.mjs", modules.parent)
    values = run("node", modules.parent / "example.mjs", clip)
    require(values == "3 2", f"the client printed {values}")


if __name__ == "__main__":
    main()
