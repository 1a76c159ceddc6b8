// What a reader sets: sliders and choices, alike in that each has a name, a key in the address, words and a default,
// and takes text. Text is the one way in from outside: what is odd is refused, what is out of range is clamped.
GuessAhead.controls = (find, viewOf) => {
  const { parsed, snapped } = GuessAhead;

  function slider(input) {
    const model = find(input.id);
    const label = input.labels[0].textContent;
    const handle = viewOf(model).shadow_el.querySelector(".noUi-handle");
    const decimals = (String(model.step).split(".")[1] ?? "").length;
    return {
      name: input.id,
      key: input.dataset.key,
      label,
      input,
      initial: Number(input.defaultValue),
      get idle() { return input.closest("details:not([open])") !== null; }, // out of sight, and at its default
      change: model.properties.value.change,
      get value() { return snapped(model); },
      set value(number) { model.value = snapped(model, number); },
      get text() { return this.value.toFixed(decimals); },

      // The value that a text means, and what there is to say of it.
      read(text, otherwise) {
        const number = parsed(text);
        const value = number === null ? otherwise : snapped(model, number);
        if (number === null) return [value, `${label}: not a number, so it is ${value.toFixed(decimals)}.`];
        return [value, number < model.start || number > model.end
          ? `${label}: ${text} lies outside ${model.start} to ${model.end}, taken as ${value}.` : ""];
      },

      show() {
        input.value = this.text;
        const said = {
          label, valuemin: model.start, valuemax: model.end, valuenow: this.text, valuetext: this.text,
        };
        for (const [name, value] of Object.entries(said)) handle.setAttribute(`aria-${name}`, value);
      },
    };
  }

  function choice(element) {
    const model = find(element.dataset.choice);
    const texts = model.labels.map((label) => label.split(",")[0]);
    const label = element.querySelector("span").textContent;
    return {
      name: element.dataset.choice,
      key: element.dataset.choice,
      label,
      initial: model.labels[0],
      change: model.properties.active.change,
      get value() { return model.labels[model.active]; },
      set value(chosen) { model.active = model.labels.indexOf(chosen); },
      get text() { return texts[model.active]; },
      read: (text, otherwise) => (texts.includes(text) ? [model.labels[texts.indexOf(text)], ""]
        : [otherwise, `${label} none of ${texts.join(", ")}, so it is ${otherwise}.`]),
      show() {},
    };
  }

  return [
    ...[...document.querySelectorAll(".control input")].map(slider),
    ...[...document.querySelectorAll("[data-choice]")].map(choice),
  ];
};
