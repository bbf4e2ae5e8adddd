import sys
from pathlib import Path

# The bare driver of the engine is the corpus tests'.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Corpus"))
