// Re-execution of a stored chain from its genesis, in memory: proves that blocks alone give the stored roots, and feeds a rebuilt index.
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { type BlockFrame, type ExecutedBlock, executeTransactions } from "./block-execution.ts";
import { createGenesisBlock, type GenesisSource } from "./genesis-block.ts";

/** A block executed again, and the hash under which it is stored. */
export interface ReplayedBlock {
  readonly executed: ExecutedBlock;
  readonly storedHash: HashHex;
  /** True when the execution gave the stored header, all roots included. */
  readonly isSame: boolean;
}

/** What a replay is given beside the chain. */
export interface ReplayOptions extends Partial<Pick<GenesisSource, "stateFile" | "take">> {
  readonly vm?: ContractVm;
}

/** What a block is executed on beside the state: sets of its parent's height and of its own, and the parent's time. */
interface Parent {
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
  readonly timeMs: number;
}

/**
 * Executes every stored block again, from height 0 up, on a fresh state; signatures and commits are not checked again.
 * @throws CodedError INVARIANT when a block is missing or a transaction cannot be in it.
 */
export function* replayFromGenesis(
  database: Pick<ChainDatabase, "blocks">,
  genesis: Genesis,
  { stateFile, take, vm = createContractVm({ sha256: nativeSha256, verify: createNativeVerifier() }) }: ReplayOptions = {},
): Generator<ReplayedBlock, void> {
  const store = new MemoryStateStore();
  const seen = new RecentIds();
  const hasSeenId = (id: string, timeMs: number): boolean => seen.has(id, timeMs);
  const chain = { chainId: genesis.chain_id, first: firstParams(genesis.params), state: store, pages: store, vm, hasSeenId };
  let parent: Parent = { validators: [], nextValidators: [], timeMs: 0 };
  for (let height = 0; height <= (database.blocks.tipHeight() ?? -1); height += 1) {
    const record = database.blocks.get(height);
    assertInvariant(record !== undefined, `Block ${height} is missing`);
    const { block, hash } = record;
    const executed =
      height === 0
        ? createGenesisBlock(genesis, { store, stateFile, take })
        : executeTransactions(chain, frameOf(block, parent), block.transactions);
    assertInvariant(typeof executed !== "string", `Block ${height} cannot be executed again: ${String(executed)}`);
    store.apply(executed.changes, executed.pages);
    seen.add(block);
    const { nextValidators } = executed;
    parent = { validators: height === 0 ? nextValidators : parent.nextValidators, nextValidators, timeMs: block.header.timeMs };
    yield { executed, storedHash: hash, isSame: executed.hash === hash };
  }
}

/** Ids of the last two hours of block time: what a chain of any length takes of memory does not grow with it. */
class RecentIds {
  /** Time of the block by id, oldest first. */
  readonly #times = new Map<string, number>();

  has(id: string, timeMs: number): boolean {
    return (this.#times.get(id) ?? Number.NEGATIVE_INFINITY) > timeMs - SEEN_WINDOW_MS;
  }

  add({ header: { timeMs }, transactions }: Block): void {
    for (const [id, time] of this.#times) {
      if (time > timeMs - SEEN_WINDOW_MS) break;
      this.#times.delete(id);
    }
    for (const { id } of transactions) this.#times.set(id, timeMs);
  }
}

function frameOf({ header, lastCommit, evidence }: Block, parent: Parent): BlockFrame {
  const { height, timeMs, proposer, parentHash } = header;
  const { timeMs: parentTimeMs, validators: parentValidators, nextValidators: validators } = parent;
  return { height, timeMs, proposer, parentHash, parentTimeMs, lastCommit, evidence, validators, parentValidators };
}
