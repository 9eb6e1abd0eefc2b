"""Histories that are too long for one record: what may be left out of them, and what not.

The newest version of every round is always told whole. Where all that is known of a shoe's rounds would take more than
half a mebibyte, versions in the middle may be left out (and are counted), and long texts may be cut.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from contract.scoreboards import Round, Version

LONG: Final = 500 * 1024
"""Bytes of a whole history below which nothing may be left out."""


def agrees(whole: tuple[Round, ...], told: tuple[Round, ...]) -> bool:
    """Whether ``told`` is the whole history, or an abridgement of one that is long."""
    if told == whole:
        return True
    if len(told) != len(whole) or len(msgspec.json.encode(whole)) <= LONG:
        return False
    return all(map(_abridges, whole, told))


def _abridges(whole: Round, told: Round) -> bool:
    if replace(told, versions=(), versions_left_out=0) != replace(whole, versions=()):
        return False
    if len(told.versions) + told.versions_left_out != len(whole.versions):
        return False
    by_revision = {version.revision: version for version in whole.versions}
    revisions = [version.revision for version in told.versions]
    return revisions == sorted(set(revisions)) and all(
        version.revision in by_revision and _cut(by_revision[version.revision], version) for version in told.versions
    )


def _cut(whole: Version, told: Version) -> bool:
    texts = ((whole.reason, told.reason), (whole.operator, told.operator))
    same = replace(told, reason=whole.reason, operator=whole.operator) == whole
    return same and all(mine == theirs or _begins(mine, theirs) for mine, theirs in texts)


def _begins(whole: str | None, told: str | None) -> bool:
    return whole is not None and told is not None and told.endswith("…") and whole.startswith(told[:-1])
