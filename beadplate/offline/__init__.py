"""The commands that need no Kafka: ``beadplate roads``, ``settle`` and ``odds``.

Each is a plain function over streams that returns the exit status: 0, or 1 after a bad line. Wrong use, such as a pay
table that there is not, raises a ValueError whose message is one sentence for the person at the keyboard.
"""
