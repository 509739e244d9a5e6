/** The rules beside the board: short, or numbered; a rule number anywhere on the page opens the rule. */

import { at, el, fill, onceSeen, withRules } from "./dom.js";

/** Build the panel of the rules, and add `openRule(rule)` and `isRule(word)` to the app. */
export function rulesPanel(app) {
  const { store } = app;
  const short = el("div", { class: "summary" });
  const full = el("div", { class: "sentences" });
  const choice = el("div", { class: "segments", role: "group", "aria-label": "Form of the rules" });
  const forms = [
    ["short", "In short", short],
    ["full", "By number", full],
  ];
  const buttons = forms.map(([form, text]) =>
    el("button", { type: "button", text, "aria-pressed": "false", onclick: () => show(form) }),
  );
  choice.append(...buttons);
  at("rules").append(choice, short, full);
  const sentences = new Map();
  let asked = null;

  const show = (form) => {
    forms.forEach(([name, , part], n) => {
      part.hidden = name !== form;
      buttons[n].setAttribute("aria-pressed", String(name === form));
    });
  };
  app.isRule = (word) => sentences.has(word);
  app.openRule = (rule) => {
    if (!sentences.has(rule)) return;
    show("full");
    app.open("rules", false);
    const sentence = sentences.get(rule);
    sentence.scrollIntoView({ block: "center", behavior: "auto" });
    sentence.focus({ preventScroll: true });
  };
  store.on("state", ({ view }) => {
    if (asked === view.game.name) return;
    asked = app.send("rules") ? view.game.name : null;
  });
  store.on("online", () => {
    if (!store.online) asked = null;
  });
  store.on("rules", ({ sentences: list, summary }) => {
    sentences.clear();
    const items = inShort(summary);
    fill(short, items.some(({ pictures }) => pictures.length) ? steps(app, items) : paragraphs(items));
    for (const { rule } of list) sentences.set(rule, null);
    fill(full, shown(list, sentences));
    choice.hidden = !list.length || !items.length;
    if (choice.hidden) show(list.length ? "full" : "short");
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("button.rule");
    if (link) app.openRule(link.dataset.rule);
  });
  show("short");
}

/** The rules in short, each with its pictures: views of positions. */
function steps(app, summary) {
  return el("ol", {}, summary.map(({ text, pictures }) => el("li", {}, el("div", {}, pictures.map((view) => picture(app, view))), el("p", { text }))));
}

function picture(app, view) {
  const node = el("div", { class: "picture", inert: true, "aria-hidden": "true" });
  onceSeen(node, () => app.smallBoard(node).show(view, { animate: false, live: false }));
  return node;
}

function paragraphs(items) {
  const texts = items.length ? items.map(({ text }) => text) : ["The rules of this game are not written here."];
  return texts.map((text) => el("p", { text }));
}

/** The rules in short as items, each with its pictures; a text without items is one for each sentence. */
export function inShort(summary) {
  const given = [summary ?? []].flat();
  const items = given.filter((item) => item.text).map(({ text, pictures }) => ({ text, pictures: pictures ?? [] }));
  return items.length ? items : sentencesOf(given).map((text) => ({ text, pictures: [] }));
}

/** The sentences of texts: lines that were only wrapped are joined. */
function sentencesOf(given) {
  const lines = given.filter((item) => typeof item === "string");
  return lines.join("\n").split(/\n{2,}|(?<=[.!?:])\n/)
    .flatMap((text) => text.replace(/\n/g, " ").split(/(?<=[.!?])\s+(?=[A-Z])/))
    .filter(Boolean);
}

function shown(list, sentences) {
  const nodes = [];
  let heading = null;
  for (const { rule, heading: title, text } of list) {
    if (title && title !== heading) nodes.push(el("h3", { text: title }));
    heading = title;
    const words = withRules(text, (word) => word !== rule && sentences.has(word), true);
    const node = el("p", { class: "sentence", tabindex: "-1" }, el("span", { class: "rule-number", text: rule }), el("span", {}, words));
    sentences.set(rule, node);
    nodes.push(node);
  }
  return nodes;
}

