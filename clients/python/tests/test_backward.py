"""Parts that are played backward, frozen frames and changing speeds, by the frames that ffmpeg decodes."""

from fractions import Fraction

import pytest
from conftest import FRAME

from reelwire import CompositionSegment, TimeRange


def _backward(frames, start, end):
    """The frames of a part in reverse order, and when they are shown."""
    shown = []
    for index in reversed(range(len(frames))):
        begin, after = index * FRAME, (index + 1) * FRAME
        if after > start and begin < end:
            shown.append((frames[index], max(Fraction(0), end - after)))
    return shown


def _shown(images):
    return [(image.packed(), image.actual_time) for image in images]


def test_a_part_is_shown_backward(engine, clip, frames):
    with engine.open(clip) as asset:
        with asset[1:3].at_speed(-1).composition() as composition:
            assert composition.duration == 2
            expected = _backward(frames, 1, 3)
            with composition.frames("yuv420p") as shown:
                assert _shown(shown) == expected
            # Images at times are these frames, too, in any order.
            with composition.image_generator(tolerance=0) as generator:
                for number in (40, 3, 59, 0, 21):
                    frame, time = expected[number]
                    image = generator.image(time, format="yuv420p")
                    assert (image.packed(), image.actual_time) == (frame, time)
        with asset[1:3].at_speed(-2).composition() as fast:
            assert fast.duration == 1
            with fast.frames("yuv420p") as shown:
                assert _shown(shown) == [(frame, time / 2) for frame, time in expected]


def test_backward_twice_is_forward(engine, clip, frames):
    with engine.open(clip) as asset, asset[1:3].at_speed(-1).composition() as backward:
        with backward[:].at_speed(-1).composition() as forward:
            segments = forward.segments(1)
            assert [(s.source, s.playback) for s in segments] == [(TimeRange(1, 2), "forward")]
            with forward.frames("yuv420p") as shown:
                assert [image.packed() for image in shown][1:60] == frames[31 - 1 : 90 - 1][:59]


def test_an_edit_cuts_a_part_that_is_shown_backward(engine, clip, frames):
    with engine.open(clip) as asset, asset[1:3].at_speed(-1).composition() as composition:
        composition.remove_time_range(TimeRange(Fraction(1, 2), 1))
        sources = [(s.source, s.playback) for s in composition.segments(1)]
        assert sources == [
            (TimeRange(Fraction(5, 2), Fraction(1, 2)), "reverse"),
            (TimeRange(1, Fraction(1, 2)), "reverse"),
        ]
        timeline = composition.timeline()
        with engine.composition(timeline=timeline) as again:
            assert again.timeline() == timeline
        expected = _backward(frames, Fraction(5, 2), 3)
        with composition.frames("yuv420p") as shown:
            assert _shown(shown)[: len(expected)] == expected


def test_a_frozen_frame_is_a_segment(engine, clip, frames):
    with engine.open(clip) as asset, engine.composition(asset[:1]) as composition:
        composition.insert_time_range(asset, time_range=TimeRange(2, 3), playback="freeze")
        assert composition.duration == 4
        last = composition.segments(1)[-1]
        assert (last.source, last.playback) == (TimeRange(2, 0), "freeze")
        with composition.image_generator(tolerance=0) as generator:
            for time in (1, 2.5, 3.99):
                assert generator.image(time, format="yuv420p").packed() == frames[59]
        held = CompositionSegment(TimeRange(0, 1), TimeRange(3, 0), asset, playback="freeze")
        composition.set_segments(1, [held])
        assert composition.segments(1)[0].playback == "freeze"
        assert generator is not None


def test_frames_at_times_are_the_same(engine, clip, frames):
    expected = _backward(frames, 1, 3)
    with engine.open(clip) as asset, asset[1:3].at_speed(-1).composition() as composition:
        with composition.frames("yuv420p") as shown:
            assert shown.at(1).packed() == next(f for f, t in reversed(expected) if t <= 1)
            assert shown.at(0).packed() == expected[0][0]


def _ramped(time, first, last):
    """The part of a second of the source that has been shown at a time of a ramp over it."""
    slope = (last - first) * (first + last) / 2
    return time * first + slope * time**2 / 2


@pytest.mark.parametrize("sign", [1, -1])
def test_a_speed_changes(engine, clip, frames, sign):
    """One second between the speeds 1 and 3 lasts 2 / (1 + 3) s."""
    with engine.open(clip) as asset:
        part = asset[1:2].at_speeds({1: sign, 2: 3 * sign})
        with part.composition() as composition, composition.image_generator(tolerance=0) as generator:
            assert composition.duration == Fraction(1, 2)
            for number in range(1, 15):
                time = Fraction(number, 30) + Fraction(1, 1000)
                source = 1 + _ramped(time, 1, 3) if sign > 0 else 2 - _ramped(time, 3, 1)
                image = generator.image(time, format="yuv420p")
                assert image.packed() == frames[int(source / FRAME)], (number, float(source))
        with (asset[:1] + part).composition() as both:
            assert both.duration == Fraction(3, 2)
            inserted = both.insert(part, at=0)
            assert inserted.time_range == TimeRange(0, Fraction(1, 2))
            track = both.tracks[0]
            both.insert_time_ranges(track, [part], at=0)
            assert both.duration == Fraction(5, 2)
            assert both.segments(track)[0].playback == ("forward" if sign > 0 else "reverse")
