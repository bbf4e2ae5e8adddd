"""Media segments of an asset writer: their packets against ffmpeg's copy, their reports against ffprobe."""

from __future__ import annotations

import base64
import json
import struct
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

import pytest

from engine import CORPUS, Engine, EngineError, files, name, number
from writing import copy, packets, run

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

#: Files whose packets differ from those of ffmpeg's copy to MP4, and why.
EXCEPTIONS: Dict[str, str] = {
    "audio/ax_bear-alac.mka": "ffmpeg leaves out the last packet",
    "audio/mg_example.opus": "ffmpeg leaves out what is before the start",
    "video/ax_sample_eac3.mp4": "ffmpeg takes the times of E-AC-3 from its parser",
}


def cases() -> List[Path]:
    return [path for path in files("video", "audio") if path.stat().st_size <= 3_000_000]


def settings(folder: Path, interval: Any = 1, **more: Any) -> Dict[str, Any]:
    delivery = {"kind": "file", "path": f"{folder}/%d.mp4"}
    return {"preferredOutputSegmentInterval": interval, "delivery": delivery, **more}


def joined(target: Path, *parts: Path) -> Path:
    target.write_bytes(b"".join(part.read_bytes() for part in parts))
    return target


def probe(path: Path, kind: str) -> List[Dict[str, Any]]:
    entries = "stream=time_base:packet=pts,flags"
    command = ["ffprobe", "-v", "error", "-of", "json", "-select_streams", kind, "-show_entries"]
    ended = subprocess.run([*command, entries, str(path)], capture_output=True, check=True)
    found = json.loads(ended.stdout)
    clock = Fraction(found["streams"][0]["time_base"])
    return [
        {"start": each["pts"] * clock, "key": each["flags"][0] == "K"}
        for each in found.get("packets", [])
    ]


def boxes(data: bytes) -> Iterator[Tuple[str, bytes]]:
    while data:
        size, kind = struct.unpack(">I4s", data[:8])
        assert size >= 8, kind
        yield kind.decode(), data[8:size]
        data = data[size:]


def delivered(folder: Path, reports: List[Dict[str, Any]]) -> List[Path]:
    """The files, in their order, after a check of their reports."""
    assert [each["segmentType"] for each in reports] == ["initialization"] + ["separable"] * (
        len(reports) - 1
    )
    assert [each.get("index") for each in reports] == [None, *range(len(reports) - 1)]
    paths = [folder / f"{index}.mp4" for index in range(len(reports))]
    assert sorted(folder.glob("*.mp4")) == sorted(paths)
    assert [each["blob"]["path"] for each in reports] == [str(path) for path in paths]
    assert [each["blob"]["size"] for each in reports] == [path.stat().st_size for path in paths]
    assert [kind for kind, _ in boxes(paths[0].read_bytes())] == ["ftyp", "moov"]
    for path in paths[1:]:
        assert [kind for kind, _ in boxes(path.read_bytes())] == ["styp", "moof", "mdat"]
    return paths


def assert_reported(header: Path, segment: Path, report: Dict[str, Any], target: Path) -> None:
    joined(target, header, segment)
    for track in report["report"]["trackReports"]:
        found = probe(target, track["mediaType"][0])
        assert found, track
        start = min(each["start"] for each in found)
        # Clocks of a thousandth of a second are rounded in the file.
        assert abs(number(track["earliestPresentationTime"]) - start) <= Fraction(1, 1000), track
        end = start + number(track["duration"])
        assert max(each["start"] for each in found) < end, track
        assert found[0]["key"], track


@pytest.mark.parametrize("path", cases(), ids=name)
def test_segments_are_a_copy(engine: Engine, path: Path, tmp_path: Path) -> None:
    if name(path) in EXCEPTIONS:
        pytest.skip(EXCEPTIONS[name(path)])
    folder = tmp_path / "segments"
    folder.mkdir()
    try:
        tracks, reports = copy(engine, path, segments=settings(folder))
    except EngineError as error:
        assert error.data["name"] in (
            "unsupportedOutputSettings", "formatUnsupported", "fileFailedToParse", "exportFailed",
            "fileFormatNotRecognized", "contentIsProtected", "failedToLoadSampleData",
            "undecodableMediaData",
        ), error
        pytest.skip(str(error)[:200])
    if not tracks:
        pytest.skip("neither video nor audio")
    reports = [each for each in reports if "segmentType" in each]
    paths = delivered(folder, reports)
    for segment, report in zip(paths[1:], reports[1:]):
        assert_reported(paths[0], segment, report, tmp_path / "one.mp4")
    whole, reference = joined(tmp_path / "whole.mp4", *paths), tmp_path / "copy.mp4"
    ffmpeg = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:V?", "-map", "0:a?", "-c", "copy"]
        + ["-strict", "experimental", str(reference)],
        capture_output=True,
    )
    if ffmpeg.returncode != 0:
        pytest.skip("ffmpeg doesn't copy it")
    for track in tracks:
        stream = "V:0" if track["mediaType"] == "video" else "a:0"
        if is_uncompressed(reference, stream):
            # Its packets are those that a demuxer makes of the chunks of a file, and of its fragments.
            assert digest(whole, stream) == digest(reference, stream)
            continue
        found, expected = packets(whole, stream), packets(reference, stream)
        assert [each[1:] for each in found] == [each[1:] for each in expected], stream
        # Where times are thousandths of a second, ffmpeg rounds others of them up.
        steps = zip((each[0] for each in found), (each[0] for each in expected))
        assert all(abs(ours - theirs) < 0.0015 for ours, theirs in steps), stream


def is_uncompressed(path: Path, stream: str) -> bool:
    command = ["ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "stream=codec_name"]
    return run(*command, "-of", "csv=p=0", str(path))[0].startswith("pcm_")


def digest(path: Path, stream: str) -> List[str]:
    """Of the bytes of all packets."""
    return run("ffmpeg", "-v", "error", "-i", str(path), "-map", f"0:{stream}", "-c", "copy", "-f", "streamhash", "-")


def write(
    engine: Engine, folder: Path, segments: Dict[str, Any], count: int = 100,
    flushes: Tuple[int, ...] = (), codec: str = "h264",
) -> List[Dict[str, Any]]:
    """Pictures of 25 a second, and a tone where there may be one; returns the reports of the segments."""
    engine.notifications.clear()
    inputs = [{"mediaType": "video", "outputSettings": {"codec": codec}}]
    isAlone = segments.get("profile") == "mpeg4CMAFCompliant"
    if not isAlone:
        inputs.append({"mediaType": "audio", "outputSettings": {"codec": "aac"}})
    made = engine.call("assetWriter/create", inputs=inputs, segments=segments)
    writer, handles = made["assetWriter"], made["inputs"]
    try:
        engine.call("assetWriter/start", assetWriter=writer)
        engine.call("assetWriter/startSession", assetWriter=writer, sourceTime=10)
        image = {"pixelFormat": "gray", "width": 64, "height": 64}
        sound = {"sampleFormat": "s16", "sampleRate": 48000, "channels": 1}
        for index in range(count):
            if index in flushes:
                engine.call("assetWriter/flushSegment", assetWriter=writer)
            time = {"value": 250 + index, "timescale": 25}
            picture = base64.b64encode(bytes([index * 2 % 256]) * 4096).decode()
            sample = {"presentationTime": time, "blob": {"kind": "inline", "data": picture}, "image": image}
            engine.call("assetWriter/append", input=handles[0], sampleBuffers=[sample])
            if not isAlone:
                tone = base64.b64encode(bytes([index, 1]) * 1920).decode()
                sample = {"presentationTime": time, "blob": {"kind": "inline", "data": tone}, "audio": sound}
                engine.call("assetWriter/append", input=handles[1], sampleBuffers=[sample])
        end = engine.call("assetWriter/finish", assetWriter=writer, completion="response")
        # A writer that fails after all was appended reports it here.
        if end["status"] == "failed":
            raise EngineError(end["error"])
        assert end["status"] == "completed", end
        reports = [each["params"] for each in engine.notifications]
        assert end["fileSize"] == sum(each["blob"]["size"] for each in reports)
        assert number(end["duration"]) == Fraction(count, 25)
        return reports
    finally:
        engine.call("handle/close", handle=writer)


def starts(reports: List[Dict[str, Any]], kind: str = "video") -> List[Fraction]:
    return [
        number(track["earliestPresentationTime"])
        for report in reports[1:] for track in report["report"]["trackReports"]
        if track["mediaType"] == kind
    ]


@pytest.mark.parametrize("codec", ["h264", "hevc", "vp9", "av1", "prores"])
def test_encoded_segments_begin_where_they_should(
    engine: Engine, tmp_path: Path, codec: str
) -> None:
    # Not where the encoder itself would have a sync sample.
    interval = {"value": 7, "timescale": 5}
    try:
        reports = write(engine, tmp_path, settings(tmp_path, interval), codec=codec)
    except EngineError as error:
        assert codec == "prores", error
        pytest.skip("MP4 holds none")
    paths = delivered(tmp_path, reports)
    assert starts(reports) == [Fraction(7, 5) * index for index in range(3)]
    for path, report in zip(paths[1:], reports[1:]):
        assert_reported(paths[0], path, report, tmp_path / "one.m4s")
    whole = joined(tmp_path / "whole.m4s", *paths)
    assert [each["start"] for each in sorted(probe(whole, "v"), key=lambda each: each["start"])] == [
        Fraction(index, 25) for index in range(100)
    ]
    for path in paths[1:]:
        part = joined(tmp_path / "part.m4s", paths[0], path)
        command = ["ffmpeg", "-v", "error", "-xerror", "-i", str(part), "-f", "null", "-"]
        subprocess.run(command, check=True)
    # A segment has the audio of the time of its video, to a packet.
    for sound, picture in zip(starts(reports, "audio"), starts(reports)):
        assert -Fraction(1024, 48000) <= sound - picture < Fraction(1024, 48000)


def test_cmaf_has_its_times_in_composition_offsets(engine: Engine, tmp_path: Path) -> None:
    """ISO/IEC 14496-12, 8.8.8 and 8.8.12: the base of a fragment's decode times, and offsets that may be negative."""
    reports = write(engine, tmp_path, settings(tmp_path, 1, profile="mpeg4CMAFCompliant"))
    paths = delivered(tmp_path, reports)
    header = dict(boxes(paths[0].read_bytes()))
    assert b"cmfc" in header["ftyp"] and b"elst" not in header["moov"]
    shown = []
    for path, start in zip(paths[1:], starts(reports)):
        found = dict(boxes(path.read_bytes()))
        assert found["styp"].startswith(b"cmfs")
        fragment = dict(boxes(dict(boxes(found["moof"]))["traf"]))
        base = int.from_bytes(fragment["tfdt"][4:], "big")
        version, flags = fragment["trun"][0], int.from_bytes(fragment["trun"][1:4], "big")
        assert version == 1 and flags & 0x800
        rows = 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
        width = 4 * sum(bool(flags & bit) for bit in (0x100, 0x200, 0x400, 0x800))
        length = int.from_bytes(fragment["tfhd"][12:16], "big")
        assert not flags & 0x100, "all samples last alike"
        offsets = [
            int.from_bytes(fragment["trun"][place + width - 4 : place + width], "big", signed=True)
            for place in range(rows, len(fragment["trun"]), width)
        ]
        times = [base + length * index + offset for index, offset in enumerate(offsets)]
        assert Fraction(min(times), 90000) == start
        shown += times
    assert sorted(shown) == [3600 * index for index in range(100)]


def test_the_caller_ends_segments(engine: Engine, tmp_path: Path) -> None:
    reports = write(engine, tmp_path, settings(tmp_path, "indefinite"), flushes=(0, 13, 13, 60))
    delivered(tmp_path, reports)
    assert starts(reports) == [0, Fraction(13, 25), Fraction(60, 25)]


def test_the_first_interval_begins_where_it_is_wanted(engine: Engine, tmp_path: Path) -> None:
    wanted = settings(tmp_path, 2, initialSegmentStartTime=9)
    assert starts(write(engine, tmp_path, wanted)) == [0, 1, 3]


def test_a_stored_segment_begins_with_a_sync_sample(engine: Engine, tmp_path: Path) -> None:
    path = CORPUS / "video" / "ax_sample.mp4"
    asset = engine.call("asset/open", url=str(path))["asset"]
    outputs = [{"type": "track", "trackID": 1}]
    reader = engine.call("assetReader/create", asset=asset, outputs=outputs)
    engine.call("assetReader/start", assetReader=reader["assetReader"])
    hint = {"fromOutput": reader["outputs"][0]}
    made = engine.call(
        "assetWriter/create", segments=settings(tmp_path, "indefinite"),
        inputs=[{"mediaType": "video", "sourceFormatHint": hint}],
    )
    writer, pair = made["assetWriter"], {"output": reader["outputs"][0], "input": made["inputs"][0]}
    engine.call("assetWriter/start", assetWriter=writer)
    engine.call("assetWriter/startSession", assetWriter=writer, sourceTime=0)
    first = {**pair, "until": 0.4, "marksAsFinished": False}
    engine.call("assetWriter/transfer", assetWriter=writer, pairs=[first], completion="response")
    engine.call("assetWriter/flushSegment", assetWriter=writer)
    try:
        engine.call("assetWriter/transfer", assetWriter=writer, pairs=[pair], completion="response")
    except EngineError as error:
        assert error.data["name"] == "segmentStartedWithNonSyncSample"
    end = {}
    try:
        end = engine.call("assetWriter/finish", assetWriter=writer, completion="response")
    except EngineError as error:
        end = {"error": {"data": error.data}}
    assert end["error"]["data"]["name"] == "segmentStartedWithNonSyncSample"
    for handle in (writer, reader["assetReader"], asset):
        engine.call("handle/close", handle=handle)


VIDEO = {"mediaType": "video", "outputSettings": {"codec": "h264"}}
AUDIO = {"mediaType": "audio", "outputSettings": {"codec": "aac"}}


@pytest.mark.parametrize(
    ("place", "inputs", "more"),
    [
        ("/segments/preferredOutputSegmentInterval", [VIDEO], {"interval": 0}),
        ("/segments/preferredOutputSegmentInterval", [VIDEO], {"interval": "+infinity"}),
        ("/segments/initialSegmentStartTime", [VIDEO], {"initialSegmentStartTime": "invalid"}),
        ("/outputFileType", [VIDEO], {"outputFileType": "mov"}),
        ("/outputFileType", [VIDEO], {"outputFileType": "mkv"}),
        ("/inputs/1", [VIDEO, VIDEO], {}),
        ("/inputs/1", [VIDEO, AUDIO], {"profile": "mpeg4CMAFCompliant"}),
        ("/inputs/0", [{"mediaType": "subtitle", "outputSettings": {}}], {}),
        ("/segments/delivery/path", [VIDEO], {"delivery": {"kind": "file", "path": "one.mp4"}}),
    ],
)
def test_what_no_segments_can_be_made_of(
    engine: Engine, tmp_path: Path, place: str, inputs: List[Any], more: Dict[str, Any]
) -> None:
    kind = {key: more.pop(key) for key in ("outputFileType",) if key in more}
    with pytest.raises(EngineError) as raised:
        engine.call(
            "assetWriter/create", inputs=inputs, segments=settings(tmp_path, **more), **kind
        )
    assert place in [each["path"] for each in raised.value.data["errors"]]


def test_a_file_that_is_there_stays(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "1.mp4").write_bytes(b"mine")
    with pytest.raises(EngineError) as raised:
        write(engine, tmp_path, settings(tmp_path))
    assert raised.value.data["name"] == "fileAlreadyExists"
    assert (tmp_path / "1.mp4").read_bytes() == b"mine"
    assert not (tmp_path / "2.mp4").exists()


def test_only_a_writer_of_segments_ends_them(engine: Engine, tmp_path: Path) -> None:
    for output in ({"outputURL": f"{tmp_path}/a.mp4"}, {"segments": settings(tmp_path)}):
        writer = engine.call("assetWriter/create", inputs=[VIDEO], **output)["assetWriter"]
        with pytest.raises(EngineError, match="no segments of an indefinite interval"):
            engine.call("assetWriter/flushSegment", assetWriter=writer)
        engine.call("handle/close", handle=writer)
