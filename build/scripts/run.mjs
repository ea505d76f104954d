// Entry of every npm script. Plain JavaScript for any Node >= 20: installs what is missing,
// finds the pinned Node 24 runtime and runs the task under it.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, findRuntime, isAtLeast } from "./runtime.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [task = "", ...args] = process.argv.slice(2);

const TASKS = {
  start: "build/scripts/start.ts",
  test: "build/scripts/test/test.ts",
  parley: "node/main.ts",
  dev: "build/scripts/dev.ts",
  build: "build/scripts/build/build.ts",
  check: "build/scripts/checks/check.ts",
  types: "build/scripts/checks/types.ts",
  lint: "build/scripts/checks/lint.ts",
  unit: "build/scripts/test/unit.ts",
  integration: "build/scripts/test/integration.ts",
  e2e: "build/scripts/test/e2e.ts",
  "test:electron": "build/scripts/test/test-electron.ts",
  bench: "test/bench/main.ts",
  sim: "test/simulation/main.ts",
  soak: "test/soak/main.ts",
  siege: "test/siege/main.ts",
  "screen-reader": "test/screen-reader/main.ts",
  mutants: "test/mutants/main.ts",
  vectors: "build/scripts/documents/vectors.ts",
  openapi: "build/scripts/documents/openapi.ts",
  screenshots: "build/scripts/documents/screenshots.ts",
  package: "build/scripts/release/package.ts",
  prepack: "build/scripts/release/prepack.ts",
};

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (!isAtLeast(process.versions.node, 20)) {
  fail(
    `Parley needs Node 20 or newer to start, and this is Node ${process.versions.node}: install a current Node and run the command again.`,
  );
}
const script = TASKS[task];
if (script === undefined) fail(`Unknown task "${task}". Tasks: ${Object.keys(TASKS).join(", ")}.`);

try {
  ensureInstalled(root);
} catch (error) {
  fail(error.message);
}
const runtime = findRuntime(root);
if (runtime === undefined) {
  fail(
    `Parley runs on Node 24, which npm cannot bring to ${process.platform}-${process.arch}: install Node 24 or newer and run the command again.`,
  );
}

const child = spawn(runtime, [join(root, script), ...args], {
  cwd: task === "parley" ? process.cwd() : root,
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compile"), ...process.env, PARLEY_LAUNCHED: "1" },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm runs scripts in a shell that passes no signal on: once that is gone, closing the channel asks the task to end too.
if (process.env.npm_lifecycle_event !== undefined) {
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell && child.connected) child.disconnect();
  }, 200);
}
child.on("error", (error) => fail(`Could not start the runtime: ${error.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
