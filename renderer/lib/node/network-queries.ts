// What can be asked of the node beside accounts and blocks: contracts, tokens, NFTs, channels, validators, relays, charts, usernames.
import { useMemo } from "react";
import type { Output } from "#shared/api/api.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { ChartResolution } from "#shared/api/schemas/chain.ts";
import type { ContractState, Nft, Token } from "#shared/api/schemas/contracts.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, fromUtf8 } from "#shared/util/bytes.ts";
import { useNode } from "./access/node-context.tsx";
import { type PublishedContract, readPublishedContract } from "./access/published-contract.ts";
import { type NodeQuery, query, unlessUnknown } from "./queries.ts";
import { queryKeys } from "./query-keys.ts";

/** Entries of one page of a list. */
export const LIST_PAGE = 100;
/** Pages of holdings that are read: of a light node, whose pages are short, as many tokens as a full one sends at once. */
const HELD_PAGES = 100;
/** Buckets of a chart. */
const CHART_BUCKETS = 48;

/** A token with what an account holds of it. */
export interface TokenHolding {
  readonly token: Token;
  readonly balance: bigint;
}

export interface NetworkQueries {
  chart(resolution: ChartResolution): NodeQuery<Output<"getChart">>;
  /** Newest blocks, oldest first: as many as a chart has values. */
  chartBlocks(): NodeQuery<Output<"listBlocks">>;
  /** Parameters of the newest block. */
  parameters(): NodeQuery<Output<"getParams">>;
  proposals(): NodeQuery<Output<"listValidatorProposals">["proposals"]>;
  relays(): NodeQuery<Output<"listRelays">>;
  /** µT that a validator locks; part of the genesis, so it never changes. */
  validatorBond(): NodeQuery<number>;
  peers(): NodeQuery<Output<"listPeers">>;
  nodeStats(publicKey: PublicKeyHex): NodeQuery<Output<"getNodeStats"> | null>;
  contract(id: string): NodeQuery<Output<"getContract">>;
  /** What its deployer published; it never changes. */
  contractPublished(id: string): NodeQuery<PublishedContract> & { readonly staleTime: number };
  contractState(id: string, key: string): NodeQuery<ContractState>;
  token(id: string): NodeQuery<Token>;
  nft(id: string): NodeQuery<Nft>;
  nftsOfOwner(publicKey: PublicKeyHex): NodeQuery<readonly Nft[]>;
  /** Tokens of which the account holds something. */
  holdings(publicKey: PublicKeyHex): NodeQuery<readonly TokenHolding[]>;
  tokenBalance(id: string, publicKey: PublicKeyHex): NodeQuery<bigint>;
  /** Units of a token that a key may still send for its owner. */
  allowance(id: string, owner: PublicKeyHex, spender: PublicKeyHex): NodeQuery<bigint>;
  channels(publicKey: PublicKeyHex): NodeQuery<Output<"listChannels">>;
  /** Username of a key, or null. */
  username(publicKey: PublicKeyHex): NodeQuery<string | null>;
  /** Key behind a username, or null where it is not registered. */
  usernameOwner(name: string): NodeQuery<PublicKeyHex | null>;
}

/** The queries of the node that the app is connected to. */
export function useNetworkQueries(): NetworkQueries {
  const { client } = useNode();
  return useMemo(() => createNetworkQueries(client), [client]);
}

/** Query options over a client. */
export function createNetworkQueries(client: NodeClient): NetworkQueries {
  return {
    chart: (resolution) => query(queryKeys.chart(resolution), (call) => client.getChart({ resolution, limit: CHART_BUCKETS }, call)),
    chartBlocks: () =>
      query(queryKeys.chart("block"), async (call) => (await client.listBlocks({ limit: CHART_BUCKETS }, call)).toReversed()),
    parameters: () => query(queryKeys.parameters, (call) => client.getParams({}, call)),
    proposals: () => query(queryKeys.proposals, async (call) => (await client.listValidatorProposals({}, call)).proposals),
    relays: () => query(queryKeys.relays, (call) => client.listRelays({}, call)),
    validatorBond: () => ({
      ...query(queryKeys.validatorBond, async (call) => (await client.getGenesis({}, call)).params.validator_bond_ut ?? 0),
      staleTime: Number.POSITIVE_INFINITY,
    }),
    peers: () => query(queryKeys.peers, (call) => client.listPeers({}, call)),
    nodeStats: (pubkey) =>
      query(queryKeys.nodeStats(pubkey), async (call) => (await unlessUnknown(client.getNodeStats({ pubkey }, call))) ?? null),
    contract: (contractID) => query(queryKeys.contract(contractID), (call) => client.getContract({ contractID }, call)),
    contractPublished: (id) => ({
      ...query(queryKeys.contractPublished(id), (call) => readPublishedContract(client, id, call)),
      staleTime: Number.POSITIVE_INFINITY,
    }),
    contractState: (contractID, key) =>
      query(queryKeys.contractState(contractID, key), (call) => client.getContractState({ contractID, key }, call)),
    token: (id) => query(queryKeys.token(id), (call) => client.getToken({ id }, call)),
    nft: (id) => query(queryKeys.nft(id), (call) => client.getNft({ id }, call)),
    nftsOfOwner: (pubkey) =>
      query(
        queryKeys.nftsOfOwner(pubkey),
        async (call) => (await unlessUnknown(client.listNftsOfOwner({ pubkey, limit: 1000 }, call)))?.nfts ?? [],
      ),
    holdings: (key) => query([...queryKeys.tokenList, "held", key], (call) => readHoldings(client, key, call)),
    tokenBalance: (id, pubkey) =>
      query(queryKeys.tokenBalance(id, pubkey), async (call) => BigInt((await client.getTokenBalance({ id, pubkey }, call)).balance)),
    allowance: (id, owner, spender) =>
      query(queryKeys.allowance(id, owner, spender), async (call) => {
        const key = `a:${id}:${owner}:${spender}`;
        const { value_u64: units } = await client.getContractState({ contractID: nativeContractId("tokens"), key }, call);
        return BigInt(units ?? 0);
      }),
    channels: (account) => query(queryKeys.channels(account), (call) => client.listChannels({ account }, call)),
    username: (key) => query(queryKeys.username(key), (call) => readRegistry(client, `addr:${key}`, call)),
    usernameOwner: (name) => query(queryKeys.usernameOwner(name), (call) => readRegistry(client, `name:${name}`, call)),
  };
}

async function readHoldings(client: NodeClient, pubkey: PublicKeyHex, call: CallOptions): Promise<readonly TokenHolding[]> {
  const holdings: TokenHolding[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < HELD_PAGES; pages += 1) {
    const page = await unlessUnknown(client.listTokensOfOwner({ pubkey, ...(after === undefined ? {} : { after }) }, call));
    holdings.push(...(page?.tokens ?? []).map(({ balance, ...token }) => ({ token, balance: BigInt(balance) })));
    after = page?.next_after;
    if (after === undefined) break;
  }
  return holdings;
}

/** A network may have no registry: then no key has a name. */
async function readRegistry(client: NodeClient, key: string, call: CallOptions): Promise<string | null> {
  try {
    const { value_hex: hex } = await client.getContractState({ contractID: nativeContractId("username_registry"), key }, call);
    return hex === null ? null : fromUtf8(fromHex(hex));
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return null;
    throw error;
  }
}
