/** Small helpers that build elements. Text always remains text and never becomes markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Icons of 24 by 24, as strokes. */
const ICONS = {
  analysis: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  back: "M15 5l-7 7 7 7",
  board: "M4 4h16v16H4zM12 4v16M4 12h16",
  check: "M5 13l4 4L19 7",
  close: "M6 6l12 12M18 6L6 18",
  comment: "M4 5h16v11H9l-5 4z",
  console: "M4 6l6 6-6 6M12 19h8",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  drop: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  friend: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a7 7 0 0 1 14 0M19 8v6M16 11h6",
  first: "M18 5l-7 7 7 7M6 5v14",
  flag: "M5 21V4h12l-2 4 2 4H5",
  forward: "M9 5l7 7-7 7",
  gear: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5M13 7a3 3 0 1 0 6 0 3 3 0 1 0-6 0M5 17a3 3 0 1 0 6 0 3 3 0 1 0-6 0",
  home: "M4 11l8-7 8 7v9h-6v-6h-4v6H4z",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.5 10.9V15h-7v-1.1A6 6 0 0 1 12 3z",
  last: "M6 5l7 7-7 7M18 5v14",
  learn: "M3 9l9-4 9 4-9 4zM7 11v5c3 2 7 2 10 0v-5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  open: "M3 7V5h6l2 2h9v12H3zM3 11h18",
  paste: "M8 5H5v16h14V5h-3M8 3h8v4H8z",
  pen: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  pause: "M8 5v14M16 5v14",
  play: "M7 4l13 8-13 8z",
  plus: "M12 5v14M5 12h14",
  promote: "M12 20V5M5 12l7-7 7 7",
  puzzle: "M5 8h4a2.5 2.5 0 1 1 5 0h5v4a2.5 2.5 0 1 0 0 5v3H5z",
  record: "M12 3v12M7 10l5 5 5-5M4 20h16",
  redo: "M20 9H9a5 5 0 0 0 0 10h6M16 5l4 4-4 4",
  replay: "M4 12a8 8 0 1 0 3-6.2M4 4v4.5h4.5",
  rules: "M4 5a8 8 0 0 1 8 2 8 8 0 0 1 8-2v13a8 8 0 0 0-8 2 8 8 0 0 0-8-2zM12 7v13",
  stepback: "M19 12H6M11 7l-5 5 5 5",
  study: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 9h6M9 13h4",
  swap: "M4 8h15l-4-4M20 16H5l4 4",
  turns: "M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01",
  watch: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  undo: "M4 9h11a5 5 0 0 1 0 10H9M8 5L4 9l4 4",
};

/**
 * Build an HTML element.
 * @param {string} name tag
 * @param {object} properties `text`, `data` (an object), `on...` (listeners) and attributes; null,
 *   undefined and false omit an attribute
 * @param {...(Node|string|null|Array)} children
 * @returns {HTMLElement}
 */
export function el(name, properties = {}, ...children) {
  return furnish(document.createElement(name), properties, children);
}

/** The same for an SVG element. */
export function svg(name, properties = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), properties, children);
}

function furnish(node, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key === "data") Object.assign(node.dataset, value);
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...present(children));
  return node;
}

function present(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false);
}

/** Replace the children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

/** Set the text of a node if it changes: a browser lays out and draws again what is set. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Run `work` after the next picture; soon in a tab that shows none. */
export function afterPicture(work) {
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}

/**
 * A function that runs `work` once right before the next picture, even if called several times; soon
 * in a tab that shows none.
 */
export function later(work) {
  let asked = false;
  const run = () => {
    if (!asked) return;
    asked = false;
    work();
  };
  return () => {
    // A tab that has just been hidden shows no more pictures: none of them is waited for.
    if (asked && !document.hidden) return;
    asked = true;
    if (document.hidden) setTimeout(run);
    else requestAnimationFrame(run);
  };
}

/** Run `work` once when a node comes into sight: all that is drawn costs at each change of the page. */
export function onceSeen(node, work) {
  const sight = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    sight.disconnect();
    work();
  }, { rootMargin: "100px" });
  sight.observe(node);
}

/** The element of the page with an id. */
export function at(id) {
  return document.getElementById(id);
}

/** An icon by its name, hidden from screen readers. */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }),
  );
}

/**
 * A button. @param {object} what `label`, `icon`, `iconOnly` (the label becomes a name and a
 * tooltip), `title`,
 *   `onclick`, and attributes
 */
export function button({ label, icon: drawing, iconOnly, title, ...rest }) {
  const kind = [rest.class, iconOnly && "icon-only"].filter(Boolean).join(" ");
  return el(
    "button",
    {
      type: "button",
      ...rest,
      class: kind || null,
      "aria-label": iconOnly ? label : rest["aria-label"],
      title: title ?? (iconOnly ? label : null),
    },
    drawing ? icon(drawing) : null,
    iconOnly ? null : el("span", { text: label }),
  );
}

/** The head of a table: a row with the names of its columns. */
export function heads(...names) {
  return el("thead", {}, el("tr", {}, names.map((text) => el("th", { scope: "col", text }))));
}

/** A field with its label. */
export function field(label, control, kind = "field") {
  return el("label", { class: kind }, el("span", { class: "label", text: label }), control);
}

/**
 * Fill a select element. @param {Array<{value: string, text: string, title?: string} | {group:
 * string, choices: Array}>} choices
 */
export function choices(select, list, value) {
  const option = (one) =>
    el("option", { value: one.value, text: one.text, title: one.title, disabled: one.disabled });
  const nodes = list.map((one) =>
    one.group ? el("optgroup", { label: one.group }, one.choices.map(option)) : option(one),
  );
  fill(select, nodes);
  if (value !== undefined) select.value = value;
  return select;
}

/** A link to a rule; a click on it anywhere on the page opens the rule. */
export function ruleLink(rule) {
  return el("button", {
    type: "button",
    class: "rule",
    data: { rule },
    title: `Read rule ${rule}`,
    "aria-label": `Rule ${rule}`,
    text: rule,
  });
}

/** A link to a rule after a text; null without a rule. */
export function cited(rule) {
  return rule ? [" ", ruleLink(rule)] : null;
}

/**
 * A text in which numbers of rules become links.
 * @param {string} text
 * @param {(rule: string) => boolean} known whether there is such a rule
 * @param {boolean} everywhere false for a text that also names points, which may look like rules:
 *   then only numbers in parentheses are rules
 * @returns {Array<Node|string>}
 */
export function withRules(text, known, everywhere = false) {
  const parts = text.split(/\b([A-Z]\d{1,3})\b/);
  let depth = 0;
  return parts.map((part, n) => {
    if (n % 2) return (everywhere || depth > 0) && known(part) ? ruleLink(part) : part;
    for (const sign of part) depth += { "(": 1, ")": -1 }[sign] ?? 0;
    return part;
  });
}

/**
 * Update a list of elements to the order of `wanted`; unchanged elements are reused. @param
 * {HTMLElement} parent @param {Array<{key: string, sign: string, make: () => HTMLElement}>} wanted
 * an element of a key is
 *   reused if its `sign` is the same
 * @param {Map<string, {sign: string, node: HTMLElement}>} kept the elements of the last call
 */
export function reconcile(parent, wanted, kept) {
  const seen = new Set();
  let place = parent.firstChild;
  for (const { key, sign, make } of wanted) {
    seen.add(key);
    let entry = kept.get(key);
    if (!entry || entry.sign !== sign) {
      const node = make();
      if (entry) {
        if (place === entry.node) place = entry.node.nextSibling;
        entry.node.remove();
      }
      entry = { sign, node };
      kept.set(key, entry);
    }
    if (entry.node === place) place = place.nextSibling;
    else parent.insertBefore(entry.node, place);
  }
  for (const [key, { node }] of kept) {
    if (seen.has(key)) continue;
    node.remove();
    kept.delete(key);
  }
}

/**
 * Ask before an action that cannot be undone.
 * @param {{title: string, text: string, yes: string, no?: string}} what
 * @returns {Promise<boolean>}
 */
export async function confirmed({ title, text, yes, no = "Cancel" }) {
  return (await answered({ title, text, answers: { no, yes } })) === "yes";
}

/**
 * Ask a question. @param {{title: string, text: string, answers: Record<string, string>}} what the
 *   labels of the answers by what they mean, the main one last
 * @returns {Promise<string>} what the answer means; empty if the dialog was left
 */
export function answered({ title, text, answers }) {
  return new Promise((resolve) => {
    const keys = Object.keys(answers);
    const dialog = el(
      "dialog",
      { class: "ask", "aria-labelledby": "ask-title", "aria-describedby": "ask-text" },
      el("h2", { id: "ask-title", text: title }),
      el("p", { id: "ask-text", text }),
      el(
        "form",
        { method: "dialog", class: "answers" },
        keys.map((value, n) => el("button", { value, text: answers[value], autofocus: !n, class: value === keys.at(-1) ? "primary" : null })),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A chance in percent: 63 %, and never 0 or 100 unless proven. */
export function percent(chance) {
  return `${Math.min(99, Math.max(1, Math.round(100 * chance)))} %`;
}

/** A text that ends as a sentence does. */
export function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A text that begins as a sentence does. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether an event comes from a text field. */
export function typing(event) {
  return event.target?.closest?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select") instanceof Element;
}
