// Requests for records that come together are asked together: a list of people is one request, not one for each.

import type { LightSource, ProvenRecords, StateKey } from "../light-source.ts";
import { recordName } from "./verified-cache.ts";

/** Records of one request. */
const KEYS_AT_ONCE = 64;

interface Waiting {
  readonly keys: readonly StateKey[];
  readonly resolve: (response: ProvenRecords) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers what is asked in one turn of the event loop. */
export class RecordRequests {
  readonly #source: LightSource;
  #waiting: Waiting[] = [];

  constructor(source: LightSource) {
    this.#source = source;
  }

  /** As {@link LightSource.records}. */
  ask(keys: readonly StateKey[]): Promise<ProvenRecords> {
    const { promise, resolve, reject } = Promise.withResolvers<ProvenRecords>();
    if (this.#waiting.push({ keys, resolve, reject }) === 1) setImmediate(() => this.#flush());
    return promise;
  }

  #flush(): void {
    let together: Waiting[] = [];
    let keys = new Map<string, StateKey>();
    for (const waiting of this.#waiting.splice(0)) {
      const added = new Map([
        ...keys,
        ...waiting.keys.map((stateKey) => [recordName(stateKey.namespace, stateKey.key), stateKey] as const),
      ]);
      if (together.length > 0 && added.size > KEYS_AT_ONCE) {
        void this.#askTogether(together, keys);
        together = [];
        keys = new Map(waiting.keys.map((stateKey) => [recordName(stateKey.namespace, stateKey.key), stateKey]));
      } else keys = added;
      together.push(waiting);
    }
    void this.#askTogether(together, keys);
  }

  async #askTogether(together: readonly Waiting[], keys: ReadonlyMap<string, StateKey>): Promise<void> {
    try {
      const { at, values } = await this.#source.records([...keys.values()]);
      const byName = new Map([...keys.keys()].map((name, index) => [name, values[index]]));
      for (const waiting of together)
        waiting.resolve({ at, values: waiting.keys.map(({ namespace, key }) => byName.get(recordName(namespace, key))) });
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
}
