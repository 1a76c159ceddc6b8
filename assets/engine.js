// The engine of an exported page: it shows Bokeh's document, which stands in the page as data, and in a server's
// stead recomputes a lab's columns at each move of a slider. Mirrors app/served.py.
{
  const { docs, items } = JSON.parse(document.getElementById("document").textContent);
  Bokeh.embed.embed_items(docs, items);

  // Fills the sources with the lab's columns, and again whenever a control moves.
  GuessAhead.engine = (find, lab, parameters) => {
    const columns = GuessAhead.columns[lab];
    const models = parameters.map(find);
    const value = (model) => (model.type === "RadioGroup" ? model.labels[model.active] : GuessAhead.snapped(model));
    const update = () => {
      due = false;
      for (const [name, data] of Object.entries(columns(...models.map(value)))) {
        find(name).data = data;
      }
    };
    let due = false; // several controls moved at once are one move
    const ask = () => {
      if (!due) queueMicrotask(update);
      due = true;
    };
    for (const model of models) {
      model.properties[model.type === "RadioGroup" ? "active" : "value"].change.connect(ask);
    }
    update();
  };
}
