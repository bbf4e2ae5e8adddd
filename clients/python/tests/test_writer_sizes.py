"""Odd sizes: kept where a codec can hold them, and listed where a row or a column is cut off."""

import subprocess

import pytest
from conftest import probe

import reelwire
from reelwire import VideoInput

np = pytest.importorskip("numpy")

SIZE = WIDTH, HEIGHT = 315, 171


def picture():
    """Grey, but for the last row, which is red, and the last column, which is white."""
    made = np.full((HEIGHT, WIDTH, 3), 100, np.uint8)
    made[-1] = [255, 0, 0]
    made[:, -1] = 255
    return made


def first_frame(path):
    shown = probe(path, "-select_streams", "v", "-show_streams")["streams"][0]
    width, height = shown["width"], shown["height"]
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-frames:v", "1"]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(data, np.uint8).reshape(height, width, 3).astype(int)


HOLDS = [
    ("webm", {"codec": "vp9"}),
    ("mkv", {"codec": "av1"}),
    ("mov", {"codec": "prores"}),
    ("mov", {"codec": "prores", "profile": "4444"}),
    ("mov", {"codec": "mjpeg"}),
    ("mp4", {"codec": "h264", "pixelFormat": "yuv444p"}),
    ("mp4", {"codec": "hevc", "pixelFormat": "yuv444p"}),
]
CUTS = [
    ("mp4", {"codec": "h264"}, (314, 170), "1 column and 1 row"),
    ("mkv", {"codec": "hevc"}, (314, 170), "1 column and 1 row"),
    ("mp4", {"codec": "h264", "pixelFormat": "yuv422p"}, (314, 171), "1 column at"),
]


@pytest.mark.parametrize(("extension", "settings"), HOLDS)
def test_an_odd_size_is_kept(engine, tmp_path, extension, settings):
    path = tmp_path / f"a.{extension}"
    with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25, settings=settings)) as writer:
        for _ in range(3):
            writer.video.append(picture())
    assert writer.result.dropped == []
    found = first_frame(path)
    assert found.shape == (HEIGHT, WIDTH, 3)
    # Its colour may be that of a pair of rows.
    red, green, _ = found[-1, 20:300].mean(axis=0)
    assert red > 150 and red - green > 60
    assert abs(found[20:-20, -1] - 255).mean() < 30


@pytest.mark.parametrize(("extension", "settings", "size", "what"), CUTS)
def test_what_is_cut_off_is_listed(engine, tmp_path, extension, settings, size, what):
    path = tmp_path / f"a.{extension}"
    with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25, settings=settings)) as writer:
        for _ in range(3):
            writer.video.append(picture())
    (loss,) = writer.result.dropped
    assert (loss["item"], loss["key"], loss["trackID"]) == ("pixels", f"{WIDTH}x{HEIGHT}", 1)
    assert loss["reason"].startswith(what)
    assert first_frame(path).shape == (size[1], size[0], 3)


def test_exports_keep_or_list_it_too(engine, tmp_path):
    source = tmp_path / "source.mkv"
    video = VideoInput(SIZE, frame_rate=25, settings={"codec": "vp9"})
    with engine.asset_writer(source, video=video) as writer:
        for _ in range(3):
            writer.video.append(picture())
    with engine.open(source) as asset:
        kept = asset.export(tmp_path / "a.webm", settings={"video": {"codec": "vp9"}})
        assert kept.dropped == [] and first_frame(tmp_path / "a.webm").shape == (HEIGHT, WIDTH, 3)
        with asset.export_session(tmp_path / "a.mp4", settings={"video": {"codec": "h264"}}) as session:
            planned = session.preflight().dropped
            assert [(loss["item"], loss["key"]) for loss in planned] == [("pixels", "315x171")]
            assert session.export().dropped == planned
        # A scaled picture is fitted, and loses nothing.
        scaled = {"codec": "h264", "width": 160}
        assert asset.export(tmp_path / "b.mp4", settings={"video": scaled}).dropped == []
