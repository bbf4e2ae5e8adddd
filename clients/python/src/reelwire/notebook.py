"""The HTML of objects in notebooks: of a bounded size, with every text escaped.

After any error there is none, and the notebook shows the plain text.
"""

from __future__ import annotations

import base64
import functools
import importlib
from collections.abc import Iterable, Sequence
from typing import Any, Callable, TypeVar

__all__ = ["asset_html", "frames_html", "items_html", "player_html", "shown_quietly"]

T = TypeVar("T")

#: The maximum characters of a text, rows of a table, and bytes of images and of media.
_MAXIMUM_TEXT, _MAXIMUM_ROWS = 120, 20
_MAXIMUM_PICTURES, _MAXIMUM_MEDIA = 1 << 20, 16 << 20
_CELL = ' style="text-align:left;vertical-align:top"'
#: The keys of tracks that a table has columns of.
_TRACK_KEYS = ("format_descriptions", "nominal_frame_rate")
_TAGS = ("title", "artist", "albumName", "creationDate")


def shown_quietly(method: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
    """A method that returns ``None`` in place of raising: a picture that isn't there breaks no cell."""

    @functools.wraps(method)
    def show(self: Any) -> str | None:
        try:
            return method(self)
        except Exception:
            return None

    return show


def asset_html(asset: Any) -> str:
    """A table of an asset's facts, one of its tracks, and a few of its frames."""
    facts: list[tuple[str, Any]] = [("duration", _seconds(_tried(lambda: asset.duration)))]
    container = _tried(lambda: asset.container_facts)
    if container is not None:
        facts += [("format", container.format_long_name), ("size", _bytes(container.size))]
        if container.bit_rate:
            facts.append(("bit rate", f"{container.bit_rate / 1000:.0f} kbit/s"))
        if container.is_cut_short:
            facts.append(("cut short", f"{_bytes(container.missing_bytes or 0)} missing"))
    known: dict[str, Any] = {}
    for item in _tried(lambda: asset.common_metadata) or ():
        known.setdefault(str(item.common_key), _tried(lambda item=item: item.value))  # type: ignore[misc]
    facts += [(name, known[name]) for name in _TAGS if isinstance(known.get(name), str)]
    tracks = _tried(lambda: asset.tracks) or []
    rows = [_track_row(track) for track in tracks[:_MAXIMUM_ROWS]]
    columns = ("track", "kind", "codec", "form", "rate", "language")
    parts = [
        _table((), [[name, value] for name, value in facts if value]),
        _table(columns, rows, len(tracks)),
    ]
    if any(track.media_type == "video" and track.is_decodable for track in tracks):
        parts.append(_tried(lambda: _sheet(asset)) or "")
    return _whole(asset.url.rpartition("/")[2] or asset.url, parts)


def _track_row(track: Any) -> list[Any]:
    values = _tried(lambda: track.load(*_TRACK_KEYS)) or {}
    description: Any = next(iter(values.get("format_descriptions") or ()), {})
    audio = description.get("audio") or {}
    rate = audio.get("sampleRate")
    form, pace = "", f"{rate:g} Hz" if rate else ""
    if track.media_type == "video":
        form = str(track.natural_size or "")
        frames = values.get("nominal_frame_rate")
        pace = f"{round(frames, 3):g} fps" if frames else ""
    elif audio:
        channels = audio.get("channelsPerFrame")
        form = audio.get("channelLayout") or (f"{channels} channels" if channels else "")
    codec = description.get("codec") or (track.media_sub_type or "").strip()
    return [track.track_id, track.media_type, codec, form, pace, track.language_code or ""]


def _sheet(asset: Any) -> str:
    with asset.image_generator(applies_preferred_track_transform=True) as generator:
        with generator.contact_sheet(4, 2, tile_width=160, spacing=2, format="jpeg") as sheet:
            return _picture(bytes(sheet.data), "frames of it")


def frames_html(frames: Any, strip: Any, numbers: Sequence[int]) -> str:
    """A strip of some frames, of which ``strip`` is the picture."""
    picture = _picture(bytes(strip.data), "frames")
    listed = ", ".join(map(str, numbers))
    return _whole(repr(frames).strip("<>"), [picture, f"<div>{_text(listed)}</div>"])


def items_html(items: Any, title: str) -> str:
    """A row for each of the first items of a library, with small pictures."""
    rows, left = [], _MAXIMUM_PICTURES
    for item in items[:_MAXIMUM_ROWS]:
        data = _tried(lambda item=item: _thumbnail(item)) or b""  # type: ignore[misc]
        picture = _picture(data, item.name) if 0 < len(data) <= left else ""
        left -= len(data) if picture else 0
        size = f"{item.width}×{item.height}" if item.width and item.height else ""
        codecs = "+".join(codec for codec in (item.video_codec, item.audio_codec) if codec)
        length = _seconds(item.duration)
        rows.append([_Markup(picture), item.name, length, size, codecs, _bytes(item.file_size)])
    columns = ("", "name", "duration", "size", "codecs", "bytes")
    return _whole(title, [_table(columns, rows, len(items))])


def _thumbnail(item: Any) -> bytes:
    with item.thumbnail(96) as picture:
        return bytes(picture.data)


def player_html(data: bytes, mime_type: str) -> str | None:
    """An element that plays a short file, which is inside it; ``None`` for one that is too large."""
    if len(data) > _MAXIMUM_MEDIA:
        return None
    kind = "video" if mime_type.startswith("video/") else "audio"
    source = f"data:{_text(mime_type)};base64,{base64.b64encode(data).decode('ascii')}"
    return f'<{kind} controls style="max-width:100%" src="{source}"></{kind}>'


class _Markup(str):
    """Text that is HTML already."""


def _whole(title: str, parts: Iterable[str]) -> str:
    return f"<div><div><b>{_text(title)}</b></div>{''.join(parts)}</div>"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]], count: int = 0) -> str:
    """A table of texts; below it, how many of ``count`` rows aren't in it."""
    if not rows:
        return ""
    head = "".join(f"<th{_CELL}>{_text(column)}</th>" for column in columns)
    lines = [f"<tr>{head}</tr>"] if head else []
    for row in rows:
        lines.append(f"<tr>{''.join(f'<td{_CELL}>{_text(cell)}</td>' for cell in row)}</tr>")
    more = f"<div>… and {count - len(rows)} more</div>" if count > len(rows) else ""
    return f"<table>{''.join(lines)}</table>{more}"


def _text(value: Any) -> str:
    if isinstance(value, _Markup):
        return value
    text = str(value)
    if len(text) > _MAXIMUM_TEXT:
        text = text[: _MAXIMUM_TEXT - 1] + "…"
    # Loaded where something is shown first: every program has this module.
    escaped: str = importlib.import_module("html").escape(text)
    return escaped


def _picture(data: bytes, description: str) -> str:
    if not data or len(data) > _MAXIMUM_PICTURES:
        return ""
    source = f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
    return f'<img alt="{_text(description)}" src="{source}">'


def _seconds(time: Any) -> str:
    return f"{time.seconds:.3f} s" if time is not None and time.is_numeric else ""


def _bytes(count: int | None) -> str:
    if count is None:
        return ""
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count} bytes"


def _tried(make: Callable[[], T]) -> T | None:
    """The value; ``None`` if it fails."""
    try:
        return make()
    except Exception:
        return None
