// The queries of a full node, asked over what peers prove.
import { createChainQueries } from "#node/explorer/queries/read-queries.ts";
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { LightSource } from "../light-source.ts";
import type { Hints } from "../reads/hints.ts";
import { ProvenHistories } from "../reads/proven-histories.ts";
import { ProvenReads } from "../reads/proven-reads.ts";

/** Queries that a chain of proven parts answers. */
export type ProvenQueries = Omit<ReadQueries, "proofs" | "calls">;

/** What light queries are made of. */
export interface LightReader {
  readonly genesis: Genesis;
  readonly reads: ProvenReads;
  readonly histories: ProvenHistories;
  /** The result of a query of a full node; `hints` say where to look instead of walking. @throws CodedError as {@link ProvenReads.read} */
  readonly ask: <T>(request: (queries: ProvenQueries) => Awaitable<T>, hints?: Hints) => Promise<T>;
}

/** A reader over a source. */
export function createLightReader(source: LightSource, genesis: Genesis): LightReader {
  const reads = new ProvenReads(source);
  return {
    genesis,
    reads,
    histories: new ProvenHistories(reads, firstParams(genesis.params)),
    ask: (request, hints) => reads.read((chain) => request(createChainQueries(chain)), hints),
  };
}
