// Block 0: the state of the genesis file, the genesis hash as its parent.
import { applyGenesis } from "#node/ledger/genesis.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { type ExecutedBlock, sealBlock } from "./block-execution.ts";

/** Block 0 of a network, executed on an empty state. Its proposer is the first validator of the sorted set; it has no commit. */
export function createGenesisBlock(genesis: Genesis): ExecutedBlock {
  const empty = new MemoryStateStore();
  const view = new OverlayStateView(empty);
  applyGenesis(view, genesis);
  const validators = readValidators(view);
  const proposer = validators[0]?.publicKey;
  const timeMs = parseTimestamp(genesis.genesis_time);
  assertInvariant(proposer !== undefined && timeMs !== undefined, "A genesis has a validator and a time");
  return sealBlock(
    { chainId: genesis.chain_id, params: genesis.params, state: empty, pages: empty },
    { height: 0, timeMs, proposer, parentHash: genesisHash(genesis), lastCommit: null, evidence: [], validators },
    { view, transactions: [], receipts: [], reward: undefined },
  );
}
