// A bounded cache of state records in front of a store: also of those that do not exist, for a first payment asks for its recipient.
import type { Namespace, StateChange, StateEntry, StateReader } from "#node/ledger/state-view.ts";
import { toLatin1 } from "#shared/util/bytes.ts";
import { GenerationCache } from "./generation-cache.ts";

/** Most bytes of records kept by default: some 200,000 accounts. */
export const STATE_CACHE_BYTES = 67_108_864;

const ABSENT = new Uint8Array(0);

/** A reader that remembers records. A writer of records to the store below reports them here, after the write is durable. */
export class StateCache implements StateReader {
  readonly #store: StateReader;
  readonly #records: GenerationCache<Uint8Array>;

  constructor(store: StateReader, maxBytes: number = STATE_CACHE_BYTES) {
    this.#store = store;
    this.#records = new GenerationCache(maxBytes, (value) => value.length);
  }

  /** Bytes held now, about. */
  get bytes(): number {
    return this.#records.bytes;
  }

  get(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    const name = nameOf(namespace, key);
    const known = this.#records.get(name);
    if (known !== undefined) return known === ABSENT ? undefined : known;
    const value = this.#store.get(namespace, key);
    this.#records.set(name, value ?? ABSENT);
    return value;
  }

  /** Searches are rare, and go to the store below. */
  next(namespace: Namespace, prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    return this.#store.next(namespace, prefix, after);
  }

  /** Takes over records that the store below has committed. */
  committed(changes: readonly StateChange[]): void {
    for (const { namespace, key, value } of changes) this.#records.set(nameOf(namespace, key), value ?? ABSENT);
  }
}

function nameOf(namespace: Namespace, key: Uint8Array): string {
  return `${namespace}\0${toLatin1(key)}`;
}
