"""Parts that are played backward and frozen frames, by the frames that ffmpeg decodes."""

from fractions import Fraction

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
