// Search: what a text may name, looked up by keys and by ranges of ids. Nothing is scanned, so a request costs little whatever it is.
import { readExistingAccount, readIdentity, readValidators } from "#node/ledger/records/records.ts";
import type { SearchQueries } from "#node/queries/read-queries.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex, parseAddress } from "#shared/protocol/primitives/address.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8, isHex } from "#shared/util/bytes.ts";
import type { ChainReads } from "../chain-reads.ts";
import type { ContractExplorer } from "../contract-explorer.ts";
import type { Explorer } from "../explorer.ts";
import type { NodeExplorer } from "../node-explorer.ts";
import { blockSummary, transactionEntry } from "./explorer-queries.ts";
import { registeredRelay } from "./node-queries.ts";

/** What a search reads. */
export interface SearchSources {
  readonly database: ChainReads;
  readonly explorer: Explorer;
  readonly contracts: ContractExplorer;
  readonly nodes: NodeExplorer;
}

type Groups = Omit<SearchResult, "query" | "count">;

const HEIGHT = /^#?(\d{1,15})$/;
const USERNAME_REGISTRY = "username_registry";

/** Search in the words of the public interface. */
export function createSearchQueries(sources: SearchSources): SearchQueries {
  return {
    search: (query, limit): SearchResult => {
      const groups: Groups = {
        blocks: findBlocks(sources, query),
        transactions: findTransactions(sources, query),
        ...findKey(sources, query),
        usernames: findUsernames(sources, query, limit),
        contracts: findContracts(sources, query, limit),
        tokens: sources.contracts.tokensNamed(query, limit).map(({ id, name, symbol }) => ({ token_id: id, name, symbol })),
        nfts: sources.contracts
          .nftsNamed(query, limit)
          .map(({ id, name, owner }) => ({ nft_id: id, name, owner_pub: owner, owner_addr: formatAddress(owner) })),
      };
      return { query, count: Object.values(groups).reduce((sum, hits) => sum + hits.length, 0), ...groups };
    },
  };
}

function findBlocks({ explorer }: SearchSources, query: string): SearchResult["blocks"] {
  const [, digits] = HEIGHT.exec(query) ?? [];
  const byHash = isHex(query, 32) ? explorer.heightOfHash(query.toLowerCase()) : undefined;
  const height = digits === undefined ? byHash : Number(digits);
  const block = height === undefined ? undefined : explorer.blockSummary(height);
  return block === undefined ? [] : [blockSummary(explorer, block)];
}

function findTransactions({ explorer }: SearchSources, query: string): SearchResult["transactions"] {
  try {
    const tx = explorer.getTransaction(query);
    return tx === undefined ? [] : [transactionEntry(explorer, tx)];
  } catch (error) {
    if (isCodedError(error, "HISTORY_PRUNED")) return [];
    throw error;
  }
}

/** What a key is: an account, a relay, a validator. */
function findKey(sources: SearchSources, query: string): Pick<Groups, "accounts" | "relays" | "validators"> {
  const named = parseAddress(query);
  const publicKey = named ?? (isHex(query, 32) ? query.toLowerCase() : undefined);
  if (publicKey === undefined) return { accounts: [], relays: [], validators: [] };
  const relay = sources.nodes.relay(publicKey);
  const isValidator = readValidators(sources.database.state).some((validator) => validator.publicKey === publicKey);
  return {
    accounts: findAccount(sources, publicKey, named !== undefined),
    relays: relay === undefined ? [] : [registeredRelay(relay)],
    validators: isValidator ? [{ pub_key: publicKey, address: formatAddress(publicKey) }] : [],
  };
}

function findAccount(sources: SearchSources, publicKey: PublicKeyHex, isCertain: boolean): SearchResult["accounts"] {
  const { state } = sources.database;
  const account = readExistingAccount(state, publicKey);
  const identity = readIdentity(state, publicKey);
  if (!isCertain && account === undefined && identity === undefined) return [];
  return [
    {
      pub_key: publicKey,
      address: formatAddress(publicKey),
      nickname: identity?.nickname ?? "",
      username: usernameOf(sources, publicKey),
      balance_ut: account?.balanceUt ?? 0,
      tx_count: account?.historyCount ?? 0,
    },
  ];
}

function usernameOf({ contracts }: SearchSources, publicKey: PublicKeyHex): string {
  const registry = contracts.earliestNamed(USERNAME_REGISTRY);
  const username = registry === undefined ? undefined : contracts.value(registry.id, `addr:${publicKey}`);
  return username === undefined ? "" : fromUtf8(username);
}

function findUsernames({ contracts }: SearchSources, query: string, limit: number): SearchResult["usernames"] {
  const registry = contracts.earliestNamed(USERNAME_REGISTRY);
  if (registry === undefined) return [];
  const beginning = query.replace(/^@/, "").toLowerCase();
  return contracts.valuesFrom(registry.id, { prefix: "name:", beginning, limit }).flatMap(({ rest: username, value }) => {
    const owner = fromUtf8(value);
    return isHex(owner, 32) ? [{ username, pub_key: owner, address: formatAddress(owner) }] : [];
  });
}

function findContracts({ contracts }: SearchSources, query: string, limit: number): SearchResult["contracts"] {
  const byId = isContractId(query) ? contracts.summary(query.toLowerCase()) : undefined;
  const found = byId === undefined ? contracts.named(query.toLowerCase(), limit) : [byId];
  return found.map(({ id, name, version, deployedAt }) => ({ contract_id: id, name, version, deployed_at: deployedAt }));
}
