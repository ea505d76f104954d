// Block 0: the state of the genesis file, or of the chain that it continues; the genesis hash as its parent.
import { applyGenesis } from "#node/ledger/genesis.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { loadCarriedState, type StateStore, type TakeLists } from "../genesis/load-carried-state.ts";
import { openStateFile } from "../genesis/state-file.ts";
import { type ExecutedBlock, sealBlock } from "./block-execution.ts";

/** Where the state of a chain comes from that continues another one, and where it goes. */
export interface GenesisSource {
  /** The empty state of the new chain. It holds the carried state afterwards. */
  readonly store: StateStore;
  /** Path of the state file; undefined where there is none. */
  readonly stateFile: string | undefined;
  readonly take?: TakeLists | undefined;
}

/**
 * Block 0 of a network, executed on an empty state. Its proposer is the first validator of the sorted set; it has no commit.
 * A genesis that continues a chain puts its state into the store of the source at once; all others leave the store as it is.
 * @throws CodedError CONFIG_INVALID or STORAGE_CORRUPT when the carried state is missing or another one.
 */
export function createGenesisBlock(genesis: Genesis, source?: GenesisSource): ExecutedBlock {
  if (genesis.previous !== undefined) return continuedBlock({ ...genesis, previous: genesis.previous }, source);
  const empty = new MemoryStateStore();
  const view = new OverlayStateView(empty);
  applyGenesis(view, genesis);
  return sealGenesis(genesis, empty, view);
}

function continuedBlock(genesis: Genesis & Required<Pick<Genesis, "previous">>, source: GenesisSource | undefined): ExecutedBlock {
  const { previous, chain_id } = genesis;
  if (source?.stateFile === undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `The chain ${chain_id} begins with the state of ${previous.chain_id}, and the data folder has no genesis.state: put the file there that was exported with the genesis file`,
    );
  const { store, stateFile, take } = source;
  const root = loadCarriedState(store, genesis, openStateFile(stateFile), take);
  if (root !== previous.first_root)
    throw new CodedError(
      "CONFIG_INVALID",
      "The genesis file is invalid: first_root is not the root that its validators and its previous chain give",
    );
  return sealGenesis(genesis, store, new OverlayStateView(store));
}

function sealGenesis(genesis: Genesis, store: StateStore, view: OverlayStateView): ExecutedBlock {
  const validators = readValidators(view);
  const proposer = validators[0]?.publicKey;
  const timeMs = parseTimestamp(genesis.genesis_time);
  assertInvariant(proposer !== undefined && timeMs !== undefined, "A genesis has a validator and a time");
  const sets = { validators, parentValidators: [] };
  return sealBlock(
    { chainId: genesis.chain_id, pages: store },
    { height: 0, timeMs, proposer, parentHash: genesisHash(genesis), parentTimeMs: 0, lastCommit: null, evidence: [], ...sets },
    { view, params: firstParams(genesis.params), transactions: [], receipts: [], reward: undefined },
  );
}
