"""The web: live tables, lobby, history and statistics, server-sent events and the JSON API.

It reads the compacted topics and writes nothing. One round's way through here: ``reader`` (Kafka) → ``intake`` (bytes
to events) → ``store`` (the newest of each) → ``hub`` (who watches) → ``views`` (what is shown) → ``templates``.
"""
