// One run of a read over what was proven so far. What is not known yet is noted as wanted and absent for now.
import type { Namespace } from "#node/ledger/state-view.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { LightSource, ProvenBody, ProvenTransaction, StateKey } from "../light-source.ts";
import { MissingValues } from "./missing-values.ts";
import { readUnverified } from "./unverified-reads.ts";
import { type FinalCache, type FinalKind, type FinalOf, recordName, type StateRecords } from "./verified-cache.ts";

/** What one read keeps from run to run. */
export interface ReadMemory {
  readonly source: LightSource;
  readonly cache: FinalCache;
  /** Final things that the read has asked for, undefined where there is nothing: what the shared memory drops must not be fetched twice. */
  readonly found: Map<string, unknown>;
  /** Records of the state that the read has asked for. */
  readonly used: Map<string, StateKey>;
  /** Undefined until records are asked for. */
  records: StateRecords | undefined;
}

/** A run. */
export class ReadPass {
  readonly missing = new MissingValues();
  readonly #memory: ReadMemory;
  /** The newest block as this run sees it. */
  readonly tip: TrustedBlock;

  constructor(memory: ReadMemory) {
    this.#memory = memory;
    this.tip = memory.records?.at ?? memory.source.tip();
  }

  record(namespace: Namespace, key: Uint8Array): Uint8Array | undefined {
    const name = recordName(namespace, key);
    const { records, used } = this.#memory;
    if (records?.has(name) !== true) this.missing.addRecord(name, { namespace, key });
    used.set(name, { namespace, key });
    return records?.get(name);
  }

  header(height: Height): TrustedBlock | undefined {
    const { source } = this.#memory;
    return height > this.tip.header.height ? undefined : this.#final("header", height, () => source.blockAt(height));
  }

  body(height: Height): ProvenBody | undefined {
    const { source } = this.#memory;
    return height > this.tip.header.height ? undefined : this.#final("body", height, () => source.body(height));
  }

  transaction(id: string): ProvenTransaction | undefined {
    const { source } = this.#memory;
    return this.#final("transaction", id, () => source.transaction(id));
  }

  /** A peer says which height a hash has, and the header of that height whether it is so. */
  heightOf(hash: HashHex): Height | undefined {
    const { source } = this.#memory;
    return this.#final("height", hash, async () => {
      const unverified = await readUnverified(source, "getBlockByHash", { hash });
      const block = unverified === undefined ? undefined : await source.blockAt(unverified.index);
      return block?.hash === hash ? block.header.height : undefined;
    });
  }

  #final<K extends FinalKind>(kind: K, name: string | number, fetch: () => Promise<FinalOf<K> | undefined>): FinalOf<K> | undefined {
    const { cache, found } = this.#memory;
    const id = `${kind} ${name}`;
    if (found.has(id)) return found.get(id) as FinalOf<K> | undefined;
    const known = cache.get(kind, name);
    if (known !== undefined) return known;
    this.missing.add(id, async () => {
      const value = await fetch();
      found.set(id, value);
      if (value !== undefined) cache.set(kind, name, value);
    });
    return undefined;
  }
}
