/**
 * Vertices, places on the board and outlines of areas: pure functions without a document.
 *
 * Lengths are units of the drawing: a cell is CELL wide, the origin is the upper left corner of the
 * playing area, and y grows downwards. A vertex is a name such as `C4`.
 */

export const CELL = 100;

const COLUMNS = "ABCDEFGHJKLMNOPQRST";

/** The name of the vertex in a column and a row, both counted from 0, row 0 at the bottom. */
export function vertexAt(column, row) {
  return `${COLUMNS[column]}${row + 1}`;
}

/** The letter of a column counted from 0. */
export function columnLetter(column) {
  return COLUMNS[column];
}

/** The column and row of a vertex, counted from 0; null if the text is not a vertex. */
export function place(vertex) {
  const found = /^([A-HJ-T])([1-9]|1[0-9])$/.exec(vertex);
  return found && { column: COLUMNS.indexOf(found[1]), row: Number(found[2]) - 1 };
}

/** The center of a vertex. */
export function center(vertex, size) {
  const { column, row } = place(vertex);
  return { x: (column + 0.5) * CELL, y: (size - row - 0.5) * CELL };
}

/** The place at a part of the way from one place to another. */
export function between(from, to, part) {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** The vertex whose cell contains a place of the drawing, or null outside the board. */
export function vertexUnder(x, y, size) {
  const column = Math.floor(x / CELL);
  const row = size - 1 - Math.floor(y / CELL);
  const inside = column >= 0 && row >= 0 && column < size && row < size;
  return inside ? vertexAt(column, row) : null;
}

/** All vertices of a board, row by row from the top, each row from the left. */
export function allVertices(size) {
  const names = [];
  for (let row = size - 1; row >= 0; row--) {
    for (let column = 0; column < size; column++) names.push(vertexAt(column, row));
  }
  return names;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * The vertex to which a key moves the focus: arrows by one, Home and End along the row, with
 * `control` to the upper left and lower right corner. With `targets` (a set of vertices) arrows
 * jump to the nearest target in their direction. At the edge it is the same vertex; null for other
 * keys.
 */
export function moved(vertex, key, size, control = false, targets = null) {
  const { column, row } = place(vertex);
  if (key === "Home") return control ? vertexAt(0, size - 1) : vertexAt(0, row);
  if (key === "End") return control ? vertexAt(size - 1, 0) : vertexAt(size - 1, row);
  const arrow = ARROWS[key];
  if (!arrow) return null;
  if (targets && targets.size) return nearest(vertex, arrow, targets);
  const within = (value) => Math.min(size - 1, Math.max(0, value));
  return vertexAt(within(column + arrow[0]), within(row + arrow[1]));
}

/** The target nearest to a direction; the vertex itself if there is none. */
function nearest(vertex, [right, up], targets) {
  const from = place(vertex);
  let best = vertex;
  let least = Infinity;
  for (const target of targets) {
    const to = place(target);
    const ahead = (to.column - from.column) * right + (to.row - from.row) * up;
    const aside = Math.abs((to.column - from.column) * up) + Math.abs((to.row - from.row) * right);
    const cost = ahead + 2 * aside;
    if (ahead > 0 && cost < least) [best, least] = [target, cost];
  }
  return best;
}

/** The connected areas of a set of vertices. */
export function connected(vertices) {
  const left = new Set(vertices);
  const areas = [];
  for (const first of vertices) {
    if (!left.delete(first)) continue;
    const area = [first];
    for (const at of area) {
      for (const near of neighbors(at)) if (left.delete(near)) area.push(near);
    }
    areas.push(area);
  }
  return areas;
}

function neighbors(vertex) {
  const { column, row } = place(vertex);
  const around = [
    [column - 1, row],
    [column + 1, row],
    [column, row - 1],
    [column, row + 1],
  ];
  return around.filter(([c, r]) => c >= 0 && r >= 0 && COLUMNS[c]).map(([c, r]) => vertexAt(c, r));
}

/**
 * The outline of an area as the data of an SVG path: the common border of its cells, drawn `inset`
 * units inside it, with corners rounded by `radius`. Each part of the area and each hole has its
 * own outline.
 */
export function outline(vertices, size, inset = 7, radius = 18) {
  return loops(vertices, size)
    .map((loop) => rounded(shrunk(loop, inset), radius))
    .join("");
}

// The border as directed edges with the area on their right, joined to closed loops. Where two
// cells meet only in a corner, the loop turns right, so that the cells stay apart.
function loops(vertices, size) {
  const inside = new Set(vertices);
  const edges = new Map();
  const add = (x1, y1, x2, y2) => {
    const from = `${x1},${y1}`;
    if (!edges.has(from)) edges.set(from, []);
    edges.get(from).push({ x1, y1, x2, y2 });
  };
  const has = (column, row) =>
    column >= 0 && row >= 0 && column < size && row < size && inside.has(vertexAt(column, row));
  for (const vertex of inside) {
    const { column, row } = place(vertex);
    const [x, y] = [column, size - 1 - row];
    if (!has(column, row + 1)) add(x, y, x + 1, y);
    if (!has(column + 1, row)) add(x + 1, y, x + 1, y + 1);
    if (!has(column, row - 1)) add(x + 1, y + 1, x, y + 1);
    if (!has(column - 1, row)) add(x, y + 1, x, y);
  }
  const found = [];
  for (const starts of edges.values()) {
    while (starts.length) found.push(followed(starts.pop(), edges));
  }
  return found;
}

function followed(edge, edges) {
  const first = edge;
  const corners = [];
  for (;;) {
    const choices = edges.get(`${edge.x2},${edge.y2}`);
    const right = [-(edge.y2 - edge.y1), edge.x2 - edge.x1];
    let at = choices.findIndex((next) => next.x2 - next.x1 === right[0] && next.y2 - next.y1 === right[1]);
    const back = first.x1 === edge.x2 && first.y1 === edge.y2;
    const closes = back && (at < 0 || turn(edge, first) > 0 || !choices.length);
    if (at < 0) at = 0;
    const next = closes ? first : choices.splice(at, 1)[0];
    if (turn(edge, next)) corners.push({ x: edge.x2, y: edge.y2, before: edge, after: next });
    if (closes) return corners;
    edge = next;
  }
}

// Positive for a turn to the right, negative for one to the left, 0 for straight on.
function turn(edge, next) {
  return (edge.x2 - edge.x1) * (next.y2 - next.y1) - (edge.y2 - edge.y1) * (next.x2 - next.x1);
}

function shrunk(corners, inset) {
  const inward = (edge) => [-(edge.y2 - edge.y1) * inset, (edge.x2 - edge.x1) * inset];
  return corners.map(({ x, y, before, after }) => {
    const [one, other] = [inward(before), inward(after)];
    return { x: x * CELL + one[0] + other[0], y: y * CELL + one[1] + other[1] };
  });
}

function rounded(corners, radius) {
  const toward = (from, to) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const part = Math.min(radius, length / 2) / length;
    return `${round(from.x + (to.x - from.x) * part)} ${round(from.y + (to.y - from.y) * part)}`;
  };
  const pieces = corners.map((corner, n) => {
    const before = corners.at(n - 1);
    const after = corners[(n + 1) % corners.length];
    const start = `${n ? "L" : "M"}${toward(corner, before)}`;
    return `${start}Q${round(corner.x)} ${round(corner.y)} ${toward(corner, after)}`;
  });
  return `${pieces.join("")}Z`;
}

function round(value) {
  return Math.round(value * 100) / 100;
}

/** The vertex of an area nearest to its center: the place for a sign. */
export function heart(vertices) {
  const places = vertices.map(place);
  const mean = (key) => places.reduce((sum, at) => sum + at[key], 0) / places.length;
  const [column, row] = [mean("column"), mean("row")];
  const far = (vertex) => {
    const at = place(vertex);
    return (at.column - column) ** 2 + (at.row - row) ** 2;
  };
  return vertices.reduce((best, vertex) => (far(vertex) < far(best) ? vertex : best));
}

/**
 * An arrow as the data of an SVG path: from one place to another, shortened by `start` and `end`
 * units, with a head of `head` units.
 */
export function arrow(from, to, start = 26, end = 26, head = 18) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x1, y1] = [from.x + dx * start, from.y + dy * start];
  const [x2, y2] = [to.x - dx * end, to.y - dy * end];
  const wing = (side) =>
    `${round(x2 - dx * head + side * dy * head * 0.7)} ${round(y2 - dy * head - side * dx * head * 0.7)}`;
  return `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}M${wing(1)}L${round(x2)} ${round(y2)}L${wing(-1)}`;
}
