// A chain of which only what was proven is known, in the form that every query of a full node reads.
import type { BlockReads, ChainReads, StateReads } from "#node/explorer/chain-reads.ts";
import { hasPrefix } from "#node/ledger/journal.ts";
import type { Namespace, StateEntry } from "#node/ledger/state-view.ts";
import type { BlockRecord, BlockSummary } from "#node/storage/chain/block-repository.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { compareBytes } from "#shared/util/bytes.ts";
import type { ProvenBody } from "../light-source.ts";
import type { Candidates } from "./candidates.ts";
import { createProvenIndex } from "./proven-index.ts";
import type { ReadRun } from "./read-run.ts";

/** The reads of one run. */
export function createProvenChain(run: ReadRun, candidates: Candidates): ChainReads {
  const state = createProvenState(run, candidates);
  return {
    blocks: createProvenBlocks(run),
    validatorSets: { at: (height) => run.header(height)?.validators ?? [] },
    state,
    explorer: createProvenIndex(run, state, candidates),
  };
}

/** Records by their keys; a walk meets those that are said to be there and are. */
function createProvenState(run: ReadRun, { records = [] }: Candidates): StateReads {
  const walks = new Map<Namespace, readonly StateEntry[]>();
  // All are asked for at once: one round for a whole list.
  const walk = (namespace: Namespace): readonly StateEntry[] => {
    const known = walks.get(namespace);
    if (known !== undefined) return known;
    const entries = records
      .filter((place) => place.namespace === namespace)
      .flatMap(({ key }): StateEntry[] => {
        const value = run.record(namespace, key);
        return value === undefined ? [] : [{ key, value }];
      })
      .sort((a, b) => compareBytes(a.key, b.key));
    walks.set(namespace, entries);
    return entries;
  };
  const get: StateReads["get"] = (namespace, key) => run.record(namespace, key);
  return {
    get,
    next: (namespace, prefix, after) =>
      walk(namespace).find(({ key }) => hasPrefix(key, prefix) && (after === undefined || compareBytes(key, after) > 0)),
    scan: (namespace, keyPrefix = new Uint8Array(0)) => walk(namespace).filter(({ key }) => hasPrefix(key, keyPrefix)),
  };
}

function createProvenBlocks(run: ReadRun): BlockReads {
  const summary = (height: Height): BlockSummary | undefined => {
    const body = run.body(height);
    return body === undefined ? undefined : summaryOf(body);
  };
  return {
    tipHeight: () => run.tip.header.height,
    summary,
    summaries: (limit, beforeHeight = Number.MAX_SAFE_INTEGER): readonly BlockSummary[] => {
      const newest = Math.min(beforeHeight - 1, run.tip.header.height);
      const heights = Array.from({ length: Math.max(0, Math.min(limit, newest + 1)) }, (_, offset) => newest - offset);
      return heights.flatMap((height) => summary(height) ?? []);
    },
    heightOfHash: (hash) => run.heightOf(hash),
    get: (height): BlockRecord | undefined => {
      const body = run.body(height);
      if (body === undefined) return undefined;
      const { at, block, receipts } = body;
      return { block, hash: at.hash, commit: at.commit, receipts };
    },
    commit: (height) => run.header(height)?.commit ?? undefined,
  };
}

function summaryOf({ at: { header, hash }, block, receipts }: ProvenBody): BlockSummary {
  const { height, parentHash, stateRoot, timeMs, proposer } = header;
  const totalFeesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  return { height, hash, parentHash, stateRoot, timeMs, proposer, txCount: block.transactions.length, totalFeesUt };
}
