"""How the Node client writes what is given, and makes values of what is returned: the tables of its calls."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Conversion:
    """How a type of the wire becomes one of the client's, or the other way round."""

    module: str
    #: What is imported to convert, and what is declared.
    name: str
    type: str
    template: str
    #: What it is for a param or member that may be missing, where that is something else.
    optional: str = ""
    #: What it is for a list of them, where that is something else.
    list: str = ""
    #: Where the type is, if not beside the function.
    type_module: str = ""


#: What is given for a param.
INPUTS = {
    "TimeInput": Conversion("time", "MediaTime", "TimeLike", "MediaTime.of({})", "timeOrNone({})"),
    "CursorPositionInput": Conversion(
        "wire", "cursorPosition", "TimeLike", "cursorPosition({})", type_module="time"
    ),
    "TimeRangeInput": Conversion(
        "time", "TimeRange", "TimeRangeLike", "TimeRange.of({})", "rangeOrNone({})"
    ),
}
#: The types of params that stay as they are, where they aren't those of the wire.
INPUT_TYPES = {
    "AudioMixSettingInput": ("audio-mix", "AudioMixLike", "AudioMixLike | null"),
    "VideoCompositionInput": ("video-composition", "VideoCompositionLike", "VideoCompositionLike"),
}
#: What is given for a path, by the declaration's `x-path`.
PATHS = {
    "folder": Conversion("blob", "folderPath", "PathLike", "folderPath({})"),
    "written": Conversion("blob", "absolute", "PathLike", "absolute({})"),
}
#: What a value of a result becomes.
VALUES = {
    "Time": Conversion("time", "MediaTime", "MediaTime", "MediaTime.of({})"),
    "TimeRange": Conversion("time", "TimeRange", "TimeRange", "TimeRange.of({})"),
    "TrackSegment": Conversion("keys", "TrackSegment", "TrackSegment", "new TrackSegment({})"),
    "MetadataItem": Conversion(
        *("metadata", "metadataItems", "MetadataItem"),
        template="(await metadataItems(this.transport, [{}]))[0]",
        list="metadataItems(this.transport, {})",
    ),
    "MediaSelectionGroup": Conversion(
        *("media-selection", "MediaSelectionGroup", "MediaSelectionGroup"),
        template="new MediaSelectionGroup({})",
    ),
    "Sample": Conversion("sample", "Sample", "Sample", "new Sample({})"),
    "ErrorObject": Conversion(
        *("wire-errors", "errorFromWire", "ReelwireError", "errorFromWire({})"),
        type_module="errors",
    ),
    "SampleCursorChunkResult": Conversion("sample", "chunkOf", "Chunk", "chunkOf({})"),
    "AssetReaderStatusResult": Conversion(
        *("wire", "readerStateOf", "ReaderState", "readerStateOf({})"),
        type_module="asset-reader",
    ),
    "ExportSessionPreflightResult": Conversion(
        *("export-result", "preflightOf", "ExportPreflight", "preflightOf({})"),
        type_module="export-session",
    ),
    "ExportSessionEstimateResult": Conversion(
        *("export-result", "estimateOf", "ExportEstimate", "estimateOf({})"),
        type_module="export-session",
    ),
    "ExportSessionStatusResult": Conversion(
        *("export-result", "stateOf", "ExportState", "stateOf({})"),
        type_module="export-session",
    ),
}
#: The objects that add their own params to what they send.
SUBJECTLESS = {"track"}
#: What is no ``Remote``.
PLAIN = {"engine", "track", "output"}
#: The modules of what objects make, where they don't follow from the class.
MADE_MODULES = {
    "LibraryCollection": "library",
    "CompositionSegment": "composition",
    "Image": "image-generator",
    "WriterState": "asset-writer",
}
#: The modules and classes of the objects that don't follow from their noun.
HANDLES = {"output": ("asset-reader", "AssetReaderOutput")}
