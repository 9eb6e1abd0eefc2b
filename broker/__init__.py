"""Kafka as an operator sees it: the embedded node, how to reach a broker, the topic catalogue applied and checked."""
