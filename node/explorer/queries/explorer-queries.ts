// The explorer in the words of the public interface: field names, addresses, exact amounts as text, RFC 3339 times.
import type { Contact } from "#node/ledger/records/records.ts";
import type { AccountHistory, ExplorerQueries, ListOf } from "#node/queries/read-queries.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import type { TransactionDetail, TransactionEntry } from "#node/storage/explorer/indexed-record.ts";
import type * as schema from "#shared/api/schemas/chain.ts";
import type { ChainTransaction, ChainTransactionDetail } from "#shared/api/schemas/chain-v2.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES, isFailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { ChartBucket } from "../chart-series.ts";
import type { Explorer } from "../explorer.ts";
import type { ValidatorProposal } from "../validator-proposals.ts";
import { networkParameters } from "./params-queries.ts";

const CHART_HOURS: Readonly<Record<schema.ChartResolution, number>> = { hour: 1, day: 24 };

/** Who knows addresses. */
type Addressed = Pick<Explorer, "addresses">;

/** Queries of the public interface over an explorer. */
export function createExplorerQueries(explorer: Explorer): ExplorerQueries {
  return {
    netStats: () => netStats(explorer),
    listBlocks: ({ limit, before }) => explorer.listBlocks(limit, before).map((block) => blockSummary(explorer, block)),
    getBlock: (height) => blockDetail(explorer, height),
    getBlockByHash: (hash): schema.BlockDetail | undefined => {
      const height = explorer.heightOfHash(hash);
      return height === undefined ? undefined : blockDetail(explorer, height);
    },
    recentTransactions: (limit) => explorer.recentTransactions(limit).map((tx) => transactionEntry(explorer, tx)),
    getTransaction: (id): schema.TransactionDetail | undefined => {
      const tx = explorer.getTransaction(id);
      return tx === undefined ? undefined : transactionDetail(explorer, tx);
    },
    accountHistory: (account, page) => accountHistory(explorer, account, page),
    accountFeed: (account, range) => explorer.accountHistoryRange(account, range).map((tx) => chainTransaction(explorer, tx)),
    feedFrom: (account) => explorer.accountHistoryFrom(account),
    chainTransaction: (id): ChainTransactionDetail | undefined => {
      const tx = explorer.getTransaction(id);
      return tx === undefined ? undefined : { tx: chainTransaction(explorer, tx), ...rawFields(tx) };
    },
    identity: (masterPub) => identityInfo(explorer, masterPub),
    deviceList: (masterPub) =>
      explorer
        .deviceList(masterPub)
        .map((device) => ({ x25519_pub_key: device.x25519Pub, device_name: device.name, added_at: device.addedAt })),
    contactsOf: (recipient, page): ListOf<ContactInfo> => {
      const { items, next } = explorer.contactsOf(recipient, page);
      return { items: items.map((contact) => contactInfo(explorer, contact)), next };
    },
    contactsRequestedBy: (requester, page): ListOf<SentContactInfo> => {
      const { items, next } = explorer.contactsRequestedBy(requester, page);
      return { items: items.map((contact) => sentContactInfo(explorer, contact)), next };
    },
    chart: ({ resolution, limit }): schema.Chart => {
      const hours = CHART_HOURS[resolution];
      const buckets = explorer.chart(hours, limit).map(chartBucket);
      return { resolution, ...fromHeight(explorer.chartFrom(hours, limit)), buckets };
    },
    validators: (): schema.ValidatorRecord[] => {
      const missed = explorer.missedCommits();
      return explorer.validators().map(({ publicKey }) => {
        const count = missed.get(publicKey);
        const member = { pub_key: publicKey, address: explorer.addresses.of(publicKey) };
        return count === undefined ? member : { ...member, missed_commits: count };
      });
    },
    setAside: () =>
      explorer
        .setAside()
        .map(({ publicKey, height }) => ({ pub_key: publicKey, address: explorer.addresses.of(publicKey), since_block: height })),
    validatorProposals: (page): ListOf<schema.ValidatorProposal> => {
      const { items, next } = explorer.validatorProposals(page);
      return { items: items.map((proposal) => validatorProposal(explorer, proposal)), next };
    },
    parameters: (query) => networkParameters(explorer.parametersSource(), query),
  };
}

function netStats(explorer: Explorer): schema.NetworkStats {
  const stats = explorer.netStats();
  return {
    height: stats.height,
    ...fromHeight(stats.from),
    total_txs: stats.totalTxs,
    total_transfers: stats.totalTransfers,
    total_relay_proofs: stats.totalRelayProofs,
    avg_block_time_ms: stats.avgBlockTimeMs,
    tps: stats.tps,
    total_supply_ut: stats.totalSupplyUt,
    validator_count: stats.validatorCount,
  };
}

function fromHeight(from: Height | undefined): { readonly from_height?: Height } {
  return from === undefined ? {} : { from_height: from };
}

function chartBucket({ startMs, blocks, transactions, failed, feesUt, avgBlockTimeMs }: ChartBucket): schema.Chart["buckets"][number] {
  return {
    start: dateTime(startMs),
    blocks,
    transactions,
    failed,
    fees_ut: feesUt,
    ...(avgBlockTimeMs === undefined ? {} : { avg_block_time_ms: avgBlockTimeMs }),
  };
}

/** Line of a list of blocks. */
export function blockSummary(explorer: Explorer, block: BlockSummary): schema.BlockSummary {
  return {
    index: block.height,
    hash: block.hash,
    time: dateTime(block.timeMs),
    validator: explorer.addresses.of(block.proposer),
    tx_count: block.txCount,
    total_fees_ut: block.totalFeesUt,
  };
}

function blockDetail(explorer: Explorer, height: Height): schema.BlockDetail | undefined {
  const block = explorer.getBlock(height);
  if (block === undefined) return undefined;
  const refusals = block.transactions.some(isRefusedCall) ? explorer.refusalsOf(height) : undefined;
  return {
    ...blockSummary(explorer, block),
    prev_hash: block.parentHash,
    validator_addr: explorer.addresses.of(block.proposer),
    state_root: block.stateRoot,
    transactions: block.transactions.map((tx) => ({
      id: tx.id,
      type: tx.type,
      from: tx.from,
      to: tx.to,
      amount_ut: tx.amountUt,
      ...feesOf(tx),
      ...outcome(tx, refusals),
    })),
  };
}

/** Outcome of a transaction; what a contract said when it refused a call is among the refusals of the block. */
function outcome(
  tx: TransactionEntry,
  refusals: ReadonlyMap<string, string> | undefined,
): Pick<schema.TransactionDetail, "status" | "error"> {
  if (tx.isOk) return { status: "ok" };
  const words = isFailureCode(tx.code) ? FAILURE_CODES[tx.code] : tx.code;
  const refusal = refusals?.get(tx.id);
  return { status: "failed", error: refusal === undefined ? words : `${words} It said: ${refusal}` };
}

function isRefusedCall({ isOk, type }: TransactionEntry): boolean {
  return !isOk && type === "CALL_CONTRACT";
}

function validatorProposal(explorer: Explorer, { action, publicKey, approvals, required }: ValidatorProposal): schema.ValidatorProposal {
  return {
    action,
    pub_key: publicKey,
    address: explorer.addresses.of(publicKey),
    approvals: approvals.map(({ approver, isValidator, at, expiresAt }) => ({
      pub_key: approver,
      address: explorer.addresses.of(approver),
      is_validator: isValidator,
      approved_at: at,
      expires_at: expiresAt,
    })),
    approval_count: approvals.filter(({ isValidator }) => isValidator).length,
    approvals_required: required,
    has_consent: approvals.some(({ approver }) => approver === publicKey),
  };
}

/** Line of a list of transactions. */
export function transactionEntry(explorer: Addressed, tx: TransactionEntry): schema.TransactionEntry {
  return {
    id: tx.id,
    type: tx.type,
    from: tx.from,
    from_addr: maybeAddress(explorer, tx.from),
    to: tx.to,
    to_addr: maybeAddress(explorer, tx.to),
    amount_ut: tx.amountUt,
    amount: formatAmount(tx.amountUt),
    ...feesOf(tx),
    fee: formatAmount(tx.feeUt),
    time: tx.timestamp,
    block_index: tx.blockHeight,
    block_hash: tx.blockHash,
    status: tx.isOk ? "ok" : "failed",
  };
}

function transactionDetail(explorer: Explorer, tx: TransactionDetail): schema.TransactionDetail {
  return {
    ...transactionEntry(explorer, tx),
    block_time: dateTime(tx.blockTimeMs),
    ...rawFields(tx),
    gas_used: tx.gasUsed,
    ...outcome(tx, isRefusedCall(tx) ? explorer.refusalsOf(tx.blockHeight) : undefined),
  };
}

/** What a transaction paid, and the part of it that was for gas. */
function feesOf({ feeUt, gasUsed }: TransactionEntry): Pick<schema.TransactionEntry, "fee_ut" | "gas_fee_ut"> {
  return { fee_ut: feeUt, gas_fee_ut: gasPriceUt(gasUsed) };
}

/** Line of a feed. */
export function chainTransaction(explorer: Addressed, tx: TransactionEntry): ChainTransaction {
  return {
    id: tx.id,
    type: tx.type,
    memo: tx.memo,
    from: tx.from,
    from_addr: maybeAddress(explorer, tx.from),
    to: tx.to,
    to_addr: maybeAddress(explorer, tx.to),
    amount_ut: tx.amountUt,
    ...feesOf(tx),
    block_index: tx.blockHeight,
    block_hash: tx.blockHash,
    time: tx.timestamp,
    status: tx.isOk ? "ok" : "failed",
  };
}

function rawFields({ payload, signature }: TransactionDetail): Pick<schema.TransactionDetail, "payload" | "payload_hex" | "signature_hex"> {
  const decoded = decodePayload(payload);
  return {
    ...(decoded === undefined ? {} : { payload: decoded }),
    payload_hex: hexOfBase64(payload),
    signature_hex: hexOfBase64(signature),
  };
}

function accountHistory(
  explorer: Explorer,
  account: PublicKeyHex,
  page: { readonly limit: number; readonly offset: number },
): AccountHistory {
  const { total, entries, missingBelow } = explorer.accountHistory(account, page);
  const transactions = entries.map((tx) => transactionEntry(explorer, tx));
  return { balanceUt: explorer.balance(account), txCount: total, transactions, missingBelow };
}

function identityInfo(explorer: Explorer, masterPub: PublicKeyHex): schema.IdentityInfo {
  const { identity, deviceCount } = explorer.identity(masterPub);
  return {
    pub_key: masterPub,
    address: explorer.addresses.of(masterPub),
    x25519_pub: identity?.x25519Pub ?? "",
    nickname: identity?.nickname ?? "",
    registered: identity !== undefined,
    device_count: deviceCount,
  };
}

function contactInfo({ addresses }: Explorer, contact: Contact): ContactInfo {
  const { requesterPub } = contact;
  return { requester_pub: requesterPub, requester_addr: addresses.of(requesterPub), ...contactFields(contact) };
}

function sentContactInfo({ addresses }: Explorer, contact: Contact): SentContactInfo {
  const { recipientPub } = contact;
  return { recipient_pub: recipientPub, recipient_addr: addresses.of(recipientPub), ...contactFields(contact) };
}

function contactFields({ status, intro, feeUt, txId, createdAt }: Contact): Omit<ContactInfo, "requester_pub" | "requester_addr"> {
  return { status, ...(intro === "" ? {} : { intro }), fee_ut: feeUt, tx_id: txId, created_at: createdAt };
}

function maybeAddress(explorer: Addressed, publicKey: string): string {
  return publicKey === "" ? "" : explorer.addresses.of(publicKey);
}

function hexOfBase64(text: string): string {
  return Buffer.from(text, "base64").toString("hex");
}

function dateTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
