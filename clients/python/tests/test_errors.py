import errno
import json
from pathlib import Path

import pytest

import reelwire
from reelwire import protocol
from reelwire.error_codes import CLASSES
from reelwire.errors import error_from_wire

ROOT = Path(__file__).parents[3]


def _error(code, **data):
    return error_from_wire(
        {"code": code, "message": "it failed", "data": {"name": "n", "hint": "do it", **data}}
    )


def test_every_class_is_of_a_code_of_the_protocol():
    for code, cls in CLASSES.items():
        name = protocol.ERROR_NAMES[code]
        assert cls.__name__.lower() == name.lower().removesuffix("error") + "error"
        assert cls.__name__ in reelwire.__all__


@pytest.mark.parametrize("code", protocol.ERROR_NAMES)
def test_every_code_becomes_an_error(code):
    error = _error(code)
    assert isinstance(error, reelwire.ReelwireError)
    assert (error.code, error.name, error.hint) == (code, "n", "do it")
    assert "it failed" in str(error)
    assert "hint: do it" in str(error)


@pytest.mark.parametrize(
    ("code", "builtin"),
    [
        (-11823, FileExistsError),
        (-32602, ValueError),
        (3001, PermissionError),
        (2001, TimeoutError),
        (-11832, LookupError),
        (-32601, NotImplementedError),
    ],
)
def test_errors_are_the_builtin_ones_too(code, builtin):
    assert isinstance(_error(code), builtin)


def test_a_missing_file_is_a_file_not_found_error():
    error = _error(-11829, path="/a.mp4", libav={"code": "ENOENT"})
    assert isinstance(error, FileNotFoundError)
    assert isinstance(error, reelwire.FileFailedToParseError)
    assert (error.errno, error.filename) == (errno.ENOENT, "/a.mp4")
    assert type(error) is type(_error(-11829, libav={"code": "ENOENT"}))
    assert isinstance(_error(-11829, libav={"code": "EACCES"}), PermissionError)
    assert not isinstance(_error(-11829, libav={"code": "AVERROR_INVALIDDATA"}), OSError)


def test_an_existing_file_has_its_errno():
    error = _error(-11823, path="/out.mp4")
    assert (error.errno, error.filename) == (errno.EEXIST, "/out.mp4")


def test_every_problem_of_the_params_is_told():
    problems = [{"path": "/times/0", "expected": "a time", "got": "true"}]
    assert "/times/0: expected a time, got true" in str(_error(-32602, errors=problems))


def test_a_problem_is_named_as_it_was_written():
    """An argument by Python's name, a member of a dict by the protocol's."""
    members = ("/changes/0/settings/sampleRate", "/settings/video/frameRate")
    for path, name in (("/timeRange", "/time_range"), *zip(members, members)):
        problems = [{"path": path, "expected": "a value", "got": "true"}]
        assert f"{name}: expected a value" in str(_error(-32602, errors=problems))


def test_an_error_without_data_and_an_unknown_code():
    error = error_from_wire({"code": 42, "message": "new"})
    assert type(error) is reelwire.ReelwireError
    assert str(error) == "new [42]"


def _hint(name, hint="The wire's.", **arguments):
    advice = {"name": name, "arguments": arguments}
    error = _error(-11800, hint=hint, advice=advice)
    assert error.data["hint"] == hint and error.data["advice"] == advice
    return error.hint


@pytest.mark.parametrize(
    ("name", "arguments", "python"),
    [
        (
            "raiseFileLengthLimit",
            {},
            "Raise file_length_limit, or choose a preset with a lower data rate.",
        ),
        ("listTracks", {}, "asset.tracks lists the tracks."),
        ("listCompatiblePresets", {}, "asset.compatible_presets() lists the presets that can."),
        ("listFormats", {}, "Engine.capabilities() lists pixelFormats and sampleFormats."),
        (
            "readReportsOfCompositor",
            {},
            "Look at error.data['libav'] and error.data['log'].",
        ),
        ("exportPart", {"part": 3}, "Export part 3 to this path."),
        ("stateFileType", {"fileTypes": ["mp4", "mkv"]}, "Give output_file_type, one of: mp4, mkv."),
        ("stateRecordingType", {"fileTypes": ["mp4", "mkv"]}, "Give file_type, one of: mp4, mkv."),
        (
            "chooseTimeBetween",
            {"start": {"value": 0, "timescale": 1}, "end": {"value": 119, "timescale": 30}},
            "It is shown from 0 s to 3.967 s.",
        ),
        (
            "setTimePitchAlgorithm",
            {"algorithms": ["varispeed", "spectral"]},
            "Set audio_time_pitch_algorithm to 'varispeed' or 'spectral', or change the speed of that "
            "part.",
        ),
        # Names that a caller has chosen stay.
        (
            "coverAll",
            {"path": "/a/timeRange/{part}"},
            "Its instructions have to cover all that is shown of '/a/timeRange/{part}'.",
        ),
    ],
)
def test_hints_have_the_names_of_python(name, arguments, python):
    assert _hint(name, **arguments) == python


@pytest.mark.parametrize("name", ["", "adviceOfTomorrow"])
def test_advice_of_a_newer_engine_is_its_hint(name):
    assert _hint(name, hint="Raise fileLengthLimit.") == "Raise fileLengthLimit."


def test_all_advice_has_its_arguments_in_it():
    document = json.loads((ROOT / "docs/openrpc.json").read_text(encoding="utf-8"))
    examples = {
        "text": ("some text", "some text"),
        "integer": (4711, "4711"),
        "names": (["one"], "one"),
        "time": ({"value": 7, "timescale": 2}, "3.5 s"),
    }
    for name, advice in document["x-advice"].items():
        given = {key: examples[kind][0] for key, kind in advice["arguments"].items()}
        hint = _hint(name, **given)
        assert hint != "The wire's."
        for kind in advice["arguments"].values():
            assert examples[kind][1] in hint, name


def test_problems_have_the_names_of_python():
    problem = {"path": "/options/preferPreciseDurationAndTiming", "expected": "a", "got": "b"}
    text = str(_error(-32602, errors=[problem]))
    assert "/options/prefer_precise_duration_and_timing: expected a, got b" in text
