"""The command line: composes the rooms; one file per command."""
