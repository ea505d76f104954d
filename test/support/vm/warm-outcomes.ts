// Prints what a deep recursion comes to before and after its function was called often. Run as a program, with "any" for a machine that
// leaves the compiler to the engine, or as a worker.
import { parentPort } from "node:worker_threads";
import { VmWorld } from "../worlds/vm-world.ts";
import { WARM_RECURSION, WARMING_CALLS } from "./warm-recursion.ts";

const world = new VmWorld({ compiler: process.argv[2] === "any" ? "any" : "baseline" });
const id = world.install(WARM_RECURSION, ["warm", "run"]);

function outcome(): string {
  try {
    return world.call(id, "run", { gas: 100_000_000 }).failure ?? "ok";
  } catch (error) {
    return String(error);
  }
}

const cold = outcome();
for (let count = 0; count < WARMING_CALLS; count += 1) world.call(id, "warm", { gas: 10_000_000 });
const text = `${cold}, ${outcome()}`;
if (parentPort === null) process.stdout.write(text);
else parentPort.postMessage(text);
