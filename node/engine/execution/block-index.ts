// A committed block → what the explorer's index keeps of it. Pure: the index can be rebuilt by re-executing the blocks.

import type { BlockReward } from "#node/ledger/execute.ts";
import { decodeContract } from "#node/ledger/records/contract-records.ts";
import { touchedAccounts } from "#node/ledger/records/history.ts";
import type { StateChange } from "#node/ledger/state-view.ts";
import type { ChannelChanges, OpenedChannel } from "#node/storage/explorer/channel-index-repository.ts";
import type { IndexedContract } from "#node/storage/explorer/contract-index-repository.ts";
import { type BlockIndex, type IndexedTransaction, REWARD_POSITION } from "#node/storage/explorer/explorer-writer.ts";
import { indexLogs } from "#node/storage/explorer/log-index.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { deployedContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { BLOCK_REWARD, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";

/** A block with what its execution gave. */
export interface IndexableBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  readonly reward: BlockReward | undefined;
  readonly changes: readonly StateChange[];
}

/** Index rows of a block: its transactions, its reward as a last entry, contacts and contracts that it touched, lines of calls. */
export function indexBlock({ block, receipts, reward, changes }: IndexableBlock): BlockIndex {
  const transactions = block.transactions.map((tx, position) => indexTransaction(tx, receipts[position], position));
  if (reward !== undefined) transactions.push(indexReward(block, reward));
  const contacts = changes
    .filter((change) => change.namespace === "contact")
    .map(({ key }) => ({ recipientPub: toHex(key.subarray(0, 32)), requesterPub: toHex(key.subarray(32)) }));
  const { height, timeMs, proposer } = block.header;
  return {
    height,
    transactions,
    contacts,
    totals: {
      timeMs,
      transactions: block.transactions.length,
      failed: receipts.filter(({ isOk }) => !isOk).length,
      feesUt: receipts.reduce((sum, { feeUt }) => sum + feeUt, 0),
    },
    proposer: height === 0 ? undefined : proposer,
    contracts: newContracts(block, changes),
    logs: indexLogs(receipts),
    channels: channelsOf(block, receipts),
  };
}

/** Channels that successful transactions opened and closed. */
function channelsOf({ transactions }: Block, receipts: readonly Receipt[]): ChannelChanges {
  const ofType = (type: "OPEN_PAY_CHAN" | "CLOSE_PAY_CHAN"): readonly OpenedChannel[] =>
    transactions.flatMap((tx, position) =>
      tx.type === type && receipts[position]?.isOk === true
        ? [{ position, channelId: channelIdOf(tx), payerPub: tx.from, payeePub: tx.to }]
        : [],
    );
  return { opened: ofType("OPEN_PAY_CHAN"), closed: ofType("CLOSE_PAY_CHAN") };
}

function channelIdOf({ payload }: Transaction): string {
  const id = decodePayload(payload)?.channel_id;
  assertInvariant(typeof id === "string", "The payload of a channel's transaction was checked when it was taken in");
  return id.toLowerCase();
}

/** Contracts that the block brought: those of genesis in the order of their ids, deployed ones in the order of their transactions. */
function newContracts({ transactions }: Block, changes: readonly StateChange[]): readonly IndexedContract[] {
  const contracts = changes.flatMap(({ namespace, key, value }) =>
    namespace === "contract" && value !== undefined ? [decodeContract(key, value)] : [],
  );
  if (contracts.length === 0) return [];
  const deployed = transactions.filter(({ type }) => type === "DEPLOY_CONTRACT").map(({ from, id }) => deployedContractId(from, id));
  return contracts
    .sort((a, b) => deployed.indexOf(a.id) - deployed.indexOf(b.id))
    .map(({ id, abiJson }) => {
      const abi = parseContractAbi(abiJson);
      assertInvariant(abi !== undefined, "The ABI of a contract was checked at its deployment");
      return { id, name: abi.contract, version: abi.version };
    });
}

/** Index row of a transaction. */
export function indexTransaction(tx: Transaction, receipt: Receipt | undefined, position: number): IndexedTransaction {
  assertInvariant(receipt?.txId === tx.id, "Receipts stand in the order of their transactions");
  return {
    position,
    id: tx.id,
    type: tx.type,
    from: tx.from,
    to: tx.to,
    amountUt: tx.amount,
    feeUt: receipt.feeUt,
    timestamp: tx.timestamp,
    memo: memoOf(tx),
    isOk: receipt.isOk,
    code: receipt.code,
    gasUsed: receipt.gasUsed,
    payload: tx.payload,
    signature: tx.signature,
    accounts: touchedAccounts(tx, receipt),
  };
}

/** Index row of what the proposer of a block got. */
export function indexReward({ header }: Pick<Block, "header">, reward: BlockReward): IndexedTransaction {
  return {
    position: REWARD_POSITION,
    id: rewardId(header.height),
    type: BLOCK_REWARD,
    from: "",
    to: reward.to,
    amountUt: reward.subsidyUt + reward.feesUt,
    feeUt: 0,
    timestamp: formatTimestamp(header.timeMs),
    memo: "",
    isOk: true,
    code: "",
    gasUsed: 0,
    payload: "",
    signature: "",
    accounts: [reward.to],
  };
}

function memoOf(tx: Transaction): string {
  if (tx.type !== "TRANSFER" || tx.payload === "") return "";
  const memo = decodePayload(tx.payload)?.memo;
  return typeof memo === "string" ? memo : "";
}
