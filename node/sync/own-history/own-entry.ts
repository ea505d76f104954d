// One entry of an own account's older history, from other nodes: the rolling hash of the account's record names it, and a verified header
// proves it, as with every read of an older block.
import type { LightSource } from "#node/light/light-source.ts";
import { rewardDetail } from "#node/light/reads/proven-entries.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { packKept } from "#node/storage/history/records/kept-record.ts";
import { keptKey } from "#node/storage/history/records/kept-repository.ts";
import type { KeptEntry } from "#node/storage/history/sealing/drop-segments.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";

export interface OwnEntryDependencies {
  readonly source: Pick<LightSource, "transaction" | "body">;
  readonly state: ChainDatabase["state"];
  /** Parameters of the network's first block. */
  readonly first: NetworkParams;
}

/** An entry with the block that proves it. */
export interface FetchedEntry {
  readonly entry: KeptEntry;
  readonly at: TrustedBlock;
}

/** @throws CodedError UPSTREAM_FAILED when no peer has it, UNAVAILABLE when nothing leads from the own headers to its block */
export async function fetchOwnEntry(
  { source, state, first }: OwnEntryDependencies,
  { publicKey, number, id }: { readonly publicKey: string; readonly number: number; readonly id: string },
): Promise<FetchedEntry> {
  const height = rewardHeight(id);
  if (height !== undefined) {
    const body = await source.body(height);
    // The wallet that got it is the account in whose history it is.
    const detail = body && rewardDetail(body, { to: publicKey, first }, state);
    if (body === undefined || detail === undefined) throw missing(id);
    const { header, commit } = body.at;
    const entry = packKept({ header, commit, proven: null, reward: { to: publicKey, amountUt: detail.amountUt } });
    const seq = height * SEQ_PER_BLOCK + SEQ_PER_BLOCK - 1;
    return { entry: { publicKey, number, seq, key: null, entry }, at: body.at };
  }
  const found = await source.transaction(id);
  if (found === undefined) throw missing(id);
  const { at, position, proof } = found;
  const entry = packKept({
    header: at.header,
    commit: at.commit,
    proven: {
      position,
      count: proof.count,
      transaction: proof.transaction.bytes,
      transactionSiblings: [...proof.transaction.siblings],
      receipt: proof.receipt.bytes,
      receiptSiblings: [...proof.receipt.siblings],
    },
    reward: null,
  });
  const seq = at.header.height * SEQ_PER_BLOCK + position;
  return { entry: { publicKey, number, seq, key: keptKey(id), entry }, at };
}

function missing(id: string): CodedError {
  return new CodedError("UPSTREAM_FAILED", `No connected node has the entry ${id}`);
}
