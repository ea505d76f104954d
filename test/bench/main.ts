// `npm run bench`: prints tables of what the node does on this machine. Ratios compare within one run; absolute figures vary between machines.
import { cpus } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../support/run-program.ts";
import { type RunningNode, startNode } from "../support/start-node.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { broadcastToPush } from "./messages.ts";
import { fsyncMs, memoryMiB, verificationsPerSecond } from "./process-figures.ts";
import { profilerOptions, readProfile } from "./profile.ts";
import { median, round, table } from "./statistics.ts";
import { blast, closedLoop, fundAccounts } from "./transfers.ts";

const STARTS = 7;
const BLAST_TXS = 10_000;
const PROFILED_TXS = 6_000;
/** As the npm scripts and the command `parley` start a node: with the compiled code of earlier runs. */
const env = { NODE_COMPILE_CACHE: join(projectRoot, "node_modules", ".cache", "compile") };

const print = (text: string): void => void process.stdout.write(`${text}\n`);

print(
  `Parley benchmark — ${cpus()[0]?.model ?? "unknown processor"} × ${cpus().length}, Node ${process.versions.node}, ${process.platform}`,
);
const verifyBefore = verificationsPerSecond();

await using folder = await createTemporaryFolder("parley-bench-");
await startUp(folder.path);
await using node = await startNode({ dataDir: `${folder.path}/network`, args: ["--dev", "--log", "json"], env });
const idle = memoryMiB(node.child.pid ?? 0);
await transfers(node);
await messages(node);
const verifyAfter = verificationsPerSecond();
print(
  table(
    "Memory and machine",
    ["what", "figure"],
    [
      ["idle memory after start (PSS)", `${round(idle)} MiB`],
      ["memory after the load above (PSS)", `${round(memoryMiB(node.child.pid ?? 0))} MiB`],
      ["native Ed25519 verifications/s, one thread (before / after)", `${round(verifyBefore)} / ${round(verifyAfter)}`],
      ["append 4 KiB + fsync, median", `${round(fsyncMs())} ms`],
    ],
  ),
);
await node.stop();
await profile(folder.path);

async function startUp(path: string): Promise<void> {
  const fresh: number[] = [];
  const again: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    for (const samples of [fresh, again]) {
      const started = performance.now();
      const started_node = await startNode({ dataDir: `${path}/start-${i}`, env });
      samples.push(performance.now() - started);
      await started_node.stop();
    }
  }
  print(
    table(
      `Start-up: process start until /api/netstats answers 200 (median of ${STARTS}; polled every 20 ms)`,
      ["start", "ms"],
      [
        ["first (creates the network)", round(median(fresh))],
        ["again (same data folder)", round(median(again))],
      ],
    ),
  );
}

async function transfers(running: RunningNode): Promise<void> {
  const accounts = await fundAccounts(running, 32);
  await closedLoop(running, accounts.slice(0, 1), 20);
  const one = await closedLoop(running, accounts.slice(0, 1), 200);
  const many = await closedLoop(running, accounts, 60);
  const all = await blast(running, accounts, BLAST_TXS);
  const row = (name: string, r: { perSecond: number; p50: number; p99: number; count: number }): readonly string[] => [
    name,
    String(r.count),
    round(r.perSecond),
    round(r.p50),
    round(r.p99),
    (r.perSecond / verifyBefore).toFixed(3),
  ];
  print(
    table(
      "Signed transfers over HTTP until in a block (development network, shortest block interval 50 ms)",
      ["load", "transfers", "per second", "p50 ms", "p99 ms", "per second / one-thread verifications"],
      [row("closed loop, 1 client", one), row("closed loop, 32 clients", many), row("blast over 32 connections", all)],
    ),
  );
}

async function profile(path: string): Promise<void> {
  const profiles = `${path}/profiles`;
  const options = { NODE_OPTIONS: profilerOptions(profiles) };
  const profiled = await startNode({ dataDir: `${path}/profiled`, env: { ...env, ...options } });
  const accounts = await fundAccounts(profiled, 32);
  await blast(profiled, accounts, PROFILED_TXS);
  await profiled.stop();
  print(
    table(
      `Where the time of one transfer goes on the main thread (${PROFILED_TXS} in a blast, under a profiler that slows it down)`,
      ["part", "µs a transfer", "share"],
      readProfile(profiles).map(({ name, ms, share }) => [name, round((ms * 1000) / PROFILED_TXS), `${(share * 100).toFixed(0)} %`]),
    ),
  );
}

async function messages(running: RunningNode): Promise<void> {
  await broadcastToPush(running, 1, 100);
  const one = await broadcastToPush(running, 1, 500);
  const many = await broadcastToPush(running, 32, 5_000);
  const row = (name: string, r: { perSecond: number; p50: number; p99: number; count: number }): readonly string[] => [
    name,
    String(r.count),
    round(r.perSecond),
    round(r.p50),
    round(r.p99),
  ];
  print(
    table(
      "Sealed message: POST /relay/broadcast until the WebSocket push (stored durably before the answer)",
      ["load", "messages", "per second", "p50 ms", "p99 ms"],
      [row("1 client", one), row("32 clients", many)],
    ),
  );
}
