// What the gateway reads of the chain for the keyring and for programs.
import type { Output } from "#shared/api/api.ts";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { ChainObservation, OwnTransaction } from "#shared/apps/messages/apps-api.ts";
import type { ResolvedName } from "#shared/apps/scopes/narrow-scopes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { fromBase64, fromUtf8, isHex } from "#shared/util/bytes.ts";

/** A transaction of an account, as the node lists it. */
export type FeedEntry = Output<"getAccountFeed">["transactions"][number];

/** How much of a history is read at most. */
export interface FeedLimits {
  readonly feedPage: number;
  readonly feedPages: number;
}

/** The newest block. @throws CodedError UNAVAILABLE before there is one */
export async function observeChain(client: NodeClient): Promise<ChainObservation> {
  const [{ chain_id: chainId }, [block]] = await Promise.all([client.getNetworkInfo({}), client.listBlocks({ limit: 1 })]);
  if (block === undefined) throw new CodedError("UNAVAILABLE", "The chain has no block yet");
  return { chainId, height: block.index, blockTimeMs: Date.parse(block.time) };
}

/** Key of an address, a hex key or `@name`. @throws CodedError NOT_FOUND for an unknown name, BAD_REQUEST for any other text */
export async function resolveRecipient(client: NodeClient, text: string): Promise<PublicKeyHex> {
  if (!text.startsWith("@")) return parseAccount(text);
  const key = await ownerOf(client, text.slice(1).toLowerCase());
  if (key === undefined) throw new CodedError("NOT_FOUND", `No account has the name ${text}`);
  return key;
}

/** Whose the names are now; unknown ones are left out. */
export async function resolveNames(client: NodeClient, names: readonly string[]): Promise<readonly ResolvedName[]> {
  const resolved: ResolvedName[] = [];
  for (const name of new Set(names.map((text) => text.toLowerCase()))) {
    const key = await ownerOf(client, name.slice(1));
    if (key !== undefined) resolved.push({ name, key });
  }
  return resolved;
}

/** What an account has. */
export async function balanceOf(client: NodeClient, account: PublicKeyHex): Promise<AmountUt> {
  const { balance_ut: balance } = await client.getAddress({ addr: account, limit: 1 });
  return balance;
}

/** Transactions of an account from a time on, newest first. @throws CodedError UPSTREAM_FAILED when there are more than are read */
export async function feedSince(
  client: NodeClient,
  account: PublicKeyHex,
  fromMs: number,
  limits: FeedLimits,
): Promise<readonly FeedEntry[]> {
  const found = new Map<string, FeedEntry>();
  let before: number | undefined;
  for (let page = 0; page < limits.feedPages; page += 1) {
    const { transactions } = await client.getAccountFeed({
      account_id: account,
      limit: limits.feedPage,
      order: "desc",
      ...(before === undefined ? {} : { before_block: before }),
    });
    const recent = transactions.filter(({ time }) => Date.parse(time) >= fromMs);
    for (const entry of recent) found.set(entry.id, entry);
    const last = transactions.at(-1);
    if (last === undefined || recent.length < transactions.length || transactions.length < limits.feedPage) return [...found.values()];
    // A page may end inside of a block, which is then read again.
    const next = last.block_index + 1;
    if (next === before) break;
    before = next;
  }
  throw new CodedError("UPSTREAM_FAILED", "The history of this account is too long to be read");
}

/** Transactions of an account in one block, as the feed would list them. */
export async function entriesOfBlock(client: NodeClient, account: PublicKeyHex, index: number): Promise<readonly FeedEntry[]> {
  const block = await client.getBlock({ index });
  const own = block.transactions.filter(({ from, to }) => from === account || to === account);
  const entries: FeedEntry[] = [];
  for (const { id } of own) {
    const { tx } = await client.getChainTransaction({ tx_id: id });
    if ("block_index" in tx) entries.push(tx);
  }
  return entries;
}

/** What an own transaction cost. */
export function ownTransactionOf({
  id,
  type,
  amount_ut: amount,
  fee_ut: fee,
  gas_fee_ut: gas,
  block_index: height,
  status,
}: FeedEntry): OwnTransaction {
  return { id, type: type as OwnTransaction["type"], totalUt: amount + fee + gas, height, hasFailed: status === "failed" };
}

/** Where a transaction is; undefined when it is in no block. */
export async function findCommitted(
  client: NodeClient,
  id: string,
): Promise<{ readonly state: "committed" | "failed"; readonly height: number } | undefined> {
  try {
    const found = await client.getTransaction({ txid: id });
    if (!("block_index" in found)) return undefined;
    return { state: found.status === "failed" ? "failed" : "committed", height: found.block_index };
  } catch (error) {
    if (error instanceof HttpError && error.httpStatus === 404) return undefined;
    throw error;
  }
}

async function ownerOf(client: NodeClient, username: string): Promise<PublicKeyHex | undefined> {
  const { contracts } = await client.listWellKnownContracts({});
  const contractID = contracts.username_registry?.contract_id;
  if (contractID === undefined) return undefined;
  const { value_b64: value } = await client.getContractState({ contractID, key: `name:${username}` });
  const owner = value === null ? "" : fromUtf8(fromBase64(value));
  return isHex(owner, 32) ? owner : undefined;
}
