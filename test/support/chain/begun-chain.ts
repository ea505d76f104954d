// A chain that begins after a block: its state out of another folder, with what a joining node has beside it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chainBeginning, type ProvenBeginning } from "#node/engine/recovery/chain-beginning.ts";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { beginChain } from "#node/storage/snapshots/begin-chain.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { GENESIS } from "../worlds/ledger-world.ts";
import type { TestChain } from "./test-chain.ts";

/** What a node that joins at the tip of a chain has beside the state. */
export function provenTip({ database }: Pick<TestChain, "database">, genesis: Genesis = GENESIS): ProvenBeginning {
  const { blocks, validatorSets } = database;
  const record = blocks.get(blocks.tipHeight() ?? 0);
  if (record === undefined || record.commit === null) throw new Error("a block with a commit was expected");
  const { block, receipts, commit } = record;
  const { height, timeMs } = block.header;
  const headers = Array.from({ length: height - 1 }, (_, index) => blocks.header(index + 1)).filter((header) => header !== undefined);
  const recent = headers.filter((header) => header.timeMs > timeMs - SEEN_WINDOW_MS);
  const ids = recent.map((header) => ({ height: header.height, ids: blocks.get(header.height)?.receipts.map(({ txId }) => txId) ?? [] }));
  const sets = new Map([...headers, block.header].map((header) => [header.validatorsHash, validatorSets.at(header.height)]));
  return { block, receipts, commit, headers, ids, sets, first: firstParams(genesis.params) };
}

/** Makes the folder of a node that has joined at the tip of a chain. */
export function beginAtTip(chain: Pick<TestChain, "database">, path: string, genesis: Genesis = GENESIS): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "genesis.json"), JSON.stringify(genesis));
  const { state } = chain.database;
  const joined = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  try {
    joined.inTransaction(() => {
      const records = NAMESPACES.flatMap((namespace) =>
        [...state.each(namespace, new Uint8Array(0))].map((entry) => ({ namespace, ...entry })),
      );
      joined.state.apply(records, updateStateTree(joined.state, leafChanges(records)).pages);
      beginChain(joined, chainBeginning(joined.state, provenTip(chain, genesis)));
    });
  } finally {
    joined.close();
  }
}
