// A committed block as pushes to those who listen.
import { touchedAccounts } from "#node/ledger/records/history.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type ContractId, deployedContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { BLOCK_REWARD, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import type { Push, TopicHub } from "./topic-hub.ts";

/** Publishes a block, then its transactions, then its reward, to their topics. */
export function publishBlock(hub: TopicHub, committed: CommittedBlock): void {
  if (hub.has("blocks")) hub.publish("blocks", blockPush(committed));
  for (const [position, tx] of committed.block.transactions.entries()) {
    const receipt = committed.receipts[position];
    if (receipt === undefined) continue;
    const accounts = touchedAccounts(tx, receipt).map((key) => `account:${key}` as const);
    const contract = contractOf(tx);
    const contractTopic = contract === undefined ? [] : [`contract:${contract}` as const];
    const subscribed = (["txs", ...accounts, ...contractTopic] as const).filter((topic) => hub.has(topic));
    if (subscribed.length === 0) continue;
    const push = txPush(committed, tx, receipt);
    const logs = receipt.isOk ? receipt.logs.filter(({ contractId }) => contractId === contract).map(({ message }) => message) : [];
    for (const topic of subscribed) hub.publish(topic, topic === contractTopic[0] ? { ...push, logs } : push);
  }
  publishReward(hub, committed);
}

/** The contract that a transaction calls or deploys. */
function contractOf(tx: Transaction): ContractId | undefined {
  if (tx.type === "DEPLOY_CONTRACT") return deployedContractId(tx.from, tx.id);
  if (tx.type !== "CALL_CONTRACT") return undefined;
  const id = decodePayload(tx.payload)?.contract_id;
  return isContractId(id) ? id.toLowerCase() : undefined;
}

function publishReward(hub: TopicHub, committed: CommittedBlock): void {
  const { reward } = committed;
  if (reward === undefined) return;
  const topic = `account:${reward.to}` as const;
  if (!hub.has(topic)) return;
  const { index, hash, time } = blockPush(committed);
  const push: Push<"tx"> = {
    type: "tx",
    id: rewardId(index),
    tx_type: BLOCK_REWARD,
    from: "",
    to: reward.to,
    amount_ut: reward.subsidyUt + reward.feesUt,
    fee_ut: 0,
    block: index,
    block_hash: hash,
    time,
    status: "ok",
  };
  hub.publish(topic, push);
}

function blockPush({ block, hash, receipts }: CommittedBlock): Push<"block"> {
  return {
    type: "block",
    index: block.header.height,
    hash,
    time: new Date(block.header.timeMs).toISOString(),
    validator: formatAddress(block.header.proposer),
    tx_count: block.transactions.length,
    total_fees_ut: receipts.reduce((sum, receipt) => sum + receipt.feeUt, 0),
  };
}

function txPush({ block, hash }: CommittedBlock, tx: Transaction, receipt: Receipt): Push<"tx"> {
  return {
    type: "tx",
    id: tx.id,
    tx_type: tx.type,
    from: tx.from,
    to: tx.to,
    amount_ut: tx.amount,
    fee_ut: receipt.feeUt,
    block: block.header.height,
    block_hash: hash,
    time: tx.timestamp,
    status: receipt.isOk ? "ok" : "failed",
  };
}
