// What was proven before: blocks and transactions are final and kept within bounds, records of the state last as long as their state.
import type { Namespace } from "#node/ledger/state-view.ts";
import { GenerationCache } from "#node/state/generation-cache.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { ProvenBody, ProvenRecords, ProvenTransaction, StateKey } from "../light-source.ts";

/** Bytes of final things that stay in memory, about. */
const FINAL_BYTES = 8_388_608;
/** Bytes of records of one state that stay in memory. */
const RECORD_BYTES = 4_194_304;
/** What a transaction takes beside its payload, about. */
const TRANSACTION_BYTES = 1_200;
const HEADER_BYTES = 1_500;
const VALIDATOR_BYTES = 200;

/** Final things by kind. */
interface FinalValues {
  readonly body: ProvenBody;
  readonly header: TrustedBlock;
  readonly transaction: ProvenTransaction;
  readonly height: Height;
}

/** Kinds of final things. */
export type FinalKind = keyof FinalValues;

/** What one of a kind is. */
export type FinalOf<K extends FinalKind> = FinalValues[K];

type FinalEntry = { readonly [K in FinalKind]: { readonly kind: K; readonly value: FinalValues[K] } }[FinalKind];

/** Final things by kind and name, the used ones. */
export class FinalCache {
  readonly #known = new GenerationCache<FinalEntry>(FINAL_BYTES, sizeOf);

  get<K extends FinalKind>(kind: K, name: string | number): FinalOf<K> | undefined {
    return this.#known.get(`${kind} ${name}`)?.value as FinalOf<K> | undefined;
  }

  set<K extends FinalKind>(kind: K, name: string | number, value: FinalOf<K>): void {
    this.#known.set(`${kind} ${name}`, { kind, value } as unknown as FinalEntry);
  }
}

export class StateRecords {
  /** The block after which the state was so. */
  readonly at: TrustedBlock;
  readonly #values = new Map<string, Uint8Array | undefined>();
  #bytes = 0;

  constructor(at: TrustedBlock) {
    this.at = at;
  }

  /** True while further records may be added. */
  get hasRoom(): boolean {
    return this.#bytes < RECORD_BYTES;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Undefined for a record that the state does not hold, and for one that is not known. */
  get(name: string): Uint8Array | undefined {
    return this.#values.get(name);
  }

  /** Adds records of the same state. */
  add(keys: readonly StateKey[], { values }: ProvenRecords): void {
    for (const [index, { namespace, key }] of keys.entries()) {
      const value = values[index];
      this.#values.set(recordName(namespace, key), value);
      this.#bytes += key.length + (value?.length ?? 0);
    }
  }
}

/** Name of a record among the {@link StateRecords}. */
export function recordName(namespace: Namespace, key: Uint8Array): string {
  return `${namespace} ${toHex(key)}`;
}

function sizeOf(entry: FinalEntry): number {
  switch (entry.kind) {
    case "body":
      return entry.value.block.transactions.reduce((sum, tx) => sum + transactionBytes(tx), headerBytes(entry.value.at));
    case "header":
      return headerBytes(entry.value);
    case "transaction":
      return transactionBytes(entry.value.transaction) + headerBytes(entry.value.at);
    case "height":
      return 8;
  }
}

function transactionBytes({ payload }: Transaction): number {
  return TRANSACTION_BYTES + payload.length;
}

function headerBytes({ validators }: TrustedBlock): number {
  return HEADER_BYTES + validators.length * VALIDATOR_BYTES;
}
