"""The tables of the Node client's calls: the conversions of arguments and of results."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Conversion:
    """The conversion of a type of the wire into one of the client's, or the other way round."""

    module: str
    #: The import that converts, and the declared type.
    name: str
    type: str
    template: str
    #: The template for a param or member that may be missing, where it differs.
    optional: str = ""
    #: The template for a list of them, where it differs.
    list: str = ""
    #: The module of the type, if it isn't that of the function.
    type_module: str = ""


#: The arguments for params.
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
#: The arguments for paths, by the declaration's `x-path`.
PATHS = {
    "folder": Conversion("blob", "folderPath", "PathLike", "folderPath({})"),
    "written": Conversion("blob", "absolute", "PathLike", "absolute({})"),
}
#: The values of results.
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
#: The objects that add their own params to those that they send.
SUBJECTLESS = {"track"}
#: The classes that are no ``Remote``.
PLAIN = {"engine", "track", "output"}
#: The modules of the classes that objects make, where they don't follow from the class.
MADE_MODULES = {
    "LibraryCollection": "library",
    "CompositionSegment": "composition",
    "Image": "image-generator",
    "WriterState": "asset-writer",
}
#: The modules and classes of the objects that don't follow from their noun.
HANDLES = {"output": ("asset-reader", "AssetReaderOutput")}
