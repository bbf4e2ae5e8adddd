"""Tables of plain values: columns as lists, and by Arrow's interface for its users."""

from __future__ import annotations

import datetime
import importlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

__all__ = ["Table"]

#: Arrow's types of columns that may have no value at all.
_TYPES = {
    **dict.fromkeys(
        ("path", "error", "worker", "identifier", "name", "state", "media_type", "container", "codec"),
        "string",
    ),
    **dict.fromkeys(("pixel_format", "audio_codec", "video_codec", "language"), "string"),
    **dict.fromkeys(("width", "height", "rate_numerator", "rate_denominator"), "int64"),
    **dict.fromkeys(("sample_rate", "channels", "size", "file_size", "attempts", "tracks"), "int64"),
    **dict.fromkeys(("duration_value", "duration_timescale", "rotation"), "int64"),
    **dict.fromkeys(("rate", "frame_rate", "duration", "bit_rate", "seconds"), "float64"),
    **dict.fromkeys(("latitude", "longitude"), "float64"),
}
_PLAIN = (str, bool, int, float, bytes, datetime.datetime)


class Table(Mapping[str, "list[Any]"]):
    """A table: a mapping of the names of columns to lists of plain values, all of one length.

    ``pandas.DataFrame(dict(table))`` and ``polars.DataFrame(dict(table))`` accept it, and so do users of
    Arrow's stream, if pyarrow is installed: ``pyarrow.table(table)``.
    """

    def __init__(self, columns: Mapping[str, Iterable[Any]]) -> None:
        """Values that aren't plain become numbers where they are times, and else texts."""
        self._columns = {name: [_plain(value) for value in each] for name, each in columns.items()}
        if len({len(each) for each in self._columns.values()}) > 1:
            raise ValueError("the columns of a table have one length")

    @classmethod
    def of(cls, rows: Iterable[Any]) -> Table:
        """Makes a table of rows of jobs, or of dicts: of each key a column, ``None`` where a row has none.

        A row of a job has its ``path``, its ``error``, and the keys of its value, or ``value``.
        """
        records = [_record(row) for row in rows]
        names = dict.fromkeys(name for record in records for name in record)
        return cls({name: [record.get(name) for record in records] for name in names})

    @property
    def row_count(self) -> int:
        """The number of rows; ``len`` is that of the columns."""
        return len(next(iter(self._columns.values()), []))

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return [dict(zip(self._columns, values)) for values in zip(*self._columns.values())]

    def to_arrow(self) -> Any:
        """The table as pyarrow's; raises ``ImportError`` without that."""
        try:
            arrow = importlib.import_module("pyarrow")
        except ImportError as error:
            raise ImportError("a table of Arrow needs pyarrow: pip install pyarrow") from error
        return arrow.table({name: _arrow(arrow, name, each) for name, each in self._columns.items()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table by Arrow's interface of streams."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __getitem__(self, name: str) -> list[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Table {self.row_count} rows of {', '.join(self._columns)}>"


def _record(row: Any) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    value = row.value
    error = None if row.error is None else f"{type(row.error).__name__}: {row.error}"
    keys = value if isinstance(value, Mapping) else {} if value is None else {"value": value}
    return {"path": row.path, "error": error, **keys}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, Fraction) or hasattr(value, "is_numeric"):
        return float(value)
    return str(value)


def _arrow(arrow: Any, name: str, values: list[Any]) -> Any:
    """A column, of texts where its values have no one type."""
    kind = _TYPES.get(name)
    try:
        return arrow.array(values, type=None if kind is None else getattr(arrow, kind)())
    except (arrow.ArrowInvalid, arrow.ArrowTypeError):
        texts = [None if value is None else str(value) for value in values]
        return arrow.array(texts, type=arrow.string())
