// The address holds what a reader has set: it presets the controls, follows them, and leads back and forward.
// A page in a frame adds no steps to the history of the page around it.
GuessAhead.address = (settings, notify) => {
  let query;

  // What the address gives for a setting, and what there is to say of it; what it does not give is the default.
  function given({ key, initial, read: readText }) {
    const texts = query.getAll(key);
    if (texts.length === 0) return [initial, ""];
    return texts.length === 1 ? readText(texts[0], initial)
      : [initial, `${key}: given more than once, so it is the default.`];
  }

  function read() {
    query = new URLSearchParams(location.search);
    const messages = settings.map((setting) => {
      const [value, message] = given(setting);
      if (setting.value !== value) setting.value = value;
      return message;
    });
    const themes = query.getAll("theme");
    if (themes.length > 1 || (themes.length === 1 && !["light", "dark"].includes(themes[0]))) {
      messages.push("theme: neither light nor dark, so it is the system's.");
    }
    notify(messages);
  }

  function write(how) {
    for (const { key, text, idle } of settings) {
      if (text === "" || idle) query.delete(key);
      else query.set(key, text);
    }
    const state = `?${query}`;
    if (state === location.search) return;
    try {
      history[how](null, "", state + location.hash);
    } catch { /* a page inside srcdoc has no address of its own */ }
  }

  let waiting; // browsers refuse more than a few writes a second
  function settle() {
    clearTimeout(waiting);
    write(parent === window ? "pushState" : "replaceState");
  }
  function follow() {
    clearTimeout(waiting);
    waiting = setTimeout(settle, 300);
  }

  addEventListener("popstate", read);
  return { read, follow, settle, replace: () => write("replaceState") };
};
