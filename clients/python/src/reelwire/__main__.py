"""``python -m reelwire``: the command."""

from reelwire_command import main

main()
