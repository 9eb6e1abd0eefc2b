"""Every word that a page shows, in English; other languages translate it, in ``translations``.

Wording is short on purpose: it is read from afar. Letters stand for results: B Banker, P Player, T tie. ``{}`` is where
a value goes; a language with another order of words numbers them: ``{1} {0}``.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from babel import Locale


def _english(number: int) -> int:
    return int(number != 1)


class Plural(NamedTuple):
    """A sentence about a number: its forms, and which of them goes with a number (gettext's rule of the language)."""

    forms: tuple[str, ...]
    rule: Callable[[int], int] = _english

    def __call__(self, number: int, *values: Any) -> str:
        """The sentence about this number. Where no other values are given, the number itself is filled in."""
        return self.forms[self.rule(number)].format(*(values or (number,)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Words:
    """The words of one language, of which there is one object; ``lang`` is its BCP 47 tag, ``language`` its own name
    for itself.
    """

    lang: str
    language: str
    limits: tuple[str, str, str]
    shoe: str
    round: str
    status: dict[str, str]
    letter: dict[str, str]
    side: dict[str, str]
    wins: dict[str, str]
    natural: str
    player_pair: str
    banker_pair: str
    bead: str
    big: str
    eye: str
    small: str
    roach: str
    earlier: str
    ask: str
    ask_label: str
    this_shoe: str
    counted: Plural
    missing: Plural
    counter: dict[str, str]
    good: dict[str, str]
    legend: str
    live: str
    lost: str
    source_lost: str
    age: str
    age_long: str
    age_none: str
    duration: tuple[str, str, str]
    stale: str
    stale_why: str
    stale_short: str
    source_why: str
    source_short: str
    silent: str
    silent_why: str
    gap: str
    gaps: str
    gap_why: str
    waiting: str
    spoken: str
    lobby: str
    open_of: Plural
    no_rounds: str
    no_tables: str
    since: str
    recent: Plural
    pages: str
    board: str
    history: str
    statistics: str
    api: str
    shoes: str
    running: str
    ended: str
    left: str
    decks: str
    started_at: str
    ended_at: str
    rounds: str
    player: str
    banker: str
    total: str
    outcome: str
    flags: str
    flag: dict[str, str]
    revision: str
    free_hand: str
    left_out: Plural
    note: str
    void: str
    counts: str
    status_head: str
    counted_decks: Plural
    rounds_dealt: str
    on_the_roads: str
    missing_numbers: str
    voided: str
    void_note: str
    no_shoes: str
    newer: str
    older: str
    bet: str
    bets: dict[str, str]
    scope: dict[str, str]
    hits: str
    rate: str
    exact: str
    slips: str
    stake: str
    paid: str
    hold: str
    all_bets: str
    interval: str
    plot: str
    plot_label: str
    plot_note: str
    expected: str
    average: str
    per_hour: str
    tables_counted: Plural
    shoes_counted: Plural
    gaming_day: str
    show: str
    live_statistics: str
    no_period: str
    no_statistics: str
    data_until: str
    hold_note: str
    record: str
    not_found: str
    no_such_page: str
    read_only: str
    no_such_table: str
    no_such_shoe: str
    starting: str
    starting_why: str
    away_why: str
    misasked: str
    trouble: str
    no_such_parameter: str
    no_parameters: str
    parameter_twice: str
    bad_parameter: str
    too_long: str
    either: str
    filter: str
    only_open: str
    only_good: str
    pit: str
    all: str
    sort: str
    sort_by: dict[str, str]
    none_shown: str
    screens: str
    screens_note: str
    table: str
    screen: str
    language_head: str
    theme: str
    orientation: str
    marks: str
    beads: str
    shift: str
    panels: str
    no_panel: str
    columns: str
    address: str
    preview: str
    last_round: str
    screen_sizes: dict[str, str]
    themes: dict[str, str]
    orientations: dict[str, str]
    mark_kinds: dict[str, str]
    bead_kinds: dict[str, str]
    after_round: str
    key: str
    keys: dict[str, str]
    currency: str
    hold_percent: str
    cumulative: str
    chart_label: str
    chart_edge: str
    no_chart: str
    band_note: str
    full: str
    ending: str
    mistake: str
    no_subject: str
    shoe_of_table: str

    @functools.cached_property
    def locale(self) -> Locale:
        """How the language writes numbers and dates; English ones as most of the trade does, the day first."""
        return Locale("en", "GB") if self.lang == "en" else Locale.parse(self.lang, sep="-")


ENGLISH: Final = Words(
    lang="en",
    language="English",
    limits=("Banker / Player", "Tie", "Pair"),
    shoe="Shoe",
    round="Round",
    status={
        "betting": "Betting open",
        "dealing": "Dealing",
        "dealt": "Result",
        "closed": "Closed",
        "shuffling": "Shuffling",
        "unknown": "No shoe yet",
        "nodata": "No data",
    },
    letter={"B": "B", "P": "P", "T": "T"},
    side={"B": "Banker", "P": "Player"},
    wins={"B": "Banker wins", "P": "Player wins", "T": "Tie"},
    natural="Natural",
    player_pair="Player pair",
    banker_pair="Banker pair",
    bead="Bead plate",
    big="Big road",
    eye="Big eye boy",
    small="Small road",
    roach="Cockroach road",
    earlier="{} hidden",
    ask="If next is",
    ask_label="What the next mark of each derived road would be",
    this_shoe="This shoe",
    counted=Plural(("{} round", "{} rounds")),
    missing=Plural(("{} missing", "{} missing")),
    counter={
        "B": "Banker",
        "P": "Player",
        "T": "Tie",
        "BP": "Banker pair",
        "PP": "Player pair",
        "N": "Natural",
    },
    good={
        "streak_B": "Banker streak · {}",
        "streak_P": "Player streak · {}",
        "ping_pong": "Ping-pong · {}",
        "double_jump": "Double jump · {}",
        "one_two": "One-two · {}",
        "chop_after_B": "Chop after Banker · {}",
        "chop_after_P": "Chop after Player · {}",
    },
    legend="Roads are history, not a forecast.",
    live="Connected",
    lost="Link lost",
    source_lost="Data service lost",
    age="Data {} s ago",
    age_long="Data {} ago",
    age_none="No data yet",
    duration=("{} s", "{} min {} s", "{} h {} min"),
    stale="No live data since {}",
    stale_why="Link lost {} ago. This is the board after round {}.",
    stale_short="Link lost {} ago.",
    source_why="The data service is lost for {}. This is the board after round {}.",
    source_short="The data service is lost for {}.",
    silent="No rounds from the table since {}",
    silent_why="Nothing for {}. This is the board after round {}.",
    gap="Round {} is missing",
    gaps="Rounds {} are missing",
    gap_why="Roads stop after round {} until it arrives.",
    waiting="waiting for round {}",
    spoken="Round {}: {}. Player {}, Banker {}.",
    lobby="Tables",
    open_of=Plural(("{} of {} open", "{} of {} open")),
    no_rounds="New shoe, no rounds yet",
    no_tables="No table has dealt yet. Each appears here with its first event.",
    since="since {}",
    recent=Plural(("Last {} round", "Last {} rounds")),
    pages="Pages",
    board="Board",
    history="History",
    statistics="Statistics",
    api="API",
    shoes="Shoes",
    running="Running",
    ended="Ended",
    left="Left unfinished",
    decks="Decks",
    started_at="Started",
    ended_at="Ended",
    rounds="Rounds",
    player="Player",
    banker="Banker",
    total="Total",
    outcome="Outcome",
    flags="Flags",
    flag={"player_natural": "Nat. P", "banker_natural": "Nat. B", "player_pair": "Pair P", "banker_pair": "Pair B"},
    revision="Rev.",
    free_hand="Free hand",
    left_out=Plural(("{} version left out", "{} versions left out")),
    note="Note",
    void="Void",
    counts="Counts",
    status_head="State",
    counted_decks=Plural(("{} deck", "{} decks")),
    rounds_dealt="Rounds dealt",
    on_the_roads="On the roads",
    missing_numbers="Missing numbers",
    voided="Void",
    void_note="Void rounds stay in the record; they are on no road and in no count.",
    no_shoes="No shoe is recorded yet. A shoe is recorded when it ends.",
    newer="Newer",
    older="Older",
    bet="Bet",
    bets={
        "player": "Player",
        "banker": "Banker",
        "tie": "Tie",
        "player_pair": "Player pair",
        "banker_pair": "Banker pair",
        "either_pair": "Either pair",
        "perfect_pair": "Perfect pair",
        "big": "Big",
        "small": "Small",
        "super_6": "Super 6",
        "lucky_6": "Lucky 6",
        "dragon_7": "Dragon 7",
        "panda_8": "Panda 8",
        "dragon_bonus_player": "Dragon bonus Player",
        "dragon_bonus_banker": "Dragon bonus Banker",
        "small_tiger": "Small tiger",
        "big_tiger": "Big tiger",
        "tiger": "Tiger",
        "tiger_tie": "Tiger tie",
        "tiger_pair": "Tiger pair",
        "egalite": "Egalité {}",
        "player_natural": "Player natural",
        "banker_natural": "Banker natural",
        "any_natural": "Any natural",
    },
    scope={"shoe": "Shoe {}", "lifetime": "All shoes"},
    hits="Hits",
    rate="Hit rate",
    exact="Exact",
    slips="Bets",
    stake="Stake",
    paid="Paid back",
    hold="Hold",
    all_bets="All bets together",
    interval="95 % interval",
    plot="Observed and exact",
    plot_label="{}: observed {}, interval {}, exact {}",
    plot_note=(
        "In the plots the line in the middle is the exact probability and the band 1.96 standard errors; what lies "
        "beyond is a diamond."
    ),
    expected="Expected hold",
    average="Average bet",
    per_hour="{} rounds an hour",
    tables_counted=Plural(("{} table", "{} tables")),
    shoes_counted=Plural(("{} shoe", "{} shoes")),
    gaming_day="Gaming day",
    show="Show",
    live_statistics="Live",
    no_period="There are no statistics of that shoe or day. Shoes are kept for 400 days.",
    no_statistics="No statistics yet. They appear with the first round.",
    data_until="data until {}",
    hold_note="Hold is stake less what was paid back. Refused and voided bets are left out; pushed ones are in.",
    record="Shoe record",
    not_found="Not found",
    no_such_page="There is no page here. Tables are listed in the lobby.",
    read_only="This address can only be read.",
    no_such_table="No table is called {}. A table appears with its first event; this page asks again by itself.",
    no_such_shoe="Shoe {} of table {} is not on record. A shoe is recorded when it ends, and kept for 400 days.",
    starting="Starting",
    starting_why="The page is reading the tables from Kafka and asks again by itself.",
    away_why="The data service does not answer. This page asks again by itself.",
    misasked="Not understood",
    trouble="Trouble",
    no_such_parameter="This address has no parameter ?{}=. Its parameters are {}.",
    no_parameters="This address has no parameters: leave ?{}= out.",
    parameter_twice="?{}= stands twice in the address: give it once.",
    filter="Filter",
    only_open="Open tables",
    only_good="With a good road",
    pit="Pit",
    all="All",
    sort="Order",
    sort_by={
        "table": "Table",
        "name": "Name",
        "pit": "Pit",
        "good": "Longest good road",
        "round": "Most rounds",
        "quiet": "Longest silence",
    },
    none_shown="No table is of this kind now. The first that is appears here.",
    screens="Screens",
    screens_note="Choose what a display shows; its address is all that it needs.",
    table="Table",
    screen="Screen",
    language_head="Language",
    theme="Colours",
    orientation="Orientation",
    marks="Marks",
    beads="Beads",
    shift="Move against burn-in",
    panels="Panels",
    no_panel="A screen needs at least one panel: tick one.",
    columns="Columns",
    address="Address",
    preview="What the display shows",
    last_round="Last round",
    screen_sizes={"landscape": "Wide", "portrait": "Tall"},
    themes={"dark": "Dark", "light": "Light", "auto": "As the system"},
    orientations={"auto": "As the screen", "landscape": "Wide", "portrait": "Tall"},
    mark_kinds={"plain": "The trade's", "distinct": "Distinct without colour"},
    bead_kinds={"usual": "As the language", "letters": "Letters", "han": "Chinese", "numbers": "Points"},
    after_round="Roads after round",
    key="Marks",
    keys={
        "big-B": "Banker",
        "big-P": "Player",
        "tie": "Tie; a number from two up",
        "pair": "Pairs: Banker top left, Player bottom right",
        "eye-R": "Derived roads: repeats",
        "eye-U": "Derived roads: changes",
    },
    currency="Currency",
    hold_percent="Hold %",
    cumulative="{}: cumulative hold",
    chart_label="{}: hold {} after {} shoes",
    chart_edge="expected {}",
    no_chart="Fewer than two shoes with this bet are on record here. The picture begins with the second that ends.",
    band_note="By shoe, from the left. Band: where the hold lies 19 times in 20 if every card is fair.",
    full="As many displays are connected as this page server may have ({}).",
    ending="The page server is ending.",
    mistake="The page server made a mistake; its log says which. Asking again may help.",
    no_subject="A stream shows ?table=ID or ?lobby=1.",
    shoe_of_table="?shoe= is a shoe of a table: ask under the table's own address.",
    bad_parameter="?{}={} is not understood. It may be: {}.",
    too_long="?{}= is longer than {} characters.",
    either="Give ?{}= or ?{}=, not both.",
)
