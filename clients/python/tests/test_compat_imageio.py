"""A plugin for imageio."""

import io
import os

import pytest
from conftest import FRAME, _ffmpeg, nothing_left, probe

np = pytest.importorskip("numpy")
iio = pytest.importorskip("imageio.v3")
plugin = pytest.importorskip("reelwire.compat.imageio").ReelwirePlugin
shared_engine_of_readers = pytest.importorskip("reelwire.compat.numbered_frames").shared_engine


@pytest.fixture(autouse=True)
def _nothing_stays(binary, monkeypatch):
    monkeypatch.setenv("REELWIRE_BINARY", str(binary))
    yield
    nothing_left(shared_engine_of_readers())


@pytest.fixture(scope="module")
def shown(shared_engine, clip):
    with shared_engine.open(clip) as asset, asset.frames() as frames:
        return np.asarray(frames)


@pytest.fixture(scope="module")
def pictures():
    """Ten pictures that differ a lot from each other."""
    made = np.zeros((10, 48, 64, 3), np.uint8)
    for number, picture in enumerate(made):
        picture[:, : 6 * (number + 1)] = 250
    return made


def test_frames_are_read_by_their_numbers(clip, shown):
    for number in (0, 57, -1):
        assert (iio.imread(clip, index=number, plugin=plugin) == shown[number]).all()
    assert iio.imread(clip, index=3, plugin=plugin, format="gray").shape == (180, 322)
    for wrong in (120, -121):
        with pytest.raises(ValueError, match="no frame"):
            iio.imread(clip, index=wrong, plugin=plugin)


def test_all_frames_are_one_array(clip, shown):
    assert (iio.imread(clip, plugin=plugin) == shown).all()
    assert (iio.imread(clip, index=..., plugin=plugin) == shown).all()


def test_frames_are_iterated(clip, shown):
    sums = [int(frame.sum()) for frame in iio.imiter(clip, plugin=plugin)]
    assert sums == [int(frame.sum()) for frame in shown]


def test_bytes_and_file_objects_are_read(clip, shown):
    data = clip.read_bytes()
    assert (iio.imread(data, index=7, plugin=plugin) == shown[7]).all()
    assert (iio.imread(io.BytesIO(data), index=7, plugin=plugin) == shown[7]).all()


def test_properties(clip):
    whole = iio.improps(clip, plugin=plugin)
    assert (whole.shape, whole.n_images, whole.is_batch) == ((120, 180, 322, 3), 120, True)
    one = iio.improps(clip, index=5, plugin=plugin)
    assert (one.shape, one.n_images, one.is_batch) == ((180, 322, 3), None, False)
    assert one.dtype == whole.dtype == np.uint8


def test_metadata(clip):
    known = iio.immeta(clip, plugin=plugin)
    assert known["codec"] == "h264" and known["video_format"] == "yuv420p"
    assert known["fps"] == pytest.approx(1 / FRAME) and known["title"] == "A clip"
    assert known["duration"] == pytest.approx(float(probe(clip, "-show_format")["format"]["duration"]))
    assert "transform" not in known
    assert "transform" in iio.immeta(clip, exclude_applied=False, plugin=plugin)
    frame = iio.immeta(clip, index=24, plugin=plugin)
    packets = probe(clip, "-select_streams", "v", "-show_packets")["packets"]
    packets.sort(key=lambda each: int(each["pts"]))
    assert frame["key_frame"] is ("K" in packets[24]["flags"])
    assert frame["time"] == pytest.approx(float(packets[24]["pts_time"]), abs=1e-6)
    assert frame["duration"] == pytest.approx(float(FRAME))


@pytest.mark.parametrize("data", [b"", bytes(range(256)) * 8])
def test_what_is_no_video_is_imageios_error(tmp_path, data):
    path = tmp_path / "a.mp4"
    path.write_bytes(data)
    with pytest.raises(OSError, match="can not handle"):
        iio.imread(path, plugin=plugin)


def test_audio_alone_is_imageios_error(tmp_path):
    path = tmp_path / "tone.wav"
    _ffmpeg("-f", "lavfi", "-i", "sine=duration=1", path)
    with pytest.raises(OSError, match="can not handle"):
        iio.imread(path, plugin=plugin)


def _alike(path, pictures):
    found = iio.imread(path, plugin=plugin).astype(int)
    assert found.shape == pictures.shape
    assert np.abs(found - pictures).mean() < 6


def test_an_array_is_written(tmp_path, pictures):
    path = tmp_path / "out.mp4"
    path.write_bytes(b"what was there before")
    iio.imwrite(path, pictures, plugin=plugin, fps=25)
    assert os.listdir(tmp_path) == ["out.mp4"]
    (stream,) = probe(path, "-show_streams", "-count_frames")["streams"]
    assert (stream["nb_read_frames"], stream["avg_frame_rate"]) == ("10", "25/1")
    _alike(path, pictures)


def test_pictures_are_written_one_after_the_other(tmp_path, pictures):
    path = tmp_path / "out.mkv"
    with iio.imopen(path, "w", plugin=plugin) as file:
        for picture in pictures[:4]:
            file.write(picture, is_batch=False, fps=10)
        file.write(list(pictures[4:]))
        assert not path.exists()
    _alike(path, pictures)


def test_bytes_are_written(tmp_path, pictures):
    data = iio.imwrite("<bytes>", pictures, plugin=plugin, extension=".mp4")
    _alike(data, pictures)


def test_a_failure_leaves_what_was_there(tmp_path, pictures):
    path = tmp_path / "out.mp4"
    path.write_bytes(b"before")
    with pytest.raises(RuntimeError, match="by the caller"):
        with iio.imopen(path, "w", plugin=plugin) as file:
            file.write(pictures)
            raise RuntimeError("by the caller")
    with pytest.raises(TypeError, match="uint8"):
        iio.imwrite(path, pictures.astype(float), plugin=plugin)
    assert os.listdir(tmp_path) == ["out.mp4"] and path.read_bytes() == b"before"


@pytest.mark.parametrize("shape", [(120, 160, 3), (120, 160, 4), (120, 160)])
def test_one_picture_is_one_frame(tmp_path, shape):
    picture = np.full(shape, 80, np.uint8)
    whole, opened, listed = (tmp_path / f"{name}.mkv" for name in ("whole", "opened", "listed"))
    iio.imwrite(whole, picture, plugin=plugin)
    with iio.imopen(opened, "w", plugin=plugin) as file:
        file.write(picture)
        file.write(picture)
    iio.imwrite(listed, [picture] * 3, plugin=plugin)
    for path, count in ((whole, 1), (opened, 2), (listed, 3)):
        stream = probe(path, "-count_frames", "-show_streams")["streams"][0]
        assert (stream["width"], stream["height"], int(stream["nb_read_frames"])) == (160, 120, count)
    # Frames in gray are several pictures.
    iio.imwrite(tmp_path / "gray.mkv", np.zeros((5, 120, 160), np.uint8), plugin=plugin)
    stream = probe(tmp_path / "gray.mkv", "-count_frames", "-show_streams")["streams"][0]
    assert (stream["width"], int(stream["nb_read_frames"])) == (160, 5)
