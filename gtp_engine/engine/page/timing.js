/** The clock of a new game: usual ones to choose from, and one's own numbers. */

import { choices, el, field } from "./dom.js";

const OWN = "own";
const UNITS = [[86400, "day"], [3600, "hour"], [60, "min"]];

/** The kinds of clocks, by what messages call the seconds of each turn; `sign` stands in a value. */
const KINDS = {
  increment: { sign: "+", title: "the game, more after each turn", words: (main, each) => (each ? `${main} + ${each} a turn` : `${main}, no more`) },
  delay: { sign: "~", title: "the game, part of each turn free", words: (main, each) => `${main}, ${each} of each turn free` },
  turn: { sign: "=", title: "each turn", words: (_, each) => `${each} for each turn` },
};

const USUAL = ["180+2", "300+5", "600+5", "1200+10", "2700+30", "600+0", "600~10", "=86400", "=259200"];

/** The clock in a message, for a value such as `300+5`, `300~5` or `=86400`; null for none. */
export function clockOf(value) {
  if (!value) return null;
  const [, main, sign, each] = /^(\d*)(.)(\d+)$/.exec(value);
  const kind = Object.keys(KINDS).find((name) => KINDS[name].sign === sign);
  return { ...(main && { main: Number(main) }), [kind]: Number(each) };
}

/** The value for the clock of a state. */
export function clockValue(clock) {
  return clock ? `${clock.main ?? ""}${KINDS[kindOf(clock)].sign}${clock[kindOf(clock)]}` : "";
}

/** A clock in words. */
export function clockWords(clock) {
  const kind = kindOf(clock);
  return KINDS[kind].words(clock.main && duration(clock.main), clock[kind] && duration(clock[kind]));
}

function kindOf(clock) {
  return Object.keys(KINDS).find((name) => name in clock);
}

function duration(seconds) {
  const [unit, name] = UNITS.find(([size]) => seconds % size === 0) ?? [1, "s"];
  const number = seconds / unit;
  return `${number} ${name}${number > 1 && unit > 60 ? "s" : ""}`;
}

/**
 * The fields for a clock.
 * @returns {{nodes: Node[], clock: () => object|null, show: (clock: object|null) => void}} `clock`
 *   gives what is chosen, in the form of a message; `show` chooses that of a state
 */
export function clockFields() {
  const usual = USUAL.map((value) => ({ value, text: clockWords(clockOf(value)) }));
  const choice = choices(el("select", {}), [{ value: "", text: "No clock" }, ...usual, { value: OWN, text: "Own numbers" }]);
  const kind = choices(el("select", {}), Object.entries(KINDS).map(([value, { title }]) => ({ value, text: title })));
  const number = (value, most, least, step) => el("input", { type: "number", value, min: least, max: most, step, required: true });
  const parts = {
    minutes: { input: number(15, 10000, 0.5, 0.5), label: "Minutes for the game", holds: () => kind.value !== "turn" },
    seconds: { input: number(10, 3600, 0, 1), label: "Seconds of each turn", holds: () => kind.value !== "turn" },
    hours: { input: number(24, 240, 0.1, 0.1), label: "Hours for each turn", holds: () => kind.value === "turn" },
  };
  const kindField = field("Time for", kind, "field wide");
  const fields = Object.values(parts).map(({ input, label }) => field(label, input));
  const offer = () => {
    const own = choice.value === OWN;
    kindField.hidden = !own;
    Object.values(parts).forEach(({ input, holds }, at) => {
      input.disabled = fields[at].hidden = !own || !holds(); // so that the form checks only what is shown
    });
  };
  for (const select of [choice, kind]) select.addEventListener("change", offer);
  offer();
  const seconds = (part, unit) => Math.round(unit * Number(parts[part].input.value));
  const own = () => (kind.value === "turn" ? { turn: seconds("hours", 3600) } : { main: seconds("minutes", 60), [kind.value]: seconds("seconds", 1) });
  const show = (clock) => {
    const value = clockValue(clock);
    choice.value = value;
    if (choice.value !== value) {
      choice.value = OWN;
      kind.value = kindOf(clock);
      parts.minutes.input.value = (clock.main ?? 900) / 60;
      parts.seconds.input.value = clock.increment ?? clock.delay ?? 0;
      parts.hours.input.value = (clock.turn ?? 86400) / 3600;
    }
    offer();
  };
  return { nodes: [field("Clock", choice, "field wide"), kindField, ...fields], clock: () => (choice.value === OWN ? own() : clockOf(choice.value)), show };
}
