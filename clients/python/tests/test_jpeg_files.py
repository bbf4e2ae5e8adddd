"""Files of JPEG: of one picture, which is read without a search for its end, and others, against ffprobe's packets."""

import json
import subprocess
from io import BytesIO

import pytest

from reelwire import MediaTime, TrackOutput

PICTURE = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-c:v", "mjpeg", "-q:v", "2"]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Two pictures of motion JPEG."""
    folder = tmp_path_factory.mktemp("pictures")
    run = ["ffmpeg", "-nostdin", "-v", "error", *PICTURE, "-frames:v", "2", str(folder / "%d.jpg")]
    subprocess.run(run, check=True)
    return [(folder / f"{number}.jpg").read_bytes() for number in (1, 2)]


def segment(marker, content):
    return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content


def progressive(picture):
    image = pytest.importorskip("PIL.Image").open(BytesIO(picture))
    made = BytesIO()
    image.save(made, "JPEG", progressive=True, restart_marker_blocks=4)
    return made.getvalue()


FILES = {
    "one": lambda one, two: one,
    "two": lambda one, two: one + two,
    "with a preview": lambda one, two: one[:2] + segment(0xE2, b"preview" + two) + one[2:],
    "with bytes behind": lambda one, two: one + bytes(range(255)) * 40,
    "with another behind bytes": lambda one, two: one + bytes(999) + two,
    "with fill bytes": lambda one, two: one[:2] + b"\xff\xff" + one[2:],
    "with an end in a segment": lambda one, two: one[:2] + segment(0xFE, b"\xff\xd9\xff\xd8\xff") + one[2:],
    "cut short": lambda one, two: one[: len(one) // 2],
    "without an end": lambda one, two: one[:-2],
    "progressive": lambda one, two: progressive(one),
}


@pytest.mark.parametrize("kind", FILES)
def test_the_samples_are_ffprobes_packets(engine, pictures, tmp_path, kind):
    path = tmp_path / "a.jpg"
    path.write_bytes(FILES[kind](*pictures))
    source = ["-f", "jpeg_pipe", "-i", str(path)]
    shown = ["ffprobe", "-v", "error", *source, "-show_packets", "-of", "json"]
    packets = json.loads(subprocess.run(shown, check=True, stdout=subprocess.PIPE).stdout)["packets"]
    raw = ["-fps_mode", "passthrough", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
    decoded = subprocess.run(["ffmpeg", "-v", "quiet", *source, *raw], stdout=subprocess.PIPE).stdout
    with engine.open(path) as asset:
        assert asset.duration == MediaTime(len(packets), 25)
        with asset.reader("video") as reader:
            samples = list(reader.outputs[0].samples())
        assert [len(sample.data) for sample in samples] == [int(packet["size"]) for packet in packets]
        assert [float(sample.presentation_time) for sample in samples] == [
            float(packet["pts_time"]) for packet in packets
        ]
        with asset.reader(TrackOutput("video", pixel_format="gray")) as reader:
            frames = list(reader.outputs[0].samples())
        assert len(frames) == len(decoded) // (320 * 240)
        image = asset.image(0)
        assert (image.width, image.height) == (320, 240)
