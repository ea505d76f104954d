// A committed block as pushes to those who listen.
import { touchedAccounts } from "#node/ledger/history.ts";
import type { BlockFrame, TxFrame } from "#shared/api/frames.ts";
import { formatAddress } from "#shared/protocol/address.ts";
import type { Receipt } from "#shared/protocol/receipt.ts";
import type { CommittedBlock } from "../services.ts";
import type { TopicHub } from "./topic-hub.ts";
import { BLOCKS_TOPIC, TRANSACTIONS_TOPIC, topicName } from "./topics.ts";

type Push<F> = Omit<F, "topic">;

/** Tells a block, then its transactions, to their topics. */
export function publishBlock(hub: TopicHub, committed: CommittedBlock): void {
  const { block, hash } = committed;
  const { height, timeMs, proposer } = block.header;
  let known: readonly Receipt[] | undefined;
  const receipts = (): readonly Receipt[] => {
    known ??= committed.receipts();
    return known;
  };
  const time = new Date(timeMs).toISOString();
  if (hub.has(BLOCKS_TOPIC)) {
    const push: Push<BlockFrame> = {
      type: "block",
      index: height,
      hash,
      time,
      validator: formatAddress(proposer),
      tx_count: block.transactions.length,
      total_fees_ut: receipts().reduce((sum, receipt) => sum + receipt.feeUt, 0),
    };
    hub.publish(BLOCKS_TOPIC, push);
  }
  for (const [position, tx] of block.transactions.entries()) {
    const topics = [TRANSACTIONS_TOPIC, topicName("account", tx.from), topicName("account", tx.to)];
    if (!topics.some((topic) => hub.has(topic))) continue;
    const receipt = receipts()[position] ?? { isOk: true };
    const push: Push<TxFrame> = {
      type: "tx",
      id: tx.id,
      tx_type: tx.type,
      from: tx.from,
      to: tx.to,
      amount_ut: tx.amount,
      fee_ut: tx.fee,
      block: height,
      block_hash: hash,
      time: tx.timestamp,
      status: receipt.isOk ? "ok" : "failed",
    };
    hub.publish(TRANSACTIONS_TOPIC, push);
    for (const account of touchedAccounts(tx, receipt)) hub.publish(topicName("account", account), push);
  }
}
