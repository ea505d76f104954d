// Schemas of contracts and of what the native ones keep: tokens and NFTs.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MAX_ABI_BYTES, MAX_ARGUMENTS_BYTES, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { AmountUt, Count, Hash, Height, MissingBelow, OlderNodes, PublicKey, Uint64, UnixSeconds, WalletAddress } from "./primitives.ts";

const ContractId = Type.String({ title: "ContractId", description: "16 lower-case hex characters" });
/** How long a list is, and whether it continues behind the items of a response. */
const listFields = {
  count: Type.Integer({ minimum: 0, description: "Items of this response" }),
  total: Type.Optional(Type.Integer({ minimum: 0, description: "Items of the whole list; absent when it is longer than 10,000" })),
  has_more: Type.Boolean({ description: "True when the list continues: `next_after` says where" }),
};
const NextAfter = Type.Optional(Type.String({ description: "Value of `after` for the next page; absent at the end of the list" }));

const contract = {
  contract_id: ContractId,
  deployer_pub: Type.String({ description: "Public key in hex; an empty text for a native contract" }),
  deployed_at: Height,
  wasm_size: Type.Integer({ minimum: 0, description: "Bytes; 0 for a native contract" }),
};

export const ContractRecord = Type.Object(
  { ...contract, abi: Type.Record(Type.String(), Type.Unknown(), { description: "contract, version and methods" }) },
  { title: "ContractRecord" },
);
export const ContractList = Type.Object(
  { ...listFields, contracts: Type.Array(ContractRecord), next_after: NextAfter },
  { title: "ContractList" },
);
export const ContractDetail = Type.Object(
  { ...contract, abi_json: Type.String({ description: "JSON of the ABI" }), balance_ut: AmountUt },
  { title: "ContractDetail" },
);

export const ContractState = Type.Object(
  {
    contract_id: ContractId,
    key: Type.String(),
    value_b64: Type.Union([Type.String(), Type.Null()]),
    value_hex: Type.Union([Type.String(), Type.Null()]),
    value_u64: Type.Union([Uint64, Type.Null()], { description: "Set when the value is exactly 8 bytes, big-endian" }),
  },
  { title: "ContractState" },
);

export const ContractLog = Type.Object(
  {
    tx_id: Type.String(),
    block_index: Height,
    block_hash: Hash,
    timestamp: UnixSeconds,
    position: Type.String({ description: "Value of `after` for what follows this entry" }),
    message: Type.String(),
  },
  { title: "ContractLog" },
);
export const ContractLogs = Type.Object(
  {
    contract_id: ContractId,
    count: Count,
    logs: Type.Array(ContractLog),
    next_after: NextAfter,
    missing_below: MissingBelow,
    older_nodes: OlderNodes,
  },
  { title: "ContractLogs" },
);

const GasUsed = Type.Integer({ minimum: 0 });
const callFields = {
  method: Type.String({ minLength: 1, maxLength: 64 }),
  args_json: Type.Optional(Type.String({ maxLength: MAX_ARGUMENTS_BYTES, description: "JSON list of the arguments; none by default" })),
  gas_limit: Type.Optional(Type.Integer({ minimum: 1, description: "Most gas to use; the node's own limit by default and at most" })),
};
const FaultPlace = Type.Object(
  {
    function_index: Type.Integer({ minimum: 0 }),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, description: "Position of the instruction in the bytes of the module; absent when unknown" }),
    ),
  },
  { title: "FaultPlace" },
);
const trialFields = {
  status: Type.Union([Type.Literal("ok"), Type.Literal("failed")]),
  code: Type.String({ description: "Failure code as in receipts, an empty text on success" }),
  reason: Type.String({ description: "Why it failed, in the contract's own words when it refused; an empty text on success" }),
  gas_used: GasUsed,
  logs: Type.Array(Type.String(), { description: "Lines that the call logged" }),
};
const outcomeFields = {
  contract_id: ContractId,
  ...trialFields,
  places: Type.Optional(
    Type.Array(FaultPlace, {
      maxItems: 8,
      description: "Where in the module a failed call ended, from the inside out; absent when unknown",
    }),
  ),
  result_b64: Type.String({ description: "What the method returned" }),
  result_text: Type.Union([Type.String(), Type.Null()], { description: "The same as text, by convention JSON; null when it is none" }),
};

export const ViewRequest = Type.Object(
  { ...callFields, from: Type.Optional(Type.String({ description: "Who asks: wallet address or hex public key; anonymous by default" })) },
  { title: "ViewRequest" },
);
export const CallOutcome = Type.Object(outcomeFields, { title: "CallOutcome" });
export const EstimateRequest = Type.Object(
  {
    ...callFields,
    from: Type.String({ description: "Who would sign: wallet address or hex public key" }),
    amount_ut: Type.Optional(AmountUt),
  },
  { title: "EstimateRequest" },
);
export const CallEstimate = Type.Object(
  {
    ...outcomeFields,
    gas_limit: Type.Integer({ minimum: 0, description: "Gas limit to send with: a quarter more than was used" }),
    gas_price_ut: AmountUt,
  },
  { title: "CallEstimate" },
);

export const DeploymentRequest = Type.Object(
  {
    from: Type.String({ description: "Who would sign: wallet address or hex public key" }),
    wasm_b64: Type.String({ maxLength: 4 * Math.ceil(MAX_WASM_BYTES / 3), description: "Base64 of the module" }),
    abi_json: Type.Optional(
      Type.String({ maxLength: MAX_ABI_BYTES, description: "JSON of the ABI; one without methods by default, to look at a module" }),
    ),
    init_args_json: Type.Optional(
      Type.String({ maxLength: MAX_ARGUMENTS_BYTES, description: "JSON list of the arguments of init; none by default" }),
    ),
  },
  { title: "DeploymentRequest" },
);
export const DeploymentEstimate = Type.Object(
  {
    ...trialFields,
    functions: Type.Array(Type.String(), { description: "Exported functions that methods can be" }),
    gas_limit: Type.Integer({ minimum: 0, description: "Gas limit to send with: what storing takes, and a quarter more than init used" }),
    gas_price_ut: AmountUt,
  },
  { title: "DeploymentEstimate" },
);

export const Token = Type.Object(
  {
    token_id: Type.String(),
    contract_id: ContractId,
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer({ minimum: 0, maximum: 18, description: "Digits after the point when amounts are shown" }),
    supply: Uint64,
    issuer_pub: PublicKey,
    issuer_addr: WalletAddress,
  },
  { title: "Token" },
);
export const TokenList = Type.Object({ ...listFields, tokens: Type.Array(Token), next_after: NextAfter }, { title: "TokenList" });
export const HeldToken = Type.Object({ ...Token.properties, balance: Uint64 }, { title: "HeldToken" });
export const HeldTokenList = Type.Object(
  { ...listFields, tokens: Type.Array(HeldToken), next_after: NextAfter },
  { title: "HeldTokenList" },
);
export const TokenBalance = Type.Object(
  { token_id: Type.String(), pub_key: PublicKey, address: WalletAddress, balance: Uint64 },
  { title: "TokenBalance" },
);

export const Nft = Type.Object(
  {
    nft_id: Type.String(),
    contract_id: ContractId,
    name: Type.String(),
    metadata: Type.String({ description: "Text of the minter's choice" }),
    owner_pub: PublicKey,
    owner_addr: WalletAddress,
    minter_pub: PublicKey,
    minter_addr: WalletAddress,
  },
  { title: "Nft" },
);
export const NftList = Type.Object({ ...listFields, nfts: Type.Array(Nft), next_after: NextAfter }, { title: "NftList" });

export type ContractRecord = Static<typeof ContractRecord>;
export type ContractDetail = Static<typeof ContractDetail>;
export type ContractState = Static<typeof ContractState>;
export type ContractLog = Static<typeof ContractLog>;
export type Token = Static<typeof Token>;
export type HeldToken = Static<typeof HeldToken>;
export type Nft = Static<typeof Nft>;
