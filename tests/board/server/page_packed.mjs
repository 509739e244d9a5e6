/** A game in a link, and the words of a clock. */

import assert from "node:assert/strict";
import test from "node:test";
import { clockText } from "./clocks.js";
import { pack, packedIn, unpack } from "./packed.js";
import { clockOf, clockValue, clockWords } from "./timing.js";

const RECORD = "(;FF[4]CA[UTF-8]GAME[robble]SZ[5];B[A1]C[gr\u00fc\u00df dich];W[B1])";

test("a record comes back as it was, from an address and from a whole mail", async () => {
  const fragment = await pack(RECORD);
  assert.match(fragment, /^#record=[\w-]+$/);
  for (const text of [fragment, `https://games.example/board/x/${fragment}`, `Your turn!\n${fragment}\nBye.`]) {
    assert.equal(await unpack(packedIn(text)), RECORD);
  }
});

test("what is no record is none", async () => {
  for (const text of ["", "#", "#record=", "#record=short", "#game=robble&size=5", `#record=${"A".repeat(9000)}`]) assert.equal(packedIn(text), null);
  for (const packed of ["AAAAAAAA", "________", (await pack("no record at all")).slice(8)]) assert.equal(await unpack(packed), null);
});

test("a link that would unpack to very much is given up early", async () => {
  const bomb = await pack(`(${" ".repeat(990_000)}`);
  assert.ok(bomb.length < 3000);
  assert.equal((await unpack(packedIn(bomb))).length, 990_001);
  const larger = new Blob([" ".repeat(20_000_000)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const letters = Buffer.from(await new Response(larger).arrayBuffer()).toString("base64url");
  assert.equal(await unpack(letters), null);
});

test("a game that is too long for a link has none", async () => {
  const noise = Array.from({ length: 20_000 }, (_, n) => ((n * 7919) % 9973).toString(36)).join("");
  assert.equal(await pack(`(;C[${noise}])`), null);
});

test("clocks are read at a glance", () => {
  assert.deepEqual([200000, 86400, 3845, 3600, 599.9, 60, 10, 9.96, 0.04, 0].map(clockText), ["2 d 7 h", "1 d", "1:04:05", "1:00:00", "9:59", "1:00", "0:10", "9.9", "0.0", "0.0"]);
});

test("a value of the dialog is the clock of a message, and has words", () => {
  const known = {
    "180+2": [{ main: 180, increment: 2 }, "3 min + 2 s a turn"],
    "600+0": [{ main: 600, increment: 0 }, "10 min, no more"],
    "90~30": [{ main: 90, delay: 30 }, "90 s, 30 s of each turn free"],
    "=259200": [{ turn: 259200 }, "3 days for each turn"],
    "=86400": [{ turn: 86400 }, "1 day for each turn"],
  };
  for (const [value, [clock, words]] of Object.entries(known)) {
    assert.deepEqual(clockOf(value), clock);
    assert.equal(clockValue({ ...clock, black: 3 }), value);
    assert.equal(clockWords(clock), words);
  }
  assert.equal(clockOf(""), null);
  assert.equal(clockValue(null), "");
});
