// What can be asked of the node, as query options: `useQuery(useNodeQueries().balance(key))`. Live updates keep the responses fresh,
// so nothing polls.
import { useMemo } from "react";
import type { Output } from "#shared/api/api.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { readLeastFee } from "#shared/api/reads/least-fee.ts";
import type { DeviceRecord, IdentityInfo, TransactionDetail } from "#shared/api/schemas/chain.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { readAllContacts } from "#shared/messenger/node/all-contacts.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { IdentityLoader } from "./access/identity-loader.ts";
import { writeNames } from "./access/names-text.ts";
import { useNode } from "./access/node-context.tsx";
import { EMPTY_PAGE, type HistoryPage } from "./account-pages.ts";
import { queryKeys } from "./query-keys.ts";

/** Entries of the lists of newest blocks and transactions. */
export const RECENT_LIMIT = 20;
/** Entries of one page of an account's history. */
const HISTORY_PAGE = 50;

/** Options for `useQuery`. */
export interface NodeQuery<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
}

/** Balance of an account; one that the chain has never seen has nothing. */
export interface Balance {
  readonly balanceUt: AmountUt;
  readonly transactionCount: number;
}

/** The queries. Accounts are given by hex key. */
export interface NodeQueries {
  status(): NodeQuery<Output<"getStatus">>;
  networkInfo(): NodeQuery<Output<"getNetworkInfo">>;
  /** Smallest fee of the network, µT; null of a node that does not say. */
  leastFee(): NodeQuery<AmountUt | null>;
  version(): NodeQuery<Output<"getVersion">>;
  netstats(): NodeQuery<Output<"getNetstats">>;
  validators(): NodeQuery<Output<"listValidators">>;
  /** Newest blocks first. */
  blocks(): NodeQuery<Output<"listBlocks">>;
  block(index: number): NodeQuery<Output<"getBlock">>;
  recentTransactions(): NodeQuery<Output<"listRecentTransactions">>;
  /** A transaction in a block. One that is still pending is an error with the code NOT_FOUND, see {@link isWaitingForBlock}. */
  transaction(id: string): NodeQuery<TransactionDetail>;
  /** The newest page of an account's transactions: where one that is pending appears, without an error while it does not. */
  newestTransactions(publicKey: PublicKeyHex): NodeQuery<HistoryPage>;
  balance(publicKey: PublicKeyHex): NodeQuery<Balance>;
  identity(publicKey: PublicKeyHex): NodeQuery<IdentityInfo>;
  /** Published names of many, as names-text.ts reads them. */
  names(publicKeys: readonly PublicKeyHex[]): NodeQuery<string>;
  devices(publicKey: PublicKeyHex): NodeQuery<readonly DeviceRecord[]>;
  /** Contact requests that the key received, all statuses, and keys that it blocked. */
  contacts(publicKey: PublicKeyHex): NodeQuery<readonly ContactInfo[]>;
  /** Contact requests that the key sent, all statuses. */
  sentContacts(publicKey: PublicKeyHex): NodeQuery<readonly SentContactInfo[]>;
}

/** The queries of the node that the app is connected to. */
export function useNodeQueries(): NodeQueries {
  const { client, identities } = useNode();
  return useMemo(() => createNodeQueries(client, identities), [client, identities]);
}

/** Query options over a client. */
export function createNodeQueries(client: NodeClient, identities: IdentityLoader): NodeQueries {
  return {
    status: () => query(queryKeys.status, (call) => client.getStatus({}, call)),
    networkInfo: () => query(queryKeys.networkInfo, (call) => client.getNetworkInfo({}, call)),
    leastFee: () => query(queryKeys.leastFee, async (call) => (await readLeastFee(client, call)) ?? null),
    version: () => query(queryKeys.version, (call) => client.getVersion({}, call)),
    netstats: () => query(queryKeys.netstats, (call) => client.getNetstats({}, call)),
    validators: () => query(queryKeys.validators, (call) => client.listValidators({}, call)),
    blocks: () => query(queryKeys.blockList, (call) => client.listBlocks({ limit: RECENT_LIMIT }, call)),
    block: (index) => query(queryKeys.block(index), (call) => client.getBlock({ index }, call)),
    recentTransactions: () => query(queryKeys.recentTransactions, (call) => client.listRecentTransactions({ limit: RECENT_LIMIT }, call)),
    transaction: (id) => query(queryKeys.transaction(id), (call) => readFinal(client, id, call)),
    newestTransactions: (key) => query(queryKeys.accountHistory(key), (call) => readHistoryPage(client, { addr: key, offset: 0 }, call)),
    balance: (key) => query(queryKeys.accountBalance(key), (call) => readBalance(client, key, call)),
    identity: (key) => ({ queryKey: queryKeys.identity(key), queryFn: ({ signal }) => identities.load(key, signal) }),
    names: (keys) => ({
      queryKey: queryKeys.names(keys),
      queryFn: async ({ signal }) => writeNames(await identities.loadAll(keys, signal)),
    }),
    devices: (key) => query(queryKeys.devices(key), (call) => readDevices(client, key, call)),
    contacts: (key) =>
      query(queryKeys.contacts(key), (call) =>
        readAllContacts((page) => client.listContacts({ pub: key, include: "blocks", ...page }, call)),
      ),
    sentContacts: (key) =>
      query(queryKeys.sentContacts(key), (call) => readAllContacts((page) => client.listSentContacts({ pub: key, ...page }, call))),
  };
}

/** The response, or undefined when the chain has never seen the account. */
export async function unlessUnknown<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

/** A transaction of a block. @throws CodedError NOT_FOUND, with the detail `isPending` when the node has it and no block does */
async function readFinal(client: NodeClient, id: string, call: CallOptions): Promise<TransactionDetail> {
  const tx = await readCommitted(client, id, call);
  if (tx !== undefined) return tx;
  throw new CodedError("NOT_FOUND", "The transaction waits for a block", { details: { isPending: true } });
}

/** True for the failure of a query about a transaction that waits for a block. */
export function isWaitingForBlock(error: unknown): boolean {
  return isCodedError(error, "NOT_FOUND") && error.details.isPending === true;
}

/** Options that ask under a key. */
export function query<T>(queryKey: readonly unknown[], ask: (call: CallOptions) => Promise<T>): NodeQuery<T> {
  return { queryKey, queryFn: ({ signal }) => ask({ signal }) };
}

/** A page of an account's transactions, newest first; empty for an account that the chain has never seen. */
export async function readHistoryPage(
  client: NodeClient,
  { addr, offset }: { readonly addr: PublicKeyHex; readonly offset: number },
  call: CallOptions,
): Promise<HistoryPage> {
  return (await unlessUnknown(client.getAddress({ addr, limit: HISTORY_PAGE, offset }, call))) ?? EMPTY_PAGE;
}

async function readBalance(client: NodeClient, addr: PublicKeyHex, call: CallOptions): Promise<Balance> {
  const page = await unlessUnknown(client.getAddress({ addr, limit: 1 }, call));
  return { balanceUt: page?.balance_ut ?? 0, transactionCount: page?.tx_count ?? 0 };
}

async function readDevices(client: NodeClient, master: PublicKeyHex, call: CallOptions): Promise<readonly DeviceRecord[]> {
  return (await unlessUnknown(client.listDevices({ master_pub: master }, call)))?.devices ?? [];
}
