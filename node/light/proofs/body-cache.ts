// Checked bodies of blocks by height, the ones used longest ago go first. Blocks are final: what was checked stays true.
import { LRUCache } from "lru-cache";
import type { Height } from "#shared/protocol/chain/header.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import type { ProvenBody } from "../light-source.ts";

/** What a body costs beside its transactions, and a receipt beside its logs. */
const BODY_BYTES = 2_048;
const RECEIPT_BYTES = 256;

/** Bodies up to a number of bytes. */
export function createBodyCache(maxBytes: number): LRUCache<Height, ProvenBody> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
}

function bytesOf({ block, receipts }: ProvenBody): number {
  const logs = receipts.reduce((sum, { logs: lines }) => sum + lines.reduce((chars, { message }) => chars + message.length, 0), 0);
  return BODY_BYTES + logs + block.transactions.reduce((sum, tx) => sum + encodeTransaction(tx).length + RECEIPT_BYTES, 0);
}
