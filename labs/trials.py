"""Try this: the experiments that the two posts describe in words, and those that the labs add."""

from typing import Any, NamedTuple


class Trial(NamedTuple):
    """An experiment: the settings that differ from a lab's defaults, and what to look for there."""

    label: str
    values: dict[str, Any]
    look: str


FLATTEN = (
    Trial(
        "a down to 0.5",
        {"acceptance_rate": 0.5},
        "The left curve is at its ceiling almost at once: 4 guesses settle 1.94 of 2.00 tokens, "
        "and 28 more buy the last 0.06.",
    ),
    Trial(
        "a up to 0.95",
        {"acceptance_rate": 0.95},
        "The left curve still climbs past k = 20, so a better draft earns twice: the ceiling is "
        "20.00, and the best k moves out to 15.",
    ),
    Trial(
        "short of the ceiling",
        {},
        "The best k = 6 settles 3.95 of 5.00 tokens. Holding out for 95 % of them takes k = 13 "
        "and is slower: 2.08× instead of 2.47×.",
    ),
    Trial(
        "c above a",
        {"draft_cost": 0.85},
        "The whole right curve sinks below break-even: a guess is right 80 times in 100 and costs "
        "0.85 of a pass.",
    ),
    Trial(
        "c just below a",
        {"acceptance_rate": 0.11},
        "Right 11 times in 100 at a cost of 0.10: one guess per step, k = 1, already gains, if only 1.01×.",
    ),
    Trial(
        "a free draft",
        {"draft_cost": 0.0},
        "Even drafts that cost nothing stay under the ceiling: no schedule makes a = 0.8 faster than 5.00×.",
    ),
    Trial(
        "published 2 to 3×",
        {"acceptance_rate": 0.85},
        "Speedups of 2 to 3 are what acceptance from 0.70 to 0.85 gives: 2.85× here, 1.98× at a = 0.70.",
    ),
)
BURST = (
    Trial(
        "the typical burst",
        {"drawn": "typical, at p50"},
        "Half of the bursts finish within 12.0 passes where plain decoding takes 40: 3.33× as fast.",
    ),
    Trial(
        "one in a hundred",
        {"drawn": "unlucky, at p99"},
        "The unlucky burst takes 20.0 passes, 1.67 times the median: look for rows that end at once.",
    ),
    Trial(
        "n up to 100",
        {"burst_length": 100},
        "The histogram tightens: p99 is 1.40 times p50, 42.0 against 30.0 passes.",
    ),
    Trial(
        "n up to 400",
        {"burst_length": 400},
        "The spread shrinks and the speedup barely moves: p99 is 1.17 times p50, at 3.39×.",
    ),
    Trial(
        "n down to 10",
        {"burst_length": 10},
        "A tool name, a short decision: p99 is 2.00 times p50, 8.0 against 4.0 passes.",
    ),
    Trial(
        "a lucky sample",
        {"burst_length": 200},
        "This sample's median is 58.0 passes, the exact one 60.0. Draw again and watch the bars "
        "move about their dashes.",
    ),
    Trial(
        "one-token steps",
        {},
        "One step in 10 settles a single token, the pace of plain decoding, and still pays for 10 "
        "guesses: look for rows that start amber.",
    ),
)
TAIL = (
    Trial(
        "mixed traffic: a = 0.63 ± 0.16, k = 5",
        {"acceptance_rate": 0.63, "draft_length": 5, "decay": 1.0, "deviation": 0.16, "position_rates": ""},
        "",  # the section's own words say what comes out
    ),
)
PEAKS = (
    Trial(
        "c at 0.10",
        {},
        "The peaks lie at k = 2, 4, 6, 7, 10 and 15. Three of them lie from 3 to 8, where real "
        "systems draft, and none at 20.",
    ),
    Trial(
        "c up to 0.50",
        {"draft_cost": 0.5},
        "A draft pass that takes half as long as a target pass: even a = 0.85 gains no more than "
        "1.29×, and a = 0.50 nothing.",
    ),
    Trial(
        "c down to 0.02",
        {"draft_cost": 0.02},
        "Nearly free drafts and high acceptance: the curve for 0.95 soars to 9.95× at k = 31.",
    ),
    Trial(
        "ten times and more",
        {"draft_cost": 0.01},
        "12.54× takes a = 0.95 and drafts of 40 tokens at 0.01 of a pass each: ask whoever "
        "reports 10× for their draft.",
    ),
    Trial(
        "a free draft",
        {"draft_cost": 0.0},
        "Every curve climbs for ever, each towards its ceiling: a = 0.50 never gets past 2.00×, a "
        "= 0.95 past 20.00×.",
    ),
    Trial(
        "k = 8 on a busy server",
        {"utilisation": 0.5},
        "With half of the arithmetic in use, whoever keeps drafting 8 tokens at a = 0.80 falls to "
        "0.82×, where a single guess still gains 1.64×.",
    ),
    Trial(
        "under heavy load",
        {"utilisation": 0.9},
        "Only a = 0.95 still gains, until b = 0.925; no other rate does.",
    ),
)
