// What must hold of a network once its faults are over, asked of its nodes from outside.
import { expect } from "vitest";
import type { NetworkLoad } from "./network-load.ts";
import { pollUntil } from "./poll-until.ts";
import type { ProcessNetwork, ProcessNode } from "./process-network.ts";

const SETTLE_MS = 90_000;

/** Waits until all nodes are live at one height that has been the last one for a moment. */
export async function settled(network: ProcessNetwork): Promise<number> {
  let last = "";
  let since = performance.now();
  return await pollUntil(
    async () => {
      const states = await Promise.all(network.nodes.map((node) => node.client.getStatus({})));
      const picture = JSON.stringify(states.map(({ sync, pending_txs }) => [sync.state, sync.height, pending_txs]));
      if (picture !== last) {
        last = picture;
        since = performance.now();
      }
      const heights = new Set(states.map(({ sync }) => sync.height));
      const isEven = heights.size === 1 && states.every(({ sync, pending_txs }) => sync.state === "live" && pending_txs === 0);
      return isEven && performance.now() - since > 1_000 ? states[0]?.sync.height : false;
    },
    { timeoutMs: SETTLE_MS, intervalMs: 200, what: `the nodes to agree (last seen ${last})` },
  ).catch((error: unknown) => {
    throw new Error(`The nodes do not agree: ${last}`, { cause: error });
  });
}

/** Holds all nodes to the same blocks, and to what was acknowledged during the faults. */
export async function checkNetwork(network: ProcessNetwork, load: NetworkLoad, height: number): Promise<void> {
  expect(load.contradictions).toEqual([]);
  const chains = await Promise.all(network.nodes.map((node) => chainOf(node, height)));
  for (const chain of chains) expect(chain).toEqual(chains[0]);
  for (const node of network.nodes) {
    expect(await missingTransactions(node, load)).toEqual([]);
    await pollUntil(async () => (await missingEnvelopes(node, load)).length === 0, {
      timeoutMs: SETTLE_MS,
      intervalMs: 500,
      what: `node ${node.index} to have every envelope`,
    });
  }
}

/** Hash and state root of every block up to a height. */
async function chainOf(node: ProcessNode, height: number): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let block = 1; block <= height; block += 1) {
    const { hash, state_root: root } = await node.client.getBlock({ index: block });
    chain.push(`${block} ${hash} ${root}`);
  }
  return chain;
}

async function missingTransactions(node: ProcessNode, load: NetworkLoad): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [id, { hash }] of load.placed) {
    const found = await node.client.getTransaction({ txid: id }).catch(() => undefined);
    if (found?.block_hash !== hash) missing.push(id);
  }
  return missing;
}

async function missingEnvelopes(node: ProcessNode, load: NetworkLoad): Promise<readonly string[]> {
  const stored = new Set<string>();
  for (let after = 0; ; ) {
    const { items, has_more: hasMore } = await node.client.listInbox({ pub: load.recipient, limit: 500, after });
    for (const { id } of items) stored.add(id);
    after = items.at(-1)?.seq ?? after;
    if (!hasMore) break;
  }
  return [...load.envelopes].filter((id) => !stored.has(id));
}
