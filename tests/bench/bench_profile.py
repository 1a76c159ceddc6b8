"""Where the time of a slider's move goes in an exported page, from the browser's own profiler.

The profiler looks at the page's stack ten times a millisecond. A look counts for the innermost of the
functions named here, so that "showFigures" is what it does beside placing labels, and what BokehJS does at
once in answer. The variant with shared scripts is looked at, whose scripts have names to tell them apart.
The browser's own time is all that it spends in no script, a few timers and messages of the benchmark
included: see the floor's.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import bench_browser
from playwright.sync_api import Browser

OWN = {
    "burst": "twin's columns",
    "flatten": "twin's columns",
    "placeLabels": "page script: placing labels",
    "showFigures": "page script: axes, and handing labels over",
    "showNumbers": "page script: numbers and words",
    "update": "engine: replacing sources",
}
NATIVE = {
    "(program)": "browser: style, layout, painting",
    "(garbage collector)": "browser: garbage collection",
}
PAINT = "BokehJS: painting"
OTHER = "BokehJS: the rest (data, visuals, layout, slider)"
PARTS = list(dict.fromkeys([*OWN.values(), PAINT, OTHER, *NATIVE.values()]))
MICROSECONDS = 100


def where_it_goes(chromium: Browser, subject: bench_browser.Subject, moves: int) -> dict[str, float]:
    """Return the milliseconds of each part in a move of the subject's slider, on average."""
    page = bench_browser.opened(chromium, subject)
    session = page.context.new_cdp_session(page)
    keys = (["ArrowRight"] * bench_browser.SWEEP + ["ArrowLeft"] * bench_browser.SWEEP) * moves
    for key in keys[: bench_browser.WARM_UP]:
        bench_browser.moved(page, key, looking=False)
    session.send("Profiler.enable")
    session.send("Profiler.setSamplingInterval", {"interval": MICROSECONDS})
    session.send("Profiler.start")
    for key in keys[:moves]:
        bench_browser.moved(page, key, looking=False)
    profile = session.send("Profiler.stop")["profile"]
    page.context.close()
    times = _by_part(profile)
    return {part: times[part] / 1000 / moves for part in PARTS}


def _by_part(profile: Mapping[str, Any]) -> Counter[str]:
    """Return the microseconds of each part; time in no script, or in the benchmark's own, is no part's."""
    nodes = {node["id"]: node for node in profile["nodes"]}
    parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", ())}
    times = Counter[str]()
    for node, microseconds in zip(profile["samples"], profile["timeDeltas"], strict=True):
        stack = [nodes[node]["callFrame"]]
        while (node := parents.get(node, 0)) in parents:
            stack.append(nodes[node]["callFrame"])
        times[_part(stack)] += microseconds
    return times


def _part(stack: list[dict[str, Any]]) -> str:
    """Return the part that a stack belongs to, its innermost function first."""
    name = stack[0]["functionName"]
    if name in NATIVE:
        return NATIVE[name]
    for frame in stack:
        if "guess-ahead" in frame["url"] and frame["functionName"] in OWN:
            return OWN[frame["functionName"]]
    if not any(frame["url"] for frame in stack):
        return ""
    return PAINT if any(frame["functionName"] == "paint" for frame in stack) else OTHER
