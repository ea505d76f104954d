// Contracts, tokens and NFTs in the words of the public interface.
import type { ContractRecord } from "#node/ledger/records/contract-records.ts";
import { type ContractLog, formatLogPosition, type LogPage } from "#node/queries/contract-logs.ts";
import type { ContractQueries, CountedList, ListOf } from "#node/queries/read-queries.ts";
import type * as schema from "#shared/api/schemas/contracts.ts";
import type { WellKnownContract } from "#shared/api/schemas/discovery.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { type ContractDetail, type ContractExplorer, decodeU64, NFTS_ID, type Nft, TOKENS_ID, type Token } from "../contract-explorer.ts";

/** Names that the response about well-known contracts holds at most: the earliest. */
const MAX_WELL_KNOWN = 500;

/** Queries of the public interface over the contracts of a chain. */
export function createContractQueries(explorer: ContractExplorer): ContractQueries {
  return {
    wellKnown: () => wellKnown(explorer),
    list: (page) => mapList(explorer.list(page), contractRecord),
    contract: (id) => mapFound(explorer.contract(id), contractDetail),
    value: (id, key) => stateValue(id, key, explorer.value(id, key)),
    logs: (id, query) => ({ ...logPage(explorer.logs(id, query)), ...missingBelow(explorer.logsBegin(id)) }),
    tokens: (page) => mapList(explorer.tokens(page), tokenRecord),
    token: (id) => mapFound(explorer.token(id), tokenRecord),
    tokenBalance: (id, publicKey) => explorer.tokenBalance(id, publicKey),
    tokensOf: (owner, page) => mapList(explorer.tokensOf(owner, page), ({ token, balance }) => ({ ...tokenRecord(token), balance })),
    nfts: (page) => mapList(explorer.nfts(page), nftRecord),
    nft: (id) => mapFound(explorer.nft(id), nftRecord),
    nftsOf: (owner, page) => mapList(explorer.nftsOf(owner, page), nftRecord),
  };
}

function missingBelow(height: Height | undefined): Pick<ListOf<unknown>, "missingBelow"> {
  return height === undefined ? {} : { missingBelow: height };
}

function mapList<T, U>({ items, next, total }: CountedList<T>, format: (item: T) => U): CountedList<U> {
  return { items: items.map(format), next, total };
}

function mapFound<T, U>(found: T | undefined, format: (item: T) => U): U | undefined {
  return found === undefined ? undefined : format(found);
}

function wellKnown(explorer: ContractExplorer): Readonly<Record<string, WellKnownContract>> {
  const contracts = explorer.wellKnown(MAX_WELL_KNOWN);
  return Object.fromEntries(
    contracts.map(({ id, name, version, deployedAt }) => [name, { contract_id: id, name, version, deployed_at: deployedAt }]),
  );
}

function contractRecord(record: ContractRecord): schema.ContractRecord {
  return { ...contractFields(record), abi: JSON.parse(record.abiJson) as schema.ContractRecord["abi"] };
}

function contractDetail(contract: ContractDetail): schema.ContractDetail {
  return { ...contractFields(contract), abi_json: contract.abiJson, balance_ut: contract.balanceUt };
}

function stateValue(id: ContractId, key: string, value: Uint8Array | undefined): schema.ContractState {
  return {
    contract_id: id,
    key,
    value_b64: value === undefined ? null : toBase64(value),
    value_hex: value === undefined ? null : toHex(value),
    value_u64: decodeU64(value) ?? null,
  };
}

function logPage({ logs, next }: LogPage): ListOf<schema.ContractLog> {
  return { items: logs.map(contractLog), next: next === undefined ? undefined : formatLogPosition(next) };
}

function contractLog(log: ContractLog): schema.ContractLog {
  return {
    tx_id: log.txId,
    block_index: log.height,
    block_hash: log.blockHash,
    timestamp: Math.floor(log.blockTimeMs / 1000),
    position: formatLogPosition(log),
    message: log.message,
  };
}

function contractFields({ id, deployerPub, deployedAt, wasmSize }: ContractRecord): Omit<schema.ContractRecord, "abi"> {
  return { contract_id: id, deployer_pub: deployerPub, deployed_at: deployedAt, wasm_size: wasmSize };
}

function tokenRecord({ id, name, symbol, decimals, supply, issuer }: Token): schema.Token {
  return {
    token_id: id,
    contract_id: TOKENS_ID,
    name,
    symbol,
    decimals: Number(decimals),
    supply,
    issuer_pub: issuer,
    issuer_addr: formatAddress(issuer),
  };
}

function nftRecord({ id, name, metadata, owner, minter }: Nft): schema.Nft {
  return {
    nft_id: id,
    contract_id: NFTS_ID,
    name,
    metadata,
    owner_pub: owner,
    owner_addr: formatAddress(owner),
    minter_pub: minter,
    minter_addr: formatAddress(minter),
  };
}
