"""Clips as values, and the requests to the engine for them, against one that plays a script."""

import asyncio
from fractions import Fraction

import pytest

import reelwire
from reelwire import Clip, Clips, MediaTime, TimeRange

CREATE, INSERT, SCALE = (
    "composition/create",
    "composition/insertTimeRange",
    "composition/scaleTimeRange",
)


def _seconds(value):
    return {"value": value, "timescale": 1}


def _range(start, duration):
    return {"start": _seconds(start), "duration": _seconds(duration)}


def _made(number):
    return [{"result": {"composition": f"composition:{number}"}}]


def _inserted(start, duration, revision=1):
    result = {
        "timeRange": _range(start, duration),
        "trackIDs": [1],
        "duration": _seconds(start + duration),
        "revision": revision,
    }
    return [{"result": result}]


def test_clips_are_values_that_make_no_request(fake):
    played = fake({"asset/open": [[{"result": {"asset": f"asset:{n}"}}] for n in (1, 2)]})
    with reelwire.Engine(**played.options) as engine:
        one, two = engine.open("one.mp4"), engine.open("two.mp4")
        clip = one[1:3]
        assert (clip.asset, clip.time_range, clip.speed) == (one, TimeRange(1, 2), 1)
        assert one[:2].time_range == TimeRange(0, 2)
        assert one["0.5":(3, 2)].time_range == TimeRange(Fraction(1, 2), 1)
        assert one[1:].time_range.duration == MediaTime.infinity
        assert one[:].time_range is None
        assert clip.at_speed(0.1).speed == Fraction(1, 10)
        assert clip.at_speed("1001/1000").at_speed(2).speed == 2
        assert clip == one[1:3] != two[1:3]
        assert len({clip, one[1:3], one[1:2]}) == 2

        both = clip + two
        assert isinstance(both, Clips)
        assert list(both) == [clip, Clip(two)]
        assert one + two == Clips([Clip(one), Clip(two)])
        assert one * 2 == 2 * one == one + one
        assert clip * 0 == both[2:] == Clips([])
        assert both * 2 + clip == Clips([*both, *both, clip])
        assert sum([clip, two, both]) == clip + two + both
        assert both[:1] == Clips([clip])
        changing = clip.at_speed(2).at_speeds([(1, 1), ("1.5", "1/4")])
        assert changing.speeds == ((MediaTime(1), 1), (MediaTime(3, 2), Fraction(1, 4)))
        assert changing.speed == 1 and not changing.is_backward
        assert changing == clip.at_speeds({1: 1, 1.5: 0.25}) != clip
        assert clip.at_speeds({1: -1}).is_backward
        assert changing.at_speed(2) == clip.at_speed(2)
        assert repr(changing).endswith(" at speeds {1.000 s: 1, 1.500 s: 1/4}>")
        assert repr(one[:2].at_speed(2)) == "<Clip 0.000…2.000 s of <Asset 'one.mp4'> at speed 2>"
    sent = {message["method"] for message in played.messages()}
    assert sent <= {"initialize", "asset/open", "handle/close", "shutdown", "exit"}


def test_what_is_no_clip_is_refused(fake):
    with reelwire.Engine(**fake({}).options) as engine:
        asset = engine.open("a.mp4")
        for wrong in (2, 1.5, "x", (1, 2), None):
            with pytest.raises(TypeError, match=r"sliced by times, as in asset\[1:3\]"):
                asset[wrong]
        with pytest.raises(TypeError, match="sliced by times"):
            list(asset)
        with pytest.raises(TypeError, match="no step"):
            asset[1:3:2]
        for wrong in (slice(3, 1), slice(1, 1), slice(-1, None), slice(None, 0)):
            with pytest.raises(ValueError, match="ends behind its start"):
                asset[wrong]
        for speed in (0, float("inf"), float("nan"), "fast", "1/0"):
            with pytest.raises(ValueError, match="a speed is finite"):
                asset[:1].at_speed(speed)
            with pytest.raises(ValueError, match="a speed is finite"):
                asset[:1].at_speeds({0: 1, 1: speed})
        for speeds in ({}, {0: 1, 1: -1}):
            with pytest.raises(ValueError, match="all above zero"):
                asset[:1].at_speeds(speeds)
        with pytest.raises(TypeError, match="unsupported operand"):
            asset + 3
        with pytest.raises(TypeError):
            asset * 1.5
        with pytest.raises(TypeError, match="clips are assets"):
            engine.composition("a.mp4")
        with pytest.raises(ValueError, match="no clips"):
            (asset * 0).export("b.mp4")


def test_clips_of_several_engines_make_no_composition(fake):
    played = fake({})
    with reelwire.Engine(**played.options) as one, reelwire.Engine(**played.options) as two:
        asset = two.open("a.mp4")
        with pytest.raises(ValueError, match="another engine"):
            one.composition(asset)
        with pytest.raises(ValueError, match="another engine"):
            (one.open("b.mp4") + asset).composition()
    assert played.messages(CREATE) == []


def test_clips_become_insertions_and_scalings(fake):
    played = fake(
        {CREATE: [_made(1)], INSERT: [_inserted(0, 2), _inserted(2, 4, 2)], SCALE: [_state(4, 3)]}
    )
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        clips = asset[1:3] + asset[3:].at_speed(2)
        with engine.composition(clips, natural_size=(640, 360)) as made:
            assert made.handle == "composition:1"
            assert made.revision == 3
    assert played.messages(CREATE)[0]["params"] == {"naturalSize": {"width": 640, "height": 360}}
    first, second = (message["params"] for message in played.messages(INSERT))
    assert first == {
        "composition": "composition:1",
        "asset": "asset:1",
        "timeRange": _range(1, 2),
    }
    assert second["timeRange"] == {"start": _seconds(3), "duration": "+infinity"}
    assert played.messages(SCALE)[0]["params"] == {
        "composition": "composition:1",
        "timeRange": _range(2, 4),
        "toDuration": _seconds(2),
    }


def _state(duration, revision):
    return [{"result": {"duration": _seconds(duration), "revision": revision}}]


def test_a_clip_that_is_refused_leaves_no_composition(fake):
    error = {"code": -11827, "message": "no", "data": {"name": "x", "hint": "h"}}
    played = fake({CREATE: [_made(1)], INSERT: [_inserted(0, 2), [{"error": error}]]})
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        with pytest.raises(reelwire.InvalidCompositionTrackSegmentSourceDurationError):
            engine.composition(asset * 2)
        closed = [message["params"] for message in played.messages("handle/close")]
        assert {"handle": "composition:1"} in closed


def test_several_clips_are_appended_by_one_edit(fake):
    played = fake({CREATE: [_made(1), _made(2)], INSERT: [_inserted(0, 2)]})
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        with engine.composition() as made:
            made.append(asset[:1])
            made.insert([asset[:1], asset], at=1)
    edits = [message["params"] for message in played.messages(INSERT)]
    assert [edit["composition"][-1] for edit in edits] == ["1", "2", "2", "1"]
    assert edits[-1] == {
        "composition": "composition:1",
        "asset": "composition:2",
        "at": _seconds(1),
    }


def test_what_was_loaded_does_not_outlive_an_edit(fake):
    def loaded(*sizes):
        return [
            [{"result": {"values": {"naturalSize": {"status": "loaded", "value": size}}}}]
            for size in sizes
        ]

    sizes = [{"width": width, "height": 2} for width in (4, 8)]
    script = {
        CREATE: [_made(1)],
        INSERT: [_inserted(0, 2)],
        "composition/removeTimeRange": [_state(1, 2)],
        "asset/loadValues": loaded(*sizes),
    }

    async def main(options):
        async with reelwire.AsyncEngine(**options) as engine:
            made = await engine.composition(await engine.open("a.mp4"))
            await made.load("natural_size")
            assert (made.natural_size, made.duration, made.revision) == ((4, 2), 2, 1)
            await made.remove_time_range(TimeRange(0, 1))
            assert (made.duration, made.revision) == (1, 2)
            with pytest.raises(reelwire.ValueNotLoadedError):
                _ = made.natural_size
            await made.load("natural_size")
            assert made.natural_size == (8, 2)

    asyncio.run(main(fake(script).options))


def test_properties_of_a_composition_are_those_of_the_moment(fake):
    values = [
        [{"result": {"values": {"duration": {"status": "loaded", "value": _seconds(seconds)}}}}]
        for seconds in (1, 2)
    ]
    played = fake({CREATE: [_made(1)], "asset/loadValues": values})
    with reelwire.Engine(**played.options) as engine, engine.composition() as made:
        assert made.duration == 1
        assert made.duration == 2
