"""Movies in fragments whose composition offsets are negative: they are presented when their boxes state.

libavformat, and ffprobe with it, presents such tracks later, so the oracles are the boxes and the same samples
without fragments.
"""

import struct
import subprocess
from fractions import Fraction

import numpy
import pytest
from conftest import probe

import reelwire

#: Frames of the ramp, and the level between two of them.
COUNT, STEP = 50, 4
FRAME = Fraction(1, 25)

FLAGS = {
    "no samples in the header": "frag_keyframe+empty_moov+negative_cts_offsets",
    "the first samples in the header": "frag_keyframe+negative_cts_offsets",
    "cmaf": "frag_keyframe+empty_moov+default_base_moof+cmaf",
    "cmaf with edits": "frag_keyframe+empty_moov+delay_moov+default_base_moof+cmaf",
    "dash": "frag_keyframe+dash+negative_cts_offsets",
    "an index of the fragments": "frag_keyframe+dash+global_sidx+negative_cts_offsets",
    "positive offsets": "frag_keyframe+empty_moov+default_base_moof",
}
NEGATIVE = [name for name in FLAGS if name != "positive offsets"]


def _ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], check=True)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Frame n is grey, 16 + 4n; a tone of two seconds."""
    path = tmp_path_factory.mktemp("offsets") / "plain.mp4"
    source = f"color=black:s=64x48:r=25:d=2,geq=lum='16+{STEP}*N':cb=128:cr=128"
    _ffmpeg(
        "-f", "lavfi", "-i", source, "-f", "lavfi", "-i", "sine=duration=2:sample_rate=48000",
        "-c:v", "libx264", "-bf", "2", "-b_strategy", "0", "-g", "10", "-x264-params", "scenecut=0",
        "-pix_fmt", "yuv420p", "-c:a", "aac", path,
    )
    return path


@pytest.fixture(scope="module", params=FLAGS, ids=lambda name: name.replace(" ", "-"))
def fragmented(request, plain):
    path = plain.with_name(request.param.replace(" ", "-") + ".mp4")
    _ffmpeg("-i", plain, "-c", "copy", "-movflags", FLAGS[request.param], path)
    times = _stated_times(path.read_bytes())
    assert (min(times.offsets) < 0) == (request.param in NEGATIVE)
    return path, times


class _stated_times:
    """The presentation times of a movie's pictures, by ISO/IEC 14496-12: 8.6.1, 8.6.6 and 8.8. The track is
    the first."""

    def __init__(self, data):
        self.offsets, self.times = [], []
        self.shift, self.clock, self.usual, movie_clock = 0, 1, 0, 1000
        for kind, box in _boxes(data):
            if kind == "moov":
                for name, part in _boxes(box):
                    if name == "mvhd":
                        (movie_clock,) = struct.unpack_from(">I", part, 12)
                    if name == "trak" and _at(part, "mdia", "hdlr")[8:12] == b"vide":
                        self._read_track(part, movie_clock)
                    if name == "mvex":
                        for inner, trex in _boxes(part):
                            if inner == "trex" and struct.unpack_from(">I", trex, 4) == (1,):
                                (self.usual,) = struct.unpack_from(">I", trex, 12)
            if kind == "moof":
                for name, traf in _boxes(box):
                    if name == "traf" and struct.unpack_from(">I", _at(traf, "tfhd"), 4) == (1,):
                        self._read_fragment(traf)
        self.seconds = sorted(Fraction(time, self.clock) for time in self.times)

    def _read_track(self, track, movie_clock):
        (self.clock,) = struct.unpack_from(">I", _at(track, "mdia", "mdhd"), 12)
        edits = _at(track, "edts", "elst")
        for number in range(struct.unpack_from(">I", edits, 4)[0] if edits else 0):
            length, time = struct.unpack_from(">Ii", edits, 8 + 12 * number)
            self.shift += length * self.clock // movie_clock if time == -1 else -time
        table = _at(track, "mdia", "minf", "stbl")
        lengths = _runs(_at(table, "stts"), ">II")
        offsets = _runs(_at(table, "ctts"), ">Ii") or [0] * len(lengths)
        time = 0
        for length, offset in zip(lengths, offsets):
            self._add(time, offset)
            time += length

    def _read_fragment(self, traf):
        header = _at(traf, "tfhd")
        (flags,) = struct.unpack_from(">I", header)
        place = 8 + 8 * bool(flags & 1) + 4 * bool(flags & 2)
        usual = struct.unpack_from(">I", header, place)[0] if flags & 8 else self.usual
        start = _at(traf, "tfdt")
        (time,) = struct.unpack_from(">Q" if start[0] else ">I", start, 4)
        for name, run in _boxes(traf):
            if name != "trun":
                continue
            flags, count = struct.unpack_from(">II", run)
            place = 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
            for _ in range(count):
                row = {}
                for bit in (0x100, 0x200, 0x400, 0x800):
                    if flags & bit:
                        row[bit] = struct.unpack_from(">i" if bit == 0x800 else ">I", run, place)[0]
                        place += 4
                self._add(time, row.get(0x800, 0))
                time += row.get(0x100, usual)

    def _add(self, time, offset):
        self.offsets.append(offset)
        self.times.append(time + offset + self.shift)


def _boxes(data):
    place = 0
    while place + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        yield kind.decode("latin-1"), data[place + 8 : place + size]
        place += size


def _at(data, *path):
    for name in path:
        data = next((box for kind, box in _boxes(data) if kind == name), b"")
    return data


def _runs(table, form):
    count = struct.unpack_from(">I", table, 4)[0] if table else 0
    rows = [struct.unpack_from(form, table, 8 + 8 * number) for number in range(count)]
    return [value for number, value in rows for _ in range(number)]


def _number(picture):
    level = float(numpy.asarray(picture)[10:30, 10:30].mean())
    return round(level * 219 / 255 / STEP)


def _shown(path):
    """The presentation times of frames of a movie without fragments, by ffprobe, from the first on."""
    frames = probe(path, "-select_streams", "v", "-show_entries", "frame=pts_time:stream=time_base")["frames"]
    times = [Fraction(frame["pts_time"]) for frame in frames]
    return [round((time - times[0]) / FRAME) for time in times]


def test_cursors_readers_and_images_have_the_times_of_the_boxes(engine, fragmented):
    path, stated = fragmented
    assert len(stated.seconds) == COUNT
    with engine.open(path) as asset:
        video = asset.load_tracks("video")[0]
        with asset.sample_cursor(video, "first") as cursor:
            samples = sorted(cursor, key=lambda sample: sample.presentation_time)
        assert [sample.presentation_time for sample in samples] == stated.seconds
        assert all(sample.duration == FRAME for sample in samples)
        with asset.reader(reelwire.TrackOutput("video", pixel_format="gray")) as reader:
            read = [sample.presentation_time for sample in reader.outputs[0]]
        assert read == stated.seconds
        with asset.frames("gray") as frames:
            assert [_number(frame) for frame in frames] == list(range(COUNT))
            assert [frame.actual_time for frame in frames] == stated.seconds
        for number in (0, 1, 9, 10, 11, 29, 30, 31, 48, 49):
            for time in (stated.seconds[number], stated.seconds[number] + FRAME / 2):
                image = asset.image(time, tolerance=0, format="gray")
                assert (_number(image), image.actual_time) == (number, stated.seconds[number])
                assert image.is_exact


def test_a_track_lasts_as_its_boxes_state(engine, fragmented):
    path, stated = fragmented
    with engine.open(path) as asset:
        shown = asset.load_tracks("video")[0].load("timeRange")["timeRange"]
        assert (shown.start, shown.end) == (stated.seconds[0], stated.seconds[-1] + FRAME)


def test_pictures_are_those_without_fragments(engine, plain, fragmented):
    path, stated = fragmented
    with engine.open(plain) as whole, engine.open(path) as asset:
        for number in (0, 13, 49):
            one = whole.image(number * FRAME, tolerance=0, format="gray")
            other = asset.image(stated.seconds[0] + number * FRAME, tolerance=0, format="gray")
            assert numpy.array_equal(numpy.asarray(one), numpy.asarray(other))


@pytest.mark.parametrize("preset", ["Passthrough", "HighestQuality"])
@pytest.mark.parametrize("extension", ["mp4", "mov", "mkv"])
def test_exports_show_pictures_when_the_source_does(engine, fragmented, tmp_path, extension, preset):
    path, stated = fragmented
    out = tmp_path / f"out.{extension}"
    with engine.open(path) as asset:
        asset.export(out, preset)
    assert _shown(out) == list(range(COUNT))
    with engine.open(out) as asset:
        # Matroska can't hide the priming of audio: its tracks are as much later.
        delay = asset.image(None, format="gray").actual_time - stated.seconds[0]
        assert delay == 0 or extension == "mkv"
        for number in (0, 10, 31, 49):
            time = stated.seconds[number] + FRAME / 2 + delay
            assert _number(asset.image(time, tolerance=0, format="gray")) == number


def test_a_part_is_copied_from_where_it_is_shown(engine, fragmented, tmp_path):
    path, stated = fragmented
    start = stated.seconds[13]
    with engine.open(path) as asset:
        asset[start : start + 1].export(tmp_path / "out.mp4", "Passthrough")
    with engine.open(tmp_path / "out.mp4") as asset:
        for number in (0, 1, 12, 24):
            image = asset.image(number * FRAME + FRAME / 2, tolerance=0, format="gray")
            assert _number(image) == 13 + number


@pytest.mark.parametrize("preset", ["Passthrough", "HighestQuality"])
def test_joins_show_all_pictures_in_their_places(engine, fragmented, tmp_path, preset):
    path, stated = fragmented
    with engine.open(path) as asset:
        duration = asset.duration
        reelwire.join([path, path], tmp_path / "out.mp4", preset)
    with engine.open(tmp_path / "out.mp4") as asset:
        for number in (0, 12, 49):
            for begin in (Fraction(0), duration):
                time = begin + stated.seconds[number] + FRAME / 2
                assert _number(asset.image(time, tolerance=0, format="gray")) == number
