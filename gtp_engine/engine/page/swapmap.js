/** The swap map: for each first turn, whether the second player should swap, on the board and as a list. */

import { el, fill, heads } from "./dom.js";

const ADVICE = { yes: "swap", no: "play on", either: "either", never: "ends the game" };

/** What to do after an opening, in words: "swap", or "swap?" if the search is not sure. */
export function advice({ swap }) {
  const [, word, doubt] = /^(\w+)(\??)$/.exec(swap);
  return ADVICE[word] + doubt;
}

/** The value of an opening in words: percent with a decimal, or what is proven. */
export function worth({ value, margin }, black) {
  if (margin) return `${(100 * value).toFixed(1)} %`;
  return value === 0.5 ? "a draw" : `${black} ${value ? "wins" : "loses"}`;
}

/**
 * The values of points for the board, see Overlay: of the openings whose first step has a verb, the
 * most even one at each point. The clearest advice has the largest mark.
 */
export function worths(openings, verb) {
  const seen = openings.filter((one) => !verb || one.verb === verb);
  const widest = Math.max(0.01, ...seen.map(({ value }) => Math.abs(value - 0.5)));
  const found = new Map();
  for (const one of seen) {
    one.points.forEach((at, n) => {
      if (!found.has(at)) found.set(at, { slant: (one.value - 0.5) / widest, one, turn: one.turns[n] });
    });
  }
  return found;
}

/** Build the part of the panel; returns `{node, show}`, to call when the position or the panel changes. */
export function swapMap(app) {
  const { store, board } = app;
  const toggle = el("input", { type: "checkbox", role: "switch", id: "swap-map" });
  const text = el("p", { class: "about" });
  const said = el("p", { class: "told-value", "aria-hidden": "true" });
  const body = el("tbody");
  const table = el(
    "table",
    { class: "openings" },
    el("caption", { class: "unseen", text: "First turns, the most even first" }),
    heads("First turn", "Chance", "Then"),
    body,
  );
  const legend = el("p", { class: "legend about" }, el("span", { class: "disk", text: "swap" }), el("span", { class: "ring", text: "play on" }), "the larger, the clearer");
  const list = el("details", { class: "all" }, el("summary", { text: "All first turns" }), table);
  const part = el("div", {}, el("label", { class: "switch", for: "swap-map" }, toggle, el("span", { text: "Swap map on the board" })), text, legend, said, list);
  const node = el("section", { "aria-label": "Swap map" }, part);
  let openings = [];
  let values = new Map();
  let asked = null;

  const draw = () => {
    const tool = board.tools().find(({ active }) => active);
    values = toggle.checked ? worths(openings, tool?.verb) : new Map();
    legend.hidden = said.hidden = !values.size;
    list.hidden = !openings.length;
    point(null);
  };
  // The numbers of an opening stand on all points where it begins.
  const point = (at) => {
    const { one, turn } = values.get(at) ?? {};
    said.textContent = one ? words(one, turn) : "Point at a first turn for its value.";
    board.lay({ worths: new Map([...values].map(([place, each]) => [place, { slant: each.slant, words: each.one === one ? number(one) : "" }])) });
  };
  const words = (one, turn) => `${turn}: ${advice(one).replace(/[^?]$/, "$&.")} ${one.margin ? `${store.title("black")} wins ${worth(one)}` : worth(one, store.title("black"))} if nobody swaps.`;
  const number = ({ value, margin }) => (margin ? (100 * value).toFixed(1) : String(100 * value));
  store.on("openings", ({ rev, text: told, openings: found }) => {
    if (rev !== store.state?.rev) return;
    openings = found;
    text.textContent = told;
    const black = store.title("black");
    fill(body, found.map((one) => row(app, one, black, () => point(one.points[0]), () => point(null))));
    draw();
  });
  toggle.addEventListener("change", () => {
    show();
    draw();
  });
  board.element.addEventListener("tools", draw);
  board.element.addEventListener("pointed", ({ detail }) => values.size && point(detail));
  const show = () => {
    const { state } = store;
    if (!state || asked === state.rev || !(toggle.checked || app.opened("study"))) return;
    asked = state.rev;
    if (openings.length && state.view.last) {
      openings = [];
      draw();
    }
    app.send("openings");
  };
  store.onArrival(() => (asked = null));
  return { node, show };
}

function row(app, one, black, enter, leave) {
  const word = el("button", { type: "button", class: "word", text: one.turns[0], title: `Play ${one.turns[0]}`, onclick: () => app.step(one.turns[0]) });
  const alike = one.turns.length > 1 ? el("span", { class: "count", text: ` and ${one.turns.length - 1} alike` }) : null;
  return el("tr", { onpointerenter: enter, onpointerleave: leave, onfocusin: enter, onfocusout: leave }, el("th", { scope: "row" }, word, alike), el("td", { text: worth(one, black) }), el("td", { text: advice(one) }));
}
