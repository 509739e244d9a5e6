/** How far the compilation of the engine is: a thin bar with words, below the turn. */

import { at, el } from "./dom.js";

/** Build the bar; it is shown while the server tells of a compilation. */
export function kernelBar(app) {
  const bar = el("progress", { max: "1", "aria-label": "Preparing the engine" });
  const words = el("p", {});
  const box = el("div", { id: "kernel", hidden: "" }, bar, words);
  at("status").append(box);
  let preparing = false;
  app.store.on("kernel", ({ share, over, text }) => {
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    bar.hidden = over;
    words.textContent = text ?? "";
    box.hidden = !text;
    if (over ? preparing : !preparing) app.say(text ?? "The engine now plays at full strength.");
    preparing = !over;
  });
}
