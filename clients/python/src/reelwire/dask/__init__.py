"""Jobs on many files, by the workers of a Dask cluster, each of which has an engine.

>>> from reelwire import jobs
>>> from reelwire.dask import Fleet
>>> with Fleet() as fleet:
...     for row in fleet.map(jobs.Probe(("duration",)), paths):
...         print(row.path, row.error or row.value["duration"], row.worker)

Without an argument the cluster is one on this machine. This needs Dask's ``distributed``:
``pip install 'reelwire[dask]'``.
"""

try:
    import distributed as _distributed  # noqa: F401
except ImportError as error:
    raise ImportError(
        "reelwire.dask needs Dask's distributed: pip install 'reelwire[dask]'"
    ) from error

from .fleet import AsyncFleet, Fleet
from .run import DaskWorkerDiedError
from .worker_plugin import WorkerNotReadyError

__all__ = ["AsyncFleet", "DaskWorkerDiedError", "Fleet", "WorkerNotReadyError"]

for _name in __all__:
    # Here is where they are found, by people and by pickle.
    globals()[_name].__module__ = __name__
