"""``python -m beadplate``: the same as the command ``beadplate``."""

from beadplate.cli import main

if __name__ == "__main__":
    main()
