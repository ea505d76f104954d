// Reads of records by proof. What is asked in one turn is asked together, each key once; what does not fit into one response is asked in
// parts, until all parts are of the same state.

import type { PeerName } from "#node/network/peer-network.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex } from "#shared/util/bytes.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { ProvenRecords, StateKey } from "../light-source.ts";
import { checkRecords } from "../peers/check-responses.ts";
import type { PeerResponses, VerifiedHeaders } from "../peers/peer-responses.ts";

export interface RecordBatchesDependencies {
  readonly responses: PeerResponses;
  readonly chain: Pick<VerifiedHeaders, "tip">;
  readonly hash: Sha256;
}

interface Call {
  readonly keys: readonly StateKey[];
  readonly resolve: (records: ProvenRecords) => void;
  readonly reject: (error: unknown) => void;
}

type Keys = Map<string, StateKey>;

const { keysPerRequest, lagBlocks } = LIGHT_LIMITS;
/** How often parts are requested again because the state changed between them. */
const SAME_STATE_TRIES = 5;

/** Records of the newest state. */
export class RecordBatches {
  readonly #dependencies: RecordBatchesDependencies;
  #calls: Call[] = [];

  constructor(dependencies: RecordBatchesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Values under keys, all of one state. */
  records(keys: readonly StateKey[]): Promise<ProvenRecords> {
    if (keys.length === 0) return Promise.resolve({ at: this.#dependencies.chain.tip(), values: [] });
    const { promise, resolve, reject } = Promise.withResolvers<ProvenRecords>();
    this.#calls.push({ keys, resolve, reject });
    if (this.#calls.length === 1) setImmediate(() => this.#flush());
    return promise;
  }

  #flush(): void {
    for (const calls of batches(this.#calls)) void this.#resolve(calls);
    this.#calls = [];
  }

  async #resolve(calls: readonly Call[]): Promise<void> {
    const keys = keysOf(calls);
    try {
      const { at, values } = await this.#dependencies.responses.first((peer) => this.#askAll(peer, [...keys.values()]));
      const byName = new Map([...keys.keys()].map((name, index) => [name, values[index]]));
      for (const call of calls) call.resolve({ at, values: call.keys.map((key) => byName.get(nameOf(key))) });
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  /** Halves the parts while their responses are too large. */
  async #askAll(peer: PeerName, keys: readonly StateKey[]): Promise<ProvenRecords> {
    for (let size = Math.min(keysPerRequest, keys.length); ; size = Math.ceil(size / 2)) {
      try {
        return await this.#askParts(peer, keys, size);
      } catch (error) {
        if (!isCodedError(error, "PAYLOAD_TOO_LARGE") || size === 1) throw error;
      }
    }
  }

  async #askParts(peer: PeerName, keys: readonly StateKey[], size: number): Promise<ProvenRecords> {
    const parts = Array.from({ length: Math.ceil(keys.length / size) }, (_, index) => keys.slice(index * size, (index + 1) * size));
    for (let tries = 0; tries < SAME_STATE_TRIES; tries += 1) {
      const responses = await Promise.all(parts.map((part) => this.#ask(peer, part)));
      const [first, ...others] = responses;
      if (first !== undefined && others.every(({ at }) => at.hash === first.at.hash))
        return { at: first.at, values: responses.flatMap(({ values }) => values) };
    }
    throw new CodedError("UPSTREAM_FAILED", `The state of peer ${peer} changes faster than it can be read`);
  }

  async #ask(peer: PeerName, keys: readonly StateKey[]): Promise<ProvenRecords> {
    const { responses, chain, hash } = this.#dependencies;
    const oldest = chain.tip().header.height - lagBlocks;
    const response = await responses.fetch<"records">(peer, { kind: "records", keys });
    if (response.at.header.height < oldest) throw new CodedError("UPSTREAM_FAILED", `The state of peer ${peer} is old`);
    const at = await responses.trust(response.at, peer);
    return { at, values: responses.unwrap(peer, checkRecords(at, keys, response, hash)) };
  }
}

/** Calls together as long as their keys fit into one request; a larger one alone. */
function batches(calls: readonly Call[]): readonly (readonly Call[])[] {
  const all: Call[][] = [];
  let names = new Set<string>();
  for (const call of calls) {
    const own = call.keys.map(nameOf);
    const together = new Set([...names, ...own]);
    const last = all.at(-1);
    if (last !== undefined && together.size <= keysPerRequest) {
      last.push(call);
      names = together;
    } else {
      all.push([call]);
      names = new Set(own);
    }
  }
  return all;
}

function keysOf(calls: readonly Call[]): Keys {
  return new Map(calls.flatMap(({ keys }) => keys.map((key) => [nameOf(key), key] as const)));
}

function nameOf({ namespace, key }: StateKey): string {
  return `${namespace} ${toHex(key)}`;
}
