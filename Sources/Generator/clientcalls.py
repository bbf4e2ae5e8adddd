"""The methods that the clients call as they are declared, their objects and their forms.

Every request is a method of a client's object unless it is listed in ``BY_HAND`` or ``COMPUTED``: a
new one needs nothing here. It belongs to the object of its first handle, or to the engine, and has
the name after the slash. ``RULES`` is for methods that the clients know by other names than the
wire does, for methods that are several calls of theirs, for results of which their objects make values, and for
work whose progress they report and of whose end they make an object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

from clientrules import Rule, Work, Written
from model import GeneratorError
from pythontypes import PREFIX

Schema = Dict[str, Any]

#: The namespaces that the clients compute themselves: those of times.
COMPUTED = {"time", "timeRange"}

#: The methods that the clients have no use for, with the reasons.
UNUSED: Dict[str, str] = {
    "assetWriter/requestMediaData": "appending waits automatically",
}

#: The methods whose calls the clients write by hand, with the reasons.
BY_HAND: Dict[str, str] = {
    "initialize": "the handshake of a new process",
    "shutdown": "the end of the process",
    "handle/close": "every object's own end",
    "asset/open": "makes an object; its path is made absolute, and the client reads other inputs than files",
    "videoComposition/finishFrame": "part of drawing pictures for the engine",
    "resource/allocate": "part of answering the reads of a resource",
    "asset/loadValues": "keeps the loaded values, and accepts keys in any spelling",
    "asset/valueStatus": "keeps the loaded values, and accepts keys in any spelling",
    "asset/tracks": "makes objects, by a filter or by a number",
    "asset/chapterMetadataGroups": "artwork is a choice of the caller's, not a list of keys",
    "track/loadValues": "keeps the loaded values, and accepts keys in any spelling",
    "track/valueStatus": "keeps the loaded values, and accepts keys in any spelling",
    "composition/create": "makes an object",
    "composition/assemble": "makes an object",
    "composition/import": "makes an object",
    "imageGenerator/create": "makes an object; one tolerance for both sides, sizes by a number",
    "imageGenerator/generateImages": "work with notifications",
    "exportSession/create": "makes an object; its paths are made absolute",
    "exportSession/export": "work with notifications, that can be started and waited for later",
    "assetReader/create": "makes an object; outputs are values of the client's",
    "assetReader/start": "is sent once",
    "assetReader/nextSampleBuffers": "reads ahead into shared memory",
    "assetReader/reset": "returns the samples that were read ahead",
    "assetReader/cancel": "returns the samples that were read ahead",
    "assetWriter/create": "makes an object; its paths are made absolute",
    "assetWriter/append": "takes pictures, audio and samples of the client's",
    "assetWriter/allocate": "part of appending pictures",
    "assetWriter/start": "comes with making the writer",
    "assetWriter/startSession": "comes with making the writer",
    "assetWriter/markAsFinished": "waits for pending appends",
    "assetWriter/cancel": "ends pending appends",
    "assetWriter/finish": "work with notifications",
    "assetWriter/transfer": "work with notifications",
    "player/create": "makes an object; the paths of audio files are made absolute",
    "player/set": "an audio device may be its ID alone",
    "player/seek": "one tolerance for both sides; makes a value",
    "player/preroll": "tells whether it has finished",
    "player/replaceCurrentItem": "the player has to know the item",
    "player/items": "makes objects",
    "player/insert": "makes objects",
    "player/advanceToNextItem": "makes objects",
    "player/addPeriodicTimeObserver": "makes an object, whose firings are an iterator",
    "player/addBoundaryTimeObserver": "makes an object, whose firings are an iterator",
    "player/advanceClock": "by a time or to one",
    "playerItem/create": "makes an object",
    "playerItem/set": "the numbers of tracks may be any iterable",
    "videoOutput/create": "makes an object",
    "videoOutput/copyPixelBuffer": "makes a picture, whose bytes may be in shared memory",
    "playerLooper/create": "makes an object",
    "audioPlayer/create": "makes an object; the paths of audio files are made absolute",
    "audioPlayer/advanceClock": "by a time or to one",
    "captureSession/create": "comes with adding its inputs and starting it",
    "captureSession/configure": "makes objects",
    "captureSession/start": "an error of its end is raised",
    "captureSession/stop": "its end isn't a result",
    "captureOutput/startRecording": "work with notifications, which is stopped and waited for later",
    "captureOutput/nextSampleBuffers": "makes samples, whose bytes may be in shared memory",
    "captureOutput/capturePhoto": "makes a picture, whose bytes may be in shared memory",
    "captureOutput/observeLevels": "makes an object, whose levels are an iterator",
    "audioRecorder/create": "makes an object; its path is made absolute",
    "audioRecorder/record": "work with notifications, which is stopped and waited for later",
    "audioRecorder/stop": "waits for the end of the file",
    "library/open": "makes an object; its paths are made absolute",
    "library/fetch": "makes an object; predicates and orders are values of the client's",
    "fetchResult/items": "pages are fetched as they are needed",
    "fetchResult/index": "an item is a value of the client's",
    "fetchResult/count": "a dictionary",
    "libraryItem/values": "a method of the item",
    "libraryItem/thumbnail": "a method of the item; makes an image, whose bytes may be in shared memory",
}


SEGMENT = Written(
    *("CompositionSegment[Any]", "composition", "CompositionSegment | SegmentLike"),
    {"composition": ("CompositionSegment", "SegmentLike")},
)
EXPORT = Work("export", "ExportResult", "export_result", is_job=True, node_job="ExportJob")

#: By the method; several for one that is several calls.
RULES: Dict[str, Union[Rule, Tuple[Rule, ...]]] = {
    "handle/list": Rule(name="handles"),
    "capture/devices": Rule(positional=("mediaType",)),
    "captureSession/state": Rule(names_object=True, node_plain=True),
    "captureOutput/levels": Rule(node_plain=True),
    "audioRecorder/prepareToRecord": Rule(names_object=True),
    "audioRecorder/pause": Rule(names_object=True),
    "audioRecorder/state": Rule(names_object=True),
    "audioRecorder/meters": Rule(names_object=True),
    "audioRecorder/advanceClock": Rule(names_object=True),
    "asset/metadata": Rule(name="loadMetadata", positional=("trackID",)),
    "videoComposition/withPropertiesOf": Rule(name="videoComposition"),
    "videoComposition/validate": Rule(name="validateVideoComposition"),
    "videoComposition/ramp": Rule(name="layerRamp"),
    "exportSession/compatiblePresets": (
        Rule(fixed={"explain": None}, positional=("outputFileType",), returns=("presets",)),
        Rule(
            name="incompatiblePresets",
            summary="Returns why the other presets can't export an asset, by their names.",
            fixed={"explain": True},
            positional=("outputFileType",),
            returns=("incompatible",),
            mapping=("preset", "reason"),
        ),
    ),
    "exportSession/compatibleFileTypes": (
        Rule(fixed={"explain": None}, returns=("fileTypes",)),
        Rule(
            name="incompatibleFileTypes",
            summary="Returns why a preset can't export an asset to the other types, by their names.",
            fixed={"explain": True},
            returns=("incompatible",),
            mapping=("fileType", "reason"),
        ),
    ),
    "exportSession/exportPart": Rule(
        work=EXPORT,
        arguments={"outputURL": "output"},
        returned=("plan",),
        node_options="ExportPartOptions",
        names_object=True,
    ),
    "exportSession/join": Rule(
        work=EXPORT,
        arguments={"partURLs": "parts"},
        returned=("plan",),
        node_options="ExportPartOptions",
        names_object=True,
    ),
    "imageGenerator/contactSheet": Rule(
        work=Work("contact sheet", "ContactSheet", "contact_sheet", "imageDelivery"),
        positional=("columns", "rows"),
        node_options="SheetOptions",
        names_object=True,
    ),
    "waveform/generate": Rule(
        name="waveform",
        work=Work("waveform", "Waveform", "waveform"),
        positional=("count", "trackID"),
        node_options="WaveformOptions",
    ),
    "analysis/sceneChanges": Rule(
        work=Work("scene changes", "SceneChanges", "analysis", has_image=False),
        positional=("trackID",),
        node_options="SceneChangesOptions",
    ),
    "analysis/silences": Rule(
        work=Work("silences", "Silences", "analysis", has_image=False),
        positional=("trackID",),
        node_options="SilencesOptions",
    ),
    "analysis/loudness": Rule(
        work=Work("loudness", "Loudness", "analysis", has_image=False),
        positional=("trackID",),
        node_options="LoudnessOptions",
    ),
    "library/addFolder": Rule(
        positional=("excluded",), node_options="AddFolderOptions", names_object=True
    ),
    "library/scan": Rule(
        work=Work(
            *("scan", "LibraryScanResult", "library"),
            is_own=True,
            python="ScanResult",
            python_progress="ScanProgressLike",
            python_modules={"library": ("ScanProgressLike", "ScanResult")},
        ),
        positional=("folder",),
        node_options="ScanOptions",
        node_options_module="library",
        names_object=True,
    ),
    "library/duplicates": Rule(
        work=Work(
            *("duplicates", "LibraryItem[][]", "library"),
            is_own=True,
            python="list[list[AsyncLibraryItem]]",
            python_modules={"library_item": ("AsyncLibraryItem",), "progress": ("ProgressLike",)},
        ),
        node_options="DuplicatesOptions",
        node_options_module="library",
        names_object=True,
    ),
    "library/removeFolder": Rule(names_object=True),
    "library/changes": Rule(names_object=True),
    "library/collections": Rule(names_object=True, makes="LibraryCollection", makes_list=True),
    "composition/copy": Rule(makes="Composition"),
    "composition/set": Rule(
        positional=("naturalSize",),
        writes={
            "naturalSize": Written(
                "tuple[float, float] | protocol.CanvasSize", "", "CanvasSize", in_node=False
            )
        },
        node_options="CompositionSettings",
        node_options_module="composition",
    ),
    "imageGenerator/generateImage": Rule(
        name="image",
        positional=("time",),
        makes="Image",
        made_in_python="Image",
        node_options="ImageOptions",
        node_options_module="image-generator",
        node_placed=("time",),
        node_delivery="imageDelivery",
        names_object=True,
    ),
    "composition/segments": Rule(
        makes="CompositionSegment",
        makes_list=True,
        made_in_python="CompositionSegment[AsyncAsset]",
    ),
    "composition/setSegments": Rule(writes={"segments": SEGMENT}),
    "composition/timeline": (
        Rule(returns=("timeline",)),
        Rule(
            name="timelineLosses",
            summary="Returns the parts of a composition that its timeline can't state, each with its reason.",
            returns=("losses",),
        ),
    ),
    "composition/validateSegments": Rule(writes={"segments": SEGMENT}, returns=("problems",)),
    "composition/insertTimeRanges": Rule(
        writes={
            "items": Written("ItemLike", "composition", "ItemLike", {"composition": ("ItemLike",)})
        },
    ),
    "assetWriter/status": Rule(makes="WriterState", made_in_python="WriterState", node_plain=True),
    "assetWriter/flushSegment": Rule(prepares=True, node_plain=True),
    "assetWriter/canAdd": Rule(
        name="canAddInput",
        summary="Returns the obstacles to an input in files of a type; nothing where it can be.",
        returns=("reasons",),
        writes={
            "input": Written(
                *("WriterInput", "writer_inputs", "WriterInputOptions & { mediaType: MediaType }"),
                {"asset-writer": ("WriterInputOptions",), "protocol": ("MediaType",)},
            )
        },
    ),
    "track/associatedTracks": Rule(makes="Track", makes_list=True, node_plain=True),
    "sampleCursor/create": Rule(
        name="sampleCursor", defaults={"position": "first"}, makes="SampleCursor"
    ),
    "sampleCursor/copy": Rule(names_object=True, makes="SampleCursor", node_plain=True),
    "sampleCursor/reordering": (
        Rule(
            name="hasEarlierDecodedPresentedLater",
            summary="Returns whether a sample that is decoded before this one is presented after the other.",
            arguments={"to": "other"},
            returns=("hasEarlierDecodedPresentedLater",),
            node_plain=True,
        ),
        Rule(
            name="hasLaterDecodedPresentedEarlier",
            summary="Returns whether a sample that is decoded after this one is presented before the other.",
            arguments={"to": "other"},
            returns=("hasLaterDecodedPresentedEarlier",),
            node_plain=True,
        ),
    ),
    "sampleCursor/step": Rule(defaults={"count": 1, "order": "decode"}, returns=("stepped",)),
    "sampleCursor/stepByTime": Rule(
        defaults={"order": "presentation"}, returns=("moved", "wasPinned")
    ),
    "sampleCursor/samples": Rule(name="read", positional=("maxCount", "order")),
    "sampleCursor/compare": Rule(
        arguments={"rhs": "other"}, node_types={"order": "-1 | 0 | 1"}
    ),
}


@dataclass
class Argument:
    """An argument of a call, for a param."""

    wire: str
    #: In camel case.
    name: str
    schema: Schema
    text: str
    #: True if the wire requires it.
    required: bool
    #: The value when left out, of those that the wire requires; else ``None``.
    default: Optional[Any]
    #: True if it may be null, which is something else than left out.
    nullable: bool


@dataclass
class Member:
    """A part of the return value of a call."""

    name: str
    schema: Schema
    text: str
    required: bool


@dataclass
class Call:
    """A method as a call of a client's object."""

    method: str
    rule: Rule
    #: The noun of the object, in lower camel case: ``asset``, ``track``, ``output``, ``engine``.
    receiver: str
    #: In camel case.
    name: str
    summary: str
    discussion: str
    #: The params that the object itself is.
    subject: List[str]
    arguments: List[Argument]
    #: True if the work is waited for, of a method that starts some.
    completes: bool
    #: The schema of the result as a whole.
    result: Schema
    #: The members of the result that are returned; ``None`` for all of it as it is on the wire.
    members: Optional[List[Member]]


def calls(document: Dict[str, Any]) -> List[Call]:
    """The calls of a document that aren't written by hand, by their receivers."""
    methods = [method for method in document["methods"] if "result" in method]
    names = {method["name"] for method in methods}
    for table in (BY_HAND, UNUSED, RULES):
        for name in table:
            if name not in names:
                raise GeneratorError(f"clientcalls.py names {name}, which does not exist")
    found = [
        _call(document, method, rule)
        for method in methods
        if method["name"] not in {**BY_HAND, **UNUSED}
        and method["name"].split("/")[0] not in COMPUTED
        for rule in _rules(method["name"])
    ]
    known: Dict[Tuple[str, str], str] = {}
    for call in found:
        other = known.setdefault((call.receiver, call.name), call.method)
        if other != call.method:
            raise GeneratorError(
                f"{other} and {call.method} are both {call.name} of {call.receiver}: "
                "one needs a rule or is written by hand"
            )
    return sorted(found, key=lambda call: call.receiver != "engine")


def _rules(method: str) -> Tuple[Rule, ...]:
    rules = RULES.get(method, Rule())
    return rules if isinstance(rules, tuple) else (rules,)


def receivers(found: List[Call]) -> Dict[str, List[Call]]:
    """The calls by the noun of their object."""
    grouped: Dict[str, List[Call]] = {}
    for call in found:
        grouped.setdefault(call.receiver, []).append(call)
    return grouped


def referred(schema: Schema) -> str:
    """The name of the schema that is referred to, or nothing."""
    return str(schema.get("$ref", ""))[len(PREFIX) :]


def handle_noun(schema: Schema) -> str:
    """``sampleCursor`` of a schema that is a handle; nothing of others."""
    name = referred(schema)
    noun = name[: -len("Handle")] if name.endswith("Handle") else ""
    return noun[:1].lower() + noun[1:]


def class_name(noun: str) -> str:
    """``sampleCursor`` is ``SampleCursor``."""
    return noun[:1].upper() + noun[1:]


def label(call: Call, found: List[Call]) -> str:
    """The name of a call in messages: its own, and its object's where that isn't enough."""
    named = [other for other in found if other.name == call.name]
    is_short = [other for other in named if not other.rule.names_object] == [call]
    return call.name if is_short else f"{call.receiver}.{call.name}"


def _call(document: Dict[str, Any], method: Dict[str, Any], rule: Rule) -> Call:
    name: str = method["name"]
    params: List[Dict[str, Any]] = method["params"]
    subject: List[str] = []
    receiver = "engine"
    first = next((p for p in params if p["required"] and handle_noun(p["schema"])), None)
    if first is not None:
        receiver = handle_noun(first["schema"])
        subject = [first["name"]]
    if name.startswith("track/") and receiver == "asset":
        receiver = "track"
        subject.append("trackID")
    for known in (*rule.arguments, *rule.defaults, *rule.positional, *rule.returned, *rule.fixed, *rule.writes):
        if known not in {param["name"] for param in params}:
            raise GeneratorError(f"clientcalls.py: {name} has no param {known}")
    named = {"trackID": "track", **rule.arguments}
    arguments = [
        Argument(
            param["name"],
            named.get(param["name"], param["name"]),
            _as_returned(param["schema"]) if param["name"] in rule.returned else param["schema"],
            param["description"],
            param["required"],
            rule.defaults.get(param["name"]),
            _may_be_null(document, param["schema"]),
        )
        for param in params
        if param["name"] not in (*subject, *rule.fixed, "completion")
        # The object's own, as the progress is.
        and not (rule.work is not None and rule.work.is_job and param["name"] == "progressInterval")
    ]
    result: Schema = method["result"]["schema"]
    completes = "x-terminal" in method
    if rule.work is not None and not completes:
        raise GeneratorError(f"clientcalls.py: {name} starts no work")
    if completes:
        # Its end, which is the answer where that comes last; errors in it are as they are.
        result = next(f for f in result["anyOf"] if not referred(f).endswith("OperationStarted"))
    return Call(
        name,
        rule,
        receiver,
        rule.name or re.split(r"[/.]", name)[-1],
        rule.summary or method["summary"],
        "" if rule.summary else method.get("description", "")[len(method["summary"]) :].strip(),
        subject,
        arguments,
        completes,
        result,
        None if completes else _members(document, name, rule, result),
    )


def _as_returned(schema: Schema) -> Schema:
    """The type of a param as results have it."""
    name = referred(schema)
    return {**schema, "$ref": PREFIX + name[: -len("Input")]} if name.endswith("Input") else schema


def _may_be_null(document: Dict[str, Any], schema: Schema) -> bool:
    schema = document["components"]["schemas"].get(referred(schema), schema)
    return {"type": "null"} in schema.get("anyOf", [])


def _members(
    document: Dict[str, Any], method: str, rule: Rule, result: Schema
) -> Optional[List[Member]]:
    schema = document["components"]["schemas"].get(referred(result), result)
    if schema.get("type") == "null" or schema.get("properties") == {}:
        return []
    if "properties" not in schema:
        return None
    required = schema.get("required", [])
    members = [
        Member(name, member, member.get("description", ""), name in required)
        for name, member in schema["properties"].items()
    ]
    if not rule.returns:
        return members
    found = [member for name in rule.returns for member in members if member.name == name]
    if len(found) != len(rule.returns):
        raise GeneratorError(f"clientcalls.py: the result of {method} lacks a returned member")
    return found
