// What an exported page has in a server's stead: it shows Bokeh's document, which stands in the page as data, and
// recomputes a lab's columns at each move of a slider. Mirrors app/served.py.
{
  const { docs, items } = JSON.parse(document.getElementById("document").textContent);
  Bokeh.embed.embed_items(docs, items);

  const REST = 60; // milliseconds without a move, before what takes long begins
  const PIECE = 12; // milliseconds of work, before the page has its turn

  const value = (model) => model.labels?.[model.active]
    ?? (model.type === "TextInput" ? model.value : GuessAhead.snapped(model));
  const changed = ({ properties }) => (properties.active ?? properties.value).change;

  function fill(find, sources) {
    for (const [name, data] of Object.entries(sources)) find(name).data = data;
  }

  // Fills the sources with the lab's columns, and again whenever a control moves.
  GuessAhead.recompute = (find, { lab, parameters, setting }) => {
    const models = parameters.split(" ").map(find);
    const update = () => {
      due = false;
      fill(find, GuessAhead.columns[lab](...models.map(value)));
    };
    let due = false; // several controls moved at once are one move
    const ask = () => {
      if (!due) queueMicrotask(update);
      due = true;
    };
    for (const model of models) changed(model).connect(ask);
    update();
    if (setting) below(find, setting.split(" "));
    return update;
  };

  // Fills the sources of the sections that are open, once nothing has moved for a while, and piece by piece, so that
  // the next move ends the work where it stands. A closed section holds nothing. Mirrors app/below.py.
  function below(find, setting) {
    const opened = find("opened");
    const models = setting.map(find);
    const nothing = (section) => Object.fromEntries(document.querySelector(`[data-section=${section}]`).dataset.sources
      .split(" ").map((name) => [name, emptied(find(name).data)]));
    function* work() {
      for (const [i, section] of opened.labels.entries()) {
        const isOpen = opened.active.includes(i);
        const found = isOpen ? GuessAhead.tail[section](...models.map(value)) : [nothing(section)];
        for (const sources of found) {
          if (sources !== null) fill(find, sources);
          yield;
        }
      }
    }
    const { port1: here, port2: turn } = new MessageChannel(); // a timer waits 4 ms more
    let pieces;
    let waiting;
    function proceed() {
      const started = performance.now();
      while (!pieces.next().done) {
        if (performance.now() - started < PIECE) continue;
        turn.postMessage(null);
        return;
      }
    }
    here.onmessage = proceed;
    for (const model of [...models, opened]) {
      changed(model).connect(() => {
        pieces = [].values(); // ends what is under way
        clearTimeout(waiting);
        waiting = setTimeout(() => {
          pieces = work();
          proceed();
        }, REST);
      });
    }
  }

  const emptied = (data) => Object.fromEntries(Object.keys(data).map((column) => [column, []]));
}
