// The address holds what a reader has set: it presets the controls, follows them, and leads back and forward.
// A page in a frame adds no steps to the history of the page around it.
GuessAhead.address = (settings, notify) => {
  const THEMES = ["light", "dark"];
  let query = new URLSearchParams(location.search);

  // What the address gives for each setting; what it does not give, or gives twice, is the default.
  function read() {
    query = new URLSearchParams(location.search);
    const messages = settings.map((setting) => {
      const texts = query.getAll(setting.key);
      const [value, message] = texts.length === 0 ? [setting.initial, ""]
        : setting.read(texts.length === 1 ? texts[0] : "", setting.initial);
      if (setting.value !== value) setting.value = value;
      return message;
    });
    if (query.has("theme") && !THEMES.includes(query.get("theme"))) {
      messages.push("theme: neither light nor dark, so it is the system's.");
    }
    notify(messages);
  }

  function write(how) {
    for (const { key, text } of settings) {
      if (text === "") query.delete(key);
      else query.set(key, text);
    }
    const state = `?${query}`;
    if (state === location.search) return;
    try {
      history[how](null, "", state + location.hash);
    } catch { /* a page inside srcdoc has no address of its own */ }
  }

  const settled = () => {
    clearTimeout(waiting);
    write(parent === window ? "pushState" : "replaceState");
  };
  let waiting; // browsers refuse more than a few writes a second
  function follow() {
    clearTimeout(waiting);
    waiting = setTimeout(settled, 300);
  }

  addEventListener("popstate", read);
  return {
    read, follow,
    replace: () => write("replaceState"),
    get link() {
      settled();
      return location.href;
    },
  };
};
