"""The tables of the Python client's calls: the conversions of arguments and of results."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Conversion:
    """The conversion of a type of the wire into one of the client's, or the other way round."""

    module: str
    name: str
    template: str
    annotation: str = ""
    #: The template for a required param, where it differs.
    required: str = ""

    @property
    def type(self) -> str:
        return self.annotation or self.name


PATH_LIKE = "str | os.PathLike[str]"
#: The arguments for params: the name in the module is that of the function.
INPUTS = {
    "TimeInput": Conversion(
        "wire", "time_to_wire", "time_to_wire({})", "TimeLike", "MediaTime.of({}).to_wire()"
    ),
    "TimeRangeInput": Conversion(
        "wire",
        "time_range_to_wire",
        "time_range_to_wire({})",
        "TimeRangeLike",
        "TimeRange.of({}).to_wire()",
    ),
    "Delivery": Conversion("blob", "delivery_to_wire", "delivery_to_wire({})", "DeliveryLike"),
    "CursorPositionInput": Conversion(
        "wire", "cursor_position", "cursor_position({})", "TimeLike"
    ),
}
#: The type of arguments that may be null: an absent one is ``OWN``.
OWN = "Mapping[str, Any] | None = OWN"
#: The arguments for paths, by the declaration's ``x-path``.
PATHS = {
    "folder": Conversion("library_predicate", "absolute_folder", "absolute_folder({})", PATH_LIKE),
    "written": Conversion("blob", "absolute_path", 'absolute_path({}, "WHAT")', PATH_LIKE),
}
TRACK = Conversion("wire", "track_number", "track_number({})", "TrackLike")
LISTED = Conversion("wire", "listed", "listed({})")
#: The modules of those types.
TYPE_MODULES = {
    "TimeLike": "time",
    "TimeRangeLike": "time_range",
    "DeliveryLike": "blob",
    "TrackLike": "track",
}
#: The values of results.
VALUES = {
    "Time": Conversion("time", "MediaTime", "MediaTime.of({})"),
    "TimeRange": Conversion("time_range", "TimeRange", "TimeRange.of({})"),
    "TrackSegment": Conversion("keys", "TrackSegment", "TrackSegment.of({})"),
    "MetadataItem": Conversion("metadata", "MetadataItem", "MetadataItem({}, self)"),
    "MediaSelectionGroup": Conversion(
        "media_selection", "MediaSelectionGroup", "MediaSelectionGroup({})"
    ),
    "Sample": Conversion("sample", "Sample", "Sample({})"),
    "ErrorObject": Conversion("errors", "error_from_wire", "error_from_wire({})", "ReelwireError"),
    "SampleCursorChunkResult": Conversion("sample", "Chunk", "Chunk.of({})"),
    "AssetReaderStatusResult": Conversion(
        "wire",
        "reader_status",
        "reader_status({})",
        "tuple[protocol.ReaderStatus, ReelwireError | None]",
    ),
    "ExportSessionPreflightResult": Conversion(
        "export_result", "ExportPreflight", "ExportPreflight({})"
    ),
    "ExportSessionEstimateResult": Conversion(
        "export_result", "ExportEstimate", "ExportEstimate({})"
    ),
    "ExportSessionStatusResult": Conversion("export_result", "ExportStatus", "ExportStatus({})"),
    "LibraryChangesResult": Conversion("library_changes", "LibraryChanges", "LibraryChanges.of({})"),
}
#: The expressions for the params that an object is; other objects have a ``handle``.
SUBJECTS = {"track": {"asset": "self._asset.handle", "trackID": "self.track_id"}}
#: The bases of classes, and their further members; those of others are ``Remote``.
BASES = {
    "engine": ("Caller", ""),
    "exportSession": ("Exporter", ""),
    "track": ("Caller", "    _asset: Any\n    track_id: int\n\n"),
    "output": (
        "Caller",
        "    @property\n    def handle(self) -> str:\n"
        '        """The object\'s name on the wire."""\n        raise NotImplementedError\n\n',
    ),
}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

#: The documentation of the progress of work.
PROGRESS = textwrap.wrap(
    "``progress``: Is called with the part that is done, from 0 to 1, and an error that it raises cancels "
    "the work; ``True`` shows it.",
    92,
    initial_indent="- ",
    subsequent_indent="  ",
)
OWN_PROGRESS = [
    "- ``progress``: Is called with how far it is, and an error that it raises cancels the work; ``True`` shows it."
]
#: The modules that import nothing of this one.
NO_CIRCLE = {"time", "time_range", "blob"}
#: The modules of the classes that objects make, where they don't follow from the class.
MADE_MODULES = {
    "LibraryCollection": "library",
    "CompositionSegment": "composition",
    "Image": "image_generator",
    "WriterState": "asset_writer",
}
#: The modules of the objects that don't follow from their noun.
HANDLE_MODULES = {"output": "asset_reader"}
