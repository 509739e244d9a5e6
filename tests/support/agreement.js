// What on the page differs from the last `state` and `hello` that it has heard: sentences. The
// page shows the newest position of its table, and its animations are over.
({ state, hello }) => {
    const { view } = state;
    const { turn, outcome, last } = view;
    const wrong = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const one = (selector) => document.querySelector(selector);
    const same = (what, found, wanted) => {
        if (JSON.stringify(found) === JSON.stringify(wanted)) return;
        wrong.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
    };
    const middle = (node) => {
        const { left, top, width, height } = node.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    };

    // Each point: its name, and whether it can be clicked.
    const points = all("#board [data-vertex]");
    const pieces = new Map(view.pieces.map((piece) => [piece.at, piece]));
    const selecting = points.some(({ ariaLabel }) => ariaLabel.includes(", selected"));
    const options = new Set(view.options.flatMap(({ at, area }) => [at, ...area]));
    const told = (words) => points.filter(({ ariaLabel }) => ariaLabel.split(", ").includes(words))
        .map(({ dataset }) => dataset.vertex).sort();
    for (const { ariaLabel, dataset: { vertex } } of points) {
        const name = `${vertex}, ${pieces.get(vertex)?.text ?? "empty"}`;
        if (!`${ariaLabel}, `.startsWith(`${name}, `)) wrong.push(`${ariaLabel} is ${name}`);
    }
    const legal = points.filter((point) => point.classList.contains("legal"));
    if (!selecting && legal.length && view.tools.length < 2) {
        const found = legal.map(({ dataset }) => dataset.vertex).sort();
        same("legal", found, [...options].sort());
        const dull = found.filter((at) => points.find(({ dataset }) => dataset.vertex === at).ariaLabel.includes("not legal"));
        same("legal, but named as not", dull, []);
    }
    if (outcome) same("legal after the end", legal.length, 0);
    same("points of the last turn", told("last turn"), [...new Set(last?.points ?? [])].sort());
    same("what decided the game", told("decided the game"), [...new Set(outcome?.points ?? [])].sort());
    same("tab stops", points.filter(({ tabIndex }) => tabIndex === 0).length, 1);

    // The picture: one drawing for each piece, over its point, alike for those that are alike.
    const drawn = all("#board .pieces > .piece");
    same("drawn pieces", drawn.length, view.pieces.length);
    const looks = new Map();
    for (const piece of view.pieces) {
        const point = points.find(({ dataset }) => dataset.vertex === piece.at);
        const { left, right, top, bottom } = point.getBoundingClientRect();
        const here = drawn.filter((node) => {
            const [x, y] = middle(node);
            return x > left && x < right && y > top && y < bottom;
        });
        if (here.length !== 1) {
            wrong.push(`${here.length} pieces are drawn at ${piece.at}`);
            continue;
        }
        const kind = JSON.stringify([piece.shape, piece.color, piece.height]);
        const look = here[0].getAttribute("href");
        if ((looks.get(kind) ?? look) !== look) wrong.push(`${kind} has two looks`);
        looks.set(kind, look);
    }
    same("different looks", new Set(looks.values()).size, looks.size);
    const corners = all("#board .marks.last .mark.last").length;
    if ((corners > 0) !== Boolean(last?.points.length)) wrong.push(`${corners} marks of the last turn`);
    same("mark of what decided", all("#board .marks.decisive > *").length, outcome?.points.length ? 1 : 0);

    // The line below the board.
    const title = (color) => view.game.colors[color].title;
    const role = hello.role ?? "host";
    const own = Object.keys(state.seats).filter((color) =>
        state.seats[color].kind === "human" && (state.seats[color].guest ?? "host") === role);
    const won = (color) => own.length !== 1 ? `${title(color)} wins` : own[0] === color ? "You won" : "You lost";
    const by = outcome?.margin ? ` by ${outcome.margin}` : "";
    const head = !outcome ? title(turn.to_move) : outcome.winner ? `${won(outcome.winner)}${by}` : "Draw";
    same("the turn", one("#turn-line strong")?.textContent, head);
    if (!outcome) same("its number", one("#turn-line .number")?.textContent, `turn ${turn.number}`);

    // The controls.
    const named = (...names) => all("#status .controls button")
        .find((button) => names.includes(button.ariaLabel ?? button.textContent));
    const disabled = (wanted, ...names) => same(`${names[0]} disabled`, named(...names)?.disabled, wanted);
    const hidden = (wanted, ...names) => same(`${names[0]} hidden`, named(...names)?.hidden, wanted);
    disabled(!last, "Show the last turn again");
    disabled(state.node === 0, "To the start");
    disabled(state.node === 0, "One turn back");
    disabled(!state.can_redo, "To the end");
    disabled(!state.can_redo, "One turn forward");
    disabled(hello.readonly || !state.can_undo, "Take back", "Whole turn");
    hidden(!turn.open || !state.can_undo, "Step");
    if (hello.readonly || outcome) for (const name of ["Hint", "Resign"]) disabled(true, name);
    const people = Object.values(state.seats).some(({ kind }) => kind === "human");
    hidden(state.paused || people, "Pause");
    const after = all("#status .actions button").map(({ textContent }) => textContent);
    if (!hello.readonly) same("offers after the game", after.includes("Rematch"), Boolean(outcome));

    // The question of a swap, and notes.
    const swap = view.buttons.find(({ step, forced }) => /^swap/.test(step) && !forced);
    if (one("#swap")?.open && !swap) wrong.push("a swap is asked for");
    same("note of a swap", all("#note p").some(({ textContent }) => textContent === state.swap_note), Boolean(state.swap_note));
    return wrong;
}
