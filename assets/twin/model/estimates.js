// Estimates from counts: the twin of model/estimates.py. See twin/model/steps.js.
{
  const { total } = GuessAhead.sums;
  const { SURE, HALVINGS, LONGEST, CRITICAL } = python["model.estimates"];

  // mirrors model/estimates.py: conditional
  function conditional(reached, drafts) {
    const before = [drafts || 1, ...reached];
    return reached.map((count, i) => (before[i] ? count / before[i] : null));
  }

  // mirrors model/estimates.py: alpha_of
  function alpha_of(per_draft, draft_length) {
    if (per_draft <= 0) return 0;
    let [low, high] = [0, 1];
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = (low + high) / 2;
      if (accepted_of(middle, draft_length) < per_draft) low = middle;
      else high = middle;
    }
    return high;
  }

  // mirrors model/estimates.py: accepted_of
  function accepted_of(rate, draft_length) {
    let together = 0;
    for (let i = Math.min(draft_length, LONGEST); i > 0; i -= 1) together = rate * (1 + together);
    return together;
  }

  // mirrors model/estimates.py: wilson
  function wilson(accepted, judged) {
    const [share, square] = [accepted / judged, SURE * SURE];
    const middle = share + square / (2 * judged);
    const spread = SURE * Math.sqrt(share * (1 - share) / judged + square / (4 * judged * judged));
    const scale = 1 + square / judged;
    return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
  }

  // mirrors model/estimates.py: independence
  function independence(reached, drafts) {
    const all = reached.map((count, i) => [i === 0 ? drafts : reached[i - 1], count]);
    const [judged, accepted] = [total(all.map(([n]) => n)), total(all.map(([, c]) => c))];
    const rate = accepted / judged;
    const cells = merged(all, Math.min(rate, 1 - rate));
    if (cells.length < 2) return null;
    const statistic = total(cells.map(([n, c]) => deviation(c, n, rate)));
    const critical = CRITICAL[cells.length - 2];
    const [[n, c]] = cells;
    return {
      statistic,
      degrees: cells.length - 1,
      critical,
      refuted: statistic > critical,
      trend: (accepted - c) / (judged - n) > c / n ? "rise" : "fall",
    };
  }

  // mirrors model/estimates.py: _deviation
  function deviation(accepted, judged, rate) {
    const off = accepted - rate * judged;
    return off * off / (rate * (1 - rate) * judged);
  }

  // mirrors model/estimates.py: _merged
  function merged(cells, rarer) {
    let kept = 0;
    while (kept < Math.min(cells.length, CRITICAL.length) && cells[kept][0] * rarer >= 1) kept += 1;
    const rest = cells.slice(kept);
    const tail = [total(rest.map(([n]) => n)), total(rest.map(([, c]) => c))];
    return tail[0] * rarer >= 1 ? [...cells.slice(0, kept), tail] : cells.slice(0, kept);
  }

  GuessAhead.estimates = { accepted_of, conditional, alpha_of, wilson, independence };
}
