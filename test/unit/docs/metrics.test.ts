// docs/metrics.md names every metric that a node serves, with its type and labels.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { NodeMetrics } from "#node/observability/metrics.ts";

const zero = (): number => 0;
const sample = (): readonly (readonly [string, number])[] => [["any", 1]];

/** Everything that a node serves, each metric with at least one sample. */
async function servedText(): Promise<string> {
  const metrics = new NodeMetrics({
    version: "1.0.0",
    commit: "abc",
    startedAtSec: 0,
    height: zero,
    pendingTransactions: zero,
    mailboxEnvelopes: zero,
    peers: zero,
    lowestPeerScore: zero,
    engineFaults: zero,
    targetHeight: zero,
    isLive: zero,
    round: zero,
    isAbstaining: zero,
    isSignerConnected: zero,
    signerAnswers: (): readonly (readonly [string, number])[] => [["signed", 1]],
    lastSignedHeight: zero,
    pendingBytes: zero,
    damagedFiles: zero,
    firstHeight: zero,
    backfillStates: (): readonly (readonly [string, number])[] => [["running", 1]],
    backfillBytes: zero,
    backfillSegments: (): readonly (readonly [string, number])[] => [["stored", 1]],
    snapshotHeight: zero,
    snapshots: (): readonly (readonly [string, number])[] => [["made", 1]],
    snapshotSentBytes: zero,
    interpretedModules: zero,
    missedCommits: (): readonly (readonly [string, number])[] => [["pl1", 1]],
    queuedMail: zero,
    queuedMailBytes: zero,
    outgoingMail: (): readonly (readonly [string, number])[] => [["handed_over", 1]],
    carriedMail: sample,
    carriedBytes: zero,
    carriedWatches: zero,
    askedCarriers: sample,
    signedDigests: sample,
    doubtedKeepers: zero,
    keptLies: zero,
    refusedEnvelopes: (): readonly (readonly [string, number])[] => [["MAILBOX_FULL", 1]],
    network: {
      connections: sample,
      bans: sample,
      offences: sample,
      turnedAway: sample,
      addresses: sample,
      waitingBytes: sample,
    },
    callAllocations: zero,
    callsAllocated: zero,
    callBytes: zero,
    callDrops: (): readonly (readonly [string, number])[] => [["rate", 1]],
    callRefusals: (): readonly (readonly [string, number])[] => [["quota", 1]],
    storageBytes: (): readonly (readonly [string, number])[] => [["chain", 1]],
    webSockets: zero,
    eventStreams: zero,
  });
  metrics.observeRequest({ method: "GET", route: "/", status: 200, seconds: 1 });
  metrics.observeLogSync(0.001);
  metrics.observeBlock({ intervalSec: 1, delaySec: 1, parentRounds: 1, transactions: [{ type: "TRANSFER", isOk: true }] });
  return metrics.text();
}

/** Names of the labels of the samples of a metric; `le` belongs to the format of histograms. */
function labelsOf(text: string, name: string): readonly string[] {
  const samples = text.split("\n").filter((line) => new RegExp(`^${name}(_bucket|_sum|_count)?[{ ]`).test(line));
  expect(samples).not.toEqual([]);
  const labels = samples.flatMap((sample) => [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = ""]) => label));
  return [...new Set(labels)].filter((label) => label !== "le");
}

it("docs/metrics.md: exactly the metrics of the code", async () => {
  const text = await servedText();
  const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(
    ([, name = "", type]) => `${name} ${type} ${labelsOf(text, name).join(", ")}`,
  );
  const page = readFileSync(`${ROOT}/docs/metrics.md`, "utf8");
  const rows = [...page.matchAll(/^\| (?!metric |-)([^|]+) \| ([^|]+) \| ([^|]*?) ?\| .+ \|$/gm)].map(
    ([, name = "", type, labels = ""]) => `${name.replace(/^`(\w+)`$/, "$1")} ${type} ${labels.replaceAll(/`(\w+)`/g, "$1")}`,
  );
  expect(rows.sort()).toEqual(served.sort());
});
