/**
 * From clicks to steps: the meaning of a click on a vertex by the options of a view. Pure: no
 * document, no rules. An unfinished selection exists only here; the engine receives whole steps.
 *
 * An option is `{at, area, verb, step}` or `{at, area, verb, then: [options]}`: a click on `at`, or
 * on a vertex of `area`, chooses it.
 */

const NOTHING = { options: [], tools: [], pieces: [], areas: [], verbs: {}, turn: { open: false } };

/** Dots mark the legal vertices only if they are less than this share of the empty ones. */
const FEW = 0.4;

/**
 * The clicks of one board.
 *
 * view -- the shown view; null before the first
 * tool -- the verb of a click if several verbs share a vertex; null otherwise
 * path -- the options chosen so far, not yet a step
 */
export class Clicks {
  constructor() {
    this.view = NOTHING;
    this.live = false;
    this.tool = null;
    this.wanted = null; // the tool that somebody has chosen
    this.path = [];
    this.index();
  }

  /**
   * Take a new view; the selection is dropped. The tool stays if the view still has it; where it can do
   * nothing and another one can, that one stands in.
   */
  show(view, live) {
    this.view = view;
    this.live = live;
    this.path = [];
    if (!view.tools.includes(this.wanted)) this.wanted = view.tools[0] ?? null;
    const can = (tool) => view.options.some(({ verb }) => verb === tool);
    this.tool = !live || can(this.wanted) ? this.wanted : (view.tools.find(can) ?? this.wanted);
    this.index();
  }

  /** Change the tool; false if the view has no such tool. */
  useTool(verb) {
    const known = this.view.tools.includes(verb);
    if (known) this.tool = this.wanted = verb;
    return known;
  }

  /** The tool of a right click: the next in order; null if there are fewer than two. */
  get otherTool() {
    const { tools } = this.view;
    return tools.length > 1 ? tools[(tools.indexOf(this.tool) + 1) % tools.length] : null;
  }

  /** The options for the next click. */
  get options() {
    if (!this.live) return [];
    return this.path.length ? this.path.at(-1).then : this.view.options;
  }

  /** Whether a first click was made and another one is needed. */
  get selecting() {
    return this.path.length > 0;
  }

  /** The option that a click chooses, with the other tool if `other`; null if there is none. */
  pick(vertex, other = false) {
    const here = this.byVertex.get(vertex) ?? [];
    const { tools } = this.view;
    const wanted = other && this.otherTool ? this.otherTool : this.tool;
    const free = here.filter((option) => !tools.includes(option.verb));
    return here.find((option) => option.verb && option.verb === wanted) ?? free[0] ?? this.stuck(vertex);
  }

  // An own piece without a legal move is chosen all the same: then its move is refused, with the reason.
  stuck(at) {
    const { pieces, verbs, turn } = this.view;
    const verb = Object.keys(verbs).find((one) => verbs[one].template === "{}-{}");
    const own = pieces.some((one) => one.at === at && one.color === turn.to_move);
    return verb && own && !this.selecting ? { at, verb, then: [] } : null;
  }

  /**
   * Click a vertex. Returns the consequence, one of
   * `{does: "step", word}`, `{does: "select", option}`, `{does: "cancel"}`,
   * `{does: "refuse", word}` with the word to ask about, null if there is none; it drops the
   * selection, so that the next click begins again,
   * `{does: "nothing"}` if the board accepts no clicks.
   */
  click(vertex, other = false) {
    if (!this.live) return { does: "nothing" };
    const option = this.pick(vertex, other);
    if (option) return this.take(option);
    if (this.selecting) {
      const anew = this.root(vertex);
      if (covers(this.path[0], vertex)) return this.cancel();
      if (anew?.then) {
        this.cancel();
        return this.take(anew);
      }
    }
    return this.refuse(vertex, other);
  }

  /** Begin to drag from a vertex: return whether there is something to drag. */
  lift(vertex) {
    if (!this.live) return false;
    if (this.selecting && covers(this.path.at(-1), vertex)) return true;
    const option = this.root(vertex);
    if (!option?.then) return false;
    this.cancel();
    this.take(option);
    return true;
  }

  /** End a drag on a vertex, null for outside; returns the consequence, as for a click. */
  drop(vertex) {
    if (!vertex) return this.cancel();
    if (covers(this.path.at(-1), vertex)) return { does: "select", option: this.path.at(-1) };
    const option = this.pick(vertex);
    return option ? this.take(option) : this.refuse(vertex);
  }

  /** Drop the selection, and nothing else. */
  cancel() {
    this.path = [];
    this.index();
    return { does: "cancel" };
  }

  // A click that chooses nothing; its word is null if no verb has so many vertices.
  refuse(vertex, other) {
    const { verbs } = this.view;
    const tool = (other && this.otherTool) || this.tool;
    const simple = tool ?? Object.keys(verbs).find((verb) => holes(verbs[verb].template) === 1);
    const verb = verbs[this.selecting ? this.path[0].verb : simple];
    const word = filled(verb, [...this.path.map(({ at }) => at), vertex]);
    this.cancel();
    return { does: "refuse", word };
  }

  /** The vertices that may be clicked next, including those of areas. */
  get targets() {
    return new Set([...this.byVertex.keys()].filter((vertex) => this.pick(vertex)));
  }

  /**
   * The vertices to mark with a dot: if few are legal, inside an open turn, or the targets. Areas
   * with an owner have their own sign.
   */
  get dots() {
    const single = this.options.filter(({ at, area }) => !area?.length && this.pick(at));
    const places = [...new Set(single.map(({ at }) => at))];
    if (this.selecting) return places;
    const taken = new Set(this.view.pieces.map(({ at }) => at));
    const marked = new Set(this.view.areas.flatMap(({ points, owner }) => (owner ? points : [])));
    const free = places.filter((at) => !taken.has(at) && !marked.has(at));
    const empty = this.view.game ? this.view.game.size ** 2 - taken.size : 0;
    return this.view.turn.open || free.length < FEW * empty ? free : [];
  }

  /** The leaves of the possible options; see leavesOf. */
  get leaves() {
    return this.live ? leavesOf(this.view.options) : [];
  }

  /** The pieces that capture by a further click: a Map from their vertices to Sets of those that they can take. */
  get takers() {
    const found = new Map();
    for (const { root, leaf } of this.leaves) {
      if (root === leaf || !leaf.captures?.length) continue;
      found.set(root.at, new Set([...(found.get(root.at) ?? []), ...leaf.captures]));
    }
    return found;
  }

  root(vertex) {
    const { path } = this;
    this.cancel();
    const option = this.pick(vertex);
    this.path = path;
    this.index();
    return option;
  }

  take(option) {
    if (!option.then) return { does: "step", word: option.step };
    this.path = [...this.path, option];
    this.index();
    return { does: "select", option };
  }

  index() {
    this.byVertex = new Map();
    for (const option of this.options) {
      for (const vertex of [option.at, ...(option.area ?? [])]) {
        if (!this.byVertex.has(vertex)) this.byVertex.set(vertex, []);
        this.byVertex.get(vertex).push(option);
      }
    }
  }
}

/** Whether a click on a vertex chooses an option. */
export function covers(option, vertex) {
  return option.at === vertex || Boolean(option.area?.includes(vertex));
}

/** The leaves of a list of options, each with the option at the root that begins it. */
export function leavesOf(options) {
  const found = (root, option) => option.then?.flatMap((next) => found(root, next)) ?? [{ root, leaf: option }];
  return options.flatMap((option) => found(option, option));
}

function holes(template) {
  return template.split("{}").length - 1;
}

function filled(verb, vertices) {
  const template = verb?.template ?? "";
  let n = 0;
  return holes(template) === vertices.length ? template.replaceAll("{}", () => vertices[n++]) : null;
}

/** Whether a click on any point of an area chooses the whole area, and decides about it. */
export function isDue({ points }, { options }) {
  const all = new Set(points);
  const owned = ({ owner, then = [] }) => Boolean(owner) || then.some(owned);
  return options.some(
    (option) => all.has(option.at) && (option.area?.length ?? 0) === all.size - 1 && owned(option),
  );
}
