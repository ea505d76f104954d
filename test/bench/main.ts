// `npm run bench`: prints tables of what the node does on this machine. Ratios compare within a run; absolute figures vary by machine.
import { cpus } from "node:os";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { projectRoot } from "../support/nodes/run-program.ts";
import { cachedChain, type GeneratedChain } from "./chain/chain-cache.ts";
import { type Goal, goalTable } from "./measure/goals.ts";
import { fsyncMs, verificationsPerSecond } from "./measure/process-figures.ts";
import { round, table } from "./measure/statistics.ts";
import { type BenchOptions, parseOptions, type SuiteName, USAGE } from "./options.ts";
import { findPeers, type Peers } from "./peers/peer-process.ts";
import type { Bench } from "./suites/bench.ts";
import { codecSuite } from "./suites/codec.ts";
import { commandsSuite } from "./suites/commands.ts";
import { desktopSuite } from "./suites/desktop.ts";
import { diskSuite } from "./suites/disk.ts";
import { gatewaySuite } from "./suites/gateway.ts";
import { interfaceSuite } from "./suites/interface.ts";
import { joinSuite } from "./suites/join.ts";
import { lightSuite } from "./suites/light.ts";
import { longChatSuite } from "./suites/long-chat.ts";
import { mailboxSuite } from "./suites/mailbox.ts";
import { memorySuite } from "./suites/memory.ts";
import { messagesSuite } from "./suites/messages.ts";
import { messengerSuite } from "./suites/messenger.ts";
import { networkSuite } from "./suites/network.ts";
import { profileSuite } from "./suites/profile.ts";
import { readsSuite } from "./suites/reads.ts";
import { reindexSuite } from "./suites/reindex.ts";
import { replaySuite } from "./suites/replay.ts";
import { retentionSuite } from "./suites/retention.ts";
import { startSuite } from "./suites/start.ts";
import { transfersSuite } from "./suites/transfers.ts";
import { vmSuite } from "./suites/vm.ts";

const RUNS: Readonly<Record<SuiteName, (bench: Bench) => Promise<void> | void>> = {
  start: startSuite,
  cli: commandsSuite,
  memory: memorySuite,
  disk: diskSuite,
  retention: retentionSuite,
  reindex: reindexSuite,
  replay: replaySuite,
  reads: readsSuite,
  transfers: transfersSuite,
  mailbox: mailboxSuite,
  gateway: gatewaySuite,
  interface: interfaceSuite,
  network: networkSuite,
  light: lightSuite,
  join: joinSuite,
  messages: messagesSuite,
  messenger: messengerSuite,
  "long-chat": longChatSuite,
  desktop: desktopSuite,
  vm: vmSuite,
  codec: codecSuite,
  profile: profileSuite,
};

async function run(options: BenchOptions): Promise<void> {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  print(
    `Parley benchmark: ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.versions.node}, ${process.platform}`,
  );
  const peers: Peers = options.withPeers ? await findPeers(say) : { hasPackages: false, hasNats: false };
  await using folder = await createTemporaryFolder("parley-bench-");
  let chain: GeneratedChain | undefined;
  const goals: Goal[] = [];
  const bench: Bench = {
    options,
    peers,
    folder: folder.path,
    goals,
    print,
    chain: () => {
      const { cache, isFresh, transactions, accounts } = options;
      chain ??= cachedChain(cache, { transactions, accounts }, { isFresh, say });
      return chain;
    },
  };
  const before = verificationsPerSecond();
  for (const name of options.suites) {
    say(`suite ${name}`);
    await RUNS[name](bench);
  }
  print(
    table(
      "Machine",
      ["what", "figure"],
      [
        ["native Ed25519 verifications/s, one thread (before / after)", `${round(before)} / ${round(verificationsPerSecond())}`],
        ["append 4 KiB + fsync, median", `${round(fsyncMs())} ms`],
      ],
    ),
  );
  if (goals.length > 0) print(goalTable(goals));
}

let options: BenchOptions | undefined;
try {
  options = parseOptions(process.argv.slice(2), projectRoot);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exitCode = 2;
}
if (options !== undefined) await run(options);
