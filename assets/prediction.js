// Predict first: numbers, the best, and plots that would give it away wait until a reader has committed a guess.
// Each setting asks anew.
GuessAhead.prediction = ({ view, controls, numbers, data, notify, refresh }) => {
  const toggle = document.getElementById("predict");
  const form = document.querySelector(".prediction");
  const question = form.querySelector("label");
  const field = form.querySelector("input");
  let guess = null;

  const hiding = () => toggle.checked && guess === null;
  function ask() {
    guess = null;
    field.value = "";
    refresh();
  }

  function show() {
    document.documentElement.toggleAttribute("data-predicting", hiding());
    form.hidden = !hiding();
    question.textContent = view.question(numbers());
  }

  function commit() {
    const number = GuessAhead.parsed(field.value.trim());
    notify([number === null || number < 0 ? "A guess is a number, 0 or more." : ""]);
    if (number === null || number < 0) return;
    guess = number;
    refresh();
    const summary = document.querySelector(".summary");
    summary.tabIndex = -1;
    summary.focus(); // what had the focus is gone
  }

  form.querySelector("button").addEventListener("click", commit);
  field.addEventListener("keydown", ({ key }) => { if (key === "Enter") commit(); });
  toggle.addEventListener("change", ask);
  for (const { change } of controls) change.connect(() => { if (guess !== null) ask(); });

  return {
    show, hiding,
    verdict: () => (toggle.checked && guess !== null ? `${view.verdict(numbers(), data, guess)} ` : ""),
    setting: { // as the address sees it
      key: "predict",
      initial: false,
      get value() { return toggle.checked; },
      set value(on) {
        toggle.checked = on;
        ask();
      },
      get text() { return toggle.checked ? "1" : ""; },
      read: (text) => [text === "1", text === "1" ? "" : "predict: only 1 turns it on, so it is off."],
    },
  };
};
