"""The stream processors: scoreboards, settlements and statistics.

Each is a pure fold (``scoreboards.py``, ``settlements.py``, ``statistics.py``) that takes records and returns rows to
keep and records to send; ``runner.py`` turns a fold into a Faust application that loses nothing. ``ledger.py`` is what
all three know of tables, shoes and rounds, so that they decide alike.
"""
