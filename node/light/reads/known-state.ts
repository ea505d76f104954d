// The state as far as it is proven, for work in a process that has no peers: it is given what is known, and says what else it looked for.
import type { Namespace, StateReader } from "#node/ledger/state-view.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { StateKey } from "../light-source.ts";
import { recordName } from "./verified-cache.ts";

/** A record that was proven; without a value where the state holds none. */
export interface KnownRecord extends StateKey {
  readonly value: Uint8Array | undefined;
}

/** What is known of one state. It can be sent to another process. */
export interface KnownState {
  /** The block after which the state was so. */
  readonly tip: Pick<BlockHeader, "chainId" | "height" | "timeMs">;
  readonly records: readonly KnownRecord[];
}

/** What work on a known state came to: a value, or what it lacked, and what it cost to find that out. */
export type PassOutcome<T> = { readonly value: T } | { readonly missing: readonly StateKey[]; readonly gasUsed: number };

/** Reads a known state and remembers what was not there. */
export class KnownStateReader implements StateReader {
  readonly #values: ReadonlyMap<string, Uint8Array | undefined>;
  readonly #missing = new Map<string, StateKey>();
  #hasWalked = false;

  constructor({ records }: Pick<KnownState, "records">) {
    this.#values = new Map(records.map(({ namespace, key, value }) => [recordName(namespace, key), value]));
  }

  /** Records that were looked for and are not known; those beyond the bound of a round are left to the next one. */
  get missing(): readonly StateKey[] {
    return [...this.#missing.values()];
  }

  /** True when keys were searched in their order: that there is none in between has no proof. */
  get hasWalked(): boolean {
    return this.#hasWalked;
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    const name = recordName(namespace, key);
    if (!this.#values.has(name) && this.#missing.size < LIGHT_LIMITS.missingPerPass)
      this.#missing.set(name, { namespace, key: key.slice() });
    return this.#values.get(name);
  }

  next(): undefined {
    this.#hasWalked = true;
  }
}
