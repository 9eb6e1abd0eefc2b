"""The pay tables by which a table's rounds were settled, so that none is ever settled by two contents of one name.

Row ``table/paytables``: for each pay table that was used, the digest of what it said. A file that was changed under
its name would give the next correction, and every record that is read again, other money than was paid before.
"""

from typing import Final

import msgspec

from baccarat.paytables import Paytable, UnknownPaytable
from processors.effects import Row
from processors.endings import RestartIsNoCure
from processors.settling import Paytables

_LAST: Final = b"/paytables"


class PaytableChanged(RestartIsNoCure):
    """A pay table says something else than when rounds were settled by it."""


class Terms:
    """The pay tables used so far, by table; ``paytables`` finds one by name."""

    def __init__(self, paytables: Paytables) -> None:
        self._paytables = paytables
        self._used: dict[str, dict[str, str]] = {}

    def use(self, table_id: str, paytable: Paytable) -> list[Row]:
        """Note that a round of the table is settled by this pay table; the row to write where that is new."""
        used = self._used.setdefault(table_id, {})
        if paytable.name in used:
            return []
        used[paytable.name] = paytable.digest
        return [Row(table_id.encode() + _LAST, msgspec.json.encode(used))]

    def load(self, key: bytes, value: bytes) -> bool:
        """Take in one row after a recovery; False where it is another's. Raises ``PaytableChanged``."""
        if not key.endswith(_LAST) or key.count(b"/") > 1:
            return False
        table_id = key.removesuffix(_LAST).decode()
        self._used[table_id] = msgspec.json.decode(value, type=dict[str, str])
        for name, digest in self._used[table_id].items():
            self._check(table_id, name, digest)
        return True

    def _check(self, table_id: str, name: str, digest: str) -> None:
        try:
            found = self._paytables(name)
        except UnknownPaytable:
            return  # its rounds wait, and are told of
        if found.digest != digest:
            raise PaytableChanged(
                f"the pay table {name} says something else than when rounds of {table_id} were settled by it "
                f"(digest {digest} then, {found.digest} now): put the file back as it was, and publish the change as a "
                "new version"
            )
