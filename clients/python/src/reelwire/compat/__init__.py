"""The readers of other libraries, on this engine: a module for each, imported only by its name.

``reelwire.compat.decord`` has decord's ``VideoReader``, ``reelwire.compat.torchcodec`` torchcodec's
``VideoDecoder``. They need NumPy, and none of the libraries themselves.
"""

from __future__ import annotations
