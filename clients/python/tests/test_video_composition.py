"""Audio mixes and video compositions as values: what they are in JSON, and that an engine takes them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from reelwire import AudioMix, Engine, Instruction, Layer, ReelwireError, TimeRange, VideoComposition


def plain(value: object) -> object:
    """The value as it is on the wire."""
    return json.loads(json.dumps(value))


def time(value: int, timescale: int = 1) -> dict[str, int]:
    return {"value": value, "timescale": timescale}


def test_a_layer_is_plain_json() -> None:
    layer = (
        Layer(2, fit="contain")
        .opacity(0.5)
        .fade(0.5, 0, at=Fraction(1, 3), duration="1/30")
        .move((0, 10), [2, 0, 0, 2, 5, 6], at=0, duration=2)
        .crop((1, 2, 3, 4), at=1.5)
        .pan((1, 2, 3, 4), {"x": 0, "y": 0, "width": 8, "height": 8}, at=2, duration=1)
        .transform((7, 8), at=9)
    )
    box = {"x": 1, "y": 2, "width": 3, "height": 4}
    assert plain(layer) == {
        "trackID": 2,
        "fit": "contain",
        "opacity": [
            {"at": time(0), "value": 0.5},
            {
                "from": 0.5,
                "to": 0,
                "timeRange": {"start": time(1, 3), "duration": time(1, 30)},
            },
        ],
        "transform": [
            {
                "from": [1, 0, 0, 1, 0, 10],
                "to": [2, 0, 0, 2, 5, 6],
                "timeRange": {"start": time(0), "duration": time(2)},
            },
            {"at": time(9), "value": [1, 0, 0, 1, 7, 8]},
        ],
        "cropRectangle": [
            {"at": time(3, 2), "value": box},
            {
                "from": box,
                "to": {"x": 0, "y": 0, "width": 8, "height": 8},
                "timeRange": {"start": time(2), "duration": time(1)},
            },
        ],
    }


def test_a_layer_is_a_value() -> None:
    layer = Layer(1).opacity(0.5)
    faded = layer.fade(0.5, 0, at=1, duration=1)
    assert len(layer["opacity"]) == 1
    assert len(faded["opacity"]) == 2


@pytest.mark.parametrize("wrong", [(1,), (1, 2, 3)])
def test_what_is_no_transform_is_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="transform"):
        Layer(1).transform(wrong)
    with pytest.raises(ValueError, match="rectangle"):
        Layer(1).crop(wrong)


def test_a_mix_has_one_entry_for_each_track() -> None:
    first = AudioMix().fade_in(2, 1)
    mix = first.volume(0, 0.5).fade_out(2, "1/2", at=3, volume=0.25).time_pitch(2, "varispeed")
    assert plain(first) == {
        "inputParameters": [
            {
                "trackID": 2,
                "volume": [
                    {"from": 0, "to": 1, "timeRange": {"start": time(0), "duration": time(1)}}
                ],
            }
        ]
    }
    assert [each["trackID"] for each in mix["inputParameters"]] == [2, 0]
    assert plain(mix["inputParameters"][0]["volume"][1]) == {
        "from": 0.25,
        "to": 0,
        "timeRange": {"start": time(3), "duration": time(1, 2)},
    }
    assert mix["inputParameters"][0]["audioTimePitchAlgorithm"] == "varispeed"


def test_a_composition_has_its_own(engine: Engine, clip: str) -> None:
    with engine.open(clip) as asset, engine.composition(asset) as composition:
        own = composition.video_composition()
        assert own["sourceTrackIDForFrameTiming"] == 1
        pictures = VideoComposition(
            (64, 48),
            "1/25",
            [Instruction(TimeRange(0, 2), [Layer(1).fade(1, 0, at=0, duration=2)])],
            frame_timing=1,
        )
        mix = AudioMix().fade_in(2, 1)
        composition.set(audio_mix=mix, video_composition=pictures)
        timeline = composition.timeline()
        assert timeline["audioMix"] == plain(mix)
        assert timeline["videoComposition"] == plain(pictures)
        composition.set((320, 180), audio_mix=None)
        timeline = composition.timeline()
        assert "audioMix" not in timeline
        assert timeline["videoComposition"] == plain(pictures)
        composition.set(video_composition=None)
        assert "videoComposition" not in composition.timeline()
        with pytest.raises(ReelwireError) as wrong:
            composition.set(audio_mix=AudioMix().volume(9, -1))
        assert len(wrong.value.data["errors"]) == 2


def test_what_is_wrong_is_listed(engine: Engine, clip: str) -> None:
    with engine.open(clip) as asset:
        right = asset.video_composition(prototype={"backgroundColor": [1, 0, 0, 1]})
        assert right["instructions"][0]["backgroundColor"] == [1, 0, 0, 1]
        assert engine.validate_video_composition(right, asset=asset)["problems"] == []
        wrong = VideoComposition((0, 0), 0, [Instruction(TimeRange(1, 1), [Layer(9)])])
        found = engine.validate_video_composition(wrong, asset=asset)
        kinds = [problem["kind"] for problem in found["problems"]]
        assert not found["isValid"]
        assert kinds[:4] == [
            "invalidValueForKey",
            "invalidValueForKey",
            "emptyTimeRange",
            "invalidTrackIDInInstruction",
        ]
        ramp = engine.layer_ramp(Layer(1).fade(1, 0, at=3, duration=1), "opacity", 0)
        assert ramp is not None
        assert (ramp["from"], ramp["to"]) == (1, 0)


def test_images_are_those_of_a_video_composition(engine: Engine, clip: str) -> None:
    red = VideoComposition(
        (64, 48), "1/30", [Instruction(TimeRange(0, 4), background=(1, 0, 0, 1))]
    )
    with engine.open(clip) as asset, engine.composition(asset) as composition:
        (image,) = asset.frames_at([1], video_composition=red)
        assert image.shape == (48, 64, 3)
        assert (abs(image.astype(int) - (255, 0, 0)) <= 2).all()
        composition.set(video_composition=red)
        assert composition.frames_at([1]).shape == (1, 48, 64, 3)
        whole = composition.frames_at([1], video_composition=None)
        assert (whole == asset.frames_at([1])).all()
