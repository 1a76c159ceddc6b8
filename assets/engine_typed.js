// Numbers that a person typed: the twin of model/engine_typed.py. See assets/steps.js on twins.
{
  const { counted, counts, figure, positioned, share, whole } = GuessAhead.engine_counts;
  const { values } = GuessAhead.engine_logs;
  const { patterns } = GuessAhead.engine_formats;
  const MOST_POSITIONS = 1000; // mirrors model/engine_logs.py
  const BARE = new RegExp(`^(?:${patterns.bare})$`);

  // mirrors model/engine_typed.py: typed
  function typed(text, found) {
    return BARE.test(text) ? { positions: values(text) } : Object.assign({}, ...found.plain ?? []);
  }

  // mirrors model/engine_typed.py: plain
  function plain(record) {
    if (record.positions?.length) return rated(record.positions);
    let length = figure(record, "draft_length");
    if (length !== null && !(whole(length) && length >= 1 && length <= MOST_POSITIONS)) length = null;
    const [tokens, alpha] = [figure(record, "length"), share(record, "alpha")];
    const [accepted, drafted] = [figure(record, "accepted"), figure(record, "drafted")];
    let drafts = figure(record, "drafts");
    if (drafts === null && length !== null && drafted !== null && whole(drafted / length)) drafts = drafted / length;
    if (accepted !== null && drafts !== null) return counted([{ ...record, drafts }]);
    if (accepted !== null && drafted !== null && accepted <= drafted) {
      return counts({ accepted, drafted, notes: ["length not printed"] });
    }
    if (tokens !== null && tokens >= 1 && (length === null || tokens <= length + 1)) {
      const rate = length === null ? null : (tokens - 1) / length;
      return counts({ draft_length: length, tokens_per_step: tokens, strict_rate: rate, notes: ["no counts"] });
    }
    return alpha === null ? counts({}) : counts({ draft_length: length, alpha, notes: ["no counts"] });
  }

  // mirrors model/engine_typed.py: _rated
  function rated(given) {
    if (given.some((rate) => !(rate <= 100))) return counts({ notes: ["positions dropped"] });
    const rates = given.some((rate) => rate > 1) ? given.map((rate) => rate / 100) : given;
    if (rates.every((rate, i) => i === 0 || rate <= rates[i - 1])) return positioned(rates);
    let before = 1;
    const known = positioned(rates.map((rate) => (before *= rate)));
    return { ...known, notes: [...known.notes, "taken as conditional"] };
  }

  GuessAhead.engine_typed = { typed, plain };
}
