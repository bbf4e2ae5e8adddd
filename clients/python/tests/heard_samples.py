"""The samples of a file's audio: those that ffmpeg decodes, and those that are heard."""

import struct
import subprocess


def count(path):
    """The number of samples that ffmpeg decodes, without regard to times."""
    run = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-f", "s16le", "-ac", "1", "-"]
    return len(subprocess.run(run, stdout=subprocess.PIPE).stdout) // 2


def heard(path, rate=48_000):
    """The numbers of samples that the container's statements leave, where ffmpeg's count doesn't heed them.

    From FFmpeg 6.0 on, its muxers write the delay of these encoders: Matroska's `CodecDelay` in nanoseconds, which is
    before zero, and an edit list in milliseconds that ends as much before the media.
    """
    samples = count(path)
    if path.suffix == ".webm":
        # The first packet of Vorbis is decoded to nothing. Until the second one's time there is silence.
        return {samples + round(first_frame(path) * rate)}
    data = path.read_bytes()
    if path.suffix in (".mkv", ".mka") and b"\x56\xaa" in data and first_packet(path) < 0:
        place = data.index(b"\x56\xaa") + 3
        delay = int.from_bytes(data[place : place + (data[place - 1] & 0x7F)], "big")
        return {samples - round(delay * rate / 1e9)}
    if path.suffix in (".mov", ".mp4"):
        # The last one is that of the audio (ISO/IEC 14496-12, 8.6.6).
        place = data.rindex(b"elst")
        _, entries, played, _ = struct.unpack(">IIIi", data[place + 4 : place + 20])
        if entries == 1 and samples - played * rate // 1000 > rate // 1000:
            return set(range((played - 1) * rate // 1000, (played + 1) * rate // 1000 + 1))
    return {samples}


def first_packet(path):
    """The time of the first packet of audio."""
    run = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts", "-of", "csv=p=0", str(path)]
    return int(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout.split(b",")[0].split()[0])


def first_frame(path):
    """The time of the first decoded samples, in seconds."""
    run = ["ffprobe", "-v", "error", "-select_streams", "a", "-read_intervals", "%+#4"]
    run += ["-show_entries", "frame=pts_time", "-of", "csv=p=0", str(path)]
    return float(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout.split(b",")[0].split()[0])
