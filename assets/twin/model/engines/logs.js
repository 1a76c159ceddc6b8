// What a paste of a server's output holds: the twin of model/engines/logs.py. See twin/model/steps.js. The table
// of formats and the regular expressions are Python's own, put before this script as GuessAhead.engines.formats.
{
  const { formats: FORMATS, patterns: PATTERNS } = GuessAhead.engines.formats;
  const { LARGEST, MOST_POSITIONS, PERCENT, PRINTED } = python["model.engines.logs"];
  const LETTERS = { " ": "[ \\t]*", "@": "[\"']?[0-9]{1,3}[\"']?" };
  const KNOWN = new Map(); // printed names are few, and seen again and again
  const MOST_NAMES = 1000;
  const MARKS = /[.*+?^${}()|[\]\\]/g;

  // mirrors model/engines/logs.py: _compiled
  const compiled = (pattern, flags = "g") => (
    new RegExp(pattern.replaceAll("<N>", () => `(${PATTERNS.number})`), flags));

  // mirrors model/engines/logs.py: named
  function named(fields) {
    const words = fields.filter((field) => /^[A-Za-z0-9_]/.test(field));
    const others = fields.filter((field) => !words.includes(field));
    return compiled(`(\\b${tree(words)}|${tree(others)})${PATTERNS.separator}${PATTERNS.run}`);
  }

  // One pattern for all names, which tells them apart letter by letter: a list of names would be tried one by one at
  // each word of a paste. As with a list, the separator that must follow decides between a name and a longer one.
  function tree(names) {
    const heads = new Map();
    for (const name of names) heads.set(name[0], [...heads.get(name[0]) ?? [], name.slice(1)]);
    const branches = Array.from(heads, ([head, rests]) => (head === undefined ? "" : letter(head) + tree(rests)));
    return branches.length === 1 ? branches[0] : `(?:${branches.sort().reverse().join("|")})`;
  }
  const letter = (head) => LETTERS[head] ?? head.replace(MARKS, "\\$&");

  const OWNERS = new Map();
  const PRINTING = Object.entries(FORMATS).filter(([name]) => name !== "plain"); // which is typed
  for (const [format, { fields }] of PRINTING) {
    for (const [field, meaning] of Object.entries(fields)) {
      const key = field.replaceAll(" ", "");
      OWNERS.set(key, [...OWNERS.get(key) ?? [], [format, meaning]]);
    }
  }
  const FIELD = named(PRINTING.flatMap(([, { fields }]) => Object.keys(fields)));
  const GATE = compiled(PATTERNS.stems, "");
  const COUNTER = compiled(PATTERNS.counter);
  const DRAFTER = compiled(PATTERNS.drafter);
  // What one of the patterns in front of a figure, a counter or a statistics line needs: most lines have none of it.
  const HINT = /generated|eval time|Accepted[ \t]+[0-9]|Draft:|(?:vllm|llamacpp|lmdeploy|sglang|tgi)[:_]|statistics/;
  const FIRST = compiled("^[ \\t]*<N>", "");
  const EACH = /[-+0-9.eE]+/g;
  const ROUNDS = /^([0-9]{1,15})\/([0-9]{1,15}) ([0-9]{1,15})$/;
  const BEFORE = Object.entries(FORMATS).flatMap(([name, { patterns = {} }]) => (
    Object.entries(patterns).map(([pattern, meanings]) => [name, compiled(pattern), meanings])));
  const LINED = new Set(Object.keys(FORMATS).filter((name) => FORMATS[name].line));

  // mirrors model/engines/logs.py: read
  function read(text) {
    const reader = new Reader();
    for (const line of lines(text)) reader.take(line);
    return reader.found;
  }

  // mirrors model/engines/logs.py: lines
  function lines(text) {
    let plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    if (plain.includes("\u00a0")) plain = plain.replaceAll("\u00a0", " ");
    if (plain.includes("\x1b")) plain = plain.replace(/\x1b\[[0-9;]*[A-Za-z]/g, "");
    if (plain.includes("histogram") || plain.includes("acceptance_rates")) {
      plain = plain.replace(/([,[])[ \t]*\n[ \t]*(?=[0-9])/g, "$1 ");
    }
    if (plain.includes("accept_prob")) {
      plain = plain.replace(/\b[a-z_]*(accept_prob\{step=)["']?([0-9]{1,3})["']?\}[ \t]+/g, "$1$2}: ");
    }
    return plain.split("\n");
  }

  // mirrors model/engines/logs.py: value
  function value(text) {
    const number = Number(text.includes(",") ? text.replaceAll(",", "") : text);
    return number >= 0 && number <= LARGEST ? number : NaN;
  }

  // mirrors model/engines/logs.py: values
  function values(text) {
    return (text.match(EACH) ?? []).slice(0, MOST_POSITIONS).map(value);
  }

  // A printed name's formats, what it means there and how it is printed; and its position, if it has one.
  function owners_of(printed) {
    const known = KNOWN.get(printed);
    if (known !== undefined) return known;
    const field = printed.replace(/[ \t"']/g, "");
    const indexed = !OWNERS.has(field);
    const owners = OWNERS.get(indexed ? field.replace(/[0-9]+/g, "@") : field).map(([name, meaning]) => [
      name, meaning.replace(/%$|\[\]$/, ""),
      { list: meaning.endsWith("[]"), scale: meaning.endsWith("%") ? PERCENT : 1, digits: PRINTED[meaning] },
    ]);
    const found = { owners, index: indexed ? Number(field.replace(/[^0-9]/g, "")) : null };
    if (KNOWN.size < MOST_NAMES) KNOWN.set(printed, found);
    return found;
  }

  // As Python's strip(" \t"), in one pass.
  function stripped(text) {
    let [start, end] = [0, text.length];
    while (start < end && " \t".includes(text[start])) start += 1;
    while (end > start && " \t".includes(text[end - 1])) end -= 1;
    return text.slice(start, end);
  }

  // mirrors model/engines/logs.py: _told_again
  function told_again(records, output) {
    const request = records.at(-1);
    const names = Object.keys(request);
    if (names.indexOf("output") > names.indexOf("drafts")) return request;
    if (output === request.output) {
      request.again = output;
      return request;
    }
    records.push({ output });
    return records.at(-1);
  }

  // mirrors model/engines/logs.py: _Reader
  class Reader {
    found = {};
    columns = [];
    line = 0;
    lasts = {};

    take(line) {
      if ((line.includes("|") && this.row(line)) || !GATE.test(line)) return;
      const plain = line.includes("*") || line.includes("`") ? line.replace(/[*`]/g, "") : line;
      this.line += 1;
      if (HINT.test(plain)) this.special(plain);
      FIELD.lastIndex = 0; // exec is twice as fast as matchAll
      for (let match = FIELD.exec(plain); match !== null; match = FIELD.exec(plain)) this.field(match[1], match[2]);
    }

    special(line) {
      for (const [name, pattern, meanings] of BEFORE) {
        for (const [, ...texts] of line.matchAll(pattern)) {
          meanings.forEach((meaning, i) => this.put(name, meaning, value(texts[i])));
        }
      }
      for (const [, engine, series, labels = "", text] of line.matchAll(COUNTER)) {
        this.counter(`${engine}-counters`, series + labels, value(text));
      }
      for (const [, drafter] of line.matchAll(DRAFTER)) this.put("llamacpp-statistics", "drafter", drafter);
    }

    field(printed, run) {
      const text = FIRST.exec(run)?.[1];
      if (text === undefined) return;
      const { owners, index } = owners_of(printed);
      for (const [name, meaning, { list, scale, digits }] of owners) {
        if (list) {
          this.put(name, meaning, values(run));
        } else if (index !== null) {
          this.place(name, meaning, index, value(text) / scale);
        } else {
          const record = this.put(name, meaning, value(text) / scale);
          if (digits) record[digits] = text.includes(".") ? text.length - text.indexOf(".") - 1 : 0;
        }
      }
    }

    put(name, meaning, what) {
      const records = (this.found[name] ??= []);
      const last = records.at(-1);
      if (meaning === "output" && last !== undefined && "output" in last && "drafts" in last) {
        return told_again(records, what);
      }
      const evalLine = name === "llamacpp-server-log" && meaning === "predicted";
      const again = last !== undefined && Object.hasOwn(last, meaning) && meaning !== "output";
      const fresh = LINED.has(name) && this.lasts[name] !== this.line;
      if (records.length === 0 || again || evalLine || fresh) {
        records.push(again && "again" in last ? { output: last.again } : {});
        if (again) delete last.again;
      }
      this.lasts[name] = this.line;
      records.at(-1)[meaning] = what;
      return records.at(-1);
    }

    place(name, meaning, index, number) {
      if (index === 0) {
        this.put(name, meaning, [number]);
        return;
      }
      const known = this.found[name]?.at(-1)[meaning];
      if (known !== undefined && index === known.length && index < MOST_POSITIONS) known.push(number);
    }

    counter(name, series, number) {
      const [record] = (this.found[name] ??= [new Map()]);
      if (record.has(series)) record.get(series).push(number);
      else record.set(series, [number]);
    }

    row(line) {
      if (this.columns.length === 0 && !line.includes("rounds")) return false;
      const cells = line.split("|").map(stripped);
      if (cells.includes("rounds") && cells.includes("accepted")) {
        this.columns = cells;
        return true;
      }
      if (cells.length !== this.columns.length) return false;
      const cell = (name) => cells[this.columns.lastIndexOf(name)] ?? "";
      const figures = ROUNDS.exec(`${cell("accepted")} ${cell("rounds")}`);
      if (figures) {
        const [accepted, drafted, drafts] = figures.slice(1).map(Number);
        const positions = values(cell("pos accept")).map((rate) => rate / PERCENT);
        (this.found["ik-spec-bench"] ??= []).push({
          accepted, drafted, drafts, ...(positions.length > 0 ? { positions } : {}),
        });
      }
      return true;
    }
  }

  GuessAhead.engines.logs = { named, read, lines, value, values, Reader };
}
