// Contracts, their state and logs, and the tokens and NFTs of the native ones.
import * as Type from "typebox";
import { type EndpointGroup, limitQuery, publicRead, wholeListQuery } from "../endpoint.ts";
import * as schema from "../schemas/contracts.ts";

/** Items of a page of contracts, tokens or NFTs when a request names where it begins alone. */
export const LIST_PAGE = 100;

const contractID = Type.String({ minLength: 1, description: "16 hex characters" });
const id = Type.String({ minLength: 1 });
const pubkey = Type.String({ minLength: 1, description: "Wallet address or hex public key" });

const contractsQuery = Type.Object({
  ...wholeListQuery(LIST_PAGE, 500).properties,
  order: Type.Optional(Type.Enum(["asc", "desc"], { default: "asc", description: "desc: newest first" })),
});
const logsQuery = Type.Object({
  limit: limitQuery(50, 100),
  order: Type.Optional(Type.Enum(["desc", "asc"], { default: "desc", description: "desc: newest first" })),
  after: Type.Optional(Type.String({ maxLength: 32, description: "`position` of an entry: only what follows it in the order" })),
  since: Type.Optional(Type.Integer({ minimum: 0, description: "Only lines of this block and later ones" })),
  event: Type.Optional(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]{0,31}$", description: "Only events of this name" })),
  where: Type.Optional(
    Type.String({ maxLength: 2_048, description: "With `event`: JSON object of up to three indexed fields and their texts" }),
  ),
});

export const contractEndpoints = {
  listContracts: publicRead({
    tag: "Contracts",
    summary: "Contracts in the order of their deployment, or the newest first",
    unverified: "completeness",
    heavy: "always",
    query: contractsQuery,
    response: schema.ContractList,
  }),
  getContract: publicRead({
    tag: "Contracts",
    summary: "One contract",
    params: Type.Object({ contractID }),
    response: schema.ContractDetail,
    errors: [404],
  }),
  getContractState: publicRead({
    tag: "Contracts",
    summary: "Value under a key of a contract's state; nulls for a key that has none",
    params: Type.Object({ contractID, key: Type.String({ minLength: 1, description: "Text; may contain colons" }) }),
    response: schema.ContractState,
    errors: [404],
    hasBigIntegers: true,
  }),
  listContractLogs: publicRead({
    tag: "Contracts",
    summary: "Lines that successful calls logged, newest first, or the events of a name among them",
    unverified: "completeness",
    heavy: "always",
    params: Type.Object({ contractID }),
    query: logsQuery,
    response: schema.ContractLogs,
    errors: [404],
  }),
  callView: publicRead({
    tag: "Contracts",
    summary: "Ask a method without a transaction: nothing is paid, and a method that would change something fails",
    heavy: "always",
    params: Type.Object({ contractID }),
    body: schema.ViewRequest,
    response: schema.CallOutcome,
    errors: [404, 503],
  }),
  estimateCall: publicRead({
    tag: "Contracts",
    summary: "What a call would cost and do, tried out on the newest state",
    heavy: "always",
    params: Type.Object({ contractID }),
    body: schema.EstimateRequest,
    response: schema.CallEstimate,
    errors: [404, 503],
  }),
  estimateDeployment: publicRead({
    tag: "Contracts",
    summary: "Whether a module could be deployed, and what that would cost, tried out on the newest state",
    heavy: "always",
    body: schema.DeploymentRequest,
    response: schema.DeploymentEstimate,
    errors: [503],
  }),
  listTokens: publicRead({
    tag: "Tokens",
    summary: "Tokens in the order of their ids",
    unverified: "completeness",
    heavy: "always",
    query: wholeListQuery(LIST_PAGE, 1000),
    response: schema.TokenList,
    hasBigIntegers: true,
  }),
  getToken: publicRead({
    tag: "Tokens",
    summary: "One token",
    params: Type.Object({ id }),
    response: schema.Token,
    errors: [404],
    hasBigIntegers: true,
  }),
  getTokenBalance: publicRead({
    tag: "Tokens",
    summary: "What a key holds of a token",
    params: Type.Object({ id, pubkey }),
    response: schema.TokenBalance,
    errors: [404],
    hasBigIntegers: true,
  }),
  listTokensOfOwner: publicRead({
    tag: "Tokens",
    summary: "Tokens that a key holds, in the order of their ids; a page may be short and still have a next one",
    unverified: "completeness",
    heavy: "always",
    params: Type.Object({ pubkey }),
    query: wholeListQuery(LIST_PAGE, 1000),
    response: schema.HeldTokenList,
    errors: [404],
    hasBigIntegers: true,
  }),
  listNfts: publicRead({
    tag: "NFTs",
    summary: "NFTs in the order of their ids; a page may be short and still have a next one",
    unverified: "completeness",
    heavy: "always",
    query: wholeListQuery(LIST_PAGE, 1000),
    response: schema.NftList,
  }),
  getNft: publicRead({ tag: "NFTs", summary: "One NFT", params: Type.Object({ id }), response: schema.Nft, errors: [404] }),
  listNftsOfOwner: publicRead({
    tag: "NFTs",
    summary: "NFTs that a key owns, in the order of their ids",
    unverified: "completeness",
    heavy: "always",
    params: Type.Object({ pubkey }),
    query: wholeListQuery(LIST_PAGE, 1000),
    response: schema.NftList,
    errors: [404],
  }),
} as const satisfies EndpointGroup;
