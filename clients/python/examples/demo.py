"""Reelwire's main features on a media file, in a minute: `python demo.py FILE FOLDER`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import reelwire
from reelwire import MediaTime, Size, TimeRange, TrackOutput


def heading(text: str) -> None:
    """Prints a heading."""
    print(f"\n{text}\n{'─' * len(text)}")


def row(name: str, value: object, width: int = 13) -> None:
    """Prints a line of a table."""
    print(f"  {name:<{width}}  {value}")


def readable(value: Any) -> str:
    """A short text for a loaded value."""
    if isinstance(value, MediaTime):
        return f"{value}   ({value.value}/{value.timescale})" if value.is_numeric else str(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (float, Size)):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(map(readable, value)) + "]"
    if isinstance(value, list):
        return f"{len(value)} item{'' if len(value) == 1 else 's'}"
    if isinstance(value, reelwire.MetadataItem):
        return f"{value.size} bytes" if value.size is not None else shortened(value.value)
    return "none" if value is None else str(value)


def show_keys(asset: reelwire.Asset) -> None:
    """Loads every key of the asset and of its tracks."""
    heading(f"{Path(asset.url).name}")
    for key, state in load_each(asset).items():
        loaded = state.status == "loaded"
        row(key, readable(state.value) if loaded else first_line(state.error), 32)
    for item in asset.common_metadata[:6]:
        row(f"· {item.common_key}", readable(item), 32)
    for track in asset.tracks:
        track.load("format_descriptions", "nominal_frame_rate", "estimated_data_rate", "time_range")
        facts = [track.media_type, *codecs(track["format_descriptions"])]
        if track.natural_size:
            facts += [str(track.natural_size), f"{track['nominal_frame_rate']:.3f} fps"]
        facts.append(f"{track['estimated_data_rate'] / 1000:.0f} kbit/s")
        facts.append(str(track["time_range"]))
        row(f"track {track.track_id}", "  ".join(facts))


def load_each(asset: reelwire.Asset) -> dict[str, reelwire.KeyState]:
    """Loads all keys; one that fails does not hide the others."""
    try:
        asset.load()
    except reelwire.ReelwireError as error:
        row("(a key failed)", first_line(error))
    return asset.status()


def codecs(formats: Iterable[Any]) -> list[str]:
    """The codec, profile and audio of each format description."""
    words = []
    for item in formats:
        words.append(" ".join(filter(None, (item["codec"], item.get("profile")))))
        if "audio" in item:
            audio = item["audio"]
            words.append(f"{audio['sampleRate']:g} Hz {audio.get('channelLayout', '')}".strip())
    return words


def first_line(error: object) -> str:
    """An error's message, in one line."""
    return str(error).splitlines()[0]


def shortened(value: object) -> str:
    """A metadata value in one line."""
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:59] + "…"


def show_images(asset: reelwire.Asset, folder: Path) -> None:
    """Makes an exact thumbnail, and a row of small ones over the whole length."""
    heading("Images")
    length = asset.duration
    thumbnail = asset.image(length / 3, maximum_size=(640, 640), path=folder / "thumbnail.jpg")
    row("thumbnail", f"{thumbnail.path}  {thumbnail.width}×{thumbnail.height}")
    row("", f"asked for {length / 3:.4f} s, got the frame at {thumbnail.actual_time:.4f} s")
    times = [length * number / 8 for number in range(8)]
    with asset.image_generator(
        tolerance=0, maximum_size=(160, 160), applies_preferred_track_transform=True
    ) as generator:
        images = sorted(
            generator.images(times, delivery=folder / "sheet-%02d.jpg"),
            key=lambda image: image.index,
        )
    for image in images:
        if image.error:
            row(f"sheet {image.index}", first_line(image.error))
        else:
            row(f"sheet {image.index}", f"{image.path}  at {image.actual_time:.3f} s")


def show_export(asset: reelwire.Asset, folder: Path) -> None:
    """Exports two seconds with a progress line."""
    heading("Export")
    latest = max(asset.duration - 2, MediaTime.zero)
    result = asset.export(
        folder / "clip.mp4",
        "MediumQuality",
        time_range=TimeRange(min(asset.duration / 3, latest), 2),
        progress=progress_line,
        progress_interval=0.05,
    )
    print(("\r" if sys.stdout.isatty() else "") + bar(1))
    row("file", result.path)
    row("shows", result.time_range)
    for track in result.dropped:
        row("left out", f"track {track['trackID']}: {track['reason']}")
    row("size", f"{(result.file_size or 0) / 1000:.0f} kB")


def progress_line(progress: float) -> None:
    """Draws the progress over and over, on a terminal."""
    if sys.stdout.isatty():
        print(f"\r{bar(progress)}", end="", flush=True)


def bar(progress: float) -> str:
    """The progress as a bar."""
    done = round(progress * 40)
    return f"  [{'█' * done}{'·' * (40 - done)}] {progress:4.0%}"


def show_samples(asset: reelwire.Asset) -> None:
    """Reads a few samples of each kind, as stored and decoded."""
    heading("Samples")
    outputs = {
        "video": TrackOutput("video", pixel_format="yuv420p"),
        "audio": TrackOutput("audio", sample_format="flt"),
    }
    for media_type, decoded in outputs.items():
        if not any(track.media_type == media_type for track in asset.tracks):
            continue
        for name, output in (("stored", TrackOutput(decoded.track)), ("decoded", decoded)):
            with asset.reader(output) as reader:
                for sample in reader.outputs[0].next(4, delivery="shm"):
                    row(f"{media_type} {name}", describe(sample))


def describe(sample: reelwire.SampleBuffer) -> str:
    """A sample's times and contents in a line."""
    times = f"pts {sample.presentation_time:8.4f}"
    times += f"  dts {sample.decode_time:8.4f}" if sample.decode_time else " " * 14
    if sample.image:
        what = f"{sample.image['width']}×{sample.image['height']} {sample.image['pixelFormat']}"
    elif sample.audio:
        what = f"{sample.audio['frames']} frames {sample.audio['sampleFormat']}"
    else:
        what = "sync sample" if sample.is_sync else ""
    return f"{times}  {len(sample.data):8d} bytes  {what}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="What Reelwire does with a media file")
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path, help="for the results")
    parser.add_argument("--binary", help="the reelwire binary")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    prepare(folder)
    try:
        with reelwire.Engine(arguments.binary) as engine:
            ffmpeg = engine.info["ffmpeg"]
            print(f"reelwire {engine.version} on FFmpeg {ffmpeg['version']} ({ffmpeg['license']})")
            with engine.open(arguments.file) as asset:
                show_keys(asset)
                if any(track.media_type == "video" for track in asset.tracks):
                    show_images(asset, folder)
                show_export(asset, folder)
                show_samples(asset)
            heading("Left in the engine")
            stats = engine.stats()
            row("handles", stats["handles"] or "none")
            row("decoded", f"{stats['framesDecoded']} frames, {stats['seeks']} seeks")
    except reelwire.ReelwireError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped; nothing half-done is left", file=sys.stderr)
        return 130
    return 0


def prepare(folder: Path) -> None:
    """Makes the folder, and removes the files of an earlier demo in it."""
    folder.mkdir(parents=True, exist_ok=True)
    sheet = [f"sheet-{number:02d}.jpg" for number in range(8)]
    for name in ("thumbnail.jpg", "clip.mp4", *sheet):
        (folder / name).unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
