// Blocks as a node feeds them → what they add to the explorer. Each must be what its header says, and follow the one before.
import { indexBlock } from "#node/engine/execution/block-index.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { ChainFeedPage, FedBlock } from "#node/storage/chain/feed/chain-feed.ts";
import type { ChainPosition } from "#node/storage/explorer/block-summary.ts";
import { recordBytes } from "#node/storage/history/records/record-groups.ts";
import type { ExplorerBlock, ExplorerRecord } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-rows.ts";
import { decode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { decodeBlock, rootHex, transactionsRoot } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { encodeReceipt, receiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";

/** Blocks of a page, in order. @throws CodedError UPSTREAM_FAILED when they are no blocks of the chain that follow `end` */
export function blocksOfPage({ blocks }: ChainFeedPage, chainId: string, end: ChainPosition | undefined): readonly ExplorerBlock[] {
  const read: ExplorerBlock[] = [];
  for (const fed of blocks) {
    const before = read.at(-1) ?? end;
    const block = readFed(fed, chainId);
    if (before !== undefined && (block.height !== before.height + 1 || block.parentHash !== before.hash))
      throw new CodedError("UPSTREAM_FAILED", `A node gave a block ${block.height} that does not follow block ${before.height}`);
    read.push(block);
  }
  return read;
}

/** Records of a page. */
export function recordsOfPage({ records }: ChainFeedPage): readonly ExplorerRecord[] {
  return records.map(([namespace, key, value]) => ({ namespace, key: fromHex(key), value: fromBase64(value) }));
}

function readFed(fed: FedBlock, chainId: string): ExplorerBlock {
  const block = decodeBlock(fromBase64(fed.block));
  const receipts = decode(receiptsCodec, fromBase64(fed.receipts));
  const { header, transactions } = block;
  const encoded = receipts.map(encodeReceipt);
  const isWhole =
    header.chainId === chainId &&
    // Each block with transactions pays its proposer: a node that cannot say whom has not indexed it.
    (fed.reward !== null) === transactions.length > 0 &&
    header.txRoot === transactionsRoot(transactions, nativeSha256) &&
    header.receiptsRoot === rootHex(encoded, nativeSha256);
  if (!isWhole) throw new CodedError("UPSTREAM_FAILED", `A node gave a block ${header.height} that is not what its header says`);
  const reward = fed.reward === null ? undefined : { to: fed.reward.to, subsidyUt: fed.reward.amount_ut, feesUt: 0 };
  const { entries, types, totals, logs } = indexBlock({ block, receipts, reward, changes: [] });
  return {
    height: header.height,
    hash: headerHash(header, nativeSha256),
    parentHash: header.parentHash,
    stateRoot: header.stateRoot,
    timeMs: header.timeMs,
    proposer: header.proposer,
    totalFeesUt: totals.feesUt,
    failed: totals.failed,
    reward: reward === undefined ? undefined : { to: reward.to, amountUt: reward.subsidyUt },
    records: transactions.map((tx, position) => ({
      id: tx.id,
      bytes: recordBytes({ transaction: encodeTransaction(tx), receipt: encoded[position] ?? new Uint8Array(0) }),
    })),
    entries,
    types,
    logs,
  };
}
