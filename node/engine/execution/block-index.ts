// A committed block → what the explorer's index keeps of it. Pure: the index can be rebuilt by re-executing the blocks.

import type { BlockReward } from "#node/ledger/execute.ts";
import { decodeContract } from "#node/ledger/records/contract-records.ts";
import { touchedAccounts } from "#node/ledger/records/history.ts";
import type { StateChange } from "#node/ledger/state-view.ts";
import type { ChannelChanges, OpenedChannel } from "#node/storage/explorer/channel-index-repository.ts";
import type { IndexedContract } from "#node/storage/explorer/contract-index-repository.ts";
import { type BlockIndex, REWARD_POSITION } from "#node/storage/explorer/explorer-writer.ts";
import { indexLogs } from "#node/storage/explorer/log-index.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { deployedContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { BLOCK_REWARD, type ListedType, type Transaction } from "#shared/protocol/transactions/transaction.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";

/** A block with what its execution gave. */
export interface IndexableBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
  readonly reward: BlockReward | undefined;
  readonly changes: readonly StateChange[];
}

/** Index of a block: ids and histories of its transactions and of its reward, contacts and contracts that it touched, lines of calls. */
export function indexBlock({ block, receipts, reward, changes }: IndexableBlock): BlockIndex {
  const entries = block.transactions.map((tx, position) => ({
    position,
    accounts: touchedAccounts(tx, receiptOf(tx, receipts[position])),
  }));
  if (reward !== undefined) entries.push({ position: REWARD_POSITION, accounts: [reward.to] });
  const contacts = changes
    .filter((change) => change.namespace === "contact")
    .map(({ key }) => ({ recipientPub: toHex(key.subarray(0, 32)), requesterPub: toHex(key.subarray(32)) }));
  const { height, timeMs, proposer } = block.header;
  return {
    height,
    ids: block.transactions.map(({ id }) => id),
    entries,
    types: countTypes(block.transactions, reward),
    reward: reward === undefined ? undefined : { to: reward.to, amountUt: reward.subsidyUt + reward.feesUt },
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

function receiptOf({ id }: Transaction, receipt: Receipt | undefined): Receipt {
  assertInvariant(receipt?.txId === id, "Receipts stand in the order of their transactions");
  return receipt;
}

function countTypes(transactions: readonly Transaction[], reward: BlockReward | undefined): BlockIndex["types"] {
  const counts = new Map<ListedType, number>();
  for (const { type } of transactions) counts.set(type, (counts.get(type) ?? 0) + 1);
  return reward === undefined ? [...counts] : [...counts, [BLOCK_REWARD, 1]];
}
