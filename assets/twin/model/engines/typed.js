// Numbers that a person typed: the twin of model/engines/typed.py. See twin/model/steps.js.
{
  const { counted, counts, figure, positioned, share, shares, whole } = GuessAhead.engines.counts;
  const { value, values } = GuessAhead.engines.logs;
  const { formats, patterns } = GuessAhead.engines.formats;
  const { accepted_of } = GuessAhead.estimates;
  const { MOST_POSITIONS, MOST_TYPED, NEARLY, PERCENT, UNKNOWN_LENGTH } = python["model.engines.typed"];
  const FIELDS = formats.plain.fields;
  const NAMES = Object.keys(FIELDS).sort((a, b) => b.length - a.length)
    .map((name) => ("γτα".includes(name[0]) ? "" : "\\b") + name.replaceAll(" ", "[ _-]+")
      + (name === "a" ? "(?=[ \\t]*=)" : "")).join("|"); // with no sign behind it, a is a word
  const NAMED = new RegExp(`(${NAMES})(?![a-z0-9_])${patterns.typed}${patterns.run}`, "g");
  const NUMBER = new RegExp(`^[ \\t]*((?:${patterns.number})|[-+]?\\.[0-9]+)`);
  const BARE = new RegExp(`^(?:${patterns.bare})$`);
  const BESIDE = new RegExp(patterns.beside);
  const COMMA = new RegExp(patterns.comma);
  const FIRST_COMMA = new RegExp(`^(?:${patterns.comma})`);

  // mirrors model/engines/typed.py: typed
  function typed(text) {
    if ([...text.slice(0, 2 * MOST_TYPED + 1)].length > MOST_TYPED) return {};
    const plain_text = text.replaceAll("\u00a0", " ").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const record = {};
    for (const [, name, run] of plain_text.matchAll(NAMED)) {
      Object.assign(record, read(FIELDS[name.replace(/[ _-]+/g, " ")], run));
    }
    const bare = plain_text.replace(NAMED, " ");
    return BARE.test(bare) ? { ...record, ...read("positions[]", bare) } : record;
  }

  // mirrors model/engines/typed.py: _read
  function read(meaning, run) {
    const rates = values(run).filter((rate) => !Number.isNaN(rate));
    if (meaning === "positions[]" || (meaning === "rate" && rates.length > 1)) {
      const percent = run.includes("%") || (rates.length > 1 && rates.every((rate) => rate > 1));
      if (rates.length === 0) return {};
      const positions = percent ? rates.map((rate) => rate / PERCENT) : rates;
      return COMMA.test(run) ? { positions, comma: 1 } : { positions };
    }
    const number = NUMBER.exec(run);
    if (number === null) return {};
    const percent = /^[ \t]*%/.test(run.slice(number[0].length));
    const found = { [meaning]: value(number[1]) / (percent ? PERCENT : 1) };
    return FIRST_COMMA.test(run) ? { ...found, comma: 1 } : found;
  }

  // mirrors model/engines/typed.py: plain
  function plain(record) {
    if ("comma" in record || !possible(record)) {
      return counts({ notes: ["comma" in record ? "decimal comma" : "cannot be"] });
    }
    if ("positions" in record) return rated(record.positions, figure(record, "draft_length"));
    return counted_from(record) ?? uncounted(record);
  }

  // mirrors model/engines/typed.py: _counted
  function counted_from(record) {
    const [length, accepted, drafted] = ["draft_length", "accepted", "drafted"].map((name) => figure(record, name));
    let drafts = figure(record, "drafts");
    if (drafts === null && length !== null && drafted !== null && whole(drafted / length)) drafts = drafted / length;
    if (accepted !== null && drafts !== null) return counted([{ ...record, drafts }]);
    if (accepted === null || drafted === null) return null;
    return counts({ accepted, drafted, notes: ["length not printed"] });
  }

  // mirrors model/engines/typed.py: _uncounted
  function uncounted(record) {
    const [draft_length, rate] = ["draft_length", "rate"].map((name) => figure(record, name));
    let tokens = figure(record, "length");
    const alpha = tokens === null ? figure(record, "alpha") : null;
    if (tokens === null && draft_length !== null && alpha !== null) tokens = 1 + accepted_of(alpha, draft_length);
    else if (tokens === null && draft_length !== null && rate !== null) tokens = 1 + draft_length * rate;
    if (tokens === null && alpha === null && rate === null) return counts({});
    const strict_rate = draft_length === null || tokens === null ? rate : (tokens - 1) / draft_length;
    const known = tokens === null ? {} : { draft_length, tokens_per_step: tokens };
    return counts({ ...known, strict_rate, alpha, notes: ["no counts"] });
  }

  // mirrors model/engines/typed.py: beside
  function beside(known, text) {
    if (known.draft_length !== null || known.notes.some((note) => UNKNOWN_LENGTH.includes(note))) return known;
    const line = BESIDE.exec(text);
    if (line === null) return known;
    const length = Number(line[1]);
    const [printed, rate] = shares(known);
    const tokens = printed === null && rate !== null ? 1 + length * rate : printed;
    if (tokens === null) return known;
    const each = rate === null ? tokens - 1 : length * rate;
    if (!(length >= 1 && tokens <= length + 1 && Math.abs(each - (tokens - 1)) <= NEARLY * each)) {
      return { ...known, notes: [...known.notes, "length does not fit"] };
    }
    const notes = [...known.notes.filter((note) => note !== "length not printed"), "length typed"];
    const strict_rate = rate ?? (tokens - 1) / length;
    return { ...known, draft_length: length, tokens_per_step: tokens, strict_rate, notes };
  }

  // mirrors model/engines/typed.py: _possible
  function possible(record) {
    const [length, tokens] = [figure(record, "draft_length"), figure(record, "length")];
    const [accepted, drafted] = [figure(record, "accepted"), figure(record, "drafted")];
    return Object.keys(record).every((name) => name === "positions" || figure(record, name) !== null)
      && (length === null || (whole(length) && length >= 1 && length <= MOST_POSITIONS))
      && (tokens === null || (tokens >= 1 && (length === null || tokens <= length + 1)))
      && (accepted === null || drafted === null || accepted <= drafted)
      && ["alpha", "rate"].every((name) => !(name in record) || share(record, name) !== null);
  }

  // mirrors model/engines/typed.py: _rated
  function rated(rates, length) {
    if (rates.some((rate) => !(rate <= 1))) return counts({ notes: rates.length > 1 ? ["unclear rates"] : [] });
    if (rates.length === 1) {
      const known = plain({ alpha: rates[0], ...(length === null ? {} : { draft_length: length }) });
      return { ...known, notes: [...known.notes, "one number"] };
    }
    if (length !== null && length !== rates.length) return counts({ notes: ["unclear rates"] });
    if (rates.every((rate, i) => i === 0 || rate <= rates[i - 1])) return positioned(rates);
    let before = 1;
    const known = positioned(rates.map((rate) => (before *= rate)));
    return { ...known, notes: [...known.notes, "taken as conditional"] };
  }

  GuessAhead.engines.typed = { UNKNOWN_LENGTH, typed, plain, beside };
}
