// What a reader sets: sliders, choices and the rates that a link carries. Each has a name, a key in the address, words
// and a default, and takes text. Text is the one way in from outside: what is odd is refused, what is out of range is
// clamped.
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

      focus: () => handle.focus(),

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

  // Rates by position stand in for the one rate until that is moved. Their line keeps its room then, so that nothing
  // moves under the hand.
  function rates(line) {
    const model = find("position_rates");
    const [one] = sliders;
    const drop = () => { model.value = ""; };
    one.change.connect(drop);
    line.querySelector("button").addEventListener("click", () => {
      drop();
      one.focus(); // what had the focus is gone
    });
    return {
      name: "position_rates",
      key: "q",
      label: "acceptance by position, in place of a",
      initial: "",
      get idle() { return model.value === ""; },
      change: model.properties.value.change,
      get value() { return model.value; },
      set value(text) { model.value = text; },
      get text() { return model.value; },
      read: (text, otherwise) => (GuessAhead.rates(text) ? [text, ""]
        : [otherwise, "q: not up to 32 rates from 0 to 1 joined by _, so one a counts."]),
      show() {
        if (model.value !== "") line.hidden = false;
        line.style.visibility = model.value === "" ? "hidden" : "";
        const percent = (rate) => Number((100 * rate).toFixed(2)); // all of its digits
        line.querySelector("b").textContent = (GuessAhead.rates(model.value) ?? []).map(percent).join(", ");
      },
    };
  }

  const sliders = [...document.querySelectorAll(".control input")].map(slider);
  return [
    ...sliders,
    ...[...document.querySelectorAll("[data-choice]")].map(choice),
    ...[...document.querySelectorAll(".rates")].map(rates),
  ];
};
