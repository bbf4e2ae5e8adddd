"""What other libraries call their readers, on this engine: a module for each, loaded by name alone.

``reelwire.compat.decord`` has decord's ``VideoReader``, ``reelwire.compat.torchcodec`` torchcodec's
``VideoDecoder``. They need NumPy, and none of the libraries themselves.
"""

from __future__ import annotations
