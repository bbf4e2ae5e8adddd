"""Images of damaged files: an image that claims exactness is the frame that the reader returns for its time."""

import hashlib
import random
import subprocess
from fractions import Fraction

import pytest

import reelwire
from reelwire import TrackOutput

H264 = ["-c:v", "libx264", "-bf", 2, "-g", 12]
CLIPS = {
    "h264.mp4": H264,
    "fragments.mp4": [*H264, "-movflags", "frag_keyframe+empty_moov"],
    "h264.mkv": H264,
    "h264.ts": H264,
    "h264.avi": H264,
    # Its headers are in the file once.
    "mpeg4.mkv": ["-c:v", "mpeg4", "-bf", 2, "-g", 12],
    "mpeg2.ts": ["-c:v", "mpeg2video", "-bf", 2, "-g", 12],
    "vp9.mkv": ["-c:v", "libvpx-vp9", "-g", 12],
    # Large enough that a packet can end before the last row.
    "vp8.webm": ["-vf", "scale=320:240,noise=alls=12:allf=t", "-c:v", "libvpx", "-b:v", "500k", "-g", 12],
    "prores.mov": ["-c:v", "prores_ks"],
    # Threads may share each frame.
    "slices.mp4": ["-vf", "scale=320:240", *H264, "-x264-params", "slices=4"],
    # A slice of HEVC may end early without an error.
    "hevc-slices.mp4": ["-vf", "scale=320:240", "-c:v", "libx265", "-g", 12,
                        "-x265-params", "ctu=16:slices=4:log-level=none"],
    "hevc-10-bits.ts": ["-vf", "scale=328:248,setsar=1", "-c:v", "libx265", "-pix_fmt", "yuv420p10", "-g", 12,
                        "-x265-params", "ctu=32:slices=3:log-level=none"],
    "rows.mkv": ["-vf", "scale=320:240", "-c:v", "libx265", "-g", 12, "-x265-params", "wpp=1:ctu=16:log-level=none"],
}
MUTATIONS = 10
COUNT = 50


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("damaged")

    def make(name):
        path = folder / name
        if not path.exists():
            pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-threads", "1"]
            run = ["ffmpeg", "-v", "error", "-y", *pictures, *map(str, CLIPS[name]), str(path)]
            subprocess.run(run, check=True)
        return path

    return make


def samples(path):
    """The positions and sizes of the pictures' bytes, as ffprobe reports them."""
    run = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size"]
    lines = subprocess.run([*run, "-of", "csv=p=0", str(path)], check=True, stdout=subprocess.PIPE)
    rows = [line.split(",") for line in lines.stdout.decode().split() if "N/A" not in line]
    return [(int(size), int(position)) for size, position, *_ in rows]


def damaged(path, seed):
    """A copy with one to eight bits of its samples turned."""
    choice = random.Random(f"{path.name} {seed}")
    data = bytearray(path.read_bytes())
    packets = samples(path)
    for _ in range(choice.choice([1, 2, 4, 8])):
        size, position = choice.choice(packets)
        # After the headers of a transport stream's packet.
        place = min(position + choice.randrange(min(24, size - 1), size), len(data) - 1)
        data[place] ^= 1 << choice.randrange(8)
    return bytes(data)


def digest(data):
    return hashlib.md5(bytes(data)).hexdigest()


def frames(asset):
    found = {}
    with asset.reader(TrackOutput("video", pixel_format="rgb24")) as reader:
        for sample in reader.outputs[0].samples():
            found.setdefault(sample.presentation_time, set()).add(digest(sample.data))
    return found


def is_of_reader(name, asset, image, known):
    """True if an image is a frame of the reader: one of `known`, or of MPEG-4 one of another reading.

    Pictures of MPEG-4 that follow a damaged one may differ between two readings by libavcodec's threads. An image that
    doesn't need the damaged picture is always the same.
    """
    for _ in range(8 if name == "mpeg4.mkv" else 1):
        if digest(image.data) in known.get(image.actual_time, ()):
            return True
        for time, found in frames(asset).items():
            known.setdefault(time, set()).update(found)
    return False


@pytest.mark.parametrize("name", CLIPS)
def test_exact_images_are_the_readers_frames(engine, clips, name, tmp_path):
    source = clips(name)
    exact = 0
    for seed in range(MUTATIONS):
        path = tmp_path / f"{seed}-{name}"
        path.write_bytes(damaged(source, seed))
        with engine.open(path) as asset:
            try:
                known = frames(asset)
            except reelwire.ReelwireError:
                continue
            times = [number / 25 for number in range(0, COUNT, 3)]
            random.Random(seed).shuffle(times)
            with asset.image_generator(tolerance=0) as generator:
                for image in generator.images(times, format="rgb24"):
                    if image.error is None and image.is_exact:
                        exact += 1
                        assert is_of_reader(name, asset, image, known), (name, seed, str(image.actual_time))
    # Most of a clip is as it was.
    assert exact > MUTATIONS * 17 / 4


@pytest.mark.parametrize("name", CLIPS)
def test_all_images_of_an_undamaged_file_are_exact(engine, clips, name):
    with engine.open(clips(name)) as asset, asset.image_generator(tolerance=0) as generator:
        times = [number / 25 for number in range(0, COUNT, 3)]
        images = [image for image in generator.images(times, format="rgb24") if image.error is None]
    assert len(images) >= len(times) - 1 and all(image.is_exact for image in images)


@pytest.mark.parametrize("name", ["slices.mp4", "hevc-slices.mp4", "rows.mkv", "prores.mov", "h264.ts", "vp9.mkv"])
def test_images_one_by_one_are_the_readers_frames(engine, clips, name, tmp_path):
    """Sync samples, whose decoder's threads share a frame, and frames far from one, by the same generator."""
    source = clips(name)
    exact = 0
    for seed in range(MUTATIONS):
        path = tmp_path / f"{seed}-{name}"
        path.write_bytes(damaged(source, seed) if seed else source.read_bytes())
        with engine.open(path) as asset:
            try:
                known = frames(asset)
            except reelwire.ReelwireError:
                continue
            times = [Fraction(number, 25) for number in (0, 12, 20, 24, 36, 47, 36, 12)]
            random.Random(seed).shuffle(times)
            with asset.image_generator(tolerance=0) as generator:
                for time in times:
                    try:
                        image = generator.image(time, format="rgb24")
                    except reelwire.ReelwireError:
                        continue
                    if image.is_exact:
                        exact += 1
                        assert is_of_reader(name, asset, image, known), (seed, time)
    assert exact > MUTATIONS * 2
