"""The settings of a house that outputs depend on: the auditor must be told what the processors were told."""

from dataclasses import dataclass, field

from baccarat.roads.good import DEFAULTS, Thresholds
from contract.days import GamingDays


@dataclass(frozen=True, slots=True)
class House:
    """When gaming days begin, and from which length good roads are announced."""

    days: GamingDays = field(default_factory=GamingDays)
    good_roads: Thresholds = DEFAULTS
