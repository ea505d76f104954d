// Runs synchronous reads of a chain over what peers prove: what a run misses is fetched, and the read runs again until nothing is missing.
// All records of the state that a response rests on are of one state.
import pLimit from "p-limit";
import type { ChainReads } from "#node/explorer/chain-reads.ts";
import type { Awaitable } from "#node/queries/awaitable.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { LightSource, StateKey } from "../light-source.ts";
import type { Hints } from "./hints.ts";
import { createProvenChain } from "./proven-chain.ts";
import { type ReadMemory, ReadPass } from "./read-pass.ts";
import { RecordRequests } from "./record-requests.ts";
import { FinalCache, StateRecords } from "./verified-cache.ts";

const { passesPerRead, fetchesAtOnce } = LIGHT_LIMITS;

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Reads over a {@link LightSource}. */
export class ProvenReads {
  readonly source: LightSource;
  readonly #cache = new FinalCache();
  readonly #requests: RecordRequests;
  #records: StateRecords | undefined;

  constructor(source: LightSource) {
    this.source = source;
    this.#requests = new RecordRequests(source);
  }

  /**
   * What a read of the chain gives; `candidates` are where its walks look.
   * @throws CodedError what the read throws, and UPSTREAM_FAILED when no peer has what it needs or it needs too much.
   */
  async read<T>(query: (chain: ChainReads) => Awaitable<T>, hints: Hints = {}): Promise<T> {
    const limit = pLimit(fetchesAtOnce);
    const memory: ReadMemory = {
      source: this.source,
      cache: this.#cache,
      found: new Map(),
      used: new Map(),
      records: this.#newest(),
    };
    for (let passes = 0; passes < passesPerRead; passes += 1) {
      const pass = new ReadPass(memory);
      const outcome = await attempt(() => query(createProvenChain(pass, hints)));
      if (pass.missing.isEmpty) {
        if ("error" in outcome) throw outcome.error;
        return outcome.value;
      }
      await Promise.all([this.#fetchRecords(memory, pass.missing.keys), ...pass.missing.fetchers.map((fetch) => limit(fetch))]);
    }
    throw new CodedError("UPSTREAM_FAILED", "The response needs more of the chain than a light node fetches for one request");
  }

  /** Records that other reads have asked for, while they are of the newest state. */
  #newest(): StateRecords | undefined {
    const records = this.#records;
    return records?.hasRoom === true && records.at.hash === this.source.tip().hash ? records : undefined;
  }

  /** Only what is missing, when the peers are at the same state still; else everything that the read has used, of the new one. */
  async #fetchRecords(memory: ReadMemory, missing: readonly StateKey[]): Promise<void> {
    if (missing.length === 0) return;
    if (memory.records !== undefined) {
      const response = await this.#requests.ask(missing);
      if (response.at.hash === memory.records.at.hash) {
        memory.records.add(missing, response);
        return;
      }
    }
    const keys = [...memory.used.values()];
    const response = await this.#requests.ask(keys);
    const shared = this.#records;
    const records = shared?.hasRoom === true && shared.at.hash === response.at.hash ? shared : new StateRecords(response.at);
    records.add(keys, response);
    memory.records = records;
    this.#records = records;
  }
}

async function attempt<T>(work: () => Awaitable<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
