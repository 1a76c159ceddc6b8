"""Try this: the burst lab's experiments, and those of the tail below it."""

from labs.trials import Trial

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
