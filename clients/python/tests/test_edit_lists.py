"""Movies whose edit lists are more than one piece of media: the expected frames are computed from the list."""

import struct
import subprocess
from fractions import Fraction

import numpy
import pytest

import reelwire
from reelwire import TimeRange

#: Frames of the ramp, and the level between two of them.
COUNT, STEP = 50, 4
FRAME = Fraction(1, 25)
#: Of the video track, as libavformat's muxer writes it for two B-frames: where presentation begins.
START = 48


def _media(folder, name, *codecs):
    """Frame n is grey, 16 + 4n; the audio rises from sample to sample, so each one states its place."""
    path = folder / name
    source = f"color=black:s=64x48:r=25:d=2,geq=lum='16+{STEP}*N':cb=128:cr=128"
    audio = "aevalsrc='mod(n\\,30000)/32768':s=48000:d=2"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", "-f", "lavfi", "-i", source]
    command += ["-f", "lavfi", "-i", audio, *codecs, "-video_track_timescale", "600"]
    subprocess.run([*command, "-c:a", "pcm_s16le", str(path)], check=True)
    return path


def _boxes(data):
    place = 0
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        yield kind, data[place : place + size]
        place += size


def _edited(source, target, lists):
    """A copy of a movie, whose index is last, with an edit list for each of its tracks.

    An edit is its duration in thousandths of a second, its media time, and its rate.
    """
    data = source.read_bytes()
    begin = data.rfind(b"moov") - 4
    result, lists = b"", list(lists)
    duration = max(sum(edit[0] for edit in edits) for edits in lists)
    for kind, box in _boxes(data[begin + 8 :]):
        box = bytearray(box)
        if kind == b"mvhd":
            struct.pack_into(">I", box, 24, duration)
        if kind == b"trak":
            edits = lists.pop(0)
            entries = b"".join(
                struct.pack(">IiI", length, time, int(rate * 65536)) for length, time, rate in edits
            )
            table = struct.pack(">I4sII", 16 + len(entries), b"elst", 0, len(edits)) + entries
            edts = struct.pack(">I4s", 8 + len(table), b"edts") + table
            inner = b"".join(bytes(part) for name, part in _boxes(bytes(box[8:])) if name != b"edts")
            place = 0
            for name, part in _boxes(inner):
                if name == b"mdia":
                    break
                place += len(part)
            body = bytearray(inner[:place] + edts + inner[place:])
            struct.pack_into(">I", body, body.find(b"tkhd") + 24, sum(edit[0] for edit in edits))
            box = bytearray(struct.pack(">I4s", 8 + len(body), b"trak") + body)
        result += box
    target.write_bytes(data[:begin] + struct.pack(">I4s", 8 + len(result), b"moov") + result)
    return target


LISTS = {
    "a gap in the middle": [(400, 0, 1), (400, None, 1), (400, Fraction(2, 5), 1)],
    "half the speed": [(400, 0, 1), (800, Fraction(2, 5), Fraction(1, 2))],
    "twice the speed": [(400, Fraction(1, 5), 2), (200, 0, 1)],
    "a frame that is held": [(400, 0, 1), (400, Fraction(2, 5), 0), (400, Fraction(2, 5), 1)],
    "two pieces": [(410, 0, 1), (600, Fraction(41, 40), 1)],
    "nothing between two pieces": [(400, 0, 1), (0, 1, 1), (400, Fraction(2, 5), 1)],
    "one piece": [(1000, Fraction(2, 5), 1)],
    "to the end": [(400, None, 1), (1000, Fraction(8, 5), 1), (200, 0, 1)],
}


def _shown(edits):
    """The frames that are shown, with their times: (start, end, frame), by arithmetic."""
    shown, zero = [], Fraction(0)
    for length, media, rate in edits:
        length = Fraction(length, 1000)
        if media is not None and rate == 0:
            shown.append((zero, zero + length, int(media / FRAME)))
        elif media is not None:
            for number in range(COUNT):
                begin = max(zero, zero + (number * FRAME - media) / rate)
                end = zero + min(length, ((number + 1) * FRAME - media) / rate)
                if begin < end:
                    shown.append((begin, end, number))
        zero += length
    return shown


@pytest.fixture(scope="module", params=["h264", "mjpeg"])
def media(request, tmp_path_factory):
    codecs = {
        "h264": ["-c:v", "libx264", "-bf", "2", "-g", "12"],
        "mjpeg": ["-c:v", "mjpeg", "-q:v", "2"],
    }[request.param]
    folder = tmp_path_factory.mktemp("edits")
    return _media(folder, "media.mov", *codecs), START if request.param == "h264" else 0


@pytest.fixture(params=LISTS, ids=lambda name: name.replace(" ", "-"))
def edited(request, media, tmp_path):
    edits = LISTS[request.param]
    path, start = media
    lists = [
        [
            (length, -1 if time is None else int(time * clock) + offset, rate)
            for length, time, rate in edits
        ]
        for clock, offset in ((600, start), (48000, 0))
    ]
    return _edited(path, tmp_path / "edited.mov", lists), edits


def _number(picture):
    """The number of a grey frame."""
    level = float(numpy.asarray(picture)[10:30, 10:30].mean())
    return round(level * 219 / 255 / STEP)


def test_images_are_those_of_the_edits(engine, edited):
    path, edits = edited
    shown = _shown(edits)
    with engine.open(path) as asset:
        assert asset.duration == Fraction(sum(edit[0] for edit in edits), 1000)
        for begin, end, number in shown:
            for time in (begin, (begin + end) / 2):
                image = asset.image(time, tolerance=0, format="gray")
                assert (_number(image), image.actual_time, image.is_exact) == (number, begin, True)
        ends = [Fraction(0), *(end for _, end, _ in shown)]
        for before, (begin, _, _) in zip(ends, shown):
            if before < begin:
                with pytest.raises(reelwire.NoImageAtTimeError):
                    asset.image((before + begin) / 2, tolerance=0, format="gray")


def test_frames_have_numbers_and_a_cursor_has_their_times(engine, edited):
    path, edits = edited
    shown = _shown(edits)
    with engine.open(path) as asset:
        with asset.frames("gray") as frames:
            assert len(frames) == len(shown)
            assert [_number(frame) for frame in frames] == [number for _, _, number in shown]
            assert [frame.actual_time for frame in frames] == [begin for begin, _, _ in shown]
            assert frames.at(shown[-1][0]).index == len(shown) - 1
        with asset.sample_cursor(asset.load_tracks("video")[0], "first") as cursor:
            samples = sorted(
                (sample for sample in cursor if not sample.is_discarded),
                key=lambda sample: sample.presentation_time,
            )
            assert [
                (sample.presentation_time, sample.presentation_time + sample.duration)
                for sample in samples
            ] == [(begin, end) for begin, end, _ in shown]


def test_readers_give_the_frames_of_the_edits(engine, edited):
    path, edits = edited
    with engine.open(path) as asset:
        with asset.reader(reelwire.TrackOutput("video", pixel_format="gray")) as reader:
            read = []
            for sample in reader.outputs[0]:
                begin = sample.presentation_time
                read.append((begin, begin + sample.duration))
        assert read == [(begin, end) for begin, end, _ in _shown(edits)]


def test_audio_is_that_of_the_edits(engine, edited):
    path, edits = edited
    with engine.open(path) as asset:
        audio = asset.audio()[0]
    assert audio.shape == (sum(edit[0] for edit in edits) * 48,)
    zero = 0
    for length, media, rate in edits:
        piece = audio[zero * 48 : (zero + length) * 48]
        if media is None or rate == 0:
            assert not piece.any()
        elif rate == 1 and length:
            begin = int(media * 48000)
            expected = numpy.zeros(len(piece))
            count = min(len(piece), 96000 - begin)
            expected[:count] = numpy.arange(begin, begin + count) % 30000 / 32768
            assert numpy.abs(piece - expected).max() < 1 / 30000
        zero += length


@pytest.mark.parametrize("preset", ["Passthrough", "HighestQuality"])
def test_exports_show_the_frames_of_the_edits(engine, edited, tmp_path, preset):
    path, edits = edited
    shown = _shown(edits)
    out = tmp_path / "out.mov"
    with engine.open(path) as asset:
        asset.export(out, preset)
    with engine.open(out) as asset:
        for begin, _, number in shown:
            assert _number(asset.image(begin, tolerance=0, format="gray")) == number


def test_parts_of_it_are_parts_of_compositions(engine, edited, tmp_path):
    path, edits = edited
    end = Fraction(sum(edit[0] for edit in edits), 1000)
    part = TimeRange(Fraction(1, 5), end - Fraction(1, 5))
    expected = [
        (max(begin - part.start, Fraction(0)), number)
        for begin, finish, number in _shown(edits)
        if finish > part.start
    ]
    with engine.open(path) as asset, engine.composition(asset[part.start : end]) as composition:
        with composition.reader(reelwire.TrackOutput("video", pixel_format="gray")) as reader:
            assert [sample.presentation_time for sample in reader.outputs[0]] == [
                begin for begin, _ in expected
            ]
        for begin, number in expected:
            assert _number(composition.image(begin, tolerance=0, format="gray")) == number
        timeline = composition.timeline()
    with engine.composition(timeline=timeline) as again:
        assert again.timeline() == timeline


def test_pictures_that_a_decoder_does_not_hide(engine, tmp_path):
    """libdav1d loses the flag of pictures that are only decoded for others."""
    path = tmp_path / "media.mp4"
    source = f"color=black:s=64x48:r=25:d=2,geq=lum='16+{STEP}*N':cb=128:cr=128"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-c:v", "libaom-av1"]
    command += ["-usage", "realtime", "-cpu-used", "8", "-g", "25", "-video_track_timescale", "600"]
    subprocess.run([*command, str(path)], check=True)
    for begin, count in ((0, 25), (10, 13)):
        length = count * 40
        edited = _edited(path, tmp_path / f"{begin}.mp4", [[(length, begin * 24, 1)]])
        with engine.open(edited) as asset:
            with asset.reader(reelwire.TrackOutput("video", pixel_format="gray")) as reader:
                read = [(sample.presentation_time, _number(sample)) for sample in reader.outputs[0]]
            asset.export(tmp_path / f"{begin}.mkv", "FFV1")
        expected = [(number * FRAME, begin + number) for number in range(count)]
        assert read == expected
        probe = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames"]
        made = subprocess.check_output([*probe, "-of", "csv=p=0", str(tmp_path / f"{begin}.mkv")])
        assert int(made) == count


def test_an_edit_without_a_length_lasts_to_the_end_of_the_media(engine, media, tmp_path):
    path, start = media
    edited = _edited(path, tmp_path / "edited.mov", [[(0, start, 1)], [(0, 0, 1)]])
    with engine.open(edited) as asset:
        with asset.frames("gray") as frames:
            assert [_number(frame) for frame in frames] == list(range(COUNT))
        assert asset.audio().shape == (1, 96000)
        segments = asset.load_tracks("video")[0].load("segments")
        assert segments["segments"][0].target.duration == 2


def test_a_gap_is_black_in_an_encoded_file_and_silent(engine, media, tmp_path):
    path, start = media
    lists = [[(400, start, 1), (400, -1, 1), (400, start + 240, 1)], [(400, 0, 1), (400, -1, 1)]]
    edited = _edited(path, tmp_path / "edited.mov", lists)
    with engine.open(edited) as asset:
        asset.export(tmp_path / "out.mov", "HighestQuality")
    with engine.open(tmp_path / "out.mov") as asset:
        assert _number(asset.image(Fraction(3, 5), tolerance=0, format="gray")) == 0
        assert _number(asset.image(Fraction(4, 5), tolerance=0, format="gray")) == 10


def test_a_gap_of_copied_video_is_listed(engine, media, tmp_path):
    """The frame before it stays in the copy."""
    path, start = media
    gap = [(400, start, 1), (400, -1, 1), (400, start + 240, 1)]
    for name, edits, expected in (("gap", gap, 1), ("plain", [(1200, start, 1)], 0)):
        edited = _edited(path, tmp_path / f"{name}.mov", [edits, [(1200, 0, 1)]])
        with engine.open(edited) as asset:
            result = asset.export(tmp_path / f"{name}-out.mov", "Passthrough")
        gaps = [item for item in result.dropped if item["item"] == "timeRange"]
        assert len(gaps) == expected
        assert all(item["mediaType"] == "video" for item in gaps)
        assert all("0.4 s to 0.8 s" in item["reason"] for item in gaps)
