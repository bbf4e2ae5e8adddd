"""decord's reader on this engine."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FRAME, _ffmpeg, probe

import reelwire

np = pytest.importorskip("numpy")
decord = pytest.importorskip("reelwire.compat.decord")


@pytest.fixture(scope="module")
def open_groups(clips):
    """Groups of pictures that begin with frames which are shown before their key frame."""
    path = clips / "open.mkv"
    _ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=3", "-c:v", "libx264"),
        *("-x264-params", "open-gop=1:bframes=3:keyint=20:scenecut=0", "-pix_fmt", "yuv420p", path),
    )
    return path


@pytest.fixture
def reader(engine, clip):
    with decord.VideoReader(clip, decord.cpu(0), engine=engine) as reader:
        yield reader


@pytest.fixture(scope="module")
def shown(shared_engine, clip):
    """All frames of the clip, as the client's own sequence has them."""
    with shared_engine.open(clip) as asset, asset.frames() as frames:
        return np.asarray(frames)


def test_frames_are_those_with_their_numbers(reader, shown, frames):
    assert len(reader) == len(shown) == len(frames) == 120
    for number in (0, 57, 119, -1):
        one = reader[number].asnumpy()
        assert type(one) is np.ndarray and one.dtype == np.uint8 and one.flags.writeable
        assert (one == shown[number]).all()
    assert (reader[3:30:7].asnumpy() == shown[3:30:7]).all()
    assert (reader[::-40] == shown[::-40]).all()


def test_a_batch_has_the_order_of_its_numbers(reader, shown):
    numbers = [5, 100, 5, -1, 0]
    assert (reader.get_batch(numbers).asnumpy() == shown[numbers]).all()
    assert (reader.get_batch(np.array([7, 3])) == shown[[7, 3]]).all()
    assert reader.get_batch([]).shape == (0, 180, 322, 3)


def test_numbers_that_are_not_there_are_index_errors(reader):
    for wrong in (120, -121):
        with pytest.raises(IndexError, match=f"Index: {wrong} out of bound: 120"):
            reader[wrong]
    with pytest.raises(IndexError):
        reader.get_batch([0, 120])
    with pytest.raises(IndexError):
        reader.seek(120)


def test_next_goes_on_where_the_reader_is(reader, shown):
    for number in range(40):
        assert (reader.next() == shown[number]).all(), number
    reader.seek_accurate(10)
    assert (reader.next() == shown[10]).all()
    assert (reader.next() == shown[11]).all()
    reader.skip_frames(3)
    assert (reader.next() == shown[15]).all()
    reader.seek(119)
    assert (reader.next() == shown[119]).all()
    with pytest.raises(StopIteration):
        reader.next()
    with pytest.raises(ValueError, match="above 0"):
        reader.skip_frames(0)


def test_a_loop_ends_by_itself(reader, shown):
    assert [int(frame.sum()) for frame in reader] == [int(frame.sum()) for frame in shown]


def test_times_and_keys_are_those_of_the_file(reader, clip):
    entries = ("-select_streams", "v", "-show_packets")
    packets = sorted(probe(clip, *entries)["packets"], key=lambda each: int(each["pts"]))
    starts = [float(each["pts_time"]) for each in packets]
    found = reader.get_frame_timestamp(range(120))
    assert found.shape == (120, 2)
    assert found[:, 0] == pytest.approx(starts, abs=1e-6)
    assert found[:, 1] - found[:, 0] == pytest.approx([float(FRAME)] * 120)
    assert reader.get_frame_timestamp(-1) == pytest.approx([119 * FRAME, 120 * FRAME])
    assert (reader.get_frame_timestamp(slice(2, 4)) == found[2:4]).all()
    assert reader.get_key_indices() == [n for n, each in enumerate(packets) if "K" in each["flags"]]
    assert reader.get_avg_fps() == pytest.approx(30000 / 1001)


def test_keys_are_counted_in_the_order_in_which_frames_are_shown(engine, open_groups):
    entries = ("-select_streams", "v", "-show_entries", "frame=key_frame,pict_type")
    frames = probe(open_groups, *entries)["frames"]
    with decord.VideoReader(open_groups, engine=engine) as reader:
        keys = reader.get_key_indices()
    assert keys == [n for n, each in enumerate(frames) if each["pict_type"] == "I"]
    assert len(keys) > 2


@pytest.mark.parametrize(
    ("width", "height"), [(64, 64), (100, -1), (-1, 50), (400, 300), (161, 90), (640, 10)]
)
def test_frames_are_stretched(engine, clip, shown, width, height):
    image = pytest.importorskip("PIL.Image")
    with decord.VideoReader(clip, width=width, height=height, engine=engine) as reader:
        batch = reader.get_batch([3, 40])
        assert (reader[40] == batch[1]).all()
    size = (width if width > 0 else 322, height if height > 0 else 180)
    for made, source in zip(batch, shown[[3, 40]]):
        oracle = np.asarray(image.fromarray(source).resize(size, image.Resampling.BICUBIC))
        assert made.shape == oracle.shape
        # Fewer pixels come from the engine, which averages in its own way.
        assert np.abs(made.astype(int) - oracle).mean() < 6


def test_resizing_is_that_of_pillow(shown):
    image = pytest.importorskip("PIL.Image")
    resizing = pytest.importorskip("reelwire.compat.resizing")
    for size in [(100, 180), (322, 100), (224, 224), (500, 300), (33, 17)]:
        oracle = np.asarray(image.fromarray(shown[40]).resize(size, image.Resampling.BICUBIC))
        made = resizing.resized(shown[40], *size)
        assert np.abs(made.astype(int) - oracle).mean() < 1, size
    level = np.full((9, 7, 3), 200, np.uint8)
    assert (resizing.resized(level, 31, 2) == 200).all()


def test_file_objects_are_read_to_their_end(engine, clip, shown):
    with open(clip, "rb") as file:
        reader = decord.VideoReader(file, engine=engine)
    with reader:
        assert (reader[9] == shown[9]).all()
    with decord.VideoReader(io.BytesIO(clip.read_bytes()), engine=engine) as reader:
        assert len(reader) == 120


def test_there_is_no_graphics_card(clip):
    with pytest.raises(ValueError, match="processor"):
        decord.VideoReader(clip, ctx=decord.gpu(0))


def test_a_file_without_video_has_a_named_error(engine, clips):
    path = clips / "tone.wav"
    _ffmpeg("-f", "lavfi", "-i", "sine=duration=1", path)
    with pytest.raises(reelwire.NoSourceTrackError):
        decord.VideoReader(path, engine=engine)


def test_bridges_are_named():
    with pytest.raises(ValueError, match="native or torch"):
        decord.bridge.set_bridge("mxnet")
    decord.bridge.set_bridge("native")
    decord.bridge.reset_bridge()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_has_an_engine_of_its_own(binary, clip):
    script = """
import os, sys
from reelwire.compat.decord import VideoReader
first = VideoReader(sys.argv[1])[7].sum()
child = os.fork()
if child == 0:
    os._exit(0 if VideoReader(sys.argv[1])[7].sum() == first else 1)
print(os.waitpid(child, 0)[1], len(VideoReader(sys.argv[1])))
"""
    source = str(Path(reelwire.__file__).parents[1])
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, str(clip)],
        env={**os.environ, "PYTHONPATH": source, "REELWIRE_BINARY": binary},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    assert ended.stdout == "0 120\n"


def test_all_is_as_decord_has_it(reader, clip, clips):
    theirs = pytest.importorskip("decord").VideoReader(str(clip))
    assert len(theirs) == len(reader)
    assert theirs.get_key_indices() == reader.get_key_indices()
    assert theirs.get_avg_fps() == pytest.approx(reader.get_avg_fps())
    times = theirs.get_frame_timestamp(range(120))
    assert times == pytest.approx(reader.get_frame_timestamp(range(120)), abs=1e-5)
    numbers = [0, 31, 100]
    ours = reader.get_batch(numbers).astype(int)
    for place, frame in enumerate(theirs.get_batch(numbers).asnumpy().astype(int)):
        assert int(np.abs(ours - frame).mean(axis=(1, 2, 3)).argmin()) == place
