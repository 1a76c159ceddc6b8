// Try this: a button moves the sliders to where something can be seen, and says what to look for.
GuessAhead.trials = (controls) => {
  const LASTS = 400; // milliseconds
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const look = document.querySelector(".look");
  let moving = null;

  const between = (from, to, share) => (typeof to === "number" ? from + (to - from) * share : to);

  function glide(to) {
    const from = controls.map(({ value }) => value);
    const started = performance.now();
    const step = () => {
      moving = 0; // what changes now is the glide's doing
      const share = calm.matches ? 1 : Math.min(1, (performance.now() - started) / LASTS);
      controls.forEach((control, i) => {
        if (control.name in to) control.value = between(from[i], to[control.name], share);
      });
      moving = share < 1 ? requestAnimationFrame(step) : null;
    };
    step();
  }

  // What a trial says holds only where it led. Its room stays, so that nothing moves under the hand.
  const forget = () => { look.style.visibility = "hidden"; };
  function stop() {
    if (moving === null) return;
    cancelAnimationFrame(moving);
    moving = null;
    forget();
  }

  for (const button of document.querySelectorAll(".trials button")) {
    button.addEventListener("click", () => {
      cancelAnimationFrame(moving);
      look.textContent = button.dataset.look && `${button.textContent}: ${button.dataset.look}`;
      look.style.visibility = "";
      glide(JSON.parse(button.dataset.values));
    });
  }
  for (const event of ["pointerdown", "keydown"]) { // a hand on a slider goes before a glide
    for (const control of document.querySelectorAll(".control")) control.addEventListener(event, stop, true);
  }
  addEventListener("popstate", stop);
  for (const { change } of controls) change.connect(() => { if (moving === null) forget(); });
};
