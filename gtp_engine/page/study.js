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
  at("study").append(
    ...parts.map(({ node }) => node),
    el("h3", { text: "On the board" }),
    el("div", { class: "row" }, ...tools, editor(app)),
  );
  const show = () => parts.forEach((part) => part.show());
  for (const kind of ["state", "panel"]) app.store.on(kind, show);
}
