// Accounts, a genesis and signed transactions for tests of ledger and mempool. Everything is made from fixed seeds.
import type { BlockContext } from "#node/ledger/context.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { applyGenesis } from "#node/ledger/genesis.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { MAX_BLOCK_GAS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { ed25519PublicKey, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { NATIVE_CONTRACTS } from "#shared/protocol/transactions/contracts.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import { nextOf } from "../host/file-counter.ts";

/** A key pair. */
export interface Actor {
  readonly seed: Uint8Array;
  readonly pub: string;
}

/** Actor number n. */
export function actor(n: number): Actor {
  const seed = new Uint8Array(32).fill(n);
  return { seed, pub: toHex(ed25519PublicKey(seed)) };
}

/** X25519 public key number n, hex. */
export function deviceKey(n: number): string {
  return toHex(boxKeyPair(new Uint8Array(32).fill(n)).publicKey);
}

export const alice = actor(1);
export const bob = actor(2);
export const carol = actor(3);
export const validator = actor(9);

export const CHAIN_ID = "parley-test";
export const START = "2026-01-01T00:00:00Z";
export const START_MS = parseTimestamp(START) ?? 0;

/** A genesis that gives alice and bob 10 T, carol nothing, and has one validator and every native contract. */
export const GENESIS: Genesis = {
  chain_id: CHAIN_ID,
  genesis_time: START,
  development: true,
  validators: [{ pub_key: validator.pub, bond_ut: 1_000_000 }],
  accounts: [
    { pub_key: alice.pub, balance_ut: 10_000_000 },
    { pub_key: bob.pub, balance_ut: 10_000_000 },
  ],
  params: { block_reward_ut: 50_000, min_block_interval_ms: 50, heartbeat_interval_ms: 60_000, validator_bond_ut: 1_000_000 },
  contracts: [...NATIVE_CONTRACTS],
};

/** Runs the modules of contracts. */
export const TEST_VM = createContractVm({ sha256, verify: verifyZip215 });

/** Draft of a transaction with everything else chosen by the test. */
export type Draft<T extends TransactionType> = Omit<TransactionDraft<T>, "from"> & { readonly nowMs?: number };

/** Signed transaction of an actor; two calls never make the same id. */
export function signed<T extends TransactionType>(sender: Actor, draft: Draft<T>): Transaction {
  const salt = nextOf("transaction");
  const bytes = Uint8Array.of(0, 0, 0, 1, (salt >> 24) & 255, (salt >> 16) & 255, (salt >> 8) & 255, salt & 255);
  const context = { chainId: CHAIN_ID, nowMs: draft.nowMs ?? START_MS, random: (): Uint8Array => bytes };
  return signTransaction(buildTransaction({ ...draft, from: sender.pub }, context), sender.seed);
}

/** A state held in memory, with nothing in it. */
export function emptyState(): OverlayStateView {
  return new OverlayStateView({ get: () => undefined, next: () => undefined });
}

/** The state after {@link GENESIS}. */
export function genesisState(genesis: Genesis = GENESIS): OverlayStateView {
  const state = emptyState();
  applyGenesis(state, genesis);
  return state;
}

/** Context of a block shortly after genesis. */
export function blockContext(over: Partial<BlockContext> = {}): BlockContext {
  return {
    chainId: CHAIN_ID,
    height: 1,
    timeMs: START_MS + 1_000,
    proposer: validator.pub,
    params: firstParams(GENESIS.params),
    gasLeft: MAX_BLOCK_GAS,
    hasSeenId: () => false,
    vm: TEST_VM,
    ...over,
  };
}

/** Receipt of a transaction that must be included. */
export function receiptOf(state: OverlayStateView, tx: Transaction, over: Partial<BlockContext> = {}): Receipt {
  const outcome = applyTransaction(state, tx, blockContext(over));
  if (!outcome.isIncluded) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.receipt;
}

/** Everything in a state, as text that can be compared. */
export function dump(state: OverlayStateView): readonly string[] {
  return state.changes().map(({ namespace, key, value }) => `${namespace} ${toHex(key)} ${value === undefined ? "-" : toHex(value)}`);
}
