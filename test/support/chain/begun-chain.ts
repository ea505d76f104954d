// A chain that begins after a block: its state out of another folder, with what a joining node has beside it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { beginChain } from "#node/storage/snapshots/begin-chain.ts";
import { chainBeginning } from "#node/sync/snapshots/joining/chain-beginning.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { GENESIS } from "../worlds/ledger-world.ts";
import type { TestChain } from "./test-chain.ts";

/** Makes the folder of a node that has joined at the tip of a chain. */
export function beginAtTip({ database }: Pick<TestChain, "database">, path: string, genesis: Genesis = GENESIS): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "genesis.json"), JSON.stringify(genesis));
  const { blocks, validatorSets, state } = database;
  const record = blocks.get(blocks.tipHeight() ?? 0);
  if (record === undefined || record.commit === null) throw new Error("a block with a commit was expected");
  const { block, receipts, commit } = record;
  const { height, timeMs } = block.header;
  const headers = Array.from({ length: height - 1 }, (_, index) => blocks.header(index + 1)).filter((header) => header !== undefined);
  const recent = headers.filter((header) => header.timeMs > timeMs - SEEN_WINDOW_MS);
  const ids = recent.map((header) => ({ height: header.height, ids: blocks.get(header.height)?.receipts.map(({ txId }) => txId) ?? [] }));
  const sets = new Map([...headers, block.header].map((header) => [header.validatorsHash, validatorSets.at(header.height)]));
  const joined = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  try {
    joined.inTransaction(() => {
      const records = NAMESPACES.flatMap((namespace) =>
        [...state.each(namespace, new Uint8Array(0))].map((entry) => ({ namespace, ...entry })),
      );
      joined.state.apply(records, updateStateTree(joined.state, leafChanges(records)).pages);
      const proven = { block, receipts, commit, headers, ids, sets, first: firstParams(genesis.params) };
      beginChain(joined, chainBeginning(joined.state, proven));
    });
  } finally {
    joined.close();
  }
}
