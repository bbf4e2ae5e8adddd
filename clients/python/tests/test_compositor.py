"""Pictures that this process draws, against ffmpeg's decode of the clip and exact arithmetic."""

import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from waiting import HANG
import reelwire

np = pytest.importorskip("numpy")

SIZE = 64, 36
#: From this frame to that one the client draws: two seconds of four, at 25 a second.
FIRST, END = 25, 75


@pytest.fixture(scope="module")
def rgb_clip(clips):
    """Four seconds in RGB without losses: drawings come out exactly."""
    path = clips / "rgb.mkv"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi"]
    command += ["-i", "testsrc2=size=64x36:rate=25:duration=4,format=gbrp"]
    subprocess.run([*command, "-c:v", "ffv1", "-g", "5", str(path)], check=True)
    return path


def _frames(path):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-f", "rawvideo"]
    command += ["-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(data, np.uint8).reshape(-1, SIZE[1], SIZE[0], 3)


@pytest.fixture
def shown(engine, rgb_clip):
    """A composition of the clip, of which the client draws a part."""

    def instruction(start, end, compositor):
        return {
            "timeRange": {"start": f"{start}/25", "duration": f"{end - start}/25"},
            "layerInstructions": [{"trackID": 1}],
            "compositor": compositor,
        }

    def make(**options):
        with engine.open(rgb_clip) as asset, engine.composition(asset) as plain:
            timeline = plain.timeline()
        timeline["videoComposition"] = {
            "frameDuration": "1/25",
            "renderSize": {"width": SIZE[0], "height": SIZE[1]},
            "instructions": [
                instruction(0, FIRST, "engine"),
                instruction(FIRST, END, "client"),
                instruction(END, 100, "engine"),
            ],
            **options,
        }
        return engine.composition(timeline=timeline)

    return make


def invert(frame):
    np.subtract(255, frame.sources[1], out=frame.target)


def test_an_export_has_the_pictures_that_are_drawn(engine, shown, rgb_clip, tmp_path):
    target = tmp_path / "inverted.mp4"
    times = []

    def draw(frame):
        times.append(frame.time)
        assert frame.pixel_format == "rgb24"
        assert frame.instruction["compositor"] == "client"
        assert not frame.sources[1].flags.writeable
        return 255 - frame.sources[1]

    with shown() as composition, engine.compositor(draw):
        composition.export(target, "HighestQuality")
    expected = _frames(rgb_clip).astype(int)
    expected[FIRST:END] = 255 - expected[FIRST:END]
    found = _frames(target).astype(int)
    assert found.shape == expected.shape
    # Encoded, with half of the colour; frames that aren't inverted would be off by far more.
    assert abs(found - expected).mean(axis=(1, 2, 3)).max() < 16
    assert abs(255 - found - expected).mean(axis=(1, 2, 3)).min() > 60
    assert times == [reelwire.MediaTime(number, 25) for number in range(FIRST, END)]


def test_an_image_is_drawn(engine, shown, rgb_clip):
    with shown() as composition, engine.compositor(invert):
        image = composition.image(1.6, format="rgb24")
        assert np.array_equal(image.to_ndarray(), 255 - _frames(rgb_clip)[40])


def test_planes_are_arrays_of_their_own(engine, shown, rgb_clip):
    def draw(frame):
        assert [plane.shape for plane in frame.target] == [(36, 64), (18, 32), (18, 32)]
        return [128, 128, 128]

    with shown(compositorPixelFormat="yuv420p") as composition, engine.compositor(draw):
        picture = composition.image(1.6, format="rgb24").to_ndarray()
    assert np.ptp(picture.reshape(-1, 3).astype(int), axis=0).max() == 0
    assert np.ptp(picture[0, 0].astype(int)) <= 1


def test_what_a_compositor_raises_is_the_error(engine, shown, tmp_path):
    def draw(frame):
        if frame.time == reelwire.MediaTime(40, 25):
            raise ValueError("the effect is broken")
        invert(frame)

    with shown() as composition:
        with engine.compositor(draw), pytest.raises(
            reelwire.VideoCompositorFailedError, match="the effect is broken"
        ):
            composition.export(tmp_path / "a.mp4", "HighestQuality")
        assert not (tmp_path / "a.mp4").exists()
        with engine.compositor(draw), pytest.raises(
            reelwire.VideoCompositorFailedError, match="ValueError: the effect is broken"
        ) as failed:
            composition.image(1.6)
        cause = failed.value.__cause__
        assert isinstance(cause, ValueError)
        places = traceback.extract_tb(cause.__traceback__)
        assert [each.line for each in places][-1] == 'raise ValueError("the effect is broken")'
        with pytest.raises(reelwire.VideoCompositorFailedError, match="engine.compositor"):
            composition.image(1.6)
        with engine.compositor(invert):
            composition.image(1.6)


def test_a_compositor_that_hangs_is_given_up(engine, shown):
    import threading

    go_on = threading.Event()
    with shown(compositorTimeoutMs=300) as composition:
        with engine.compositor(lambda frame: go_on.wait(HANG) and None), pytest.raises(
            reelwire.VideoCompositorFailedError, match="no answer"
        ):
            composition.image(1.6)
        go_on.set()
    with shown(compositorTimeoutMs=int(HANG * 1000)) as composition:
        with engine.compositor(invert):
            composition.image(1.6)


def test_the_example_runs(binary, clip, tmp_path):
    script = Path(__file__).parents[1] / "examples" / "vignette.py"
    target = tmp_path / "vignette.mp4"
    subprocess.run([sys.executable, str(script), str(clip), str(target)], check=True)
    corners = []
    for path in clip, target:
        command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-vf", "crop=16:16:0:0"]
        command += ["-r", "25", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
        data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        corners.append(np.frombuffer(data, np.uint8).reshape(-1, 256).mean(axis=1))
    count = min(map(len, corners))
    plain, drawn = (each[:count] for each in corners)
    middle = slice(count * 2 // 5, count * 3 // 5)
    assert (drawn[middle] < plain[middle] * 0.75).all()
    assert (abs(drawn[: count // 4] - plain[: count // 4]) < 12).all()
