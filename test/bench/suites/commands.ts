// The command line: what a command costs before and while it does its work, each beside a node of its own.
import { join } from "node:path";
import { projectRoot, runProgram } from "../../support/nodes/run-program.ts";
import { childrenMs } from "../measure/process-figures.ts";
import { median, round, table } from "../measure/statistics.ts";
import { type Bench, NODE_ENVIRONMENT, startEmpty } from "./bench.ts";

/** Runs of a command that one sample is the mean of: the system counts in hundredths of a second. */
const RUNS = 5;
const SAMPLES = 3;
/** Most processor time of a command, ms. */
const MOST_MS = 250;

interface Figures {
  readonly name: string;
  readonly processorMs: number;
  readonly elapsedMs: number;
}

/** Processor time and time of commands, of their whole process tree, with the compiled code of an earlier run. */
export async function commandsSuite(bench: Bench): Promise<void> {
  await using node = await startEmpty(bench, "commands");
  const key = join(bench.folder, "commands-key.json");
  await parley("keygen", "--out", key, "--plain");
  await parley("faucet", "--key", key, "--node", node.baseUrl, "--wait");
  const address = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
  const at = ["--node", node.baseUrl];
  const signed = [...at, "--key", key];
  const lines: readonly (readonly string[])[] = [
    ["--version"],
    ["--help"],
    ["completion", "bash"],
    ["transfer", "--help"],
    ["balance", address, ...at],
    ["status", ...at],
    ["blocks", ...at],
    ["history", ...signed],
    ["transfer", "--to", address, "--amount", "1", ...signed],
    ["contract", "list", ...at],
  ];
  const runtime = await measured("(node, nothing else)", ["--eval", "0"]);
  const commands: Figures[] = [];
  for (const line of lines) commands.push(await measured(nameOf(line), ["node/parley.mjs", ...line]));
  const rows = [runtime, ...commands].map(({ name, processorMs, elapsedMs }) => [name, round(processorMs), round(elapsedMs)]);
  bench.print(table(`Commands from source, mean of ${RUNS} runs, median of ${SAMPLES}`, ["command", "processor ms", "ms"], rows));
  const value = Math.max(...commands.map(({ processorMs }) => processorMs));
  bench.goals.push({ what: "processor time of the dearest command", value, unit: "ms", bound: { atMost: MOST_MS } });
}

/** The words of a command without values. */
function nameOf(line: readonly string[]): string {
  const end = line.findIndex((word, at) => at > 0 && (word.startsWith("--") || word.length > 16) && word !== "--help");
  return line.slice(0, end === -1 ? undefined : end).join(" ");
}

async function measured(name: string, args: readonly string[]): Promise<Figures> {
  await run(args);
  const samples: Omit<Figures, "name">[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const before = { processorMs: childrenMs(), startedMs: performance.now() };
    for (let count = 0; count < RUNS; count += 1) await run(args);
    samples.push({
      processorMs: (childrenMs() - before.processorMs) / RUNS,
      elapsedMs: (performance.now() - before.startedMs) / RUNS,
    });
  }
  return {
    name,
    processorMs: median(samples.map(({ processorMs }) => processorMs)),
    elapsedMs: median(samples.map(({ elapsedMs }) => elapsedMs)),
  };
}

function parley(...args: readonly string[]): Promise<void> {
  return run(["node/parley.mjs", ...args]);
}

async function run(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(process.execPath, args, { cwd: projectRoot, env: NODE_ENVIRONMENT });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
}
