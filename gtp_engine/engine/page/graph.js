/** The graph of the game: the chances to win after each turn; a click goes there. */

import { at, button, el, fill, later, percent, svg } from "./dom.js";
import { seldom } from "./files.js";
import { lossMark } from "./turns.js";
import { curve, turnStart } from "./tree.js";

const WIDTH = 300;
const HEIGHT = 90;

/** Most mistakes listed in an enclosed game. */
const MOST_LISTED = 8;

/** Build the graph above the turns. */
export function graphPanel(app) {
  const { store } = app;
  const upper = svg("path", { class: "area" });
  const lineOf = svg("path", { class: "curve", "vector-effect": "non-scaling-stroke" });
  const middle = svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}`, "vector-effect": "non-scaling-stroke" });
  const here = svg("path", { class: "here", "vector-effect": "non-scaling-stroke" });
  const losses = svg("g", { class: "losses" });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, upper, middle, lineOf, losses, here);
  const dots = el("div", { class: "dots", "aria-hidden": "true" });
  const slider = el("input", { type: "range", min: "0", value: "0", step: "1", "aria-label": "Turn" });
  const caption = el("p", { class: "caption" });
  const review = button({ label: "Review", icon: "analysis", class: "writes", title: "Search every turn and mark the mistakes", onclick: () => app.review() });
  const keep = button({ label: "Save review", icon: "record", title: "As a separate page that steps through the game", onclick: () => app.send("save", { form: "review" }) });
  const again = button({ label: "Learn from your mistakes", icon: "learn", class: "writes", onclick: () => app.mistakes() });
  const guess = button({ label: "Guess the turns", icon: "puzzle", class: "writes", onclick: () => app.guesses() });
  const box = el("div", { class: "frame" }, picture, dots, slider);
  const worst = el("ol", { class: "worst", "aria-label": "Biggest mistakes" });
  const how = el("p", { class: "about" });
  at("graph").append(box, el("div", { class: "told" }, caption, review), worst, how, el("div", { class: "row" }, again, guess, keep));
  app.review = () => app.send("review", { visits: null });
  let points = [];

  const draw = () => {
    // The tree of a new game comes before the state of its position.
    const node = store.tree.get(store.state?.node);
    if (!app.opened("turns") || !node) return;
    points = curve(store.tree, store.state.node);
    const x = (n) => (points.length > 1 ? (WIDTH * n) / (points.length - 1) : 0);
    const y = (chance) => HEIGHT * (1 - chance);
    const known = points.map((point, n) => ({ ...point, n })).filter(({ chance }) => chance !== null);
    const path = known.map(({ n, chance }, k) => `${k ? "L" : "M"}${x(n).toFixed(1)} ${y(chance).toFixed(1)}`).join("");
    lineOf.setAttribute("d", path);
    upper.setAttribute("d", known.length > 1 ? `${path}V${HEIGHT}H${x(known[0].n).toFixed(1)}Z` : "");
    const shown = node.instead ?? node.id;
    const now = points.findIndex(({ id }) => id === shown);
    here.setAttribute("d", `M${x(now).toFixed(1)} 0V${HEIGHT}`);
    at("graph").classList.toggle("bare", known.length < 2);
    dots.replaceChildren(
      ...known
        .filter(({ loss }) => lossMark(loss, store.measure))
        .map(({ n, chance, loss }) => {
          const dot = el("span", { class: lossMark(loss, store.measure).length > 1 ? "blunder" : "mistake" });
          dot.style.left = `${(100 * x(n)) / WIDTH}%`;
          dot.style.top = `${(100 * y(chance)) / HEIGHT}%`;
          return dot;
        }),
    );
    const list = costliest(points, store.measure, app.game ? MOST_LISTED : undefined);
    fill(worst, list.map((point) => el("li", {}, costly(app, point))));
    const searched = app.game?.hello.reviewed ?? "";
    how.textContent = searched && !list.length ? `No turn was a mistake. ${searched}` : searched;
    slider.max = String(Math.max(0, points.length - 1));
    slider.value = String(Math.max(0, now));
    slider.disabled = points.length < 2 || !store.online;
    review.disabled = points.length < 2 || !store.online || Boolean(store.state.reviewing || store.hello?.readonly);
    const busy = Boolean(store.state.reviewing || store.exercise);
    guess.hidden = again.hidden = busy || !store.judged;
    keep.hidden = busy || !store.state.reviewed;
    tell(now);
  };
  const tell = (n) => {
    const text = pointWords(store, points[n]);
    slider.setAttribute("aria-valuetext", text);
    caption.textContent = caption.title = text;
  };
  // A server ends the connection of who asks too often. The slider itself goes back to the shown turn at each state.
  let wanted = null;
  const go = seldom(() => app.send("goto", { node: wanted }));
  slider.addEventListener("input", () => {
    wanted = points[slider.value]?.id ?? wanted;
    go();
  });
  box.addEventListener("pointermove", (event) => {
    if (points.length < 2) return;
    const { left, width } = box.getBoundingClientRect();
    const n = Math.round(((event.clientX - left) / width) * (points.length - 1));
    tell(Math.min(points.length - 1, Math.max(0, n)));
  });
  box.addEventListener("pointerleave", () => tell(Number(slider.value)));
  const soon = later(draw);
  store.on("nodes", soon);
  store.on("state", soon);
  store.on("panel", draw);
  store.on("online", soon);
}

/**
 * The points of a graph with the biggest losses, the worst first.
 * @param {Array<{loss: number|null}>} points see `curve`
 * @param {object} measure see `Store.measure` @param {number} most largest number of points
 */
export function costliest(points, measure, most = 3) {
  const marked = points.filter(({ loss }) => lossMark(loss, measure));
  return marked.sort((one, other) => other.loss - one.loss).slice(0, most);
}

function costly(app, { id, number, color, word, loss, best }) {
  const node = turnStart(app.store.tree, id);
  return el(
    "button",
    { type: "button", title: "Go to the position before this turn", onclick: () => app.send("goto", { node }) },
    el("span", { class: "number", text: String(number) }),
    el("span", { class: `dot ${color}` }, el("span", { class: "unseen", text: app.store.title(color) })),
    el("span", { class: "word", text: word }),
    el("span", { class: "loss", text: `\u2212${Math.round(100 * loss)} %` }),
    best ? el("span", { class: "better", text: `better ${best}` }) : null,
  );
}

/** The chance of the color that is ahead, in words. */
export function leaderWords(store, { chance, proven }) {
  if (proven && chance === 0.5) return "a draw, proven";
  const leader = store.title(chance >= 0.5 ? "black" : "white");
  return proven ? `${leader} wins, proven` : `${leader} ${percent(Math.max(chance, 1 - chance))}`;
}

/** A point of the graph in words. */
export function pointWords(store, point) {
  if (!point) return "";
  const parts = [point.color ? `${point.number} ${store.title(point.color)} ${point.word}` : "Start"];
  if (point.chance !== null) {
    parts.push(leaderWords(store, point));
  }
  if (lossMark(point.loss, store.measure)) {
    parts.push(`\u2212${Math.round(100 * point.loss)} %`);
    if (point.best) parts.push(`better ${point.best}`);
  }
  return parts.join(", ");
}
