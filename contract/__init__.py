"""What flows between the rooms and to the outside: events, topics, codec, JSON Schema and AsyncAPI.

Everything here is data and pure functions on it; nothing connects to anything. The examples that the tests
decode and encode stand in ``tests/data/examples``.
"""
