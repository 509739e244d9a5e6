/** The tree of variations on the page: pure functions over the nodes from the server. */

/**
 * @typedef {object} TreeNode one entry of the game; id 0 is the start
 * @property {number} id
 * @property {number|null} parent
 * @property {string} color the color that played it, "" at the start
 * @property {string} word
 * @property {number} number of the turn, from 1
 * @property {boolean} open whether the turn continues after it
 * @property {string} comment
 * @property {number|null} chance of Black, 0 to 1
 * @property {number|null} loss 0 to 1
 * @property {string|null} best
 * @property {string[]} [why] sentences of a review
 * @property {boolean} [proven] whether `chance` is exact
 * @property {string} [by] the player that chose it
 * @property {number|null} [better] the first node of the better line, for a turn of an enclosed game
 * @property {number} [instead] for a node of such a line: the end of the played turn
 * @property {boolean} [listed] for such a node: whether the list of turns has it
 */

/** The nodes and their children. The first child continues the main line. */
export class Tree {
  constructor() {
    this.nodes = new Map();
    this.following = new Map();
    this.visited = new Map();
  }

  /** Handle a message of kind `nodes`. */
  take({ reset, set, drop }) {
    if (reset) {
      this.nodes.clear();
      this.following.clear();
      this.visited.clear();
    }
    for (const id of drop ?? []) this.forget(id);
    const told = new Map();
    for (const node of set ?? []) {
      const { id, parent } = node;
      const known = this.nodes.has(id);
      this.nodes.set(id, node);
      if (parent === null || parent === undefined) continue;
      if (!known) this.following.set(parent, [...this.children(parent), id]);
      told.set(parent, [...(told.get(parent) ?? []), id]);
    }
    // If the message contains all children of a node, it also defines their order.
    for (const [parent, ids] of told) {
      if (ids.length > 1 && ids.length === this.children(parent).length) this.following.set(parent, ids);
    }
  }

  forget(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    this.nodes.delete(id);
    this.following.delete(id);
    if (this.visited.get(node.parent) === id) this.visited.delete(node.parent);
    const siblings = this.following.get(node.parent);
    if (siblings) this.following.set(node.parent, siblings.filter((one) => one !== id));
  }

  /** The node with an id, or undefined. */
  get(id) {
    return this.nodes.get(id);
  }

  /** The ids of a node's children, the main line first. */
  children(id) {
    return this.following.get(id) ?? [];
  }

  /** Ids from the start to a node, the start included. */
  path(id) {
    const path = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) path.push(node.id);
    return path.reverse();
  }

  /** Remember the way to a node, so that going forward follows it; but not into a better line. */
  visit(id) {
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) {
      if (node.instead === undefined) this.visited.set(node.parent, node.id);
    }
  }

  /** The child visited last, else the first; undefined if there is none. */
  next(id) {
    return this.visited.get(id) ?? this.children(id)[0];
  }

  /** The ids from the start through a node to the end of its line. */
  line(id) {
    const line = this.path(id);
    for (let next = this.next(id); next !== undefined; next = this.next(next)) line.push(next);
    return line;
  }

  /** Whether a node is on the main line. */
  isMain(id) {
    const path = this.path(id);
    return path.every((one, n) => n === 0 || this.children(path[n - 1])[0] === one);
  }
}

/**
 * @typedef {object} Entry a turn, or a part of it up to a branch of the tree
 * @property {number[]} ids its nodes; a click goes to the last
 * @property {string} word
 * @property {boolean} goesOn whether it continues a turn that another entry began
 */

/** The entry that begins with a node: the joined steps of one turn. */
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
 * The tree as a list of blocks from top to bottom: entries of the main line, each followed by its
 * variations.
 * @param {Tree} tree
 * @returns {Array<{depth: number, entries: Entry[]}>} depth 0 is the main line, with one entry per
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
    const others = siblings[0] === id ? siblings.slice(1).filter((one) => tree.get(one).listed !== false) : [];
    const next = tree.children(entry.ids.at(-1))[0];
    if (next !== undefined) tasks.push({ id: next, depth, fresh: others.length > 0 });
    for (const other of others.reverse()) tasks.push({ id: other, depth: depth + 1, fresh: true });
  }
  return found;
}

/** The node before the first step of a node's turn, or null at the start. */
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
 * The turns of the better line of a reviewed turn, from any node of the turn or of the line.
 * @returns {Array<{id: number, color: string, word: string}>} `id` is the end of the turn
 */
export function betterLine(tree, id) {
  const node = tree.get(id);
  const found = [];
  let next = (tree.get(node.instead) ?? node).better ?? undefined;
  while (next !== undefined) {
    const { ids, word, color } = entryFrom(tree, next);
    found.push({ id: ids.at(-1), word, color });
    [next] = tree.children(found.at(-1).id);
  }
  return found;
}

/** The end of the next turn on the line visited last, or null at its end. */
export function turnEnd(tree, id) {
  let next = tree.next(id);
  if (next === undefined) return null;
  while (tree.get(next).open && tree.next(next) !== undefined) next = tree.next(next);
  return next;
}

/**
 * The points of the graph: one per whole turn of a line; those of the game for a better line.
 * @returns {Array<{id: number, number: number, color: string|null, word: string,
 *   chance: number|null, loss: number|null, best: string|null}>}
 */
export function curve(tree, id) {
  const points = [];
  const words = [];
  for (const one of tree.line(tree.get(id)?.instead ?? id)) {
    const node = tree.get(one);
    if (node.parent !== null && node.parent !== undefined) words.push(node.word);
    const ends = !node.open || tree.next(one) === undefined;
    if (!ends && one !== id) continue;
    points.push({
      id: one,
      number: node.number ?? 0,
      color: node.color || null,
      word: words.join("/"),
      chance: node.chance ?? null,
      proven: node.proven ?? false,
      loss: node.loss ?? null,
      best: node.best ?? null,
    });
    if (ends) words.length = 0;
  }
  return points;
}
