// What every query that reads the index responds, to compare two indexes.
import { ContractExplorer } from "#node/explorer/contract-explorer.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { NodeExplorer } from "#node/explorer/node-explorer.ts";
import { createChannelQueries } from "#node/explorer/queries/channel-queries.ts";
import { alice, bob, carol, validator } from "../worlds/ledger-world.ts";
import { PEOPLE } from "./chain-traffic.ts";
import type { TestChain } from "./test-chain.ts";

/** Responses for everybody, over so many blocks. */
export function explorerResponses({ database }: TestChain, blocks: number): unknown {
  const [explorer, contracts, nodes] = [new Explorer(database), new ContractExplorer(database), new NodeExplorer(database)];
  const keys = [...new Set([...PEOPLE, alice, bob, carol, validator].map(({ pub }) => pub))];
  const recent = explorer.recentTransactions(1_000);
  const all = contracts.list({ limit: 100 }).items;
  return {
    stats: explorer.netStats(),
    charts: [explorer.chart(1, 48), explorer.chart(24, 48)],
    blocks: Array.from({ length: blocks + 1 }, (_, height) => explorer.getBlock(height)),
    recent,
    details: recent.map(({ id }) => explorer.getTransaction(id)),
    rewards: Array.from({ length: blocks + 1 }, (_, height) => explorer.getTransaction(`reward-${height}`)),
    histories: keys.map((key) => explorer.accountHistory(key, { limit: 1_000, offset: 0 })),
    ranges: keys.flatMap((key) =>
      (["asc", "desc"] as const).map((order) => explorer.accountHistoryRange(key, { limit: 100, order, afterBlock: 3, beforeBlock: 20 })),
    ),
    channels: keys.map((key) => createChannelQueries(database).channels(key, { limit: 100 })),
    contacts: keys.map((key) => [explorer.contactsOf(key, { limit: 100 }), explorer.contactsRequestedBy(key, { limit: 100 })]),
    contracts: all,
    wellKnown: contracts.wellKnown(100),
    logs: all.map(({ id }) => contracts.logs(id, { limit: 100, order: "desc" })),
    tokens: contracts.tokens({ limit: 100 }),
    nfts: contracts.nfts({ limit: 100 }),
    nodes: keys.map((key) => nodes.nodeStats(key, 10)),
  };
}
