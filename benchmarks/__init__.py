"""Benchmarks: what each part costs, beside something to compare it with, in one run on a real Kafka.

Results are ratios, CPU-seconds and bytes. Nothing here is a test: no figure of the clock passes or fails anything.
"""
