import datetime
import math
import pickle
import random
from decimal import Decimal
from fractions import Fraction
from typing import get_args

import pytest

from reelwire import MediaTime, TimeRange, protocol
from reelwire.time import Rounding


@pytest.mark.parametrize(
    ("given", "value", "timescale"),
    [
        (0, 0, 1),
        (3.5, 7, 2),
        (0.1, 1, 10),
        (1 / 3, 333333333, 1000000000),
        (-2.25, -9, 4),
        (Fraction(1001, 30000), 1001, 30000),
        (Decimal("0.04"), 1, 25),
        ((2002, 60000), 2002, 60000),
        ("3.5", 7, 2),
        ("2002/60000", 2002, 60000),
        ("00:01:00.500", 121, 2),
        ("-1:02:03", -3723, 1),
        ("02:03.25", 493, 4),
        (datetime.timedelta(milliseconds=1500), 3, 2),
        ({"value": "9007199254740993", "timescale": 1}, 9007199254740993, 1),
        (MediaTime(5, 10), 5, 10),
    ],
)
def test_times_in(given, value, timescale):
    time = MediaTime.of(given)
    assert (time.value, time.timescale) == (value, timescale)


@pytest.mark.parametrize("given", ["", "x", "1/0", "1:2:3:4", float("nan"), (1, 2, 3), (1, 0)])
def test_no_times(given):
    with pytest.raises(ValueError, match=r"."):
        MediaTime.of(given)


def test_what_is_no_time_at_all():
    with pytest.raises(TypeError, match="a time is"):
        MediaTime.of(None)
    with pytest.raises(OverflowError):
        MediaTime(2**63)


def test_times_out():
    assert MediaTime(1001, 30000).to_wire() == {"value": 1001, "timescale": 30000}
    assert MediaTime(2**53, 1).to_wire() == {"value": "9007199254740992", "timescale": 1}
    assert MediaTime(1, 2, epoch=3, rounded=True).to_wire() == {
        "value": 1,
        "timescale": 2,
        "epoch": 3,
        "rounded": True,
    }
    for word in ("+infinity", "-infinity", "indefinite", "invalid"):
        assert MediaTime.of(word).to_wire() == word
    assert MediaTime.of(math.inf).to_wire() == "+infinity"


def test_equal_moments_are_equal():
    assert MediaTime(1, 2) == MediaTime(2, 4) == 0.5 == MediaTime(1, 2)
    assert MediaTime(1, 10) == Fraction(1, 10)
    assert MediaTime(1, 10) != 0.1  # The float is not exactly a tenth.
    assert len({MediaTime(1, 2), MediaTime(2, 4), Fraction(1, 2), 0.5}) == 1
    assert len({MediaTime.infinity, MediaTime.of("+infinity"), math.inf}) == 1
    assert MediaTime(1) != "1"


def test_the_order_is_total():
    times = [
        MediaTime.negative_infinity,
        MediaTime(-1),
        MediaTime(1, 3),
        MediaTime(10**12),
        MediaTime(0, 1, epoch=1),
        MediaTime.indefinite,
        MediaTime.infinity,
        MediaTime.invalid,
    ]
    assert sorted(reversed(times)) == times
    assert MediaTime(1, 3) < 0.34 < MediaTime(1, 2)
    assert MediaTime(5) < math.inf


def test_arithmetic_is_exact():
    frame = MediaTime(1001, 30000)
    assert frame + frame == Fraction(2002, 30000)
    assert (MediaTime(1, 3) + MediaTime(1, 4)).to_wire() == {"value": 7, "timescale": 12}
    assert frame * 30 == Fraction(1001, 1000)
    assert 1 - MediaTime(1, 4) == MediaTime(3, 4) == MediaTime(3, 2) / 2
    assert MediaTime.infinity + 1 == MediaTime.infinity
    assert MediaTime.infinity - MediaTime.infinity == MediaTime.invalid
    assert -MediaTime.infinity == MediaTime.negative_infinity
    rounded = MediaTime(1, 2**31 - 1) + MediaTime(1, 2**31 - 3)
    assert rounded.rounded
    assert float(rounded) == pytest.approx(2 / 2**31)


def test_seconds():
    time = MediaTime(1001, 30000)
    assert float(time) == time.seconds == 1001 / 30000
    assert time.fraction == Fraction(1001, 30000)
    assert f"{time:.4f}" == "0.0334"
    assert str(time) == "0.033 s"
    assert repr(time) == "MediaTime(1001, 30000)"
    assert math.isnan(float(MediaTime.invalid))
    assert not MediaTime.infinity.is_numeric
    with pytest.raises(ValueError, match="infinity is not a number"):
        _ = MediaTime.infinity.fraction


def test_times_do_not_change():
    time = MediaTime(1, 2)
    with pytest.raises(AttributeError):
        time.value = 2
    assert pickle.loads(pickle.dumps([time, MediaTime.indefinite])) == [time, MediaTime.indefinite]


def test_every_time_is_true():
    # As every datetime.time is: "if sample.decode_time" asks whether there is one.
    assert MediaTime.zero


def test_ranges():
    time_range = TimeRange(1, 2.5)
    assert time_range.end == MediaTime(7, 2)
    assert time_range == TimeRange.between(1, 3.5) == TimeRange.of(time_range.to_wire())
    assert 1 in time_range
    assert 3.5 not in time_range
    with pytest.raises(TypeError, match="TimeRange"):
        TimeRange.of((1, 2))


def _random_times(seed):
    source = random.Random(seed)
    return [
        MediaTime(source.randint(-500, 500), source.choice([1, 24, 600, 1001, 48000]))
        for _ in range(40)
    ]


@pytest.mark.parametrize("rounding", get_args(Rounding))
def test_conversion_is_the_engines(engine, rounding):
    assert get_args(Rounding) == get_args(protocol.Rounding)
    for time in _random_times(1):
        for scale in (1, 25, 1000, 44100):
            params = {"time": time.to_wire(), "timescale": scale, "rounding": rounding}
            theirs = MediaTime.of(engine.request("time/convertScale", params)["time"])
            ours = time.converted(scale, rounding)
            assert (ours, ours.timescale, ours.rounded) == (theirs, scale, theirs.rounded)
    assert MediaTime.infinity.converted(5) is MediaTime.infinity


def test_calculations_with_ranges_are_the_engines(engine):
    starts, lengths, others = _random_times(2), _random_times(3), _random_times(4)
    ranges = [TimeRange(start, max(length, -length)) for start, length in zip(starts, lengths)]
    ranges += [TimeRange(start, 0) for start in starts[:5]]

    def asked(method, member, **params):
        wire = {name: item.to_wire() for name, item in params.items()}
        return engine.request(method, wire)[member]

    for one, two, time in zip(ranges, [*reversed(ranges)], [*others, *starts]):
        pair = {"lhs": one, "rhs": two}
        assert one.union(two) == TimeRange.of(asked("timeRange/union", "range", **pair))
        assert one.intersection(two) == TimeRange.of(
            asked("timeRange/intersection", "range", **pair)
        )
        at = {"range": one, "time": time}
        assert (time in one) == asked("timeRange/contains", "contains", **at)
        assert (two in one) == asked("timeRange/contains", "contains", range=one, timeRange=two)
        assert (one in one) != one.is_empty
        if not one.is_empty:
            assert one.clamp(time) == MediaTime.of(asked("timeRange/clamp", "time", **at))
            assert one.fold(time) == MediaTime.of(asked("timeRange/fold", "time", **at))
        if not (one.is_empty or two.is_empty):
            mapped = {"time": time, "from": one, "to": two}
            theirs = MediaTime.of(asked("timeRange/map", "time", **mapped))
            assert one.map(time, two) == theirs or theirs.rounded
