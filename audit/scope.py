"""Which part of the floor is judged."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One table and one shoe of it, one table, or everything."""

    table_id: str | None = None
    shoe_no: int | None = None

    def has_table(self, table_id: str) -> bool:
        """Whether something of the table is judged."""
        return self.table_id is None or self.table_id == table_id

    def has(self, table_id: str, shoe_no: int | None) -> bool:
        """Whether this shoe of the table is judged; None for what belongs to no shoe."""
        return self.has_table(table_id) and (self.shoe_no is None or shoe_no == self.shoe_no)

    def has_key(self, key: bytes | None) -> bool:
        """Whether a record that nobody can read is judged: by its key."""
        if self.shoe_no is not None:
            return False
        return self.table_id is None or key == self.table_id.encode()
