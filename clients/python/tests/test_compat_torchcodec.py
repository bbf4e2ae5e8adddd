"""torchcodec's decoder on this engine."""

import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest
from conftest import FRAME, probe

np = pytest.importorskip("numpy")
torchcodec = pytest.importorskip("reelwire.compat.torchcodec")


@pytest.fixture
def decoder(engine, clip):
    with torchcodec.VideoDecoder(clip, engine=engine, tensors=False) as decoder:
        yield decoder


@pytest.fixture(scope="module")
def shown(shared_engine, clip):
    """All frames of the clip in torchcodec's order: frames × components × rows × columns."""
    with shared_engine.open(clip) as asset, asset.frames() as frames:
        return np.asarray(frames).transpose(0, 3, 1, 2)


def test_frames_are_those_with_their_numbers(decoder, shown):
    assert len(decoder) == 120
    for number in (0, 57, -1):
        frame = decoder.get_frame_at(number)
        assert (frame.data == shown[number]).all()
        assert frame.pts_seconds == float((number % 120) * FRAME)
        assert frame.duration_seconds == float(FRAME)
        assert (decoder[number] == shown[number]).all()
    data, start, length = decoder.get_frame_at(3)
    assert (data.shape, start, length) == ((3, 180, 322), float(3 * FRAME), float(FRAME))
    assert (decoder[3:30:7] == shown[3:30:7]).all()
    assert [int(each.sum()) for each in decoder] == [int(each.sum()) for each in shown]


def test_batches(decoder, shown):
    batch = decoder.get_frames_at([5, 100, 5, -1])
    assert (batch.data == shown[[5, 100, 5, -1]]).all()
    assert batch.pts_seconds.tolist() == [float(n * FRAME) for n in (5, 100, 5, 119)]
    assert batch.duration_seconds.tolist() == [float(FRAME)] * 4
    assert len(batch) == 4 and batch[1:].pts_seconds.shape == (3,)
    assert [int(each.data.sum()) for each in batch] == [
        int(shown[n].sum()) for n in (5, 100, 5, -1)
    ]
    assert (decoder.get_frames_at(np.array([2])).data == shown[[2]]).all()
    assert (decoder.get_frames_in_range(110, 200, 4).data == shown[110:200:4]).all()
    assert decoder.get_frames_in_range(5, 5).data.shape == (0, 3, 180, 322)
    assert len(decoder.get_all_frames()) == 120
    assert repr(batch[:1]).splitlines()[:2] == ["FrameBatch:", "  data (shape): (1, 3, 180, 322)"]


def test_frames_by_times(decoder, shown):
    for seconds, number in [(0, 0), (float(FRAME), 1), (float(FRAME) - 1e-9, 0), (1.5, 44), (4.003, 119)]:
        assert (decoder.get_frame_played_at(seconds).data == shown[number]).all(), seconds
    # Each begins at its own time, also where that is no exact number.
    starts = [float(number * FRAME) for number in range(120)]
    assert decoder.get_frames_played_at(starts).pts_seconds.tolist() == starts
    played = decoder.get_frames_played_in_range(0.05, float(5 * FRAME))
    assert played.pts_seconds.tolist() == starts[1:5]
    assert len(decoder.get_frames_played_in_range(1, 1)) == 0
    again = decoder.get_frames_played_in_range(1, 2, fps=4)
    assert again.pts_seconds.tolist() == [1, 1.25, 1.5, 1.75]
    assert again.duration_seconds.tolist() == [0.25] * 4
    assert (again.data == decoder.get_frames_played_at([1, 1.25, 1.5, 1.75]).data).all()


@pytest.mark.parametrize("seconds", [-0.001, 4.1, float("nan")])
def test_times_that_are_not_shown_are_index_errors(decoder, seconds):
    with pytest.raises(IndexError, match="Invalid pts in seconds"):
        decoder.get_frame_played_at(seconds)


def test_ranges_that_are_not_shown_are_value_errors(decoder):
    for start, stop in [(2, 1), (-1, 1), (1, 5), (4.1, 4.2)]:
        with pytest.raises(ValueError, match="Invalid"):
            decoder.get_frames_played_in_range(start, stop)
    with pytest.raises(ValueError, match="fps"):
        decoder.get_frames_played_in_range(0, 1, fps=0)


def test_numbers_that_are_not_there_are_index_errors(decoder):
    for wrong in (120, -121):
        with pytest.raises(IndexError, match=f"Invalid frame index={wrong}"):
            decoder[wrong]
    with pytest.raises(TypeError):
        decoder["a"]


def test_metadata(decoder, clip):
    (stream,) = probe(clip, "-select_streams", "v", "-show_streams")["streams"]
    metadata = decoder.metadata
    assert (metadata.width, metadata.height) == (stream["width"], stream["height"])
    assert metadata.num_frames == int(stream["nb_frames"])
    assert metadata.codec == stream["codec_name"]
    assert metadata.pixel_format == stream["pix_fmt"]
    assert metadata.stream_index == decoder.stream_index == stream["index"]
    assert metadata.average_fps == pytest.approx(float(Fraction(stream["avg_frame_rate"])))
    assert metadata.begin_stream_seconds == 0
    assert metadata.end_stream_seconds == metadata.duration_seconds == float(120 * FRAME)
    assert metadata.pixel_aspect_ratio == 1 and metadata.rotation is None
    packets = probe(clip, "-select_streams", "v", "-show_packets")["packets"]
    keys = sorted(float(each["pts_time"]) for each in packets if "K" in each["flags"])
    found = decoder.get_frames_at(decoder._get_key_frame_indices()).pts_seconds
    assert found.tolist() == pytest.approx(keys, abs=1e-6)


def test_the_order_and_the_numbers_of_pixels(engine, clip, shown):
    options = {"dimension_order": "NHWC", "output_dtype": np.float32, "tensors": False}
    with torchcodec.VideoDecoder(clip, engine=engine, **options) as decoder:
        found = decoder[7]
    assert found.shape == (180, 322, 3) and found.dtype == np.float32
    assert (np.rint(found * 255) == shown[7].transpose(1, 2, 0)).all()


def test_tensors_where_there_is_pytorch(engine, clip, shown, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(from_numpy=lambda made: ("tensor", made)))
    with torchcodec.VideoDecoder(clip, engine=engine, tensors=True) as decoder:
        kind, made = decoder[7]
    assert kind == "tensor" and (made == shown[7]).all()


@pytest.mark.parametrize(
    "options",
    [
        {"dimension_order": "HWC"},
        {"device": "cuda:0"},
        {"seek_mode": "fast"},
        {"output_dtype": "auto"},
        {"transforms": [object()]},
        {"stream_index": 1},
    ],
)
def test_what_is_not_offered_is_a_value_error(engine, clip, options):
    with pytest.raises(ValueError, match=r".+"):
        torchcodec.VideoDecoder(clip, engine=engine, **options)
