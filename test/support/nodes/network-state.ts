// What must hold of a network once its faults are over and the load has ended, asked of its nodes from outside.

import { pollUntil } from "../host/poll-until.ts";
import type { NetworkLoad } from "./network-load.ts";
import { findTransaction } from "./node-load.ts";
import { ownClient } from "./own-client.ts";
import type { ProcessNetwork, ProcessNode } from "./process-network.ts";

const IDLE_DEADLINE_MS = 120_000;
const PAGE_BLOCKS = 100;
/** Nothing has changed for this long: nothing is on its way any more. */
const UNCHANGED_MS = 1_000;

/** Waits until all nodes are live at one height with nothing pending, and gives the height. @throws Error with the last picture. */
export async function untilIdle(network: ProcessNetwork): Promise<number> {
  let last = "";
  let sinceMs = performance.now();
  const isIdle = async (): Promise<number | false> => {
    const states = await Promise.all(network.nodes.map((node) => node.client.getStatus({})));
    const picture = JSON.stringify(states.map(({ sync, pending_txs }) => [sync.state, sync.height, pending_txs]));
    if (picture !== last) {
      last = picture;
      sinceMs = performance.now();
    }
    const isEven = new Set(states.map(({ sync }) => sync.height)).size === 1;
    const isDone = states.every(({ sync, pending_txs }) => sync.state === "live" && pending_txs === 0);
    return isEven && isDone && performance.now() - sinceMs > UNCHANGED_MS ? (states[0]?.sync.height ?? false) : false;
  };
  // A node that has died does not come back: waiting would only hide which one it was.
  const findDead = (): ProcessNode | undefined => network.nodes.find(({ hasDied }) => hasDied);
  const probe = async (): Promise<number | false | "dead"> => (findDead() === undefined ? isIdle() : "dead");
  try {
    const height = await pollUntil(probe, { timeoutMs: IDLE_DEADLINE_MS, intervalMs: 200, what: "the nodes to agree" });
    if (height !== "dead") return height;
  } catch (cause) {
    throw new Error(`The nodes do not agree (state, height, pending): ${last}`, { cause });
  }
  throw new Error(`Node ${findDead()?.index} has died:\n${findDead()?.log.slice(-4_000)}`);
}

/** What the nodes have broken of what holds between them and of what they acknowledged; nothing when all is well. */
export async function findBroken(network: ProcessNetwork, load: NetworkLoad, height: number): Promise<readonly string[]> {
  const chains = await Promise.all(network.nodes.map((node) => chainOf(node, height)));
  const broken = [...load.contradictions];
  for (const [index, chain] of chains.entries()) {
    const at = chain.findIndex((block, position) => block !== chains[0]?.[position]);
    if (at !== -1) broken.push(`node ${index} has another block ${at}: ${chain[at]}`);
  }
  for (const node of network.nodes) {
    const lost = await missingTransactions(node, load);
    if (lost.length > 0) broken.push(`node ${node.index} lost ${lost.length} transactions, such as ${lost[0]}`);
    const missing = await missingEnvelopes(node, load);
    if (missing > 0) broken.push(`node ${node.index} lacks ${missing} envelopes`);
  }
  return broken;
}

/** Hash of every block up to a height, the state root of the last one at the end. A header's hash binds its state root. */
async function chainOf(node: ProcessNode, height: number): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let before = height + 1; before > 1; ) {
    const page = await node.client.listBlocks({ limit: PAGE_BLOCKS, before });
    chain.push(...page.map(({ hash }) => hash));
    before = page.at(-1)?.index ?? 0;
  }
  const { state_root: root } = await pollUntil(() => node.client.getBlock({ index: height }), { what: `block ${height}` });
  return [...chain.reverse(), root];
}

async function missingTransactions(node: ProcessNode, load: NetworkLoad): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [id, { hash }] of load.placements) {
    const found = await findTransaction(node.client, id);
    if (found?.block_hash !== hash) missing.push(id);
  }
  return missing;
}

/** Reads the mailboxes of a load as their owner does, so that a node knows that it has these readers. */
export async function readMailboxes(node: ProcessNode, load: NetworkLoad): Promise<void> {
  for (const pub of load.recipients) await ownClient(node).listInbox({ pub });
}

/** Mailboxes are compared every few seconds, so the last envelopes may take a moment. */
async function missingEnvelopes(node: ProcessNode, load: NetworkLoad): Promise<number> {
  let missing = load.envelopes.size;
  const isComplete = async (): Promise<boolean> => {
    const stored = new Set<string>();
    for (const recipient of load.recipients) for (const id of await storedEnvelopes(node, recipient)) stored.add(id);
    missing = [...load.envelopes].filter((id) => !stored.has(id)).length;
    return missing === 0;
  };
  await pollUntil(isComplete, { timeoutMs: IDLE_DEADLINE_MS, intervalMs: 500 }).catch(() => undefined);
  return missing;
}

async function storedEnvelopes(node: ProcessNode, recipient: string): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let after = 0; ; ) {
    // Read as the node's owner does: only then a node that was emptied knows that it has this reader.
    const { items, has_more: hasMore } = await ownClient(node).listInbox({ pub: recipient, limit: 500, after });
    for (const { id } of items) stored.add(id);
    after = items.at(-1)?.seq ?? after;
    if (!hasMore) return stored;
  }
}
