// Runs synchronous reads of a chain over what peers prove: what a run misses is fetched, and the read runs again until nothing is missing.
// All records of the state that a response rests on are of one state.
import pLimit from "p-limit";
import type { ChainReads } from "#node/explorer/chain-reads.ts";
import type { Awaitable } from "#node/queries/awaitable.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { LightSource, StateKey } from "../light-source.ts";
import type { Hints } from "./hints.ts";
import type { KnownState, PassOutcome } from "./known-state.ts";
import { createProvenChain } from "./proven-chain.ts";
import { type ReadMemory, ReadPass } from "./read-pass.ts";
import { RecordRequests } from "./record-requests.ts";
import { FinalCache, recordName, StateRecords } from "./verified-cache.ts";

const { passesPerRead, fetchesAtOnce, provenRecordGas, provenByteGas, handedRecordGas, handedByteGas, knownBytes } = LIGHT_LIMITS;

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
    const memory = this.#newMemory();
    for (let passes = 0; passes < passesPerRead; passes += 1) {
      const pass = new ReadPass(memory);
      const outcome = await attempt(() => query(createProvenChain(pass, hints)));
      if (pass.missing.isEmpty) {
        if ("error" in outcome) throw outcome.error;
        return outcome.value;
      }
      await Promise.all([this.#fetchRecords(memory, pass.missing.keys), ...pass.missing.fetchers.map((fetch) => limit(fetch))]);
    }
    throw tooMuch();
  }

  /**
   * What work in another process comes to, which is given what is known, and what it cost to find out what that had to be. The work may be
   * done many times. @throws CodedError what it throws, and as {@link ProvenReads.read}
   */
  async readElsewhere<T>(work: (known: KnownState) => Promise<PassOutcome<T>>): Promise<{ readonly value: T; readonly searchGas: number }> {
    const memory = this.#newMemory();
    const bill = new SearchBill();
    for (let passes = 0; passes < passesPerRead; passes += 1) {
      const known = knownTo(memory);
      bill.add(handingGas(known));
      const outcome = await work(known);
      if ("value" in outcome) return { value: outcome.value, searchGas: bill.gas };
      for (const stateKey of outcome.missing) memory.used.set(recordName(stateKey.namespace, stateKey.key), stateKey);
      const missing = outcome.missing.filter(({ namespace, key }) => memory.records?.has(recordName(namespace, key)) !== true);
      bill.add(outcome.gasUsed + provenRecordGas * missing.length);
      bill.add(await this.#fetchRecords(memory, missing));
    }
    throw tooMuch();
  }

  #newMemory(): ReadMemory {
    return { source: this.source, cache: this.#cache, found: new Map(), used: new Map(), records: this.#newest() };
  }

  /** Records that other reads have asked for, while they are of the newest state. */
  #newest(): StateRecords | undefined {
    const records = this.#records;
    return records?.hasRoom === true && records.at.hash === this.source.tip().hash ? records : undefined;
  }

  /**
   * Only what is missing, when the peers are at the same state still; else everything that the read has used, of the new one.
   * @returns gas of the bytes of all responses, and of the records that were asked for once more because the state is another one
   */
  async #fetchRecords(memory: ReadMemory, missing: readonly StateKey[]): Promise<number> {
    if (missing.length === 0) return 0;
    let gas = 0;
    if (memory.records !== undefined) {
      const response = await this.#requests.ask(missing);
      gas += provenByteGas * bytesOf(response.values);
      if (response.at.hash === memory.records.at.hash) {
        memory.records.add(missing, response);
        return gas;
      }
      gas += provenRecordGas * missing.length;
    }
    const keys = [...memory.used.values()];
    const response = await this.#requests.ask(keys);
    const shared = this.#records;
    const records = shared?.hasRoom === true && shared.at.hash === response.at.hash ? shared : new StateRecords(response.at);
    records.add(keys, response);
    memory.records = records;
    this.#records = records;
    return gas + provenRecordGas * (keys.length - missing.length) + provenByteGas * bytesOf(response.values);
  }
}

/** What it costs to find out what work needs, beside the work. */
class SearchBill {
  #gas = 0;

  get gas(): number {
    return this.#gas;
  }

  /** @throws CodedError UPSTREAM_FAILED when that is too much */
  add(gas: number): void {
    this.#gas += gas;
    if (this.#gas > LIGHT_LIMITS.searchGas) throw tooMuch();
  }
}

function tooMuch(): CodedError {
  return new CodedError("UPSTREAM_FAILED", "The response needs more of the chain than a light node fetches for one request");
}

/** What a read has used so far, as it is known. @throws CodedError UPSTREAM_FAILED when that is too much to hand over */
function knownTo({ source, used, records: known }: ReadMemory): KnownState {
  const { chainId, height, timeMs } = (known?.at ?? source.tip()).header;
  const records = [...used].flatMap(([name, stateKey]) => (known?.has(name) === true ? [{ ...stateKey, value: known.get(name) }] : []));
  if (bytesHanded(records) > knownBytes) throw tooMuch();
  return { tip: { chainId, height, timeMs }, records };
}

/** Of what is handed over, each pass. */
function handingGas({ records }: KnownState): number {
  return handedRecordGas * records.length + handedByteGas * bytesHanded(records);
}

function bytesHanded(records: KnownState["records"]): number {
  return bytesOf(records.flatMap(({ key, value }) => [key, value]));
}

function bytesOf(values: readonly (Uint8Array | undefined)[]): number {
  return values.reduce((bytes, value) => bytes + (value?.length ?? 0), 0);
}

async function attempt<T>(work: () => Awaitable<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
