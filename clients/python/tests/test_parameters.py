"""Everything that the protocol takes and returns can be written and read in Python."""

import inspect
import re
from pathlib import Path
from typing import get_type_hints

import pytest

import reelwire
from reelwire import protocol
from reelwire.export_session import ExportOptions
from reelwire.remote import snake_to_camel

SOURCES = Path(reelwire.__file__).parent
TEXT = {path.name: path.read_text() for path in SOURCES.glob("*.py") if path.name != "protocol.py"}
ALL = "\n".join(TEXT.values())
ENGINE = Path(__file__).resolve().parents[3] / "Sources/MediaEngine/Core/EngineError.swift"

#: The parameters that appending handles itself: it waits for the answers, and not in the engine.
WAITING = {
    ("assetWriter/append", "wait"),
    ("assetWriter/append", "timeoutMs"),
    ("assetWriter/allocate", "timeoutMs"),
}
#: An audio player's file is opened as an asset first, as all files are.
OPENED = {("audioPlayer/create", "url")}
#: The methods that Python computes itself, exactly: ``MediaTime`` and ``TimeRange`` need no engine.
CALCULATIONS = ("time/", "timeRange/", "assetWriter/requestMediaData")


def _methods():
    """Each method and the type of its params."""
    text = (SOURCES / "protocol.py").read_text()
    return re.findall(r'^class (\w+Params)\(.*?"""The params of ``([^`]+)``', text, re.S | re.M)


def _members(name):
    return set(get_type_hints(getattr(protocol, name)))


def test_every_method_is_used():
    methods = [method for _, method in _methods()]
    assert len(methods) > 50
    missing = [
        method
        for method in methods
        if f'"{method}"' not in ALL and not method.startswith(CALCULATIONS)
    ]
    assert missing == []


def test_every_parameter_is_sent():
    """By its name in the module that calls the method, or as an option of that name there."""
    missing = []
    for params, method in _methods():
        users = "".join(text for text in TEXT.values() if f'"{method}"' in text)
        for member in _members(params) if users else ():
            option = re.sub("([A-Z]+)", lambda found: "_" + found[0].lower(), member)
            is_sent = re.search(rf'\b{member}(=|":|"\])|^    {option}: ', users, re.M)
            if not is_sent and member != "completion":
                missing.append((method, member))
    assert set(missing) == WAITING | OPENED


def test_an_export_takes_every_parameter_of_its_session():
    wire = _members("ExportSessionCreateParams") - {"asset", "preset"}
    explicit = inspect.signature(reelwire.AsyncAsset.export_session).parameters
    names = {name for name, item in explicit.items() if item.kind is inspect.Parameter.KEYWORD_ONLY}
    # A loudness and a choice of tracks go into the settings.
    assert {snake_to_camel(name) for name in names - {"loudness", "tracks"}} | {"outputURL"} == wire
    assert names == set(ExportOptions.__annotations__)


@pytest.mark.parametrize(
    ("wire", "cls", "other"),
    [
        (
            "ExportSessionDidFinish",
            reelwire.ExportResult,
            {"outputURL": "path", "operation": 0, "exportSession": 0, "status": 0, "error": 0},
        ),
        ("ExportSessionStatusResult", reelwire.ExportStatus, {}),
        ("ExportSessionPreflightResult", reelwire.ExportPreflight, {}),
        ("ExportSessionEstimateResult", reelwire.ExportEstimate, {}),
        (
            "ImageGeneratorDidGenerateImage",
            reelwire.Image,
            {"operation": 0, "imageGenerator": 0, "result": 0, "image": 0},
        ),
        ("Image", reelwire.Image, {}),
        ("ContactSheetTile", reelwire.ContactSheetTile, {}),
        ("MediaSelectionOption", reelwire.MediaSelectionOption, {}),
        ("SampleBuffer", reelwire.SampleBuffer, {"sampleIndex": 0, "index": 0}),
    ],
)
def test_objects_have_every_member(wire, cls, other):
    text = inspect.getsource(cls) + "".join(inspect.getsource(base) for base in cls.__mro__[1:-1])
    for member in _members(wire) - set(other):
        assert re.search(rf'"{member}"', text), f"{cls.__name__} lacks {member}"


def test_a_session_says_all_that_it_was_told(fake, tmp_path):
    played = fake({})
    item = {"identifier": "itsk/©nam", "key": "©nam", "keySpace": "itsk", "value": "A name"}
    with reelwire.Engine(**played.options) as engine:
        engine.open("a.mp4").export_session(
            tmp_path / "out.bin",
            "Passthrough",
            settings={"video": None, "tracks": [2]},
            output_file_type="mp4",
            time_range=reelwire.TimeRange("1/2", (3, 4)),
            metadata=[reelwire.MetadataItem(item)],
            file_length_limit=1000,
            should_optimize_for_network_use=True,
            trim_mode="smart",
            joins={"audio": "copy", "video": "inBand"},
            directory_for_temporary_files=tmp_path,
        )
    (created,) = (message["params"] for message in played.messages("exportSession/create"))
    assert created == {
        "asset": "asset:1",
        "preset": "Passthrough",
        "settings": {"video": None, "tracks": [2]},
        "outputURL": str(tmp_path / "out.bin"),
        "outputFileType": "mp4",
        "timeRange": {
            "start": {"value": 1, "timescale": 2},
            "duration": {"value": 3, "timescale": 4},
        },
        "metadata": [item],
        "fileLengthLimit": 1000,
        "shouldOptimizeForNetworkUse": True,
        "trimMode": "smart",
        "joins": {"audio": "copy", "video": "inBand"},
        "directoryForTemporaryFiles": str(tmp_path),
    }


@pytest.mark.skipif(not ENGINE.exists(), reason="the engine's sources are not here")
def test_every_error_of_the_engine_has_a_class():
    codes = [
        int(code) for code in re.findall(r"^    case \w+ = (-?\d+)$", ENGINE.read_text(), re.M)
    ]
    assert len(codes) > 25
    plain = [
        protocol.ERROR_NAMES[code]
        for code in codes
        if type(reelwire.error_from_wire({"code": code, "message": ""})) is reelwire.ReelwireError
    ]
    assert plain == ["unknown"]
