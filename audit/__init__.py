"""The auditor: judges every output again from the source logs alone, with the pure game and the contract.

It may not see the processors: what it knows of duplicates, ages, boards and sums is written here a second time, on
purpose, so that a fault in the one is found by the other.
"""
