// An executed block in the form in which it is stored.

import type { BlockSummary } from "#node/storage/chain/block-repository.ts";
import type { StoredBlock } from "#node/storage/chain/stored-block.ts";
import { encode } from "#shared/codec/codec.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import { encodedReceiptsCodec } from "#shared/protocol/transactions/receipt.ts";
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
    ids: block.transactions.map(({ id }) => id),
    index: indexBlock(executed),
  };
}

/** Line of a block in lists. */
export function blockSummary({ block, hash, receipts }: ExecutedBlock): BlockSummary {
  const { height, parentHash, stateRoot, timeMs, proposer } = block.header;
  const totalFeesUt = receipts.reduce((sum, { feeUt }) => sum + feeUt, 0);
  return { height, hash, parentHash, stateRoot, timeMs, proposer, txCount: block.transactions.length, totalFeesUt };
}

/** Block and receipts in bytes. */
export function storedBytes({ block, encodedReceipts }: ExecutedBlock): Pick<StoredBlock, "encodedBlock" | "receipts"> {
  return { encodedBlock: encodeBlock(block), receipts: encode(encodedReceiptsCodec, encodedReceipts) };
}
