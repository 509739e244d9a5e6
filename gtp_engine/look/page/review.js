// The review of each turn; without a review this does nothing.
const MOST_COSTLY = 8;
const reviewOf = (n) => moments[n].review;
const lossWords = (loss) => "\u2212" + (100 * loss).toFixed(loss < 0.1 ? 1 : 0) + " %";

function costly() {
  return moments.map((moment, n) => n)
    .filter((n) => reviewOf(n) && reviewOf(n).costly)
    .sort((one, other) => reviewOf(other).loss - reviewOf(one).loss || one - other)
    .slice(0, MOST_COSTLY);
}

function fillReview() {
  if (!game.reviewed) return;
  const worst = costly();
  at("costly").hidden = false;
  at("review-keys").hidden = false;
  at("costly-none").textContent = worst.length ? game.reviewed : `No turn was a mistake. ${game.reviewed}`;
  for (const n of worst) {
    const button = document.createElement("button");
    const words = made("span", "words", `${n}. ${turnName(n)}`);
    const instead = made("span", "quiet", ` instead of ${reviewOf(n).best}`);
    words.append(instead);
    button.append(dotOf(moments[n].color), words, made("span"), made("span", "loss", lossWords(reviewOf(n).loss)));
    button.dataset.turn = n;
    button.addEventListener("click", () => go(n));
    const item = document.createElement("li");
    item.append(button);
    at("worst").append(item);
    markOnGraph(n);
  }
  moments.forEach((moment, n) => {
    if (n && reviewOf(n) && reviewOf(n).costly) {
      at("turns").children[n - 1].append(made("span", "loss", lossWords(reviewOf(n).loss)));
    }
  });
  at("leave").addEventListener("click", leaveLine);
}

function markOnGraph(n) {
  if (moments[n].chance === null) return;
  for (const kind of ["halo", "costly"]) {
    const dot = document.createElementNS(at("dots").namespaceURI, "path");
    dot.setAttribute("d", `M${graphPoint(n, moments[n].chance)}h0`);
    dot.setAttribute("class", kind);
    dot.setAttribute("vector-effect", "non-scaling-stroke");
    at("dots").append(dot);
  }
}

// The review of the shown turn.
function showReview() {
  document.body.classList.remove("line");
  at("leave").hidden = true;
  const found = reviewOf(now);
  at("better").hidden = !found;
  for (const button of at("worst").querySelectorAll("button")) {
    if (Number(button.dataset.turn) === now) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  if (!found) return;
  at("better-title").textContent = found.title;
  at("why").replaceChildren(...found.why.map((sentence) => made("li", "", sentence)));
  at("line").replaceChildren(...found.line.map((moment, n) => {
    const button = document.createElement("button");
    button.append(dotOf(moment.color), moment.word);
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => showAhead(n === ahead ? null : n));
    return button;
  }));
}

function showAhead(n) {
  stop();
  if (n === null) return leaveLine();
  ahead = n;
  draw();
  document.body.classList.add("line");
  at("leave").hidden = false;
  [...at("line").children].forEach((button, each) => button.setAttribute("aria-pressed", each === n));
  const moment = reviewOf(now).line[n];
  at("turn").textContent = `Instead: ${game.colors[moment.color]} ${moment.word}`;
  at("next").textContent = `turn ${n + 1} of ${reviewOf(now).line.length} of the better line`;
}

function stepAhead(direction) {
  const next = ahead + direction;
  if (next < 0) leaveLine();
  else if (next < reviewOf(now).line.length) showAhead(next);
}

function leaveLine() {
  if (ahead !== null) show(now);
}

function toggleLine() {
  if (ahead !== null) leaveLine();
  else if (reviewOf(now) && reviewOf(now).line.length) showAhead(0);
}

start();
