/** The keyboard on the board: arrows move, Enter clicks, letters choose tools and read aloud. */

import { readings } from "./grid.js";

const READ = { a: "pieces", r: "areas", l: "last", x: "captures" };

/** Whether a key event on a board was used; `board` is the Board with the focus. */
export function pressed(event, board) {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (altKey || metaKey) return false;
  const {
    clicks,
    stage: { grid },
  } = board;
  if (key === "Enter" || key === " ") {
    if (!event.repeat) board.hands.click(grid.current, shiftKey);
    return true;
  }
  if (key === "Escape") {
    const busy = clicks.selecting || board.hands.pinned;
    if (busy) board.cancel();
    board.hands.pinned = null;
    return Boolean(busy);
  }
  const targets = clicks.selecting ? clicks.targets : null;
  if (grid.move(key, ctrlKey, targets)) {
    board.hands.hover(grid.current);
    return true;
  }
  return !ctrlKey && board.options.letters && letter(key.toLowerCase(), board);
}

function letter(key, board) {
  const tool = board.tools().find(({ title }) => title.toLowerCase().startsWith(key));
  if (tool && key.length === 1) {
    board.useTool(tool.verb);
    board.told.onSay(tool.title);
    return true;
  }
  if (key === "m" && board.told.onDraws) {
    board.told.onDraws();
    return true;
  }
  const reading = READ[key];
  if (!reading) return false;
  board.told.onSay(readings(board.view, board.clicks)[reading]);
  if (reading === "last") board.replay();
  return true;
}
