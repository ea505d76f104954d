// Where the time of one transfer goes: CPU profiles of the node's threads while transfers arrive as fast as it takes them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { numberedAccount } from "../load/accounts.ts";
import { blast } from "../load/blast.ts";
import { parleyBlast } from "../load/parley-load.ts";
import { type CpuProfile, type ProfileShare, type ProfileSummary, summarizeProfile } from "../measure/cpu-profile.ts";
import { round, table } from "../measure/statistics.ts";
import { type Bench, startOnChain } from "./bench.ts";

const TOTAL = 12_800;
const WARM_UP = 4_000;
const CONNECTIONS = 32;
const SHOWN = 16;
const SAMPLE_EVERY_US = 200;

/** Profiles a blast of many senders on the long chain. */
export async function profileSuite(bench: Bench): Promise<void> {
  const profiles = join(bench.folder, "profiles");
  const flags = `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-interval=${SAMPLE_EVERY_US}`;
  await using node = await startOnChain(bench, "profile", { NODE_OPTIONS: flags });
  const { chainId, recipe } = bench.chain();
  const senders = Array.from({ length: Math.min(recipe.accounts, TOTAL) }, (_, n) => numberedAccount(n));
  const recipients = senders.map((account) => account.publicKey).reverse();
  const load = { port: node.port, chainId, senders, recipients, connections: CONNECTIONS };
  await blast(parleyBlast({ ...load, total: WARM_UP }));
  const measured = parleyBlast({ ...load, total: TOTAL });
  const from = monotonicUs();
  const { perSecond } = await blast(measured);
  const window = { from, to: monotonicUs() };
  await node.stop();
  const summaries = readdirSync(profiles)
    .map((file) => summarizeProfile(JSON.parse(readFileSync(join(profiles, file), "utf8")) as CpuProfile, window))
    .sort((a, b) => b.busyUs - a.busyUs);
  const seconds = (window.to - window.from) / 1_000_000;
  const [main, ...others] = summaries;
  if (main === undefined) throw new Error("The node wrote no profile");
  bench.print(groupTable(main, { perSecond, seconds, others }));
  bench.print(shareTable("Functions of the main thread by their own time", main.functions, main.busyUs));
  bench.print(shareTable("Functions of the main thread with all that they call", main.calls, main.busyUs));
}

interface ProfiledBlast {
  readonly perSecond: number;
  readonly seconds: number;
  readonly others: readonly ProfileSummary[];
}

function groupTable(main: ProfileSummary, { perSecond, seconds, others }: ProfiledBlast): string {
  const rows = main.groups.map(({ name, us }) => [name, round(us / TOTAL), percent(us, main.busyUs)]);
  const workers = others
    .filter(({ busyUs }) => busyUs > 0)
    .map((summary) => [`(beside it: ${threadOf(summary)})`, round(summary.busyUs / TOTAL), ""]);
  const all = ["all of the main thread", round(main.busyUs / TOTAL), "100.0 %"];
  return table(
    `One transfer in the node's main thread: blast of ${TOTAL.toLocaleString("en")} with the profiler on, ${round(perSecond)}/s in ${round(seconds)} s, idle ${percent(main.idleUs, main.idleUs + main.busyUs)}`,
    ["group", "µs a transfer", "share"],
    [...rows, all, ...workers],
  );
}

/** What a thread does, by what stands in its profile. */
function threadOf({ calls }: ProfileSummary): string {
  const entry = (file: string): boolean => calls.some(({ name }) => name.startsWith(file));
  if (entry("node/crypto/verify-worker")) return "a thread that checks signatures";
  return entry("node/storage/chain/block-writer-worker") ? "a thread that writes blocks" : "another thread";
}

function shareTable(title: string, shares: readonly ProfileShare[], busyUs: number): string {
  const rows = shares.slice(0, SHOWN).map(({ name, us }) => [name, round(us / TOTAL), percent(us, busyUs)]);
  return table(title, ["function", "µs a transfer", "share"], rows);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
