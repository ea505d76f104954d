// Contracts with their state and logs, tokens and NFTs.

import type { ContractQueries, ListPage, ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type ContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";
import { boundedPage } from "../bounded-page.ts";
import { logQueryOf } from "./log-query.ts";

type ContractHandlers = Pick<Handlers, "listContracts" | "getContract" | "getContractState" | "listContractLogs">;
type TokenHandlers = Pick<Handlers, "listTokens" | "getToken" | "getTokenBalance" | "listNfts" | "getNft" | "listNftsOfOwner">;

/** Items of a page when the request does not say. */
const DEFAULT_LIMIT = 100;

export function createContractHandlers({ contracts }: Pick<ReadQueries, "contracts">): ContractHandlers {
  return {
    listContracts: async (input): Promise<Output<"listContracts">> => {
      const { items, next } = boundedPage(await contracts.list(pageOf(input)), ({ contract_id }) => contract_id);
      return { count: items.length, contracts: [...items], ...nextAfter(next) };
    },
    getContract: ({ contractID }) => existingContract(contracts, contractID),
    getContractState: async ({ contractID, key }): Promise<Output<"getContractState">> => {
      const { contract_id: id } = await existingContract(contracts, contractID);
      return contracts.value(id, key);
    },
    listContractLogs: async (input): Promise<Output<"listContractLogs">> => {
      const query = logQueryOf(input);
      const { contract_id: id } = await existingContract(contracts, input.contractID);
      const { items, next } = await contracts.logs(id, query);
      return { contract_id: id, count: items.length, logs: [...items], ...nextAfter(next) };
    },
  };
}

export function createTokenHandlers({ contracts }: Pick<ReadQueries, "contracts">): TokenHandlers {
  return {
    listTokens: async (input): Promise<Output<"listTokens">> => {
      const { items, next } = await contracts.tokens(pageOf(input));
      return { count: items.length, tokens: [...items], ...nextAfter(next) };
    },
    getToken: ({ id }) => existingToken(contracts, id),
    getTokenBalance: async ({ id, pubkey }): Promise<Output<"getTokenBalance">> => {
      const publicKey = accountOfPath(pubkey);
      const { token_id } = await existingToken(contracts, id);
      return {
        token_id,
        pub_key: publicKey,
        address: formatAddress(publicKey),
        balance: await contracts.tokenBalance(token_id, publicKey),
      };
    },
    listNfts: async (input): Promise<Output<"listNfts">> => {
      const { items, next } = await contracts.nfts(pageOf(input));
      return { count: items.length, nfts: [...items], ...nextAfter(next) };
    },
    getNft: async ({ id }): Promise<Output<"getNft">> => {
      const nft = await contracts.nft(id);
      if (nft === undefined) throw new CodedError("NOT_FOUND", "There is no NFT with this id");
      return nft;
    },
    listNftsOfOwner: async ({ pubkey, ...input }): Promise<Output<"listNftsOfOwner">> => {
      const { items, next } = await contracts.nftsOf(accountOfPath(pubkey), pageOf(input));
      return { count: items.length, nfts: [...items], ...nextAfter(next) };
    },
  };
}

/** @throws CodedError NOT_FOUND */
async function existingContract(contracts: ContractQueries, text: string): Promise<Output<"getContract">> {
  const id: ContractId | undefined = isContractId(text) ? text.toLowerCase() : undefined;
  const contract = id === undefined ? undefined : await contracts.contract(id);
  if (contract === undefined) throw new CodedError("NOT_FOUND", "There is no contract with this id");
  return contract;
}

/** @throws CodedError NOT_FOUND */
async function existingToken(contracts: ContractQueries, id: string): Promise<Output<"getToken">> {
  const token = await contracts.token(id);
  if (token === undefined) throw new CodedError("NOT_FOUND", "There is no token with this id");
  return token;
}

function pageOf({ limit = DEFAULT_LIMIT, after }: { readonly limit?: number; readonly after?: string }): ListPage {
  return after === undefined ? { limit } : { limit, after };
}

function nextAfter(next: string | undefined): { readonly next_after?: string } {
  return next === undefined ? {} : { next_after: next };
}
