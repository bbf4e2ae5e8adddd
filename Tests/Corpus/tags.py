"""Tags as ffprobe writes them: the same word and the same value in several containers."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Set

# Tags that describe the container itself, of which the new one has its own.
STRUCTURAL = {
    "major_brand", "minor_version", "compatible_brands", "duration", "bps", "number_of_frames",
    "number_of_bytes", "vendor_id", "source_id", "language", "filename", "mimetype",
}  # fmt: skip
TERMINOLOGICAL = {
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces",
    "dut": "nld", "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl",
    "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas", "rum": "ron", "slo": "slk",
    "tib": "bod", "wel": "cym",
}  # fmt: skip


def tags_of_file(probed: Any, programs: List[Any], streams: List[Any]) -> Dict[str, str]:
    tags: Dict[str, str] = {}
    if probed["format"]["format_name"] == "ogg" and len(streams) == 1:
        tags.update(streams[0].get("tags", {}))
    for program in programs:
        tags.update(program.get("tags", {}))
    tags.update(probed["format"].get("tags", {}))
    return tags


def canonical(key: str) -> str:
    """A tag's name without its case and its language."""
    head, _, tail = key.rpartition("-")
    if head and len(tail) == 3 and tail.isalpha() and tail.islower():
        key = head
    return key.lower().replace(" ", "_")


def aliases(key: str, kind: str) -> Set[str]:
    result = {key}
    if kind == "ts" and key == "title":
        result.add("service_name")
    # Vorbis comments have one name for both (vorbiscomment.c).
    if kind in ("flac", "ogg") and key in ("description", "comment"):
        result |= {"description", "comment"}
    return result


def forms(key: str, value: str) -> Set[str]:
    """The same value as other containers write it."""
    result = {value, value.rstrip()}
    if canonical(key) == "creation_time" and value.endswith("Z"):
        result.add(value[:19] + ".000000Z")
    if canonical(key) == "creation_time" and len(value) == 19:
        result.add(value.replace(" ", "T") + ".000000Z")
    if "." in value and value.rstrip("0").rstrip(".").isdigit():
        result.add(value.rstrip("0").rstrip("."))
    return result


def is_structural(key: str, value: str) -> bool:
    lower = canonical(key)
    if lower == "handler_name":
        text = value.lower()
        return (
            text.endswith(("handler", "handle")) or text.startswith("core media ") or "handler of" in text
            or "media handler" in text
        )  # fmt: skip
    return (
        lower in STRUCTURAL
        or lower.startswith("_statistics")
        or (lower == "encoder" and value.startswith("Lavf"))
        or not value
    )


def language(tags: Dict[str, str]) -> Optional[str]:
    found = next((v for k, v in tags.items() if k.lower() == "language"), "und").lower()
    return None if found in ("und", "") else TERMINOLOGICAL.get(found, found)
