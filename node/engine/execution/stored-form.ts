// An executed block in the form in which it is stored.

import type { StoredBlock } from "#node/storage/chain/stored-block.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import { blockParts } from "#node/storage/history/records/block-parts.ts";
import { packGroups } from "#node/storage/history/records/record-groups.ts";
import { encode } from "#shared/codec/codec.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { ExecutedBlock } from "./block-execution.ts";
import { indexBlock } from "./block-index.ts";

/** A block after genesis with its commit. */
export function storedBlock(executed: ExecutedBlock, commit: Commit): StoredBlock {
  const { block, changes, pages, nextValidators } = executed;
  const { validatorsHash, nextValidatorsHash } = block.header;
  return {
    ...storedBytes(executed),
    summary: blockSummary(executed),
    commitRecord: encode(commitCodec, commit),
    changes,
    pages,
    newValidators: nextValidatorsHash === validatorsHash ? undefined : nextValidators,
    index: indexBlock(executed),
  };
}

/** Line of a block in lists. */
export function blockSummary({ block, hash, receipts }: ExecutedBlock): BlockSummary {
  const { height, parentHash, stateRoot, timeMs, proposer } = block.header;
  const totalFeesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  return { height, hash, parentHash, stateRoot, timeMs, proposer, txCount: block.transactions.length, totalFeesUt };
}

/** The block in parts, its transactions and receipts in groups. */
export function storedBytes({ block, encodedReceipts }: ExecutedBlock): Pick<StoredBlock, "front" | "tail" | "groups"> {
  const records = block.transactions.map((tx, position) => ({
    transaction: encodeTransaction(tx),
    receipt: encodedReceipts[position] ?? new Uint8Array(0),
  }));
  return { ...blockParts(block), groups: packGroups(records) };
}
