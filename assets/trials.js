// Try this: a button moves the sliders to where something can be seen, and says what to look for.
GuessAhead.trials = (controls) => {
  const LASTS = 400; // milliseconds
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const look = document.querySelector(".look");
  let moving;
  const stop = () => cancelAnimationFrame(moving);

  const between = (from, to, share) => (typeof to === "number" ? from + (to - from) * share : to);

  function glide(to) {
    const from = controls.map(({ value }) => value);
    const started = performance.now();
    const step = () => {
      const share = calm.matches ? 1 : Math.min(1, (performance.now() - started) / LASTS);
      controls.forEach((control, i) => { control.value = between(from[i], to[control.name], share); });
      if (share < 1) moving = requestAnimationFrame(step);
    };
    step();
  }

  for (const button of document.querySelectorAll(".trials button")) {
    button.addEventListener("click", () => {
      stop();
      glide(JSON.parse(button.dataset.values));
      look.textContent = button.dataset.look && `${button.textContent}: ${button.dataset.look}`;
    });
  }
  // A hand on the page goes before a glide.
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, stop, true);
};
