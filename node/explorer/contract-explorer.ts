// Queries of contracts: the derived index for lists and logs, the committed state for records, values, tokens and NFTs.
// Read-only and synchronous.
import { type ContractRecord, contractStateKey, readContract, readContractBalance } from "#node/ledger/records/contract-records.ts";
import type { LogPage, LogQuery } from "#node/queries/contract-logs.ts";
import type { ContractsPage, CountedList, ListOf, ListPage } from "#node/queries/read-queries.ts";
import type { ContractSummary } from "#node/storage/explorer/contract-index-repository.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type ContractId, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { concatBytes, fromUtf8, utf8 } from "#shared/util/bytes.ts";
import type { ChainReads } from "./chain-reads.ts";

/** A contract with its balance. */
export interface ContractDetail extends ContractRecord {
  readonly balanceUt: AmountUt;
}

/** A kind of fungible token. */
export interface Token {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: bigint;
  readonly supply: bigint;
  readonly issuer: PublicKeyHex;
}

/** A single thing. */
export interface Nft {
  readonly id: string;
  readonly name: string;
  readonly metadata: string;
  readonly owner: PublicKeyHex;
  readonly minter: PublicKeyHex;
}

/** A token with what a key holds of it. */
export interface TokenHolding {
  readonly token: Token;
  readonly balance: bigint;
}

/** Keys of a contract's state that begin with a prefix and then with a text. */
interface KeyRange {
  readonly prefix: string;
  readonly beginning: string;
  readonly limit: number;
}

export const TOKENS_ID: ContractId = nativeContractId("tokens");
export const NFTS_ID: ContractId = nativeContractId("nfts");

/** Ids that one request looks at, at most: burnt NFTs keep theirs and would make a long way. */
const MAX_SCANNED = 2_000;
/** Ids that a search looks at, at most. */
const MAX_SEARCHED = 200;
/** Items that are counted for the length of a list: a longer one has none. */
const MAX_COUNTED = 10_000;
/** Lengths of lists that are remembered until the next block. */
const MAX_TOTALS = 256;
/** A byte above all of a text. */
const LAST = "\u{10ffff}";

/** The contracts of a chain database. */
export class ContractExplorer {
  readonly #database: ChainReads;
  #totals: { readonly height: number; readonly byList: Map<string, number> } = { height: -1, byList: new Map() };

  constructor(database: ChainReads) {
    this.#database = database;
  }

  /** In order of deployment, or the newest first. */
  list({ limit, after, order }: ContractsPage): CountedList<ContractRecord> {
    const { contracts } = this.#database.explorer;
    const ids = contracts.list(limit + 1, after?.toLowerCase(), order).map(({ id }) => id);
    return { ...this.#listOf(ids, limit, (id) => readContract(this.#database.state, id)), total: contracts.count() };
  }

  /** The first contract of every name, at most so many. */
  wellKnown(limit: number): readonly ContractSummary[] {
    return this.#database.explorer.contracts.earliestOfNames(limit);
  }

  summary(id: ContractId): ContractSummary | undefined {
    return this.#database.explorer.contracts.get(id);
  }

  /** Contracts whose name begins with a text. */
  named(beginning: string, limit: number): readonly ContractSummary[] {
    return this.#database.explorer.contracts.named(beginning, limit);
  }

  earliestNamed(name: string): ContractSummary | undefined {
    return this.#database.explorer.contracts.earliestNamed(name);
  }

  contract(id: ContractId): ContractDetail | undefined {
    const record = readContract(this.#database.state, id);
    return record === undefined ? undefined : { ...record, balanceUt: readContractBalance(this.#database.state, id) };
  }

  /** Value under a key of a contract's state. */
  value(id: ContractId, key: string): Uint8Array | undefined {
    return this.#database.state.get("contract_state", contractStateKey(id, utf8(key)));
  }

  /** Values under keys of text that begin with `prefix` and a further text, in order; `rest` is the key without the prefix. */
  valuesFrom(id: ContractId, { prefix, beginning, limit }: KeyRange): readonly { readonly rest: string; readonly value: Uint8Array }[] {
    const prefixLength = contractStateKey(id, utf8(prefix)).length;
    const start = contractStateKey(id, utf8(prefix + beginning));
    const values: { readonly rest: string; readonly value: Uint8Array }[] = [];
    let last: Uint8Array | undefined;
    while (values.length < limit) {
      const entry = this.#database.state.next("contract_state", start, last);
      if (entry === undefined) break;
      values.push({ rest: fromUtf8(entry.key.subarray(prefixLength)), value: entry.value });
      last = entry.key;
    }
    return values;
  }

  /** Lines of successful calls. */
  logs(id: ContractId, query: LogQuery): LogPage {
    return this.#database.explorer.contractLogs.page(id, query);
  }

  /** The first block of this node, where logs of a contract before it are not here; undefined where there can be none. */
  logsBegin(id: ContractId): Height | undefined {
    const first = this.#database.blocks.firstHeight();
    const contract = readContract(this.#database.state, id);
    return first > 1 && contract !== undefined && contract.deployedAt < first ? first : undefined;
  }

  /** In the order of their ids. */
  tokens(page: ListPage): CountedList<Token> {
    const ids = this.#ids(TOKENS_ID, "t:", { ...page, limit: page.limit + 1 });
    const total = this.#total("tokens", () => this.#ids(TOKENS_ID, "t:", { limit: MAX_COUNTED + 1 }).length);
    return { ...this.#listOf(ids, page.limit, (id) => this.token(id)), total };
  }

  token(id: string): Token | undefined {
    const issuer = this.#text(TOKENS_ID, `t:${id}:issuer`);
    if (issuer === undefined) return undefined;
    return {
      id,
      name: this.#text(TOKENS_ID, `t:${id}:name`) ?? "",
      symbol: this.#text(TOKENS_ID, `t:${id}:symbol`) ?? "",
      decimals: this.#integer(TOKENS_ID, `t:${id}:decimals`),
      supply: this.#integer(TOKENS_ID, `t:${id}:supply`),
      issuer,
    };
  }

  tokenBalance(id: string, publicKey: PublicKeyHex): bigint {
    return this.#integer(TOKENS_ID, `b:${id}:${publicKey}`);
  }

  /** What a key holds, in the order of the ids: all tokens are looked at, so that a page may be short and still have a next one. */
  tokensOf(owner: PublicKeyHex, { limit, after }: ListPage): CountedList<TokenHolding> {
    const ids = this.#ids(TOKENS_ID, "t:", { limit: MAX_SCANNED, ...(after === undefined ? {} : { after }) });
    const holdings = ids.map((id) => ({ id, balance: this.tokenBalance(id, owner) })).filter(({ balance }) => balance > 0n);
    const page = holdings.slice(0, limit);
    // All are read before any is missed: a light node fetches together what a read misses.
    const items = page.flatMap(({ id, balance }) => {
      const token = this.token(id);
      return token === undefined ? [] : [{ token, balance }];
    });
    const scanned = ids.length === MAX_SCANNED ? ids.at(-1) : undefined;
    return { items, next: holdings.length > limit ? page.at(-1)?.id : scanned, total: undefined };
  }

  /** In the order of their ids; burnt ones are left out, so that a page may be short and still have a next one. */
  nfts({ limit, after }: ListPage): CountedList<Nft> {
    const total = this.#total("nfts", () => this.#livingNfts());
    const ids = this.#ids(NFTS_ID, "n:", { limit: MAX_SCANNED, ...(after === undefined ? {} : { after }) });
    const items: Nft[] = [];
    for (const id of ids) {
      const nft = this.nft(id);
      if (nft === undefined) continue;
      if (items.length === limit) return { items, next: items.at(-1)?.id, total };
      items.push(nft);
    }
    return { items, next: ids.length === MAX_SCANNED ? ids.at(-1) : undefined, total };
  }

  /** Undefined for one that never was or was burnt. */
  nft(id: string): Nft | undefined {
    const owner = this.#text(NFTS_ID, `n:${id}:owner`);
    if (owner === undefined) return undefined;
    return {
      id,
      name: this.#text(NFTS_ID, `n:${id}:name`) ?? "",
      metadata: this.#text(NFTS_ID, `n:${id}:metadata`) ?? "",
      owner,
      minter: this.#text(NFTS_ID, `n:${id}:minter`) ?? "",
    };
  }

  /** Tokens whose id begins with a text. */
  tokensNamed(beginning: string, limit: number): readonly Token[] {
    return this.#idsFrom(TOKENS_ID, { prefix: "t:", beginning, limit }).flatMap((id) => this.token(id) ?? []);
  }

  /** NFTs whose id begins with a text, among the first such ids that ever were. */
  nftsNamed(beginning: string, limit: number): readonly Nft[] {
    const ids = this.#idsFrom(NFTS_ID, { prefix: "n:", beginning, limit: MAX_SEARCHED });
    return ids.flatMap((id) => this.nft(id) ?? []).slice(0, limit);
  }

  /** What a key owns, in the order of the ids. */
  nftsOf(owner: PublicKeyHex, { limit, after }: ListPage): CountedList<Nft> {
    const ids = this.#idsOwned(owner, { limit: limit + 1, ...(after === undefined ? {} : { after }) });
    const total = this.#total(`nfts of ${owner}`, () => this.#idsOwned(owner, { limit: MAX_COUNTED + 1 }).length);
    return { ...this.#listOf(ids, limit, (id) => this.nft(id)), total };
  }

  #idsOwned(owner: PublicKeyHex, { limit, after }: ListPage): readonly string[] {
    const prefix = contractStateKey(NFTS_ID, utf8(`o:${owner}:`));
    const ids: string[] = [];
    let last = after === undefined ? undefined : concatBytes(prefix, utf8(after));
    while (ids.length < limit) {
      const entry = this.#database.state.next("contract_state", prefix, last);
      if (entry === undefined) break;
      ids.push(fromUtf8(entry.key.subarray(prefix.length)));
      last = entry.key;
    }
    return ids;
  }

  /** Burnt ones keep nothing but their minter, which is not their first key. Counts ids of burnt ones against the same bound. */
  #livingNfts(): number {
    const start = contractStateKey(NFTS_ID, utf8("n:"));
    let [living, looked] = [0, 0];
    for (let last: Uint8Array | undefined; looked <= MAX_COUNTED; looked += 1) {
      const entry = this.#database.state.next("contract_state", start, last);
      if (entry === undefined) return living;
      const [id = "", field] = fromUtf8(entry.key.subarray(start.length)).split(":");
      if (field !== "minter") living += 1;
      last = concatBytes(start, utf8(`${id}:${LAST}`));
    }
    return MAX_COUNTED + 1;
  }

  /** The length of a list, counted once a block; undefined when it is longer than what is counted. */
  #total(list: string, count: () => number): number | undefined {
    const height = this.#database.blocks.tipHeight() ?? 0;
    if (this.#totals.height !== height || this.#totals.byList.size >= MAX_TOTALS) this.#totals = { height, byList: new Map() };
    const { byList } = this.#totals;
    const total = byList.get(list) ?? count();
    byList.set(list, total);
    return total > MAX_COUNTED ? undefined : total;
  }

  /** Of ids up to one beyond the limit. */
  #listOf<T>(idsAndNext: readonly string[], limit: number, read: (id: string) => T | undefined): ListOf<T> {
    const ids = idsAndNext.slice(0, limit);
    // All are read before any is missed: a light node fetches together what a read misses.
    const items = ids.flatMap((id) => read(id) ?? []);
    assertInvariant(items.length === ids.length, "A list names only what exists");
    return { items, next: idsAndNext.length > limit ? ids.at(-1) : undefined };
  }

  /** Ids that begin with a text, in keys `<prefix><id>:<field>`. */
  #idsFrom(contractId: ContractId, { prefix, beginning, limit }: KeyRange): readonly string[] {
    // A colon ends an id, so none begins with one inside.
    return beginning.includes(":") ? [] : this.#ids(contractId, prefix + beginning, { limit }).map((rest) => beginning + rest);
  }

  /** Ids in keys `<prefix><id>:<field>`, each once. */
  #ids(contractId: ContractId, prefix: string, { limit, after }: ListPage): readonly string[] {
    const start = contractStateKey(contractId, utf8(prefix));
    const endOf = (id: string): Uint8Array => concatBytes(start, utf8(`${id}:${LAST}`));
    const ids: string[] = [];
    let last = after === undefined ? undefined : endOf(after);
    while (ids.length < limit) {
      const entry = this.#database.state.next("contract_state", start, last);
      if (entry === undefined) break;
      const [id = ""] = fromUtf8(entry.key.subarray(start.length)).split(":");
      ids.push(id);
      last = endOf(id);
    }
    return ids;
  }

  #text(contractId: ContractId, key: string): string | undefined {
    const value = this.value(contractId, key);
    return value === undefined ? undefined : fromUtf8(value);
  }

  #integer(contractId: ContractId, key: string): bigint {
    return decodeU64(this.value(contractId, key)) ?? 0n;
  }
}

/** Unsigned integer of exactly 8 bytes, big-endian; undefined for anything else. */
export function decodeU64(value: Uint8Array | undefined): bigint | undefined {
  return value?.length === 8 ? Buffer.from(value).readBigUInt64BE() : undefined;
}
