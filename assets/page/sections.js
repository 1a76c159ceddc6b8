// What opens on demand. Its controls stand at their defaults while it is closed; what takes long to compute is computed
// while it is open, so whoever computes is told what is.
GuessAhead.sections = ({ find, data, controls, follow, show }) => {
  const all = [...document.querySelectorAll("main details:not(.why)")];
  const computed = all.filter(({ dataset }) => dataset.sources);
  const isOpen = (name) => computed.some(({ open, dataset }) => open && dataset.section === name);
  const names = () => computed.map(({ dataset }) => dataset.section);

  function tell() {
    const opened = find("opened");
    if (opened) opened.active = opened.labels.flatMap((name, i) => (isOpen(name) ? [i] : []));
  }

  const within = (element) => controls.filter(({ input }) => element.contains(input));

  for (const element of all) {
    const inside = within(element);
    element.addEventListener("toggle", () => {
      if (!element.open) for (const control of inside) control.value = control.initial;
      tell();
      follow();
      if (element.dataset.section) show(element);
    });
    for (const control of inside) {
      control.change.connect(() => { element.open ||= control.value !== control.initial; });
    }
  }

  // Back and forward: a section that the address does not list is open where the address has one of its keys. What is
  // closed here stands in the address as it is, so that nothing is pushed over the way forward.
  addEventListener("popstate", () => {
    const query = new URLSearchParams(location.search);
    for (const element of all.filter((one) => !computed.includes(one))) {
      element.open = within(element).some(({ key }) => query.has(key));
    }
  });

  for (const element of computed) {
    let due = false; // its sources change one after the other
    const arrived = () => {
      due = false;
      show(element);
    };
    for (const source of element.dataset.sources.split(" ")) {
      find(source).properties.data.change.connect(() => {
        if (!due) queueMicrotask(arrived);
        due = true;
      });
    }
  }

  return {
    // Whether there is something to show: a section that has just been opened waits for its numbers.
    ready: ({ open, dataset }) => open && (!dataset.sources || Object.values(data[dataset.section])[0].length > 0),

    setting: { // as the address sees it
      key: "open",
      initial: "",
      get value() { return names().filter(isOpen).join("."); },
      set value(open) {
        for (const element of computed) element.open = open.split(".").includes(element.dataset.section);
      },
      get text() { return this.value; },
      read(text) {
        const asked = text.split(".");
        const known = names().filter((name) => asked.includes(name));
        return [known.join("."), asked.every((name) => known.includes(name)) ? ""
          : "open: names what is no section of this page."];
      },
    },
  };
};
