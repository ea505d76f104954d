// A committed block as pushes to those who listen.
import { touchedAccounts } from "#node/ledger/records/history.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { formatLogPosition } from "#node/queries/contract-logs.ts";
import type { TopicKind } from "#shared/api/socket/topics.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { parseContractEvent } from "#shared/protocol/transactions/contract-events.ts";
import { type ContractId, deployedContractId, gasPriceUt, isContractId } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { BLOCK_REWARD, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import type { Push, TopicHub } from "./topic-hub.ts";

const EVENT_TOPIC = "event:" satisfies TopicKind;
const CONTRACT_ID_CHARS = 16;

interface ExecutedTransaction {
  readonly tx: Transaction;
  readonly receipt: Receipt;
}

/** Publishes a block, then its transactions, then its reward, to their topics. */
export function publishBlock(hub: TopicHub, committed: CommittedBlock): void {
  if (hub.has("blocks")) hub.publish("blocks", blockPush(committed));
  const observed = contractsOfEvents(hub);
  for (const [position, tx] of committed.block.transactions.entries()) {
    const receipt = committed.receipts[position];
    if (receipt === undefined) continue;
    publishTransaction(hub, committed, { tx, receipt });
    if (observed.size > 0 && receipt.isOk) publishEvents(hub, committed, { receipt, position, observed });
  }
  publishReward(hub, committed);
}

function publishTransaction(hub: TopicHub, committed: CommittedBlock, { tx, receipt }: ExecutedTransaction): void {
  const accounts = touchedAccounts(tx, receipt).map((key) => `account:${key}` as const);
  const contract = contractOf(tx);
  const contractTopic = contract === undefined ? [] : [`contract:${contract}` as const];
  const subscribed = (["txs", ...accounts, ...contractTopic] as const).filter((topic) => hub.has(topic));
  if (subscribed.length === 0) return;
  const push = txPush(committed, tx, receipt);
  const logs = receipt.isOk ? receipt.logs.filter(({ contractId }) => contractId === contract).map(({ message }) => message) : [];
  for (const topic of subscribed) hub.publish(topic, topic === contractTopic[0] ? { ...push, logs } : push);
}

/** Contracts whose events someone listens to: the lines of no other are read. */
function contractsOfEvents(hub: TopicHub): ReadonlySet<ContractId> {
  const [start, end] = [EVENT_TOPIC.length, EVENT_TOPIC.length + CONTRACT_ID_CHARS];
  return new Set([...hub.names()].filter((name) => name.startsWith(EVENT_TOPIC)).map((name) => name.slice(start, end)));
}

interface ObservedReceipt {
  readonly receipt: Receipt;
  /** Position of its transaction in the block. */
  readonly position: number;
  readonly observed: ReadonlySet<ContractId>;
}

/** Events of a successful transaction, also of contracts that were called by others, to all topics that name them. */
function publishEvents(hub: TopicHub, { block, hash }: CommittedBlock, { receipt, position, observed }: ObservedReceipt): void {
  const { logs, txId } = receipt;
  for (const [line, { contractId, message }] of logs.entries()) {
    const event = observed.has(contractId) ? parseContractEvent(message) : undefined;
    if (event === undefined) continue;
    const { name, index } = event;
    const all = `event:${contractId}` as const;
    const fields = index.map(({ field, value }) => `${all}/${name}/${field}=${value}` as const);
    const push: Push<"event"> = {
      type: "event",
      contract_id: contractId,
      tx_id: txId,
      block: block.header.height,
      block_hash: hash,
      time: new Date(block.header.timeMs).toISOString(),
      position: formatLogPosition({ height: block.header.height, position, line }),
      event: name,
      index: Object.fromEntries(index.map(({ field, value }) => [field, value])),
      message,
    };
    for (const topic of [all, `${all}/${name}` as const, ...fields]) hub.publish(topic, push);
  }
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
    gas_fee_ut: 0,
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
    gas_fee_ut: gasPriceUt(receipt.gasUsed),
    block: block.header.height,
    block_hash: hash,
    time: tx.timestamp,
    status: receipt.isOk ? "ok" : "failed",
  };
}
