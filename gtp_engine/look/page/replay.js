"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const moments = game.moments;
const end = moments.length - 1;
const at = (id) => document.getElementById(id);
let now = 0;
let stage = null; // inside a turn: the index of its last played step
let ahead = null; // in the better line: the index of its last played turn
let timer = null;

const percent = (chance) => (100 * chance).toFixed(1) + " %";
const turnName = (n) => game.colors[moments[n].color] + " " + moments[n].word;

// A new element with a class and text.
function made(tag, kind = "", text = "") {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = text;
  return element;
}

function dotOf(color) {
  const dot = made("i", "dot");
  dot.style.background = game.inks[color].flat;
  dot.style.borderColor = game.inks[color].rim;
  return dot;
}

function piecesOf(board) {
  const middle = game.margin + game.cell / 2;
  return board.cells.split(" ").map((word, n) => {
    if (word === ".") return "";
    const x = middle + game.cell * (n % game.size);
    const y = middle + game.cell * Math.floor(n / game.size);
    return `<use href="#${game.symbols[word]}" x="${x}" y="${y}"/>`;
  }).join("");
}

function nextWords(moment) {
  if (stage !== null) return `step ${stage + 1} of ${moment.stages.length + 1}: ${moment.stages[stage].step}`;
  const words = now === end ? [game.ending] : [game.colors[moment.next] + " to move"];
  if (moment.by) words.unshift("played by " + moment.by);
  if (moment.chance !== null) words.unshift(chanceWords(moment));
  return words.join(" \u00b7 ");
}

function chanceWords(moment) {
  const { chance } = moment;
  if (!moment.proven) return `${game.colors[0]} wins ${percent(chance)}`;
  return chance === 0.5 ? "a draw is proven" : `${game.colors[chance > 0.5 ? 0 : 1]} wins, proven`;
}

function shownBoard() {
  const moment = moments[now];
  if (ahead !== null) return moment.review.line[ahead];
  return stage === null ? moment : moment.stages[stage];
}

function draw() {
  const board = shownBoard();
  at("under").innerHTML = board.under;
  at("pieces").innerHTML = piecesOf(board);
  at("over").innerHTML = board.over;
}

function show(n, inside = null) {
  now = Math.min(end, Math.max(0, n));
  stage = inside;
  ahead = null;
  const moment = moments[now];
  draw();
  at("turn").textContent = now === 0 ? "The start" : `${now}. ${turnName(now)}`;
  at("next").textContent = nextWords(moment);
  at("comment").textContent = moment.comment;
  at("comment").hidden = !moment.comment;
  at("slider").value = now;
  at("slider").setAttribute("aria-valuetext", at("turn").textContent);
  for (const id of ["first", "back"]) at(id).disabled = now === 0;
  for (const id of ["last", "forward", "play"]) at(id).disabled = atEnd();
  const x = 1000 * now / Math.max(1, end);
  for (const line of document.querySelectorAll(".now")) line.setAttribute("d", `M${x} 0V200`);
  markTurn();
  if (atEnd()) stop();
  showReview();
  history.replaceState(null, "", "#" + now);
}

const atEnd = () => now === end && stage === null;

// Stepping stops after each step of a turn, and shows the whole turn at the last one.
function onward() {
  if (atEnd()) return;
  const [turn, next] = stage === null ? [now + 1, 0] : [now, stage + 1];
  show(turn, next < moments[turn].stages.length ? next : null);
}

function backward() {
  const before = (stage === null ? moments[now].stages.length : stage) - 1;
  if (before >= 0) show(now, before);
  else show(now - 1);
}

function markTurn() {
  const list = at("turns");
  const old = list.querySelector("[aria-current]");
  if (old) old.removeAttribute("aria-current");
  if (now === 0) { list.scrollTop = 0; return; }
  const item = list.children[now - 1];
  item.setAttribute("aria-current", "true");
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function stop() {
  clearInterval(timer);
  timer = null;
  at("play").textContent = "Play";
}

function toggle() {
  if (timer !== null) return stop();
  if (atEnd()) return;
  at("play").textContent = "Pause";
  timer = setInterval(onward, 1000);
}

function go(n) {
  stop();
  show(n);
}

// While the better line is shown, back and forward step along it.
function step(direction) {
  stop();
  if (ahead !== null) stepAhead(direction);
  else if (direction > 0) onward();
  else backward();
}

function fillPlayers() {
  game.colors.forEach((color, n) => {
    const item = document.createElement("li");
    const name = game.players[n] ? `${color}: ${game.players[n]}` : color;
    item.append(dotOf(n), name);
    at("players").append(item);
  });
  at("date").textContent = game.date;
  at("date").hidden = !game.date;
}

function fillTurns() {
  for (let n = 1; n <= end; n++) {
    const item = document.createElement("li");
    item.append(made("b", "", n), dotOf(moments[n].color), made("span", "", turnName(n)));
    item.addEventListener("click", () => go(n));
    at("turns").append(item);
  }
  at("turns").hidden = end === 0;
}

const graphPoint = (n, chance) => `${1000 * n / Math.max(1, end)} ${200 - 200 * chance}`;

function fillGraph() {
  const known = moments.map((moment, n) => [n, moment.chance]).filter((pair) => pair[1] !== null);
  if (known.length < 2) return;
  at("graph").hidden = false;
  at("legend").textContent = `Chance to win: ${game.colors[0]} below the line, ${game.colors[1]} above`;
  const line = known.map(([n, chance]) => graphPoint(n, chance)).join("L");
  const from = 1000 * known[0][0] / end;
  const to = 1000 * known[known.length - 1][0] / end;
  at("above").style.fill = game.inks[1].body;
  at("area").style.fill = game.inks[0].body;
  at("area").setAttribute("d", `M${from} 200L${line}L${to} 200Z`);
  at("curve").setAttribute("d", "M" + line);
  const picture = at("graph").querySelector("svg");
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round(end * (event.clientX - box.left) / box.width));
  });
}

function fromAddress() {
  return Number.parseInt(location.hash.slice(1), 10) || 0;
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target instanceof HTMLButtonElement) return;
  const moves = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => go(0),
    End: () => go(end),
    Escape: leaveLine,
    b: toggleLine,
  };
  if (event.key in moves) moves[event.key]();
  else if (event.key === " ") toggle();
  else return;
  event.preventDefault();
}

function start() {
  at("slider").max = end;
  fillPlayers();
  fillTurns();
  fillGraph();
  fillReview();
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => step(-1));
  at("play").addEventListener("click", toggle);
  at("forward").addEventListener("click", () => step(1));
  at("last").addEventListener("click", () => go(end));
  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  window.addEventListener("hashchange", () => go(fromAddress()));
  document.addEventListener("keydown", onKey);
  show(fromAddress());
}
