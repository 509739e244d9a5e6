/** The tree of variations as the page reads it: pure functions over the nodes of the server. */

/**
 * @typedef {object} TreeNode one entry of the game; id 0 is the start
 * @property {number} id
 * @property {number|null} parent
 * @property {string|null} color
 * @property {string} word
 * @property {number} number of the turn, from 1
 * @property {boolean} open whether the turn goes on after it
 * @property {string} comment
 * @property {number|null} chance of Black, 0 to 1
 * @property {number|null} loss 0 to 1
 * @property {string|null} best
 */

/** The nodes, and who follows whom. The first child goes on with the main line. */
export class Tree {
  constructor() {
    this.nodes = new Map();
    this.following = new Map();
  }

  /** Take a message of kind `nodes`. */
  take({ reset, set, drop }) {
    if (reset) {
      this.nodes.clear();
      this.following.clear();
    }
    for (const id of drop ?? []) this.forget(id);
    for (const node of set ?? []) {
      const before = this.nodes.get(node.id);
      this.nodes.set(node.id, node);
      if (before || node.parent === null || node.parent === undefined) continue;
      const children = this.following.get(node.parent);
      if (children) children.push(node.id);
      else this.following.set(node.parent, [node.id]);
    }
  }

  forget(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    this.nodes.delete(id);
    this.following.delete(id);
    const siblings = this.following.get(node.parent);
    if (siblings) this.following.set(node.parent, siblings.filter((one) => one !== id));
  }

  /** The node with an id, or undefined. */
  get(id) {
    return this.nodes.get(id);
  }

  /** Ids of the nodes that follow one, the main line first. */
  children(id) {
    return this.following.get(id) ?? [];
  }

  /** Ids from the start to a node, the start included. */
  path(id) {
    const path = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) path.push(node.id);
    return path.reverse();
  }

  /** Ids from the start through a node to the end of the line that goes on with it. */
  line(id) {
    const line = this.path(id);
    for (let next = this.children(id)[0]; next !== undefined; next = this.children(next)[0]) line.push(next);
    return line;
  }

  /** Whether a node is on the main line. */
  isMain(id) {
    const path = this.path(id);
    return path.every((one, n) => n === 0 || this.children(path[n - 1])[0] === one);
  }
}

/**
 * @typedef {object} Entry a turn, or the part of it up to where the tree branches
 * @property {number[]} ids its nodes; a click goes to the last
 * @property {string} word
 * @property {boolean} goesOn whether it goes on with a turn that another entry began
 * @property {number} number
 * @property {string} color
 */

/** The entry that begins with a node: the steps of one turn, joined. */
export function entryFrom(tree, id) {
  const first = tree.get(id);
  const ids = [id];
  const words = [first.word];
  let last = first;
  while (last.open && tree.children(last.id).length === 1) {
    const next = tree.get(tree.children(last.id)[0]);
    if (next.color !== first.color) break;
    ids.push(next.id);
    words.push(next.word);
    last = next;
  }
  const before = tree.get(first.parent);
  return {
    ids,
    word: words.join("/"),
    goesOn: Boolean(before?.open) && before.color === first.color,
    number: first.number,
    color: first.color,
  };
}

/**
 * The tree as a list of blocks from top to bottom: entries of the main line, and under an entry
 * the variations to it.
 * @param {Tree} tree
 * @returns {Array<{depth: number, entries: Entry[]}>} depth 0 is the main line, with one entry a
 *   block; a variation is one block until another one interrupts it
 */
export function blocks(tree) {
  const found = [];
  const tasks = [];
  const start = tree.children(0)[0];
  if (start !== undefined) tasks.push({ id: start, depth: 0, fresh: true });
  while (tasks.length) {
    const { id, depth, fresh } = tasks.pop();
    const entry = entryFrom(tree, id);
    if (depth === 0 || fresh) found.push({ depth, entries: [entry] });
    else found.at(-1).entries.push(entry);
    const siblings = tree.children(tree.get(id).parent);
    const others = siblings[0] === id ? siblings.slice(1) : [];
    const next = tree.children(entry.ids.at(-1))[0];
    if (next !== undefined) tasks.push({ id: next, depth, fresh: others.length > 0 });
    for (const other of others.reverse()) tasks.push({ id: other, depth: depth + 1, fresh: true });
  }
  return found;
}

/**
 * Where to go to take back a turn: the start of the open turn, or else the last earlier position
 * in which a person is to move.
 * @param {Tree} tree
 * @param {number} id the current node
 * @param {(color: string) => boolean} person whether a person plays a color
 * @returns {number|null} a node, null at the start
 */
export function beforeTurn(tree, id, person) {
  const path = tree.path(id);
  const mover = (start) => tree.get(path[path.indexOf(start) + 1]).color;
  const nearest = turnStart(tree, id);
  let start = nearest;
  while (start !== null && !person(mover(start))) start = turnStart(tree, start);
  return start ?? nearest;
}

/** The node from which the turn began that a node is part of, or null at the start. */
export function turnStart(tree, id) {
  let node = tree.get(id);
  if (!node || node.parent === null || node.parent === undefined) return null;
  let before = tree.get(node.parent);
  while (before && before.open && before.color === node.color) {
    node = before;
    before = tree.get(node.parent);
  }
  return before ? before.id : null;
}

/**
 * The points of the graph: one for each whole turn of a line.
 * @returns {Array<{id: number, number: number, color: string|null, word: string, chance: number|null, loss: number|null}>}
 */
export function curve(tree, id) {
  const points = [];
  const words = [];
  for (const one of tree.line(id)) {
    const node = tree.get(one);
    if (node.parent !== null && node.parent !== undefined) words.push(node.word);
    const ends = !node.open || tree.children(one).length === 0;
    if (!ends && one !== id) continue;
    points.push({
      id: one,
      number: node.number ?? 0,
      color: node.color ?? null,
      word: words.join("/"),
      chance: node.chance ?? null,
      loss: node.loss ?? null,
      best: node.best ?? null,
    });
    if (ends) words.length = 0;
  }
  return points;
}
