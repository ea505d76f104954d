// Contracts with their state and logs, tokens and NFTs.

import type { ContractQueries, CountedList, ListPage, ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { listLimit, WHOLE_LIST } from "#shared/api/endpoint.ts";
import { LIST_PAGE } from "#shared/api/endpoints/contracts.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type ContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";
import { boundedList } from "../bounded-page.ts";
import { logQueryOf } from "./log-query.ts";

type ContractHandlers = Pick<Handlers, "listContracts" | "getContract" | "getContractState" | "listContractLogs">;
type TokenHandlers = Pick<
  Handlers,
  "listTokens" | "getToken" | "getTokenBalance" | "listTokensOfOwner" | "listNfts" | "getNft" | "listNftsOfOwner"
>;

export function createContractHandlers({ contracts }: Pick<ReadQueries, "contracts">): ContractHandlers {
  return {
    listContracts: async (input): Promise<Output<"listContracts">> => {
      const { order } = input;
      const list = await boundedList(
        (page) => contracts.list(order === undefined ? page : { ...page, order }),
        pageOf(contracts, input),
        ({ contract_id: id }) => id,
      );
      return { ...countsOf(list), contracts: [...list.items], ...nextAfter(list.next) };
    },
    getContract: ({ contractID }) => existingContract(contracts, contractID),
    getContractState: async ({ contractID, key }): Promise<Output<"getContractState">> => {
      const { contract_id: id } = await existingContract(contracts, contractID);
      return contracts.value(id, key);
    },
    listContractLogs: async (input): Promise<Output<"listContractLogs">> => {
      const query = logQueryOf(input);
      const { contract_id: id } = await existingContract(contracts, input.contractID);
      const { items, next, missingBelow } = await contracts.logs(id, query);
      const missing = missingBelow === undefined ? {} : { missing_below: missingBelow };
      return { contract_id: id, count: items.length, logs: [...items], ...nextAfter(next), ...missing };
    },
  };
}

export function createTokenHandlers({ contracts }: Pick<ReadQueries, "contracts">): TokenHandlers {
  return {
    listTokens: async (input): Promise<Output<"listTokens">> => {
      const list = await boundedList(
        (page) => contracts.tokens(page),
        pageOf(contracts, input),
        ({ token_id: id }) => id,
      );
      return { ...countsOf(list), tokens: [...list.items], ...nextAfter(list.next) };
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
    listTokensOfOwner: async ({ pubkey, ...input }): Promise<Output<"listTokensOfOwner">> => {
      const owner = accountOfPath(pubkey);
      const list = await boundedList(
        (page) => contracts.tokensOf(owner, page),
        pageOf(contracts, input),
        ({ token_id: id }) => id,
      );
      return { ...countsOf(list), tokens: [...list.items], ...nextAfter(list.next) };
    },
    listNfts: async (input): Promise<Output<"listNfts">> => {
      const list = await boundedList((page) => contracts.nfts(page), pageOf(contracts, input), nftId);
      return { ...countsOf(list), nfts: [...list.items], ...nextAfter(list.next) };
    },
    getNft: async ({ id }): Promise<Output<"getNft">> => {
      const nft = await contracts.nft(id);
      if (nft === undefined) throw new CodedError("NOT_FOUND", "There is no NFT with this id");
      return nft;
    },
    listNftsOfOwner: async ({ pubkey, ...input }): Promise<Output<"listNftsOfOwner">> => {
      const owner = accountOfPath(pubkey);
      const list = await boundedList((page) => contracts.nftsOf(owner, page), pageOf(contracts, input), nftId);
      return { ...countsOf(list), nfts: [...list.items], ...nextAfter(list.next) };
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

function pageOf({ mostItems = WHOLE_LIST }: ContractQueries, input: { readonly limit?: number; readonly after?: string }): ListPage {
  const limit = Math.min(listLimit(input, LIST_PAGE), mostItems);
  return input.after === undefined ? { limit } : { limit, after: input.after };
}

function countsOf({ items, next, total }: CountedList<unknown>): Pick<Output<"listNfts">, "count" | "total" | "has_more"> {
  return { count: items.length, ...(total === undefined ? {} : { total }), has_more: next !== undefined };
}

function nftId({ nft_id: id }: Output<"getNft">): string {
  return id;
}

function nextAfter(next: string | undefined): { readonly next_after?: string } {
  return next === undefined ? {} : { next_after: next };
}
