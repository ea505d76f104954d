// Networks of several nodes on this machine: transfers, the way of one transfer and of one envelope, catching up, memory.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { ProcessNetwork, type ProcessNode } from "../../support/nodes/process-network.ts";
import { blast } from "../load/blast.ts";
import { closedLoop, fundAccounts } from "../load/closed-loop.ts";
import { LiveFeed } from "../load/live.ts";
import { parleyBlast } from "../load/parley-load.ts";
import { memoryMiB, processorMs } from "../measure/process-figures.ts";
import { type Percentiles, percentiles, round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const SIZES = [1, 4, 7];
const CONNECTIONS = 32;
/** Before the clock runs, so that it finds programs that have run for a while. */
const EARLIER_TRANSFERS = 6_400;
const TRANSFERS = 12_800;
const ROUNDS = 100;
const ENVELOPES = 100;
const ENVELOPE_PAUSE_MS = 20;
/** Of a network of four validators; the shortest block interval of a development network is 50 ms. */
const GOALS = { transfers: 2_600, finalMs: 100, syncTransfers: 20_000, pushMs: 10 };

interface Figures {
  readonly validators: number;
  readonly perSecond: number;
  /** Processor time of all validators for one transfer, µs. */
  readonly processorUs: number;
  readonly final: Percentiles;
  readonly push: Percentiles;
  readonly sync: { readonly blocksPerSecond: number; readonly transfersPerSecond: number };
  readonly memoryMiB: number;
}

/** Networks of 1, 4 and 7 validators, each with one node that follows. */
export async function networkSuite(bench: Bench): Promise<void> {
  const figures: Figures[] = [];
  for (const validators of SIZES) figures.push(await measure(validators));
  bench.print(
    table(
      `Networks on one machine: ${TRANSFERS.toLocaleString("en")} transfers over ${CONNECTIONS} connections to one validator, after ${EARLIER_TRANSFERS.toLocaleString("en")} before the clock ran; a follower for what is right of them`,
      [
        "validators",
        "transfers/s",
        "processor µs a transfer",
        "submit → block p50/p99 ms",
        "envelope → push on another node p50/p99 ms",
        "sync blocks/s",
        "sync transfers/s",
        "memory a node MiB",
      ],
      figures.map((one) => [
        String(one.validators),
        round(one.perSecond),
        round(one.processorUs),
        `${round(one.final.p50)} / ${round(one.final.p99)}`,
        `${round(one.push.p50)} / ${round(one.push.p99)}`,
        round(one.sync.blocksPerSecond),
        round(one.sync.transfersPerSecond),
        round(one.memoryMiB),
      ]),
    ),
  );
  const four = figures.find(({ validators }) => validators === 4);
  if (four === undefined) return;
  bench.goals.push(
    { what: "transfers/s of 4 validators on this machine", value: four.perSecond, unit: "", bound: { atLeast: GOALS.transfers } },
    { what: "submit → block of 4 validators at rest, p50", value: four.final.p50, unit: "ms", bound: { atMost: GOALS.finalMs } },
    { what: "envelope → push on another node, p50", value: four.push.p50, unit: "ms", bound: { atMost: GOALS.pushMs } },
    { what: "transfers/s while catching up", value: four.sync.transfersPerSecond, unit: "", bound: { atLeast: GOALS.syncTransfers } },
  );
}

async function measure(validators: number): Promise<Figures> {
  await using network = await ProcessNetwork.create({ validators, nodes: 1, isDirect: true });
  await network.start();
  const entry = network.node(0);
  const follower = network.node(validators);
  const chainId = network.genesis.chain_id;
  const senders = await fundAccounts(entry, CONNECTIONS);
  const final = await closedLoop(entry, senders.slice(0, 1), ROUNDS);
  const push = await pushTimes(entry, follower);
  await follower.end("SIGTERM");
  const voting = network.nodes.slice(0, validators);
  const transfers = { port: entry.port, chainId, senders, connections: CONNECTIONS };
  await blast(parleyBlast({ ...transfers, total: EARLIER_TRANSFERS }));
  const usedMs = processorOf(voting);
  const { perSecond } = await blast(parleyBlast({ ...transfers, total: TRANSFERS }));
  const processorUs = ((processorOf(voting) - usedMs) * 1_000) / TRANSFERS;
  const memory = voting.reduce((sum, { pid }) => sum + memoryMiB(pid), 0) / voting.length;
  return { validators, perSecond, processorUs, final, push, sync: await catchUp(entry, follower), memoryMiB: memory };
}

/** Envelopes one after the other, from a client of one node to a subscriber of another. */
async function pushTimes(from: ProcessNode, to: ProcessNode): Promise<Percentiles> {
  const sender = boxKeyPair(new Uint8Array(randomBytes(32)));
  const recipientPub = toHex(boxKeyPair(new Uint8Array(randomBytes(32))).publicKey);
  const feed = await LiveFeed.open(to.port, [`inbox:${recipientPub}`]);
  const samples: number[] = [];
  for (let sent = 0; sent < ENVELOPES; sent += 1) {
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
    const envelope = sealEnvelope({ plaintext: utf8("hello"), recipientPub, sender, senderMasterPub: "", nonce, sentAt: 0 });
    const atMs = performance.now();
    await from.client.broadcastEnvelope({ body: { envelope } });
    samples.push((await feed.arrived(envelope.id)) - atMs);
    await delay(ENVELOPE_PAUSE_MS);
  }
  feed.close();
  return percentiles(samples);
}

/**
 * The follower, which has ended, forgets everything and fetches the chain. Its start is not counted: the time begins with its first blocks,
 * and only what comes after them counts. It is asked rarely, for each request takes time of the thread that executes.
 */
async function catchUp(entry: ProcessNode, follower: ProcessNode): Promise<Figures["sync"]> {
  const last = await entry.client.getNetstats({});
  await follower.wipe();
  await follower.start();
  const heightOf = async (): Promise<number> => (await follower.client.getStatus({})).sync.height;
  const timeoutMs = 120_000;
  await pollUntil(async () => (await heightOf()) > 0, { intervalMs: 2, timeoutMs, what: "the first block" });
  const first = await follower.client.getNetstats({});
  const started = performance.now();
  await pollUntil(async () => (await heightOf()) >= last.height, { intervalMs: 10, timeoutMs, what: "the last block" });
  const seconds = (performance.now() - started) / 1_000;
  return { blocksPerSecond: (last.height - first.height) / seconds, transfersPerSecond: (last.total_txs - first.total_txs) / seconds };
}

function processorOf(nodes: readonly ProcessNode[]): number {
  return nodes.reduce((sum, { pid }) => sum + processorMs(pid), 0);
}
