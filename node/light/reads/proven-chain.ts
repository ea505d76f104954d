// A chain of which only what was proven is known, in the form that every query of a full node reads.
import type { BlockReads, ChainReads, StateReads } from "#node/explorer/chain-reads.ts";
import { hasPrefix } from "#node/ledger/journal.ts";
import type { Namespace, StateEntry } from "#node/ledger/state-view.ts";
import type { BlockRecord } from "#node/storage/chain/block-repository.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { compareBytes } from "#shared/util/bytes.ts";
import type { ProvenBody } from "../light-source.ts";
import type { Hints } from "./hints.ts";
import { createProvenIndex } from "./proven-index.ts";
import type { ReadPass } from "./read-pass.ts";

/** The reads of one run. */
export function createProvenChain(pass: ReadPass, hints: Hints): ChainReads {
  const state = createProvenState(pass, hints);
  return {
    blocks: createProvenBlocks(pass),
    validatorSets: { at: (height) => pass.header(height)?.validators ?? [] },
    state,
    explorer: createProvenIndex(pass, state, hints),
  };
}

/** Records by their keys; a walk meets those that are said to be there and are. */
function createProvenState(pass: ReadPass, { records = [] }: Hints): StateReads {
  const byNamespace = new Map<Namespace, readonly StateEntry[]>();
  // All are asked for at once: one round for a whole list.
  const entriesOf = (namespace: Namespace): readonly StateEntry[] => {
    const known = byNamespace.get(namespace);
    if (known !== undefined) return known;
    const entries = records
      .filter((stateKey) => stateKey.namespace === namespace)
      .flatMap(({ key }): StateEntry[] => {
        const value = pass.record(namespace, key);
        return value === undefined ? [] : [{ key, value }];
      })
      .sort((a, b) => compareBytes(a.key, b.key));
    byNamespace.set(namespace, entries);
    return entries;
  };
  const get: StateReads["get"] = (namespace, key) => pass.record(namespace, key);
  return {
    get,
    next: (namespace, prefix, after) =>
      entriesOf(namespace).find(({ key }) => hasPrefix(key, prefix) && (after === undefined || compareBytes(key, after) > 0)),
    each: (namespace, keyPrefix) => entriesOf(namespace).filter(({ key }) => hasPrefix(key, keyPrefix)),
  };
}

function createProvenBlocks(pass: ReadPass): BlockReads {
  const summary = (height: Height): BlockSummary | undefined => {
    const body = pass.body(height);
    return body === undefined ? undefined : summaryOf(body);
  };
  return {
    tipHeight: () => pass.tip.header.height,
    firstHeight: () => 0,
    header: (height) => (height === pass.tip.header.height ? pass.tip : pass.header(height))?.header,
    summary,
    summaries: (limit, beforeHeight = Number.MAX_SAFE_INTEGER): readonly BlockSummary[] => {
      const newest = Math.min(beforeHeight - 1, pass.tip.header.height);
      const heights = Array.from({ length: Math.max(0, Math.min(limit, newest + 1)) }, (_, offset) => newest - offset);
      return heights.flatMap((height) => summary(height) ?? []);
    },
    heightOfHash: (hash) => pass.heightOf(hash),
    get: (height): BlockRecord | undefined => {
      const body = pass.body(height);
      if (body === undefined) return undefined;
      const { at, block, receipts } = body;
      return { block, hash: at.hash, commit: at.commit, receipts };
    },
    commit: (height) => pass.header(height)?.commit ?? undefined,
  };
}

function summaryOf({ at: { header, hash }, block, receipts }: ProvenBody): BlockSummary {
  const { height, parentHash, stateRoot, timeMs, proposer } = header;
  const totalFeesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  return { height, hash, parentHash, stateRoot, timeMs, proposer, txCount: block.transactions.length, totalFeesUt };
}
