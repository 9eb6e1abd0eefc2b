"""Puts rounds and bets on Kafka: the simulated floor and the replay of recorded shoes.

What happens at a table is decided by pure generators (``tables``, ``floor``, ``bettors``, ``plans``, ``schedule``,
``recordings``); ``publisher`` carries their events to the broker in order and ``simulate`` and ``replay`` join the two.
"""
