// Serves the kernel to a test in Python: a request in base64 on each line of stdin, its result on stdout.
//
// usage: node kernel_server.mjs FOLDER [impatient]    impatient: each look of a solver calls it back
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, impatient] = process.argv.slice(2);
const { Kernel } = await import(pathToFileURL(`${folder}/kernel.mjs`));
const module = new WebAssembly.Module(readFileSync(`${folder}/kernel.wasm`));
const kernel = await Kernel.start(module, () => Boolean(impatient), false, console.error);
for await (const line of createInterface({ input: process.stdin })) {
  const request = Buffer.from(line.slice(1), "base64");
  let told = "";
  try {
    told = line[0] === "s" ? kernel.solve(request) ?? "" : Buffer.from(kernel.call(request)).toString("base64");
  } catch (error) {
    told = `!${error.message}`;
  }
  console.log(told);
}
