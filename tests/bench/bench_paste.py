"""How long it takes to read 20 MB of log in the browser, beside a plain pass over the same text."""

import tempfile
from pathlib import Path
from statistics import median

from bench_browser import browser
from bench_timing import aim, heading, line

from app.export import export
from labs import measured

SIZE, LIMIT, ROUNDS = 20_000_000, 1000.0, 5  # characters; milliseconds
OTHER = (
    "INFO 11-24 10:15:{:02d} [loggers.py:118] Engine 000: Avg prompt throughput: {}.8 tokens/s, Avg "
    "generation throughput: 63.{} tokens/s, Running: {} reqs, Waiting: 0 reqs, GPU KV cache usage: 14.4%\n"
)
# A server's log as it is: many lines, a few of which speak of speculation; the numbers in them change.
TIMES = """([lines, size, rounds]) => {
  let text = "";
  for (let i = 0; text.length < size; i += 1) text += lines[i % lines.length].replaceAll("#", String(i));
  const timed = (work) => Array.from({ length: rounds }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return [
    timed(() => GuessAhead.measure.measure(text)),
    timed(() => text.split("\\n").reduce((count, one) => count + one.includes("accept"), 0)),
  ];
}"""


def report() -> None:
    """Print the section."""
    heading(f"pastes: {SIZE / 1e6:.0f} MB read in one go; medians, Chromium")
    hits = [f"{measured.EXAMPLES['vLLM log']} #\n"]
    noise = [OTHER.format(i, i, i, i).replace("11-24", "11-#") for i in range(19)]
    texts = {"one line in 20 counts": [*noise, *hits], "every line counts": hits}
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        export(Path(name))
        page = chromium.new_page()
        page.goto((Path(name) / "measured.html").as_uri())
        for what, lines in texts.items():
            read, passed = (median(times) for times in page.evaluate(TIMES, [lines, SIZE, ROUNDS]))
            line(what, read, f"{aim(read, LIMIT)}, {read / passed:.1f}× a plain pass ({passed:.0f} ms)")
