// All that lists and other nodes read of a chain, as one value that can be compared.
import type { ChainReader } from "#node/storage/chain/chain-database.ts";
import { toHex } from "#shared/util/bytes.ts";
import { PEOPLE } from "./chain-traffic.ts";

/** All that is read of blocks and transactions up to a height. */
export function readAll({ blocks, explorer }: ChainReader, to: number): unknown {
  const heights = Array.from({ length: to + 1 }, (_, height) => height);
  return {
    blocks: heights.map((height) => [blocks.get(height), blocks.header(height), blocks.summary(height), blocks.commit(height)]),
    bytes: heights.map((height) =>
      [blocks.encodedBlock(height), blocks.encodedReceipts(height), blocks.encodedCommit(height)].map((bytes) => bytes && toHex(bytes)),
    ),
    carried: heights.map((height) => blocks.lastCommit(height)),
    lists: heights.map((height) => explorer.transactionsOf(height)),
    transactions: heights.map((height) => explorer.transactionsOf(height).map(({ id }) => explorer.transaction(id))),
    rewards: heights.map((height) => explorer.transaction(`reward-${height}`)),
    recent: [1, 7, 50, 1_000].map((limit) => explorer.recentTransactions(limit)),
    histories: PEOPLE.map(({ pub }) => [
      explorer.historyPage(pub, 20, 0),
      explorer.historyPage(pub, 5, 11),
      explorer.historyIds(pub, 2, 9),
      explorer.historyRange(pub, { limit: 30, order: "asc", afterBlock: Math.floor(to / 3), beforeBlock: Math.floor(to / 2) }),
      explorer.historyRange(pub, { limit: 30, order: "desc", beforeBlock: to - 3 }),
    ]),
  };
}
