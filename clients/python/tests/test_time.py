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
    with pytest.raises(ValueError, match="before it begins"):
        TimeRange.between(3, 1)
    assert TimeRange.between(3, 3).duration == 0


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


def _factors(seed):
    """Floats of every kind that programs make: decimals, ratios, parts of one, powers of two."""
    source = random.Random(seed)
    for _ in range(200):
        yield source.choice(
            [
                round(source.uniform(-3, 3), source.randint(1, 4)),
                source.randint(1, 200) / source.randint(1, 200),
                source.random(),
                source.uniform(-1e6, 1e6),
                2.0 ** source.randint(-40, 20),
                float(source.randint(-50, 50) or 1),
            ]
        )


def _nearest(number):
    """The nearest nanosecond, halves away from zero, where no time holds the number exactly."""
    if number.denominator <= 2**31 - 1 and abs(number.numerator) < 2**63:
        return number
    whole = math.floor(abs(number) * 10**9 + Fraction(1, 2))
    return Fraction(whole if number > 0 else -whole, 10**9)


def test_a_part_of_a_length_is_the_start_of_its_frame():
    length, frames = MediaTime(150000, 30000), 125
    for frame in range(frames):
        start = Fraction(frame, 25)
        assert length * (frame / frames) == start == (frame / frames) * length
        assert MediaTime(frame) * 0.04 == start
        assert MediaTime(1) * (frame * 0.04) == start
    assert (MediaTime(5) * 0.04).to_wire() == {"value": 1, "timescale": 5, "rounded": True}
    assert not (MediaTime(5) * 0.5).rounded


def test_what_time_keeps_is_not_rounded_by_a_float():
    frame = MediaTime(1001, 30000)
    assert [frame * float(count) == frame * count for count in range(300)] == [True] * 300
    assert frame / 2.0 == frame * 0.5 == frame / 2 == Fraction(1001, 60000)
    assert (frame * 2.0).to_wire() == {"value": 2002, "timescale": 30000}
    assert (MediaTime(3, 2, epoch=1) * 0.5).to_wire() == {"value": 3, "timescale": 4, "epoch": 1}


@pytest.mark.parametrize("seed", range(5))
def test_products_and_quotients_with_floats(seed):
    for time, factor in zip(_random_times(seed) * 5, _factors(seed)):
        product = time * factor
        assert product.fraction == _nearest(time.fraction * Fraction(factor)), (time, factor)
        assert factor * time == product
        assert product.rounded == (product.fraction != time.fraction * Fraction(factor))
        quotient = time / factor
        assert quotient.fraction == _nearest(time.fraction / Fraction(factor)), (time, factor)


@pytest.mark.parametrize("seed", range(5))
def test_quotients_of_times_are_exact(seed):
    source = random.Random(seed)
    for one, other in zip(_random_times(seed), _random_times(seed + 100)):
        number = source.choice([3, -7, 0.04, -1.5, Fraction(1001, 30000), source.uniform(0.01, 9)])
        for two in (other, number):
            exact = MediaTime.of(two).fraction
            if exact == 0:
                continue
            assert one // two == one.fraction // exact
            assert isinstance(one // two, int)
            left = one.fraction % exact
            assert (one % two).fraction == left or (one % two).rounded
            assert divmod(one, two) == (one // two, one % two)
            assert abs((one % two).fraction - left) < Fraction(1, 10**9)
        if other == 0 or one == 0:
            continue
        assert one / other == one.fraction / other.fraction
        taken = MediaTime.of(number).fraction
        assert number / one == taken / one.fraction
        assert number // one == taken // one.fraction
        assert (number % one).fraction == taken % one.fraction or (number % one).rounded
        assert divmod(number, one) == (number // one, number % one)


def test_how_often_a_time_goes_into_another():
    assert MediaTime(5) // 0.04 == 125
    assert MediaTime(5) % 0.04 == 0
    assert divmod(MediaTime(5), 1) == (5, MediaTime.zero)
    assert 1 / MediaTime(1001, 30000) == Fraction(30000, 1001)
    assert divmod(MediaTime(-1), MediaTime(2)) == (-1, MediaTime(1))
    for zero in (0, 0.0, MediaTime.zero):
        for calculation in ("time / zero", "time // zero", "time % zero", "divmod(time, zero)"):
            with pytest.raises(ZeroDivisionError):
                eval(calculation, {"time": MediaTime(5), "zero": zero})
    for calculation in (lambda: MediaTime.infinity // 2, lambda: 2 % MediaTime.invalid):
        with pytest.raises(ValueError, match="is not a number of seconds"):
            calculation()
    for nonsense in ("2", None, [1]):
        with pytest.raises(TypeError):
            MediaTime(1) // nonsense


@pytest.mark.parametrize("seed", range(3))
def test_rounding_is_a_fractions(seed):
    for time in [*_random_times(seed), MediaTime(5, 2), MediaTime(-7, 2), MediaTime(1, 8)]:
        exact = time.fraction
        for function in (round, int, math.floor, math.ceil, math.trunc):
            assert function(time) == function(exact)
            assert type(function(time)) is int
        for digits in (-1, 0, 2, 9):
            rounded = round(time, digits)
            assert rounded == round(exact, digits)
            assert isinstance(rounded, MediaTime)
            assert rounded.rounded == (rounded != time)
        assert abs(time) == abs(exact)
        assert +time == time
    large = MediaTime(2**62 + 1, 2)
    assert int(large) == 2**61  # A float would have lost it.


def test_factors_that_are_no_number():
    assert MediaTime(-1) * math.inf == MediaTime.negative_infinity
    assert MediaTime.zero * math.inf == MediaTime.invalid
    assert MediaTime(5) / math.inf == 0
    assert MediaTime.infinity / -2 == MediaTime.negative_infinity
    assert MediaTime.indefinite * -2.5 == MediaTime.indefinite
    for calculation in (lambda: MediaTime(1) * math.nan, lambda: MediaTime.infinity / math.nan):
        with pytest.raises(ValueError, match="NaN"):
            calculation()
    with pytest.raises(OverflowError):
        MediaTime(5) * 1e300


def test_the_nearest_time_of_what_none_holds():
    assert MediaTime.of(Fraction(0.2)) == Fraction(1, 5)
    assert MediaTime.of(Fraction(0.2)).rounded
    assert MediaTime.of("0.333333333333333333") == Fraction(1, 3)
    third = Fraction(2**62, 3) + Fraction(1, 2**40)
    assert MediaTime.of(third).fraction == Fraction(third).limit_denominator(5)
    assert not MediaTime.of(0.1).rounded
    assert MediaTime.of(1 / 3).rounded


def test_numbers_are_taken_as_the_engine_takes_them(engine):
    for number in [*_factors(9), 1 / 3, 1e-10, 2.0**33 + 2**-19, 2.0**40 + 1 / 3, -(2.0**62)]:
        theirs = MediaTime.of(engine.request("time/add", {"lhs": number, "rhs": 0})["time"])
        ours = MediaTime.of(number)
        assert (ours, ours.rounded) == (theirs, theirs.rounded), number
