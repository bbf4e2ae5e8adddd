"""Audio mixes and video compositions as values: their JSON, and an engine that accepts them."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from reelwire import (
    AudioMix,
    Engine,
    Instruction,
    Layer,
    MediaTime,
    ReelwireError,
    TimeRange,
    VideoComposition,
    VideoCompositionOutput,
)

np = pytest.importorskip("numpy")


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


def test_a_compositor_is_stated_with_the_instruction() -> None:
    drawn = Instruction(TimeRange(0, 1), [Layer(1)], compositor="client")
    assert drawn["compositor"] == "client"
    assert "compositor" not in Instruction(TimeRange(0, 1))
    pictures = VideoComposition(
        (64, 48), "1/25", [drawn], compositor_pixel_format="gray", compositor_timeout=2.5
    )
    assert pictures["compositorPixelFormat"] == "gray"
    assert pictures["compositorTimeoutMs"] == 2500
    assert "compositorTimeoutMs" not in VideoComposition((64, 48), "1/25", [drawn])


def test_an_output_is_plain_json() -> None:
    assert plain(VideoCompositionOutput().to_wire()) == {
        "type": "videoComposition",
        "settings": {"pixelFormat": "rgb24"},
    }
    pictures = VideoComposition((64, 48), "1/25", [])
    output = VideoCompositionOutput(2, video_composition=pictures, format="png", width=32)
    assert plain(output.to_wire()) == {
        "type": "videoComposition",
        "trackIDs": [2],
        "videoComposition": plain(pictures),
        "settings": {"format": "png", "width": 32},
    }


def halves(seconds: int, color: str) -> VideoComposition:
    """One colour for a number of seconds, then another, at ten pictures a second."""
    colors = {"red": (1, 0, 0, 1), "blue": (0, 0, 1, 1)}
    ranges = TimeRange(0, seconds), TimeRange(seconds, 4 - seconds)
    names = sorted(colors, key=lambda name: name != color)
    instructions = [Instruction(*each) for each in zip(ranges)]
    for instruction, name in zip(instructions, names):
        instruction["backgroundColor"] = colors[name]
    return VideoComposition((64, 48), "1/10", instructions)


def is_red(picture: Any) -> bool:
    return bool((abs(picture.astype(int) - (255, 0, 0)) <= 2).all())


def test_a_reader_reads_pictures(engine: Engine, clip: str) -> None:
    pictures = halves(1, "red")
    with engine.open(clip) as asset, engine.composition(asset) as composition:
        composition.set(video_composition=halves(3, "blue"))
        for output, red in (
            (VideoCompositionOutput(video_composition=pictures), range(10)),
            (VideoCompositionOutput(), range(30, 40)),
        ):
            with composition.reader(output) as reader:
                samples = list(reader.outputs[0])
                times = [sample.presentation_time for sample in samples]
                found = [is_red(sample.to_ndarray()) for sample in samples]
            assert times == [MediaTime(number, 10) for number in range(40)]
            assert [index for index, each in enumerate(found) if each] == list(red)


def test_frames_are_those_of_a_video_composition(engine: Engine, clip: str) -> None:
    with engine.open(clip) as asset:
        frames = asset.frames(video_composition=halves(1, "red"))
        assert len(frames) == 40
        assert is_red(frames[9].to_ndarray())
        assert not is_red(frames[10].to_ndarray())
        assert asset.image(0.5, video_composition=halves(1, "red"), format="rgb24").width == 64


def test_an_export_is_of_a_video_composition(engine: Engine, clip: str, tmp_path: Path) -> None:
    with engine.open(clip) as asset, engine.composition(asset) as composition:
        composition.set(video_composition=halves(1, "red"))
        sizes = []
        for name, options in (
            ("own", {}),
            ("other", {"video_composition": halves(2, "blue")}),
            ("none", {"video_composition": None}),
        ):
            path = tmp_path / f"{name}.mp4"
            composition.export(path, "HighestQuality", **options)
            sizes.append(shown_colors(path))
        whole = asset.natural_size
        assert sizes == [
            (64, 48, [*["red"] * 10, *["blue"] * 30]),
            (64, 48, [*["blue"] * 20, *["red"] * 20]),
            (whole.width, whole.height, None),
        ]


def shown_colors(path: Path) -> Any:
    """The size of a file's pictures and their colours, by ffprobe and ffmpeg; none where not of one colour."""
    entries = ["-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
    probed = subprocess.run(["ffprobe", "-v", "error", *entries, path], capture_output=True, check=True)
    width, height = map(int, probed.stdout.split(b","))
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "rawvideo"]
    data = subprocess.run(
        [*command, "-pix_fmt", "rgb24", "-"], capture_output=True, check=True
    ).stdout
    pictures = np.frombuffer(data, np.uint8).reshape(-1, width * height, 3).astype(int)
    if np.ptp(pictures, axis=1).max() > 8:
        return width, height, None
    return width, height, ["red" if each[0] > 200 else "blue" for each in pictures[:, 0]]


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
