"""A folder of media through a fleet: `python fleet.py FOLDER RESULTS [--scheduler ADDRESS] [--preset PRESET]`.

It probes every file, makes a thumbnail of each that has video, and a smaller version of each of those. Started twice,
it makes only missing files. Its parts can be run one by one in a notebook, too.

Without `--scheduler` the Dask cluster is one of this machine's cores. With it, it is an existing one: on
one machine or on many, which all share both folders, that needs

    dask scheduler --port 8786
    dask worker tcp://SCHEDULER:8786 --nthreads 1      # for each worker, where it is to run
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from distributed import Client, LocalCluster

from reelwire import jobs
from reelwire.dask import Fleet

SUFFIXES = {".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpg", ".mxf", ".ts", ".webm"}


def main() -> None:
    """Does all of it, and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--scheduler", help="the address of a Dask scheduler that is already there")
    parser.add_argument("--workers", type=int, help="without it: how many processes (all cores)")
    parser.add_argument("--preset", default="LowQuality")
    options = parser.parse_args()
    paths = sorted(path for path in options.folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    options.results.mkdir(parents=True, exist_ok=True)

    cluster = options.scheduler or LocalCluster(
        n_workers=options.workers, threads_per_worker=1, dashboard_address=":0"
    )
    with Client(cluster) as client, Fleet(client) as fleet:
        # The existing files. An error is one of a file, and the others continue.
        table = fleet.gather(jobs.Probe(("duration", "tracks")), paths)
        for row in table:
            if row.error:
                print(f"{row.path}: {row.error}")
        videos = [
            row.path
            for row in table
            if row.value and any(track.media_type == "video" for track in row.value["tracks"])
        ]
        durations = [row.value["duration"] for row in table if row.value]
        seconds = sum(float(duration) for duration in durations if duration.is_numeric)
        print(f"{len(table)} files, {len(videos)} with video, {seconds:.0f} s in all")

        # Thumbnails, as JPEG files in one folder.
        thumbnails = jobs.Thumbnails(
            count=1, width=320, output=options.results / "{stem}-{hash}.jpg"
        )
        rows = fleet.map(thumbnails, videos)
        print(f"{sum(row.error is None for row in rows)} thumbnails")

        # Smaller versions. Files of an earlier run are found, and not made again.
        smaller = jobs.Export(options.preset, options.results / "{stem}-{hash}.mp4")
        made = reused = 0
        for row in fleet.map(smaller, videos, progress=sys.stderr.isatty()):
            if row.error:
                print(f"{row.path}: {row.error}")
            elif row.value.is_reused:
                reused += 1
            else:
                made += 1
                print(f"{row.value.path} in {row.seconds:.1f} s, by {row.worker}")
        print(f"{made} made, {reused} there already")
    if not options.scheduler:
        cluster.close()


# The processes of a LocalCluster import this file.
if __name__ == "__main__":
    main()
