// Predict first: numbers, the best, and plots that would give it away wait until a reader has committed a guess.
// Another question asks anew.
GuessAhead.prediction = ({ view, numbers, data, refresh }) => {
  const toggle = document.getElementById("predict");
  const form = document.querySelector(".prediction");
  const question = form.querySelector("label");
  const field = form.querySelector("input");
  const refusal = form.querySelector("[role=alert]");
  let guess = null;

  const hiding = () => toggle.checked && guess === null;
  function forget() {
    guess = null;
    field.value = refusal.textContent = "";
  }
  function ask() {
    forget();
    refresh();
  }

  function show() {
    const asked = view.question(numbers());
    if (guess !== null && asked !== question.textContent) forget();
    question.textContent = asked;
    document.documentElement.toggleAttribute("data-predicting", hiding());
    form.hidden = !hiding();
  }

  function commit() {
    const number = GuessAhead.parsed(field.value.trim());
    const fits = number !== null && number >= 0 && (!view.wholeGuess || Number.isInteger(number));
    refusal.textContent = fits ? "" : `A guess is a ${view.wholeGuess ? "whole " : ""}number, 0 or more.`;
    if (!fits) return;
    guess = number;
    refresh();
    const summary = document.querySelector(".summary");
    summary.tabIndex = -1;
    summary.focus(); // what had the focus is gone
  }

  form.querySelector("button").addEventListener("click", commit);
  field.addEventListener("keydown", ({ key }) => { if (key === "Enter") commit(); });
  toggle.addEventListener("change", ask);

  return {
    show, hiding,
    guess: () => (toggle.checked ? guess : null),
    question: () => question.textContent,
    verdict: () => (toggle.checked && guess !== null ? view.verdict(numbers(), data, guess) : ""),
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
