// The first state of a chain that continues another: the records of a state file, held to the root that the genesis file names, then the
// changes that follow from it. Works in steps; the caller makes all of it one transaction.
import { carryRecord, type NewValidators, refusalOfValidator, replaceValidators } from "#node/ledger/continue-state.ts";
import type { StateChange, StateReader } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { type PageChange, type PageStore, stateRoot, updateStateTree } from "#node/state/state-tree.ts";
import type { CarriedLists } from "#node/storage/explorer/explorer-writer.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import type { PreviousChain } from "#shared/protocol/chain/previous-chain.ts";
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { carriedLists } from "./carried-lists.ts";
import { LeafList } from "./leaf-list.ts";
import type { StateFile, StateRecord } from "./state-file.ts";

/** An empty state that is filled. */
export interface StateStore extends StateReader, PageStore {
  apply(changes: readonly StateChange[], pages: readonly PageChange[]): void;
}

/** Takes what the explorer lists of a carried state: contacts and channels in parts, all contracts at once. */
export type TakeLists = (lists: Partial<CarriedLists>) => void;

/** The genesis of a chain whose first state root may not be known yet. */
export type ContinuedGenesis = Pick<Genesis, "genesis_time" | "development" | "validators"> & {
  readonly previous: Pick<PreviousChain, "chain_id" | "height" | "block_hash" | "state_root">;
};

/** Records, or leaves of the tree, of one step. */
const RECORDS_AT_ONCE = 20_000;

/**
 * Fills an empty state and gives its root.
 * @throws CodedError STORAGE_CORRUPT when the file is not the one that the genesis means, CONFIG_INVALID when a validator cannot be one.
 */
export function loadCarriedState(store: StateStore, genesis: ContinuedGenesis, file: StateFile, take?: TakeLists): HashHex {
  checkFront(genesis, file);
  writeInSteps(store, inSteps(file));
  const root = toHex(stateRoot(store));
  if (root !== genesis.previous.state_root)
    throw foreign(file, `its records give the state root ${root.slice(0, 16)}…, not ${genesis.previous.state_root.slice(0, 16)}…`);
  if (take !== undefined) giveLists(take, file);
  writeInSteps(store, carriedChanges(store, file));
  const view = new OverlayStateView(store);
  const plan = newValidators(genesis);
  for (const { publicKey, bondUt } of plan.validators) {
    const refusal = refusalOfValidator(view, publicKey, bondUt, plan.atS);
    if (refusal !== undefined) throw new CodedError("CONFIG_INVALID", `The validators of the new chain are not possible: ${refusal}`);
  }
  replaceValidators(view, plan);
  writeInSteps(store, [view.changes()]);
  return toHex(stateRoot(store));
}

/** Earliest time of a chain that continues after a block: no transaction of the old chain can be in a block of the new one then. */
export function earliestGenesisMs(previousTimeMs: number, isDevelopment: boolean): number {
  return isDevelopment ? previousTimeMs : previousTimeMs + SEEN_WINDOW_MS;
}

function checkFront({ genesis_time, development, previous }: ContinuedGenesis, file: StateFile): void {
  const { header } = file;
  const isSame = headerHash(header) === previous.block_hash && header.chainId === previous.chain_id && header.height === previous.height;
  if (!isSame) throw foreign(file, `it is the state of block ${header.height} of ${header.chainId}`);
  if (header.stateRoot !== previous.state_root) throw foreign(file, "its block has another state root");
  const earliestMs = earliestGenesisMs(header.timeMs, development);
  if ((parseTimestamp(genesis_time) ?? 0) < earliestMs)
    throw new CodedError("CONFIG_INVALID", `The genesis file is invalid: genesis_time is ${new Date(earliestMs).toISOString()} or later`);
}

function newValidators({ genesis_time, validators }: ContinuedGenesis): NewValidators {
  const timeMs = parseTimestamp(genesis_time);
  assertInvariant(timeMs !== undefined, "A genesis has a time");
  const set = validators.map((validator) => ({ publicKey: validator.pub_key, bondUt: validator.bond_ut }));
  return { validators: sortValidators(set), atS: Math.floor(timeMs / 1_000) };
}

/** Writes records as they come, then the tree over them. */
function writeInSteps(store: StateStore, steps: Iterable<readonly StateChange[]>): void {
  const leaves = new LeafList();
  for (const changes of steps) {
    store.apply(changes, []);
    leaves.add(changes);
  }
  for (const some of leaves.inOrder(RECORDS_AT_ONCE)) store.apply([], updateStateTree(store, some).pages);
}

/** What the records of the old chain become. */
function* carriedChanges(store: StateStore, file: StateFile): Generator<readonly StateChange[]> {
  for (const records of inSteps(file)) {
    const view = new OverlayStateView(store);
    for (const record of records) carryRecord(view, record.namespace, record);
    yield view.changes();
  }
}

function* inSteps(file: StateFile): Generator<readonly StateRecord[]> {
  let records: StateRecord[] = [];
  for (const record of file.records()) {
    records.push(record);
    if (records.length < RECORDS_AT_ONCE) continue;
    yield records;
    records = [];
  }
  if (records.length > 0) yield records;
}

function giveLists(take: TakeLists, file: StateFile): void {
  for (const lists of carriedLists(inSteps(file))) take(lists);
}

function foreign({ path }: StateFile, why: string): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `The state file ${path} is not the one that the genesis file names: ${why}. Copy both files again from one export`,
    { details: { file: path } },
  );
}
