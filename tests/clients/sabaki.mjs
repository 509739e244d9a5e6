// Drives an engine with the Controller of @sabaki/gtp, as Sabaki does; prints what it measured.
// Arguments: the command of the engine, word by word; the last is the size of the board.
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import {performance} from "node:perf_hooks";

const require = createRequire(process.cwd() + "/");
const {Controller, ControllerStateTracker} = require("@sabaki/gtp");
const [path, ...options] = process.argv.slice(2);

const send = (engine, name, args = [], watch = undefined) =>
    engine.sendCommand({name, args}, watch);

// An analysis: `first` comes with its first report, `done` with its complete answer.
function analyze(engine, name, args) {
    const stream = {lines: [], ended: false};
    stream.first = new Promise(resolve => {
        stream.done = send(engine, name, args, ({line, end}) => {
            assert(!stream.ended, "a line after the end");
            stream.ended = end;
            if (line.startsWith("info")) {
                stream.lines.push(line);
                resolve();
            }
        });
    });
    return stream;
}

function checkReport(line, kata) {
    for (const part of line.split(/\binfo /).slice(1)) {
        const words = part.trim().split(/\s+/);
        const pv = words.indexOf("pv");
        assert(pv > 0 && pv % 2 === 0 && pv < words.length - 1, part);
        const values = Object.fromEntries(
            words.slice(0, pv).flatMap((word, i) => i % 2 ? [] : [[word, words[i + 1]]]));
        assert.match(values.winrate, kata ? /^[01]\.\d+$/ : /^\d{1,5}$/);
        assert.equal(words[pv + 1], values.move, part);
        for (const word of words.slice(pv + 1)) assert.match(word, /^(pass|[A-HJ-Z]\d+)$/, part);
    }
}

async function running(use) {
    const engine = new Controller(path, options);
    engine.start();
    try {
        return await use(engine);
    } finally {
        await engine.stop();
        assert.equal(engine.process, null);
    }
}

async function attach(engine) {
    const names = ["name", "version", "protocol_version", "list_commands"];
    const answers = await Promise.all(names.map(name => send(engine, name)));
    assert.equal(answers[0].content, "Patchpie");
    assert.equal(answers[2].content, "2");
    const listed = answers[3].content.split("\n");
    for (const name of ["kata-analyze", "lz-analyze", "kata-genmove_analyze", "stop"]) {
        assert(listed.includes(name), name);
    }
    assert(!listed.includes("analyze") && !listed.includes("genmove_analyze"));
}

// The history of a game, sent again by the tracker without waiting for any answer.
async function sync(engine) {
    await send(engine, "game-set", ["visits", "50"]);
    const history = [];
    for (let number = 0; number < 4; number++) {
        const sign = number % 2 ? -1 : 1;
        const {content} = await send(engine, "genmove", [sign > 0 ? "B" : "W"]);
        history.push({sign, name: "play", args: [sign > 0 ? "B" : "W", content.toUpperCase()]});
    }
    const before = (await send(engine, "game-board")).content;
    const size = Number(options.at(-1));
    await send(engine, "clear_board");
    const tracker = new ControllerStateTracker(engine);
    const commands = history.map(({name, args}) => ({name, args}));
    await tracker.sync({komi: 6.5, boardsize: [size, size], history: commands});
    assert.equal((await send(engine, "game-board")).content, before);
    await tracker.sync({komi: 6.5, boardsize: [size, size], history: commands.slice(0, 3)}); // undo
    const turns = (await send(engine, "game-history")).content.split("\n");
    assert.equal(turns.length, 3);
    await send(engine, "clear_board");
}

async function interrupted(engine, rounds) {
    const waits = [];
    for (let round = 0; round < rounds; round++) {
        const kata = round % 2 === 0;
        const stream = analyze(engine, kata ? "kata-analyze" : "lz-analyze", ["B", "1"]);
        await stream.first;
        const began = performance.now();
        const {content} = await send(engine, "protocol_version");
        waits.push(performance.now() - began);
        assert.equal(content, "2");
        assert(stream.ended);
        assert(!(await stream.done).error);
        for (const line of stream.lines) checkReport(line, kata);
    }
    return waits.sort((a, b) => a - b);
}

// A game that Sabaki lets the engine play against itself, click after click, as it does by default.
async function genmove(engine) {
    const size = Number(options.at(-1));
    const tracker = new ControllerStateTracker(engine);
    const history = [];
    let passes = 0;
    for (let number = 0; passes < 2; number++) {
        assert(number < 400);
        const color = number % 2 ? "W" : "B";
        await tracker.sync({komi: 6.5, boardsize: [size, size], history});
        const stream = analyze(engine, "kata-genmove_analyze", [color, "50"]);
        const {content} = await stream.done;
        assert(stream.lines.length > 0);
        for (const line of stream.lines) checkReport(line, true);
        const [, word] = content.split("\n").at(-1).match(/^play (pass|[A-HJ-Z]\d+)$/);
        history.push({name: "play", args: [color, word.toUpperCase()]});
        passes = word === "pass" ? passes + 1 : 0;
    }
    assert.equal((await send(engine, "game-over")).content, "true");
    const before = (await send(engine, "game-position")).content;
    const again = new ControllerStateTracker(engine);
    await again.sync({komi: 6.5, boardsize: [size, size], history});
    assert.equal((await send(engine, "game-position")).content, before);
    await send(engine, "clear_board");
}

async function stress(engine) {
    const answers = [];
    const stream = analyze(engine, "kata-analyze", ["B", "1"]);
    await stream.first;
    for (let number = 0; number < 200; number++) {
        if (number % 10 === 5) analyze(engine, "lz-analyze", ["B", "1"]);
        answers.push(send(engine, "known_command", [number % 2 ? "play" : "nosuch"]));
    }
    const contents = (await Promise.all(answers)).map(answer => answer.content);
    assert.deepEqual(contents, contents.map((_, number) => number % 2 ? "true" : "false"));
}

async function killed() {
    const engine = new Controller(path, options);
    engine.start();
    const stream = analyze(engine, "kata-analyze", ["B", "1"]);
    await stream.first;
    stream.done.catch(() => {});
    await engine.kill();
    await assert.rejects(stream.done);
    // The controller starts the engine again by itself.
    assert.equal((await send(engine, "name")).content, "Patchpie");
    await engine.stop();
}

const rounds = Number(process.env.ROUNDS ?? 20);
const waits = await running(async engine => {
    await attach(engine);
    await sync(engine);
    const waits = await interrupted(engine, rounds);
    await genmove(engine);
    await stress(engine);
    analyze(engine, "kata-analyze", ["B", "1"]); // stopped with this one open
    return waits;
});
await killed();
console.log(JSON.stringify({median: waits[waits.length >> 1], most: waits.at(-1)}));
