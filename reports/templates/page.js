"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);

  // Light or dark: the reader's system decides until the button is used.
  const button = one("button.theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("shakeproof-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("shakeproof-theme", theme); } catch { /* not allowed here */ } };
  const current = () => document.documentElement.dataset.theme || (system.matches ? "dark" : "light");
  const label = () => { button.textContent = current() === "dark" ? "Light" : "Dark"; button.setAttribute("aria-label", `Switch to ${button.textContent.toLowerCase()} colours`); };
  if (button) {
    if (["light", "dark"].includes(stored())) document.documentElement.dataset.theme = stored();
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
      keep(document.documentElement.dataset.theme);
      label();
    });
    system.addEventListener("change", label);
  }

  // Tables that sort by a click on a heading; each row group is a tbody of its own.
  const ranks = ["failed", "error", "unexpected", "warned", "known", "undecided", "skipped", "passed"];
  const key = (body, column, kind) => {
    const text = body.rows[0].cells[column].textContent.trim();
    if (kind === "rank") return ranks.indexOf(body.className);
    if (kind === "text") return text.toLowerCase();
    const value = Number(text.replaceAll("\u2212", "-"));
    return Number.isNaN(value) ? Infinity : value;
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }));
  const sort = (table, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const keyed = [...table.tBodies].map((body) => [key(body, heading.cellIndex, heading.dataset.sort), body]);
    keyed.sort((a, b) => compare(a[0], b[0]) * (down && a[0] !== Infinity && b[0] !== Infinity ? -1 : 1));
    table.append(...keyed.map((pair) => pair[1]));
  };
  all("th[data-sort]").forEach((heading) => {
    const press = document.createElement("button");
    press.type = "button";
    press.textContent = heading.textContent;
    const printed = document.createElement("span"); // buttons are not repeated from page to page
    printed.className = "printed";
    printed.textContent = heading.textContent;
    heading.replaceChildren(press, printed);
    press.addEventListener("click", () => sort(heading.closest("table"), heading));
  });

  // A link to each check.
  all("table.checks > tbody").forEach((body) => {
    const link = document.createElement("a");
    link.href = `#${body.id}`;
    link.textContent = "#";
    link.setAttribute("aria-label", "Link to this check");
    one("th", body).append(link);
  });

  // Filters over the tables of their section.
  all("form.filters").forEach((form) => {
    const tables = all("table[data-filtered]", form.parentElement);
    const bodies = tables.flatMap((table) => [...table.tBodies]);
    const cells = (body) => [...body.rows[0].cells].map((cell) => cell.textContent);
    const known = new Map(bodies.map((body) => [body, { words: body.rows[0].textContent.toLowerCase(), outcome: body.className, metric: cells(body)[1], family: `${cells(body)[3]} `, table: body.parentElement.caption.textContent, agreement: cells(body)[5] }]));
    const wants = (field, fits) => !form.elements[field]?.value || fits(form.elements[field].value);
    const fits = (body) => wants("outcome", (value) => value === known.get(body).outcome)
      && wants("metric", (value) => value === known.get(body).metric)
      && wants("family", (value) => known.get(body).family.startsWith(`${value} `))
      && wants("table", (value) => value === known.get(body).table)
      && wants("agreement", (value) => value === known.get(body).agreement)
      && form.elements.words.value.toLowerCase().split(/\s+/).every((word) => known.get(body).words.includes(word));
    const filter = () => {
      bodies.forEach((body) => { body.hidden = !fits(body); });
      if (tables.length > 1) tables.forEach((table) => { table.parentElement.hidden = [...table.tBodies].every((body) => body.hidden); });
      const left = bodies.filter((body) => !body.hidden).length;
      one("output", form).textContent = `${left} of ${bodies.length} ${tables[0].dataset.filtered}`;
    };
    const expand = one("button.expand", form);
    expand?.addEventListener("click", () => {
      const open = expand.getAttribute("aria-pressed") === "false";
      bodies.filter((body) => !body.hidden).forEach((body) => { one("details", body).open = open; });
      expand.setAttribute("aria-pressed", String(open));
    });
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    filter();
  });

  // The address of a check expands it, even if a filter hides it.
  const expand = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    target.hidden = false;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const section = one(":scope > details.fold", target);
    if (section) section.open = true;
    const details = one("details", target);
    if (details && target.tagName === "TBODY") details.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", expand);
  expand();

  // A link to what is shown already opens it again if it was folded meanwhile.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link && link.hash === location.hash) expand();
  });

  // Paper shows what is folded, also where a browser cannot do that by style.
  let opened = [];
  addEventListener("beforeprint", () => { opened = all("details.fold:not([open])"); opened.forEach((fold) => { fold.open = true; }); });
  addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));

  // Commands and checks that can be copied.
  all("kbd, pre[data-copy]").forEach((line) => {
    const press = document.createElement("button");
    press.type = "button";
    press.textContent = "Copy";
    press.setAttribute("aria-label", `Copy ${line.dataset.copy || "the command"}`);
    press.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(line.textContent); press.textContent = "Copied"; } catch { getSelection().selectAllChildren(line); }
    });
    line.after(press);
  });

  // Charts that can be saved as they are.
  all("figure.panel").forEach((panel) => {
    const press = document.createElement("button");
    press.type = "button";
    press.className = "save";
    press.textContent = "Save as SVG";
    press.addEventListener("click", () => {
      const chart = all("svg.chart", panel).find((svg) => svg.getClientRects().length).cloneNode(true);
      const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
      style.textContent = one("style").textContent.split("/* page */")[0];
      chart.prepend(style);
      chart.dataset.theme = current();
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(chart)], { type: "image/svg+xml" }));
      link.download = `${panel.id}.svg`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
    const numbers = one("details", panel);
    if (numbers) numbers.before(press); else panel.append(press);
  });
})();
