// Contracts, tokens, NFTs, channels, nodes and search for a light node: what a list holds a peer says, what each item is is proven.
import { NFTS_ID, TOKENS_ID } from "#node/explorer/contract-explorer.ts";
import { contractStateKey } from "#node/ledger/records/contract-records.ts";
import { compareLogPositions, formatLogPosition, type LogQuery, parseLogPosition } from "#node/queries/contract-logs.ts";
import type { ChannelQueries, ContractQueries, ListPage, NodeQueries, SearchQueries } from "#node/queries/read-queries.ts";
import type { Input } from "#shared/api/api.ts";
import type { PaymentChannel } from "#shared/api/schemas/channels.ts";
import type { ContractLog } from "#shared/api/schemas/contracts.ts";
import type { NodeStats, RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type ContractId, isContractId, NATIVE_CONTRACTS, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, isHex, utf8 } from "#shared/util/bytes.ts";
import type { StateKey } from "../light-source.ts";
import type { Hints } from "../reads/hints.ts";
import { readUnverified, requireUnverified } from "../reads/unverified-reads.ts";
import type { LightReader } from "./light-reader.ts";

/** Items of a page, at most: each is proven by itself. */
const MAX_ITEMS = 100;
const USERNAMES_ID = nativeContractId("username_registry");

type QueryResult<Q, K extends keyof Q> = Q[K] extends (...parameters: never[]) => infer R ? Promise<Awaited<R>> : never;

export function createLightContracts({ genesis, reads: { source }, ask }: LightReader): ContractQueries {
  return {
    mostItems: MAX_ITEMS,
    wellKnown: async (): QueryResult<ContractQueries, "wellKnown"> => {
      const { contracts } = await requireUnverified(source, "listWellKnownContracts", {});
      const native = NATIVE_CONTRACTS.filter((name) => genesis.contracts.includes(name)).map(nativeContractId);
      const ids = new Set([...native, ...Object.values(contracts).map(({ contract_id: id }) => id)]);
      return ask((queries) => queries.contracts.wellKnown(), { contracts: [...ids].filter(isContractId).slice(0, MAX_ITEMS) });
    },
    list: async (page): QueryResult<ContractQueries, "list"> => {
      const { order } = page;
      const unverified = await requireUnverified(source, "listContracts", {
        ...shortPage(page),
        ...(order === undefined ? {} : { order }),
      });
      const contracts = unverified.contracts.map(({ contract_id: id }) => id).filter(isContractId);
      const { items } = await ask((queries) => queries.contracts.list(shortPage(page)), { contracts });
      return { items, ...endOf(unverified) };
    },
    contract: (id) => ask(({ contracts }) => contracts.contract(id)),
    value: (id, key) => ask(({ contracts }) => contracts.value(id, key)),
    logs: async (id, query): QueryResult<ContractQueries, "logs"> => {
      const unverified = await readUnverified(source, "listContractLogs", logsInput(id, query));
      const logTransactions = [...new Set(unverified?.logs.map(({ tx_id }) => tx_id))];
      const { items } = await ask(({ contracts }) => contracts.logs(id, query), { logTransactions });
      const next = unverified?.next_after;
      const lines = next === undefined ? items : linesUpTo(items, next, query);
      return { items: lines, next, ...missingBelow(unverified?.missing_below) };
    },
    tokens: async (page): QueryResult<ContractQueries, "tokens"> => {
      const unverified = await requireUnverified(source, "listTokens", shortPage(page));
      const records = unverified.tokens.map(({ token_id: id }) => tokenKey(id));
      const { items } = await ask(({ contracts }) => contracts.tokens(shortPage(page)), { records });
      return { items, ...endOf(unverified) };
    },
    token: (id) => ask(({ contracts }) => contracts.token(id)),
    tokenBalance: (id, publicKey) => ask(({ contracts }) => contracts.tokenBalance(id, publicKey)),
    tokensOf: async (owner, page): QueryResult<ContractQueries, "tokensOf"> => {
      const unverified = await requireUnverified(source, "listTokensOfOwner", { pubkey: owner, ...shortPage(page) });
      const records = unverified.tokens.map(({ token_id: id }) => tokenKey(id));
      const { items } = await ask(({ contracts }) => contracts.tokensOf(owner, shortPage(page)), { records });
      return { items, ...endOf(unverified) };
    },
    nfts: async (page): QueryResult<ContractQueries, "nfts"> => {
      const unverified = await requireUnverified(source, "listNfts", shortPage(page));
      const records = unverified.nfts.map(({ nft_id: id }) => nftKey(id));
      const { items } = await ask(({ contracts }) => contracts.nfts(shortPage(page)), { records });
      return { items, ...endOf(unverified) };
    },
    nft: (id) => ask(({ contracts }) => contracts.nft(id)),
    nftsOf: async (owner, page): QueryResult<ContractQueries, "nftsOf"> => {
      const unverified = await requireUnverified(source, "listNftsOfOwner", { pubkey: owner, ...shortPage(page) });
      const records = unverified.nfts.map(({ nft_id: id }) => contractKey(NFTS_ID, `o:${owner}:${id}`));
      const { items } = await ask(({ contracts }) => contracts.nftsOf(owner, shortPage(page)), { records });
      return { items, ...endOf(unverified) };
    },
  };
}

/** Length and continuation as a peer says them. */
function endOf({ next_after: next, total }: { readonly next_after?: string; readonly total?: number }): {
  readonly next: string | undefined;
  readonly total: number | undefined;
} {
  return { next, total };
}

/** Queries of payment channels. */
export function createLightChannels({ reads: { source }, ask }: LightReader): ChannelQueries {
  return {
    channels: async (account, page): QueryResult<ChannelQueries, "channels"> => {
      const unverified = await requireUnverified(source, "listChannels", { account, ...shortPage(page) });
      const { items } = await ask(({ channels }) => channels.channels(account, shortPage(page)), {
        channels: unverified.channels.map(channelHint),
      });
      // Whose a channel is says its record.
      return {
        items: items.filter(({ payer_pub, payee_pub }) => payer_pub === account || payee_pub === account),
        next: unverified.next_after,
        ...missingBelow(unverified.missing_below),
      };
    },
    channel: async (id): QueryResult<ChannelQueries, "channel"> => {
      const unverified = await readUnverified(source, "getChannel", { channel_id: id });
      return unverified === undefined ? undefined : ask(({ channels }) => channels.channel(id), { channels: [channelHint(unverified)] });
    },
  };
}

/** What a peer says that it lacks. */
function missingBelow(height: number | undefined): { readonly missingBelow?: number } {
  return height === undefined ? {} : { missingBelow: height };
}

/** Queries of nodes and relays. */
export function createLightNodes({ reads: { source }, ask }: LightReader): NodeQueries {
  return {
    nodeStats: async (publicKey, windowBlocks): Promise<NodeStats> => {
      const unverified = await requireUnverified(source, "getNodeStats", { pubkey: publicKey, window: windowBlocks });
      const { blocks_produced: blocksProduced, from_height: countedFrom } = unverified;
      const hints = { blocksProduced, ...(countedFrom === undefined ? {} : { countedFrom }) };
      const proven = await ask(({ nodes }) => nodes.nodeStats(publicKey, 0), hints);
      const { commits_expected = 0, commits_signed = 0, recent_commits } = unverified.validator ?? {};
      return {
        ...proven,
        recent_window_blocks: windowBlocks,
        recent_blocks_produced: unverified.recent_blocks_produced,
        recent_rewards_ut: unverified.recent_rewards_ut,
        recent_rewards: formatAmount(unverified.recent_rewards_ut),
        ...(proven.validator === undefined
          ? {}
          : { validator: { ...proven.validator, commits_expected, commits_signed, ...(recent_commits && { recent_commits }) } }),
      };
    },
    relays: async ({ limit, after }): QueryResult<NodeQueries, "relays"> => {
      const relays: RegisteredRelay[] = [];
      // A plain array cannot say that it continues, so that it is read to its end or the limit; a peer that lists what does not exist, for
      // no longer than an honest one.
      let last = after;
      for (let rounds = Math.ceil(limit / MAX_ITEMS); rounds > 0 && relays.length < limit; rounds -= 1) {
        const page = shortPage({ limit: limit - relays.length, ...(last === undefined ? {} : { after: last }) });
        const unverified = await requireUnverified(source, "listRelays", page);
        const keys = unverified.map(({ pub_key }) => pub_key).filter((key) => isKey(key) && (last === undefined || key > last));
        const records = keys.map((key): StateKey => ({ namespace: "relay", key: fromHex(key) }));
        relays.push(...(await ask(({ nodes }) => nodes.relays(page), { records })));
        last = keys.toSorted().at(-1);
        if (last === undefined || unverified.length < page.limit) break;
      }
      return relays;
    },
  };
}

/** Search: a peer says what may fit, and what is found is proven. */
export function createLightSearch({ reads: { source }, ask }: LightReader): SearchQueries {
  return {
    search: async (query, limit): QueryResult<SearchQueries, "search"> => {
      const unverified = await requireUnverified(source, "search", { q: query, limit });
      return ask(({ search }) => search.search(query, limit), searchHints(unverified));
    },
  };
}

function searchHints({ contracts, tokens, nfts, usernames }: SearchResult): Hints {
  return {
    contracts: contracts.map(({ contract_id: id }) => id).filter(isContractId),
    records: [
      ...tokens.map(({ token_id: id }) => tokenKey(id)),
      ...nfts.map(({ nft_id: id }) => nftKey(id)),
      ...usernames.map(({ username }) => contractKey(USERNAMES_ID, `name:${username}`)),
    ],
  };
}

/** The query as the public interface takes it. */
function logsInput(contractID: ContractId, { limit, order, since, after, filter }: LogQuery): Input<"listContractLogs"> {
  const where = filter === undefined || filter.where.length === 0 ? undefined : filter.where.map(({ field, value }) => [field, value]);
  return {
    contractID,
    limit,
    order,
    ...(since === undefined ? {} : { since }),
    ...(after === undefined ? {} : { after: formatLogPosition(after) }),
    ...(filter === undefined ? {} : { event: filter.event }),
    ...(where === undefined ? {} : { where: JSON.stringify(Object.fromEntries(where)) }),
  };
}

/** Lines up to where the next page begins: a page may end inside a transaction. @throws CodedError UPSTREAM_FAILED for an end that is none. */
function linesUpTo(items: readonly ContractLog[], next: string, { order, since = 0, after }: LogQuery): readonly ContractLog[] {
  const end = parseLogPosition(next);
  const direction = order === "asc" ? 1 : -1;
  // Otherwise a peer could have a client ask for the same page for ever.
  if (end === undefined || end.height < since || (after !== undefined && direction * compareLogPositions(end, after) <= 0))
    throw new CodedError("UPSTREAM_FAILED", "Another node says that a list continues where it does not");
  return items.filter(({ position }) => {
    const at = parseLogPosition(position);
    return at !== undefined && direction * compareLogPositions(at, end) <= 0;
  });
}

function shortPage({ limit, after }: ListPage): ListPage {
  return { limit: Math.min(limit, MAX_ITEMS), ...(after === undefined ? {} : { after }) };
}

/** A record that every token has. */
function tokenKey(id: string): StateKey {
  return contractKey(TOKENS_ID, `t:${id}:issuer`);
}

/** A record that every NFT has. */
function nftKey(id: string): StateKey {
  return contractKey(NFTS_ID, `n:${id}:owner`);
}

function contractKey(id: ContractId, key: string): StateKey {
  return { namespace: "contract_state", key: contractStateKey(id, utf8(key)) };
}

function isKey(text: PublicKeyHex): boolean {
  return isHex(text, 32);
}

function channelHint({ channel_id, open_tx, close_tx }: PaymentChannel): NonNullable<Hints["channels"]>[number] {
  return { channelId: channel_id, openTx: open_tx, closeTx: close_tx };
}
