/** A corner of the board that one drags, or moves by arrow keys, to change the board's size. */

import { at, el } from "./dom.js";

const SMALLEST = 0.4;
const STEP = 0.05;

/** Build the corner; the size is kept as a share of the largest that fits. */
export function sizing(app) {
  const corner = el("div", { id: "size", role: "slider", tabindex: "0", "aria-label": "Size of the board", "aria-valuemin": String(100 * SMALLEST), "aria-valuemax": "100", title: "Drag to change the size of the board" });
  at("stage").append(corner);
  let share = 1;
  let held = null;
  const show = (wanted) => {
    share = Math.min(1, Math.max(SMALLEST, wanted));
    document.documentElement.style.setProperty("--share", share.toFixed(3));
    corner.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  };
  const keep = (wanted) => {
    show(wanted);
    app.prefer("size", share);
  };
  corner.addEventListener("pointerdown", (event) => {
    corner.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, share, most: at("stage").offsetWidth / share };
    corner.classList.add("dragged");
  });
  corner.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (held) show(held.share + (clientX - held.x + clientY - held.y) / 2 / held.most);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    corner.addEventListener(end, () => {
      if (held) keep(share);
      held = null;
      corner.classList.remove("dragged");
    });
  }
  corner.addEventListener("dblclick", () => keep(1));
  corner.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP, Home: -1, End: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    keep(share + by);
  });
  show(app.settings.size);
}
