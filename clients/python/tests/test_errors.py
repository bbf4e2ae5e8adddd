import errno

import pytest

import reelwire
from reelwire import protocol
from reelwire.error_codes import CLASSES
from reelwire.errors import error_from_wire


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


def test_an_error_without_data_and_an_unknown_code():
    error = error_from_wire({"code": 42, "message": "new"})
    assert type(error) is reelwire.ReelwireError
    assert str(error) == "new [42]"


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("Raise fileLengthLimit, or take another.", "Raise file_length_limit, or take another."),
        ("asset/tracks lists the tracks.", "asset.tracks lists the tracks."),
        ("exportSession/compatiblePresets lists them.", "asset.compatible_presets() lists them."),
        ("engine/capabilities lists pixelFormats.", "Engine.capabilities() lists pixelFormats."),
        ("Use composition/insertTimeRange.", "Use composition.insert_time_range()."),
        ("composition/create makes one.", "Engine.composition() makes one."),
        ("Choose encodedPixels.", "Choose encodedPixels."),
        ("Look at data.libav.", "Look at error.data['libav']."),
        # Names that a caller has chosen stay.
        ("Remove '/a/timeRange/asset/tracks'.", "Remove '/a/timeRange/asset/tracks'."),
    ],
)
def test_hints_have_the_names_of_python(wire, python):
    error = error_from_wire({"code": -11800, "message": "no", "data": {"name": "n", "hint": wire}})
    assert error.hint == python
    assert error.data["hint"] == wire


def test_problems_have_the_names_of_python():
    problem = {"path": "/options/preferPreciseDurationAndTiming", "expected": "a", "got": "b"}
    text = str(_error(-32602, errors=[problem]))
    assert "/options/prefer_precise_duration_and_timing: expected a, got b" in text
