"""The way to the programs of Tests/Far, which this folder uses too."""

import sys
from pathlib import Path

FAR = Path(__file__).resolve().parent.parent / "Far"
if str(FAR) not in sys.path:
    sys.path.insert(0, str(FAR))
