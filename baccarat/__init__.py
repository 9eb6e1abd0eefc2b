"""The game of baccarat (punto banco) itself: cards, drawing rules, shoe, bets, pay tables, odds and roads.

Everything here is pure. Nothing reads a clock, a network, a global random generator or a file other than the pay
tables that come with the package; the same values in give the same values out, on every machine and at any time.
"""
