// A served page whose connection is lost says so, waits until the server answers, and opens anew with its sliders as
// they were: the address holds them. BokehJS's own way back would start them at their defaults.
GuessAhead.connection = (doc, keepAddress) => {
  const EVERY = 2000; // milliseconds between questions whether the server is back
  const metadata = `${location.pathname.replace(/\/$/, "")}/metadata`;
  let lost = false;

  const ask = () => setTimeout(async () => {
    const answer = await fetch(metadata, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return ask();
    keepAddress();
    return location.reload();
  }, EVERY);

  doc.on_event("connection_lost", () => {
    if (lost) return;
    lost = true;
    const line = document.createElement("p");
    line.className = "banner";
    line.setAttribute("role", "alert");
    line.textContent = "The connection to the server was lost. This page comes back by itself, its sliders as they "
      + "are, once the server answers.";
    document.body.append(line);
    ask();
  });
};
