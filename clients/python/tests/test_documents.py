"""Documents of timelines: those that are refused, and the import of OpenTimelineIO's."""

import copy
import json
import subprocess
from fractions import Fraction

import pytest

import reelwire
from reelwire import TimeRange


def _time(value, rate):
    return {"OTIO_SCHEMA": "RationalTime.1", "value": value, "rate": rate}


def _range(start, duration, rate=30):
    return {
        "OTIO_SCHEMA": "TimeRange.1",
        "start_time": _time(start, rate),
        "duration": _time(duration, rate),
    }


def _clip(path, start, duration):
    reference = {"OTIO_SCHEMA": "ExternalReference.1", "target_url": str(path)}
    return {
        "OTIO_SCHEMA": "Clip.1",
        "source_range": _range(start, duration),
        "media_reference": reference,
    }


def _gap(duration):
    return {"OTIO_SCHEMA": "Gap.1", "source_range": _range(0, duration)}


def _track(kind, *children, **more):
    return {"OTIO_SCHEMA": "Track.1", "kind": kind, "children": list(children), **more}


def _stack(*children, **more):
    return {"OTIO_SCHEMA": "Stack.1", "children": list(children), **more}


def _timeline(*tracks):
    return {"OTIO_SCHEMA": "Timeline.1", "name": "t", "tracks": _stack(*tracks)}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """2 s of video and audio."""
    path = tmp_path_factory.mktemp("documents") / "both.mov"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=2"]
    command += ["-f", "lavfi", "-i", "sine=d=2:sample_rate=48000", "-c:v", "mjpeg"]
    subprocess.run([*command, "-c:a", "pcm_s16le", str(path)], check=True)
    return path


def _seconds(time):
    return Fraction(time["value"], time["timescale"])


def _imported(engine, document):
    """The tracks of a document, as kinds with the media that they show and its times, and its losses."""
    made = engine.request("composition/import", {"document": document})
    timeline = engine.request("composition/timeline", {"composition": made["composition"]})
    engine.request("handle/close", {"handle": made["composition"]})
    tracks = []
    for track in timeline["timeline"]["tracks"]:
        shown = []
        for segment in track["segments"]:
            target = segment["timeMapping"]["target"]
            start, length = _seconds(target["start"]), _seconds(target["duration"])
            shown.append((start, start + length, segment.get("source") is not None))
        tracks.append((track["mediaType"], shown))
    return tracks, made["losses"]


# The part of a nested stack that is of the other kind is shown by the track of that kind.


def test_a_stack_in_two_tracks_is_shown_once_by_each(engine, both):
    nest = _stack(_track("Video", _clip(both, 0, 30)), _track("Audio", _clip(both, 0, 30)))
    tracks, losses = _imported(
        engine, _timeline(_track("Video", nest), _track("Audio", copy.deepcopy(nest)))
    )
    assert tracks == [("video", [(0, 1, True)]), ("audio", [(0, 1, True)])]
    assert losses == []


def test_what_only_one_track_shows_has_its_own_kind(engine, both):
    nest = _stack(_track("Video", _clip(both, 0, 30)), _track("Audio", _clip(both, 0, 15)))
    tracks, losses = _imported(engine, _timeline(_track("Video", _gap(15), nest)))
    assert [kind for kind, _ in tracks] == ["video", "audio"]
    assert tracks[0][1] == [(0, Fraction(1, 2), False), (Fraction(1, 2), Fraction(3, 2), True)]
    assert tracks[1][1][:2] == [(0, Fraction(1, 2), False), (Fraction(1, 2), 1, True)]
    assert losses == []


def test_a_track_of_audio_in_one_of_video_is_audio(engine, both):
    inner = _track("Audio", _clip(both, 0, 30))
    tracks, losses = _imported(engine, _timeline(_track("Video", _clip(both, 0, 30), inner)))
    assert [kind for kind, _ in tracks] == ["video", "audio"]
    assert tracks[1][1] == [(0, 1, False), (1, 2, True)]
    assert losses == []


def test_a_nested_track_that_is_disabled_is_left_out_and_listed(engine, both):
    hidden = _track("Video", _clip(both, 30, 30), enabled=False)
    nest = _stack(_track("Video", _clip(both, 0, 30)), hidden)
    tracks, losses = _imported(engine, _timeline(_track("Video", nest)))
    assert tracks == [("video", [(0, 1, True)])]
    assert [loss["reason"] for loss in losses] == ["it is disabled; left out"]


# Gaps at the end.


@pytest.mark.parametrize("kind", ["Video", "Audio"])
def test_a_gap_at_the_end_is_there_and_comes_back(engine, both, kind):
    document = _timeline(_track(kind, _clip(both, 0, 30), _gap(60)))
    tracks, losses = _imported(engine, document)
    assert tracks == [(kind.lower(), [(0, 1, True), (1, 3, False)])]
    assert losses == []
    made = engine.request("composition/import", {"document": document})
    written = engine.request("composition/openTimelineIO", {"composition": made["composition"]})
    engine.request("handle/close", {"handle": made["composition"]})
    del written["document"]["metadata"]["reelwire"]
    assert _imported(engine, written["document"]) == (tracks, losses)


def test_a_track_of_gaps_makes_all_as_long(engine, both):
    tracks, _ = _imported(
        engine, _timeline(_track("Video", _clip(both, 0, 30)), _track("Video", _gap(90)))
    )
    assert tracks == [("video", [(0, 1, True), (1, 3, False)])]


# Numbers that JSON doesn't have.


def test_infinity_where_it_is_no_time_hinders_no_one(both, tmp_path, binary):
    document = _timeline(_track("Video", _clip(both, 0, 30)))
    document["metadata"] = {"other": {"peak": float("-inf"), "gain": float("nan"), "NaN": "Inf, NaN"}}
    path, out = tmp_path / "infinite.otio", tmp_path / "out.mov"
    path.write_text(json.dumps(document))
    subprocess.run([binary, "compose", str(path), "-o", str(out)], check=True)
    assert out.exists()
    document["tracks"]["children"][0]["children"][0]["source_range"]["duration"]["value"] = float("inf")
    path.write_text(json.dumps(document))
    made = subprocess.run(
        [binary, "compose", str(path), "-o", str(tmp_path / "none.mov")], capture_output=True, text=True
    )
    assert made.returncode == 1
    assert "Infinity" in made.stderr


# Members that a form doesn't have.


def _problem(engine, method, params):
    with pytest.raises(reelwire.InvalidParamsError) as raised:
        engine.request(method, params)
    (problem,) = raised.value.data["errors"]
    return problem["path"], problem["expected"], problem["got"]


SEQUENCE = {"clips": [{"url": "/a.mov"}]}
TIMELINE = {"version": 1, "sources": {"a": {"url": "/a.mov"}}, "tracks": []}
PICTURES = {"frameDuration": "1/25", "renderSize": {"width": 64, "height": 48}, "instructions": []}
MIX = {"inputParameters": [{"trackID": 1}]}


@pytest.mark.parametrize(
    "method, params, place, known, nearest",
    [
        ("composition/assemble", {"sequence": SEQUENCE}, "sequence/clips/0", "transiton", "transition"),
        ("composition/assemble", {"sequence": SEQUENCE}, "sequence", "captions", None),
        ("composition/assemble", {"sequence": SEQUENCE}, "sequence", "framerate", "frameRate"),
        ("composition/create", {"timeline": TIMELINE}, "timeline/sources/a", "stil", "still"),
        ("composition/create", {"timeline": TIMELINE}, "timeline", "naturalsize", "naturalSize"),
        ("videoComposition/validate", {"videoComposition": PICTURES}, "videoComposition/renderSize",
         "hight", "height"),
        ("videoComposition/validate", {"videoComposition": PICTURES}, "videoComposition", "colour", None),
        ("assetReader/create", {"outputs": [{"type": "audioMix", "audioMix": MIX}]},
         "outputs/0/audioMix/inputParameters/0", "volumes", "volume"),
    ],
)  # fmt: skip
def test_unknown_members_are_refused_by_name(engine, clip, method, params, place, known, nearest):
    params = copy.deepcopy(params)
    target = params
    for name in place.split("/"):
        target = target[int(name) if isinstance(target, list) else name]
    target[known] = 1
    with engine.open(clip) as asset:
        if method.startswith(("assetReader", "videoComposition")):
            params["asset"] = asset.handle
        path, expected, got = _problem(engine, method, params)
    assert path == f"/{place}/{known}"
    assert got == f'the unknown member "{known}"'
    if nearest:
        assert expected == f'"{nearest}"'
    else:
        assert expected.startswith("one of the members ")


# Ranges that an asset states of itself.


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    """A movie whose header states 1.5 s, and whose track lasts 1 s."""
    path = tmp_path_factory.mktemp("longer") / "longer.mov"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"]
    subprocess.run([*command, "-c:v", "mjpeg", str(path)], check=True)
    data = bytearray(path.read_bytes())
    place = data.find(b"mvhd") + 20
    assert int.from_bytes(data[place : place + 4], "big") == 1000
    data[place : place + 4] = (1500).to_bytes(4, "big")
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("precise", [False, True])
def test_all_that_an_asset_states_can_be_inserted(engine, longer, precise):
    with engine.open(longer, prefer_precise_duration_and_timing=precise) as asset:
        assert asset.duration == Fraction(3, 2)
        with engine.composition() as composition:
            composition.insert_time_range(asset, time_range=TimeRange(0, asset.duration))
            assert composition.duration == Fraction(3, 2)
        with engine.composition() as composition:
            made = composition.add_track("video")
            item = {"asset": asset.handle, "timeRange": TimeRange(0, asset.duration).to_wire()}
            engine.request(
                "composition/insertTimeRanges",
                {"composition": composition.handle, "trackID": made.track_id, "items": [item]},
            )
            assert composition.duration == Fraction(3, 2)
            with pytest.raises(reelwire.ReelwireError):
                composition.insert_time_range(asset, time_range=TimeRange(0, 2))
        clips = [{"url": str(longer), "timeRange": TimeRange(0, asset.duration).to_wire()}]
        made = engine.request("composition/assemble", {"sequence": {"clips": clips}})
        values = engine.request(
            "asset/loadValues",
            {"asset": made["composition"], "keys": ["duration"], "completion": "response"},
        )
        engine.request("handle/close", {"handle": made["composition"]})
        assert values["values"]["duration"]["value"] == {"value": 3, "timescale": 2}


# Clips that are shown slower.


@pytest.mark.parametrize(
    "speeds, count",
    [([0.125], 80), ([0.5], 80), ([1], 80), ([0.5, 1], 240), ([1, 0.25], 400), ([2], 40)],
)
def test_slow_clips_have_as_many_pictures_as_frames(tmp_path, binary, speeds, count):
    source, out = tmp_path / "fast.mov", tmp_path / "out.mov"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=80:d=1"]
    subprocess.run([*command, "-c:v", "mjpeg", str(source)], check=True)
    document = tmp_path / "sequence.json"
    document.write_text(
        json.dumps({"clips": [{"url": "fast.mov", "speed": speed} for speed in speeds]})
    )
    subprocess.run([binary, "compose", str(document), "-o", str(out)], check=True)
    shown = subprocess.run(
        ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets",
         "-of", "csv=p=0", str(out)], check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert int(shown) == count


# The picture of an imported document.


def _dissolve(frames):
    return {
        "OTIO_SCHEMA": "Transition.1",
        "transition_type": "SMPTE_Dissolve",
        "in_offset": _time(frames, 30),
        "out_offset": _time(frames, 30),
    }


def test_a_picture_is_as_large_and_as_fast_as_the_films_that_are_seen(
    tmp_path, both, binary, engine
):
    """Films of which the audio alone is heard, or whose track is disabled, have no say in it."""
    larger = tmp_path / "larger.mov"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=50:d=2"]
    command += ["-f", "lavfi", "-i", "sine=d=2", "-c:v", "mjpeg", "-c:a", "pcm_s16le"]
    subprocess.run([*command, str(larger)], check=True)
    film = [_clip(both, 30, 30), _dissolve(5), _clip(both, 10, 20)]
    heard = _track("Audio", _gap(15), _clip(larger, 0, 30))
    unseen = _track("Video", _clip(larger, 0, 30), enabled=False)
    beyond = _track("Video", _clip(larger, 90, 30))

    def shown(*tracks):
        document, out = tmp_path / "film.otio", tmp_path / "out.mkv"
        document.write_text(json.dumps(_timeline(*tracks)))
        out.unlink(missing_ok=True)
        subprocess.run(
            [binary, "compose", str(document), "-o", str(out), "--video-codec", "ffv1"], check=True
        )
        entries = "stream=width,height,r_frame_rate"
        return subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", entries,
             "-of", "csv=p=0", str(out)], check=True, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip

    assert shown(_track("Video", *film)) == "64,48,30/1"
    assert shown(_track("Video", *film), heard) == "64,48,30/1"
    assert shown(_track("Video", *film), unseen) == "64,48,30/1"
    assert shown(_track("Video", *film), beyond) == "64,48,30/1"
    assert shown(_track("Video", *film, _clip(larger, 0, 30))) == "320,240,50/1"
