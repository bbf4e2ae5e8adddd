"""The starts and durations of segments, as they report them: against ffprobe and the segments' own boxes."""

import struct
import subprocess
from fractions import Fraction

import pytest
from conftest import probe

import reelwire
from reelwire import StoredInput

VIDEO = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=4"]
AUDIO = ["-f", "lavfi", "-i", "sine=duration=4:sample_rate=48000"]
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-b_strategy", "0", "-x264-params", "b-pyramid=normal"]
SOURCES = {
    "h264": [*VIDEO, *H264, "-bf", "0"],
    "h264 with b-frames": [*VIDEO, *H264, "-bf", "3"],
    "aac": [*AUDIO, "-c:a", "aac"],
    "both": [*VIDEO, *AUDIO, *H264, "-bf", "3", "-c:a", "aac"],
}


def boxes(data):
    while data:
        size, kind = struct.unpack(">I4s", data[:8])
        yield kind.decode(), data[8:size]
        data = data[size:]


def fragments(data):
    """Of each track of a segment, by ISO/IEC 14496-12, 8.8: presentation times, ends and composition offsets in ticks."""
    found = {}
    for kind, moof in boxes(data):
        for inner, traf in boxes(moof) if kind == "moof" else ():
            if inner != "traf":
                continue
            parts = dict(boxes(traf))
            flags, track = struct.unpack(">II", parts["tfhd"][:8])
            place = 8 + 8 * bool(flags & 1) + 4 * bool(flags & 2)
            duration = struct.unpack(">I", parts["tfhd"][place : place + 4])[0] if flags & 8 else 0
            (time,) = struct.unpack(">Q", parts["tfdt"][4:12])
            flags, count = struct.unpack(">II", parts["trun"][:8])
            place = 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
            rows = []
            for _ in range(count):
                row = {}
                for bit in (0x100, 0x200, 0x400, 0x800):
                    if flags & bit:
                        row[bit] = parts["trun"][place : place + 4]
                        place += 4
                length = struct.unpack(">I", row[0x100])[0] if 0x100 in row else duration
                (offset,) = struct.unpack(">i", row[0x800]) if 0x800 in row else (0,)
                rows.append((time + offset, time + offset + length, offset))
                time += length
            found[track] = rows
    return found


@pytest.mark.parametrize("profile", ["mpeg4AppleHLS", "mpeg4CMAFCompliant"])
@pytest.mark.parametrize("kind", SOURCES)
def test_segments_report_what_they_hold(engine, tmp_path, kind, profile):
    if kind == "both" and profile == "mpeg4CMAFCompliant":
        pytest.skip("a CMAF track is alone")
    source = tmp_path / "source.mp4"
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *SOURCES[kind], str(source)], check=True)
    taken = []
    with engine.open(source) as asset:
        kinds = [track.media_type for track in asset.load_tracks()]
        with asset.reader(*kinds) as reader:
            inputs = {name: StoredInput(output) for name, output in zip(kinds, reader.outputs)}
            output = reelwire.Segments(taken.append, 1, profile=profile)
            with engine.asset_writer(output, **inputs) as writer:
                writer.transfer(*((each, getattr(writer, name)) for name, each in zip(kinds, reader.outputs)))
    _, *segments = taken
    assert len(segments) == 4
    whole = tmp_path / "whole.mp4"
    whole.write_bytes(b"".join(each.data for each in taken))
    clocks, shown = {}, {}
    for stream in probe(whole, "-show_entries", "stream=index,time_base")["streams"]:
        clocks[stream["index"]] = Fraction(stream["time_base"])
        found = probe(whole, "-select_streams", str(stream["index"]), "-show_entries", "packet=pts")
        shown[stream["index"]] = sorted(each["pts"] for each in found["packets"])
    # libavformat, of which ffprobe has its times, shows all of a track in fragments later by the delay with
    # which nothing is shown before it is decoded. By the standard composition offsets may express just that,
    # and CMAF's do.
    stated = [fragments(segment.data) for segment in segments]
    delays = {
        track: max(-offset for each in stated for _, _, offset in each[track]) for track in stated[0]
    }
    assert any(delay > 0 for delay in delays.values()) == (
        kind == "h264 with b-frames" and profile == "mpeg4CMAFCompliant"
    )
    for number, (segment, rows) in enumerate(zip(segments, stated)):
        assert sorted(track["trackID"] for track in segment.tracks) == sorted(rows)
        for track in segment.tracks:
            index = track["trackID"] - 1
            start, length = (
                Fraction(track[name]["value"], track[name]["timescale"])
                for name in ("earliestPresentationTime", "duration")
            )
            times = [shown[index].pop(0) for _ in rows[track["trackID"]]]
            delay = max(0, delays[track["trackID"]])
            assert start == (times[0] - delay) * clocks[index], (number, track)
            begin = min(time for time, _, _ in rows[track["trackID"]])
            end = max(end for _, end, _ in rows[track["trackID"]])
            assert length == (end - begin) * clocks[index], (number, track)
            if profile == "mpeg4CMAFCompliant" and track["mediaType"] == "video":
                assert start == begin * clocks[index]
    assert not any(shown.values())
    assert sum(segment.duration for segment in segments) == (
        4 if "h264" in kind or kind == "both" else Fraction(4) + Fraction(1024, 48000)
    )
