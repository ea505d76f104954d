// What a message between nodes costs: processor time of four networks in this process, each with a connection to every other one. Times
// are the process's, so that other work on the machine does not count.
import { setTimeout as delay } from "node:timers/promises";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { FinalBlock } from "#node/network/peer-network.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import {
  sampleBlock,
  sampleEnvelope,
  sampleVote,
  startNetwork,
  type TestNetwork,
  untilGossiping,
} from "../../support/nodes/test-network.ts";
import { actor, alice, bob, signed } from "../../support/worlds/ledger-world.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const NODES = 4;
const BATCHED = 6_400;
/** Transactions that come at once. */
const BURST = 320;
const SINGLE = 500;
const ENVELOPES = 500;
const BLOCKS = 20;
const BLOCK_TRANSACTIONS = 1_000;
const VOTES = 3_000;
const WARM_UP = 10;
const IDLE_MS = 5_000;

interface Cost {
  readonly what: string;
  readonly count: number;
  readonly processorMs: number;
}

/** Transactions, envelopes, blocks, votes and proposals from one node to three. */
export async function messagesSuite(bench: Bench): Promise<void> {
  const nodes = await startNodes();
  try {
    const costs = await measureAll(nodes);
    const idle = await processorMs(() => delay(IDLE_MS));
    bench.print(
      table(
        `Messages from one node to ${NODES - 1} others, all connected to each other`,
        ["message", "processor µs each", "and receiver"],
        costs.map(({ what, count, processorMs: ms }) => [what, round((ms * 1_000) / count), round((ms * 1_000) / count / (NODES - 1))]),
      ),
    );
    bench.print(`A node at rest takes ${round((idle / IDLE_MS / NODES) * 100)} % of a core for its connections.`);
  } finally {
    for (const { network } of nodes) await network.stop();
  }
}

async function startNodes(): Promise<readonly [TestNetwork, ...TestNetwork[]]> {
  const first = await startNetwork(1);
  const nodes: [TestNetwork, ...TestNetwork[]] = [first];
  for (let n = 2; n <= NODES; n += 1) nodes.push(await startNetwork(n, { bootstrap: nodes.map(({ address }) => address) }));
  for (const one of nodes) for (const other of nodes) if (one !== other) await untilGossiping(one, other);
  const keys = nodes.map((_, index) => actor(index + 1).pub);
  for (const { network } of nodes) network.setValidators(keys);
  return nodes;
}

async function measureAll([sender, ...receivers]: readonly [TestNetwork, ...TestNetwork[]]): Promise<readonly Cost[]> {
  const { network } = sender;
  const receivedBy = (count: (node: TestNetwork) => number, least: number): Promise<unknown> =>
    pollUntil(() => receivers.every((node) => count(node) >= least), { intervalMs: 1, timeoutMs: 60_000 });
  const costs: Cost[] = [];
  const measure = async (what: string, count: number, work: () => Promise<void>): Promise<void> => {
    costs.push({ what, count, processorMs: await processorMs(work) });
  };
  const transactions = Array.from({ length: BATCHED + SINGLE }, (_, index) => transfer(index + 1));
  await measure("transaction, of many", BATCHED, async () => {
    for (let at = 0; at < BATCHED; at += BURST) {
      network.publishTransactions(transactions.slice(at, at + BURST));
      await delay(5);
    }
    await receivedBy(({ received }) => received.transactions.length, BATCHED);
  });
  await measure("transaction, alone", SINGLE, () =>
    oneByOne(transactions.slice(BATCHED), (transaction) => {
      network.publishTransactions([transaction]);
      return receivedBy(({ received }) => received.transactions.length, transactions.indexOf(transaction) + 1);
    }),
  );
  const envelopes = Array.from({ length: ENVELOPES }, (_, index) => sampleEnvelope(index, 7, 700));
  await measure("envelope of 700 bytes, alone", ENVELOPES, () =>
    oneByOne(envelopes, (envelope: Envelope) => {
      network.publishEnvelopes([envelope]);
      return receivedBy(({ received }) => received.envelopes.length, envelopes.indexOf(envelope) + 1);
    }),
  );
  const body = transactions.slice(0, BLOCK_TRANSACTIONS);
  const blocks = Array.from({ length: WARM_UP + BLOCKS }, (_, index) => sampleBlock(index + 1, body));
  const sendBlock = (final: FinalBlock): Promise<unknown> => {
    network.publishBlock(final);
    return receivedBy(({ received }) => received.blocks.length, final.block.header.height);
  };
  await oneByOne(blocks.slice(0, WARM_UP), sendBlock);
  await measure(`block of ${BLOCK_TRANSACTIONS} transactions`, BLOCKS, () => oneByOne(blocks.slice(WARM_UP), sendBlock));
  const votes = Array.from({ length: VOTES }, (_, index) => sampleVote(1, 0, index));
  await measure("vote", VOTES, async () => {
    for (let sent = 0; sent < VOTES; sent += 20) {
      for (const vote of votes.slice(sent, sent + 20)) network.sendConsensus(vote);
      await delay(1);
    }
    await receivedBy(({ received }) => received.consensus.length, VOTES);
  });
  const proposals = blocks.slice(0, BLOCKS).map(({ block }, index) => proposalOf(block, index));
  await measure(`proposal of ${BLOCK_TRANSACTIONS} transactions`, BLOCKS, () =>
    oneByOne(proposals, (proposal) => {
      network.sendConsensus(proposal);
      return receivedBy(({ received }) => received.consensus.length, VOTES + proposals.indexOf(proposal) + 1);
    }),
  );
  return costs;
}

async function oneByOne<T>(items: readonly T[], send: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await send(item);
}

function transfer(amount: number): Transaction {
  return signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {} });
}

function proposalOf(block: FinalBlock["block"], roundNumber: number): ConsensusMessage {
  const signature = new Uint8Array(64);
  const blockHash = "ab".repeat(32);
  return { type: "proposal", proposal: { height: 9, round: roundNumber, validRound: -1, blockHash, validatorIndex: 0, signature }, block };
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
