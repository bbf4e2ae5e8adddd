"""Work on media files as values, for any number of processes.

>>> from concurrent.futures import ProcessPoolExecutor
>>> from reelwire import jobs
>>> with ProcessPoolExecutor() as pool:
...     for row in pool.map(jobs.Worker(jobs.Probe(("duration",))), paths):
...         print(row.path, row.error or row.value["duration"])

A job, such as ``Probe``, ``Thumbnails`` or ``Export``, describes the work on one file: a frozen dataclass
that can be pickled, with a ``digest`` of the work. A ``Worker`` runs jobs, with an engine that it starts in
its current process. Jobs return plain values and files, never handles or pixels. None of this
depends on a scheduler: multiprocessing, joblib, Celery, Dask and Ray can all send a worker and its jobs.
"""

from .audio import Audio, Waveform
from .compose import Compose
from .export import Export
from .export_parts import ExportPart, FinishedExport, JoinParts, PlanExport
from .flat_probe import FlatProbe
from .frames import Frames
from .job import Job, JobContext
from .probe import Probe
from .scenes import Scenes
from .thumbnails import Thumbnails
from .values import (
    AudioSamples,
    EncodedImage,
    ProbedTrack,
    Row,
    Scene,
    WaveformChannelLevels,
    WaveformLevels,
    WrittenFile,
)
from .worker import Worker

__all__ = [
    "Audio",
    "AudioSamples",
    "Compose",
    "EncodedImage",
    "Export",
    "ExportPart",
    "FinishedExport",
    "FlatProbe",
    "Frames",
    "Job",
    "JobContext",
    "JoinParts",
    "PlanExport",
    "Probe",
    "ProbedTrack",
    "Row",
    "Scene",
    "Scenes",
    "Thumbnails",
    "Waveform",
    "WaveformChannelLevels",
    "WaveformLevels",
    "Worker",
    "WrittenFile",
]

for _name in __all__:
    # The public location of these names, also for pickle: values that are pickled today can be loaded later.
    globals()[_name].__module__ = __name__
