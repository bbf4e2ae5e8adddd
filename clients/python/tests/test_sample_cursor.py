"""Sample cursors, against the real engine and against one that plays a script."""

import gc
from fractions import Fraction

import pytest
from conftest import FRAME, nothing_left_async, probe, run

import reelwire
from reelwire import MediaTime


def _sample(index, **members):
    return {
        "index": index,
        "presentationTime": {"value": index, "timescale": 25},
        "duration": "indefinite",
        "size": 10,
        "storageRange": {"offset": -1, "length": 10},
        "syncInfo": {"isFullSync": index == 0, "isPartialSync": False, "isDroppable": False},
        "dependencyInfo": {},
        "samplesRequiredForDecoderRefresh": index,
        **members,
    }


def _answer(**result):
    return [{"result": result}]


CREATE = {"sampleCursor/create": [_answer(sampleCursor="sampleCursor:1", sample=_sample(0))]}


def test_what_is_absent_is_none(fake):
    played = fake(CREATE)
    with reelwire.Engine(**played.options) as engine:
        cursor = engine.open("a.mp4").sample_cursor(7, "last")
        assert repr(cursor).startswith("<SampleCursor sampleCursor:1 <Sample 0 at ")
        cursor.close()
    (message,) = played.messages("sampleCursor/create")
    assert message["params"] == {"asset": "asset:1", "trackID": 7, "position": "last"}
    (closed,) = played.messages("handle/close")[:1]
    assert closed["params"] == {"handle": "sampleCursor:1"}
    sample = reelwire.Sample(_sample(3))
    assert sample.decode_time is None
    assert sample.offset is None
    assert sample.depends_on_others is None
    assert sample.has_dependent_samples is None
    assert sample.audio_dependency_info is None
    assert sample.duration == MediaTime.indefinite
    assert not sample.is_discarded
    big = reelwire.Sample(_sample(3, storageRange={"offset": "9007199254740993", "length": 10}))
    assert big.offset == 9007199254740993


def test_samples_are_asked_for_until_the_end(fake):
    script = {
        **CREATE,
        "sampleCursor/samples": [
            _answer(samples=[_sample(0), _sample(1)], endOfTrack=False),
            _answer(samples=[_sample(2)], endOfTrack=True),
        ],
    }
    played = fake(script)
    with reelwire.Engine(**played.options) as engine:
        cursor = engine.open("a.mp4").sample_cursor(1, Fraction(1, 3))
        samples = list(cursor.samples("presentation", batch=2))
        assert [sample.index for sample in samples] == [0, 1, 2]
        assert samples[0] == reelwire.Sample(_sample(0)) != samples[1]
    asked = [message["params"] for message in played.messages("sampleCursor/samples")]
    expected = {"sampleCursor": "sampleCursor:1", "maxCount": 2, "order": "presentation"}
    assert asked == [expected, expected]
    (message,) = played.messages("sampleCursor/create")
    assert message["params"]["position"] == {"value": 1, "timescale": 3}


def test_moves_are_told(fake):
    script = {
        **CREATE,
        "sampleCursor/step": [_answer(stepped=-2, sample=_sample(1))],
        "sampleCursor/stepByTime": [
            _answer(moved={"value": 1, "timescale": 25}, wasPinned=True, sample=_sample(2))
        ],
    }
    played = fake(script)
    with reelwire.Engine(**played.options) as engine:
        cursor = engine.open("a.mp4").sample_cursor(1)
        assert cursor.step(-3) == -2
        assert "<Sample 1 " in repr(cursor)
        assert cursor.step_by_time("+infinity", "decode") == (Fraction(1, 25), True)
        assert "<Sample 2 " in repr(cursor)
    (step,) = played.messages("sampleCursor/step")
    assert step["params"] == {"sampleCursor": "sampleCursor:1", "count": -3, "order": "decode"}
    (step,) = played.messages("sampleCursor/stepByTime")
    assert step["params"]["by"] == "+infinity"
    assert step["params"]["order"] == "decode"


def test_samples_are_the_packets(engine, clip):
    packets = probe(clip, "-show_packets", "-select_streams", "v:0")["packets"]
    with engine.open(clip) as asset, asset.sample_cursor(asset.tracks[0]) as cursor:
        samples = list(cursor)
        assert [sample.size for sample in samples] == [int(item["size"]) for item in packets]
        assert [sample.offset for sample in samples] == [int(item["pos"]) for item in packets]
        assert [sample.is_sync for sample in samples] == ["K" in item["flags"] for item in packets]
        assert [float(sample.decode_time) for sample in samples] == pytest.approx(
            [float(item["dts_time"]) for item in packets], abs=1e-6
        )
        assert cursor.sample() == samples[-1]
        assert cursor.read() == ([], True)


def test_cursors_move_copy_and_compare(engine, clip):
    with engine.open(clip) as asset, asset.sample_cursor(1, 1.0) as cursor:
        number = int(Fraction(1) / FRAME)
        assert cursor.sample().presentation_time == FRAME * number
        assert cursor.step(2, "presentation") == 2
        assert cursor.sample().presentation_time == FRAME * (number + 2)
        assert cursor.step_by_time(-1000) == (-FRAME * (number + 2), True)
        with cursor.copy() as other:
            assert cursor.compare(other) == 0
            assert other.step(1) == 1
            assert cursor.compare(other) == -1
            # The second that is decoded is shown after the two that follow it.
            assert other.has_later_decoded_presented_earlier(other)
            assert not cursor.has_earlier_decoded_presented_later(other)
        chunk = cursor.chunk()
        assert chunk.offset == cursor.sample().offset
        assert chunk.sample_index == 0
        with pytest.raises(reelwire.ReelwireError) as caught:
            asset.sample_cursor(99)
        assert caught.value.name == "noSourceTrack"


def test_the_same_for_asyncio(binary, clip):
    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(clip)
            await asset.load("tracks")
            async with await asset.sample_cursor(asset.tracks[0], "last") as cursor:
                last = await cursor.sample()
                assert await cursor.step(-last.index) == -last.index
                count = 0
                async for sample in cursor:
                    assert sample.index == count
                    count += 1
                assert count == last.index + 1
                copy = await cursor.copy()
                assert await copy.compare(cursor) == 0
            await asset.close()
            del copy
            gc.collect()
            await nothing_left_async(engine)

    run(main())
