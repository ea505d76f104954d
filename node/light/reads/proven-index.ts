// What a full node's index knows, as far as it follows from proven blocks and transactions. Lists without proof of completeness are those
// that a peer lists, item by item compared with what is proven.
import type { IndexReads, StateReads } from "#node/explorer/chain-reads.ts";
import { readChannel } from "#node/ledger/records/channel-records.ts";
import { type ContractRecord, readContract } from "#node/ledger/records/contract-records.ts";
import { type ContractLog, pageOfLogs } from "#node/queries/contract-logs.ts";
import type { IndexedChannel } from "#node/storage/explorer/channel-index-repository.ts";
import type { ContractSummary } from "#node/storage/explorer/contract-index-repository.ts";
import type { TransactionDetail, TransactionEntry } from "#node/storage/explorer/indexed-record.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { type ContractId, NATIVE_CONTRACTS, nativeContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";
import type { ChannelHint, Hints } from "./hints.ts";
import { entriesOf, rewardDetail, transactionDetail } from "./proven-entries.ts";
import type { ReadPass } from "./read-pass.ts";

/** Blocks that a list of the newest transactions looks back, at most. */
const MAX_BLOCKS_BACK = 200;
/** Blocks that it asks for at once. */
const BLOCKS_AT_ONCE = 8;

/** Where a transaction or reward is looked for. */
interface SoughtTransaction {
  readonly id: string;
  readonly state: StateReads;
  readonly hints: Hints;
}

/** Reads of the index within one run. */
export function createProvenIndex(pass: ReadPass, state: StateReads, hints: Hints): IndexReads {
  return {
    recentTransactions: (limit) => recentTransactions(pass, limit),
    transaction: (id) => transactionOf(pass, { id, state, hints }),
    transactionsOf: (height) => transactionsOf(pass, height),
    recipientsOf: () => hints.recipients ?? [],
    blocksProposedBy: () => hints.blocksProduced ?? 0,
    proposerWindow: () => ({ blocks: 0, rewardsUt: 0 }),
    historyPage: notProvable,
    historyRange: notProvable,
    historyFrom: () => 0,
    countedFrom: () => hints.countedFrom ?? 1,
    typeTotals: notProvable,
    window: notProvable,
    charts: { range: notProvable, buckets: notProvable },
    contracts: createProvenContracts(state, hints),
    contractLogs: {
      page: (id, query) =>
        pageOfLogs(
          (hints.logTransactions ?? []).flatMap((txId) => logsOf(pass, id, txId)),
          query,
        ),
    },
    channels: createProvenChannels(pass, state, hints),
  };
}

function createProvenContracts(state: StateReads, hints: Hints): IndexReads["contracts"] {
  const get = (id: ContractId): ContractSummary | undefined => {
    const contract = readContract(state, id);
    return contract === undefined ? undefined : contractSummary(contract);
  };
  const list = (): readonly ContractSummary[] => (hints.contracts ?? []).flatMap((id) => get(id) ?? []);
  return {
    get,
    list: (limit) => list().slice(0, limit),
    count: () => list().length,
    earliestOfNames: (limit) => list().slice(0, limit),
    named: (beginning, limit) =>
      list()
        .filter(({ name }) => name.startsWith(beginning))
        .slice(0, limit),
    // Native ones are in genesis, before every other contract.
    earliestNamed: (name): ContractSummary | undefined => {
      const native = NATIVE_CONTRACTS.find((known) => known === name);
      return native === undefined ? list().find((contract) => contract.name === name) : get(nativeContractId(native));
    },
  };
}

function createProvenChannels(pass: ReadPass, state: StateReads, { channels = [] }: Hints): IndexReads["channels"] {
  const proven = (channel: ChannelHint): readonly IndexedChannel[] => {
    const { channelId, openTx, closeTx } = channel;
    // Of one that the chain began with, the state alone is left to prove it.
    const isOpened = openTx === "" ? readChannel(state, channelId) !== undefined : isAbout(pass, openTx, "OPEN_PAY_CHAN", channelId);
    return isOpened && (closeTx === null || isAbout(pass, closeTx, "CLOSE_PAY_CHAN", channelId)) ? [channel] : [];
  };
  return {
    list: (_account, limit) => channels.flatMap(proven).slice(0, limit),
    get: (channelId) => channels.filter((channel) => channel.channelId === channelId).flatMap(proven)[0],
  };
}

function recentTransactions(pass: ReadPass, limit: number): readonly TransactionEntry[] {
  const newest = pass.tip.header.height;
  const entries: TransactionEntry[] = [];
  let missing = 0;
  for (let height = newest; height >= 0 && newest - height < MAX_BLOCKS_BACK; height -= 1) {
    if (entries.length >= limit || missing >= BLOCKS_AT_ONCE) break;
    const body = pass.body(height);
    if (body === undefined) missing += 1;
    else entries.push(...entriesOf(body).reverse());
  }
  return entries.slice(0, limit);
}

function transactionOf(pass: ReadPass, { id, state, hints: { rewarded } }: SoughtTransaction): TransactionDetail | undefined {
  const height = rewardHeight(id);
  if (height === undefined) {
    const found = pass.transaction(id);
    return found === undefined ? undefined : transactionDetail(found);
  }
  const body = rewarded === undefined ? undefined : pass.body(height);
  return rewarded === undefined || body === undefined ? undefined : rewardDetail(body, rewarded, state);
}

function transactionsOf(pass: ReadPass, height: Height): readonly TransactionEntry[] {
  const body = pass.body(height);
  return body === undefined ? [] : entriesOf(body);
}

/** Lines that a contract logged in a transaction. */
function logsOf(pass: ReadPass, id: ContractId, txId: string): readonly ContractLog[] {
  const found = pass.transaction(txId);
  if (found?.receipt.isOk !== true) return [];
  const { hash: blockHash, header } = found.at;
  return found.receipt.logs.flatMap(({ contractId, message }, line) =>
    contractId === id
      ? [{ height: header.height, position: found.position, line, txId, blockHash, blockTimeMs: header.timeMs, message }]
      : [],
  );
}

/** True when a transaction did this to the channel. */
function isAbout(pass: ReadPass, txId: string, type: TransactionType, channelId: string): boolean {
  const found = pass.transaction(txId);
  if (found?.receipt.isOk !== true || found.transaction.type !== type) return false;
  const id = decodePayload(found.transaction.payload)?.channel_id;
  return typeof id === "string" && id.toLowerCase() === channelId;
}

function contractSummary({ id, abiJson, deployedAt }: ContractRecord): ContractSummary | undefined {
  const abi = parseContractAbi(abiJson);
  return abi === undefined ? undefined : { id, name: abi.contract, version: abi.version, deployedAt };
}

/** Totals and histories are read another way: nothing that a peer says about them holds for an index. */
function notProvable(): never {
  throw new CodedError("INVARIANT", "A light node has no index of the whole chain");
}
