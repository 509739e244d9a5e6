/** The panel for study: the swap map, games of the past, marks, and the editor. */

import { annotations } from "./annotate.js";
import { at, el } from "./dom.js";
import { editor } from "./editor.js";
import { explorer } from "./explore.js";
import { swapMap } from "./swapmap.js";

/** Build the panel. The page of an enclosed game only shows its marks. */
export function studyPanel(app) {
  const tools = annotations(app);
  if (app.game) return;
  const parts = [swapMap(app), explorer(app)];
  const all = el(
    "div",
    { class: "studied" },
    ...parts.map(({ node }) => node),
    el("h3", { text: "On the board" }),
    el("div", { class: "row" }, ...tools, editor(app)),
  );
  const closed = el("p", { class: "about", text: "Study is for the host of this table." });
  at("study").append(all, closed);
  const show = () => {
    all.hidden = app.store.guest;
    closed.hidden = !all.hidden;
    // While a guest plays, nobody gets help.
    if (!all.hidden && !app.store.apart) parts.forEach((part) => part.show());
  };
  for (const kind of ["hello", "state", "panel"]) app.store.on(kind, show);
}
