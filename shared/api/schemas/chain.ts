// Schemas of blocks, transactions, accounts and identities.
import type { Static } from "typebox";
import * as Type from "typebox";
import { TRANSACTION_TYPES } from "../../protocol/transactions/transaction.ts";
import { MAX_DEVICE_LISTS, MAX_IDENTITIES } from "../batch-limits.ts";
import {
  AmountText,
  AmountUt,
  BoxKey,
  Count,
  DateTime,
  DOCUMENTED_WORDS,
  FeeUt,
  GasFeeUt,
  Hash,
  Height,
  nullable,
  OlderNodes,
  oneOf,
  PublicKey,
  TotalFeesUt,
  TransactionTypeName,
  UnixSeconds,
  WalletAddress,
} from "./primitives.ts";

const MaybeKey = Type.String({ description: "Public key in hex, or an empty text" });
const MaybeAddress = Type.String({ description: "Wallet address, or an empty text" });

const CountedFrom = Type.Optional(
  Type.Integer({
    minimum: 2,
    description: "The first block that is counted, where it is not the first of the chain: the node joined with the state of a later one",
  }),
);

export const NetworkStats = Type.Object(
  {
    height: Height,
    from_height: CountedFrom,
    total_txs: Count,
    total_transfers: Count,
    total_relay_proofs: Count,
    avg_block_time_ms: Type.Number({ description: "Mean over the last 100 blocks" }),
    tps: Type.Number({ description: "Transactions per second over the last 100 blocks" }),
    total_supply_ut: AmountUt,
    validator_count: Count,
  },
  { title: "NetworkStats" },
);

export const BlockSummary = Type.Object(
  { index: Height, hash: Hash, time: DateTime, validator: WalletAddress, tx_count: Count, total_fees_ut: TotalFeesUt },
  { title: "BlockSummary" },
);

const feeFields = { fee_ut: FeeUt, gas_fee_ut: GasFeeUt };

const Status = oneOf(["ok", "failed"], { description: "failed: it paid its fee and changed nothing else" });
const FailureText = Type.Optional(Type.String({ description: "Why it failed" }));

export const BlockTransaction = Type.Object(
  {
    id: Type.String(),
    type: TransactionTypeName,
    from: MaybeKey,
    to: MaybeKey,
    amount_ut: AmountUt,
    ...feeFields,
    status: Status,
    error: FailureText,
  },
  { title: "BlockTransaction" },
);

export const BlockDetail = Type.Object(
  {
    ...BlockSummary.properties,
    prev_hash: Hash,
    validator_addr: WalletAddress,
    state_root: Hash,
    transactions: Type.Array(BlockTransaction),
  },
  { title: "BlockDetail" },
);

export const TransactionEntry = Type.Object(
  {
    id: Type.String(),
    type: TransactionTypeName,
    from: MaybeKey,
    from_addr: MaybeAddress,
    to: MaybeKey,
    to_addr: MaybeAddress,
    amount_ut: AmountUt,
    amount: AmountText,
    ...feeFields,
    fee: AmountText,
    time: DateTime,
    block_index: Height,
    block_hash: Hash,
    status: Status,
  },
  { title: "TransactionEntry" },
);

export const TransactionDetail = Type.Object(
  {
    ...TransactionEntry.properties,
    block_time: DateTime,
    payload: Type.Optional(Type.Unknown({ description: "Decoded payload" })),
    payload_hex: Type.String(),
    signature_hex: Type.String(),
    gas_used: Type.Optional(Count),
    error: FailureText,
  },
  { title: "TransactionDetail" },
);

const PendingStatus = Type.Literal("pending", { description: "Accepted by this node, in no block yet" });
const PendingFeeUt = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "µT: the fee that the transaction names. The price of the gas that it will use is not known yet",
});
const { gas_fee_ut: _gas, block_index: _index, block_hash: _hash, ...signedFields } = TransactionEntry.properties;

/** A transaction that waits for a block: what its sender signed, without what only a block says. */
export const PendingTransaction = Type.Object(
  {
    ...signedFields,
    fee_ut: PendingFeeUt,
    status: PendingStatus,
    payload: TransactionDetail.properties.payload,
    payload_hex: TransactionDetail.properties.payload_hex,
    signature_hex: TransactionDetail.properties.signature_hex,
  },
  { title: "PendingTransaction" },
);

/** What a node knows by an id. */
export const KnownTransaction = Type.Union([TransactionDetail, PendingTransaction], {
  title: "KnownTransaction",
  description: "A transaction in a block, or one that waits for a block: `status` says which",
});

/** Body of a submission. Types only: sizes, forms and signature are checked by the protocol's own code, which names the field. */
export const SubmittedTransaction = Type.Object(
  {
    id: nullable(Type.String({ description: "1–128 characters of A–Z a–z 0–9 . _ : -; a self-certifying id is given when absent" })),
    type: Type.String({ description: "Transaction type", [DOCUMENTED_WORDS]: [...TRANSACTION_TYPES] }),
    from: Type.String({ description: "Signer's Ed25519 key, hex" }),
    to: nullable(Type.String({ description: "Recipient's Ed25519 key, hex, or empty" })),
    amount: nullable(Type.Integer({ minimum: 0, description: "µT; at least 1 for a TRANSFER" })),
    fee: nullable(Type.Integer({ minimum: 0, description: "µT, at least 1000" })),
    memo: nullable(Type.String({ description: "Not signed and not kept: put it into the payload" })),
    payload: nullable(Type.String({ description: "Base64 of a JSON object" })),
    signature: nullable(Type.String({ description: "Base64 of 64 bytes; a transaction without it is refused" })),
    timestamp: nullable(Type.String({ description: "YYYY-MM-DDThh:mm:ssZ; a transaction without it is refused" })),
  },
  { title: "SubmittedTransaction" },
);

export const Accepted = Type.Object(
  { status: oneOf(["accepted"]), id: Type.String(), warning: Type.Optional(Type.String()) },
  { title: "Accepted" },
);

export const AddressDetail = Type.Object(
  {
    address: WalletAddress,
    pub_key: PublicKey,
    balance_ut: AmountUt,
    balance: AmountText,
    tx_count: Count,
    offset: Count,
    limit: Count,
    has_more: Type.Boolean(),
    next_offset: Count,
    missing_below: Type.Optional(
      Type.Integer({ minimum: 1, description: "Entries of blocks below are missing on this page: the node does not hold them" }),
    ),
    older_nodes: OlderNodes,
    transactions: Type.Array(TransactionEntry),
  },
  { title: "AddressDetail" },
);

export const IdentityInfo = Type.Object(
  {
    pub_key: PublicKey,
    address: WalletAddress,
    x25519_pub: Type.String({ description: "X25519 public key in hex, or an empty text" }),
    nickname: Type.String(),
    registered: Type.Boolean(),
    device_count: Count,
  },
  { title: "IdentityInfo" },
);

export const IdentitiesRequest = Type.Object(
  {
    accounts: Type.Array(Type.String({ description: "Wallet address or hex public key" }), { minItems: 1, maxItems: MAX_IDENTITIES }),
  },
  { title: "IdentitiesRequest" },
);
export const IdentityList = Type.Object({ count: Count, identities: Type.Array(IdentityInfo) }, { title: "IdentityList" });

export const DeviceRecord = Type.Object(
  { x25519_pub_key: BoxKey, device_name: Type.String(), added_at: UnixSeconds },
  { title: "DeviceRecord" },
);
export const DevicesRequest = Type.Object(
  {
    accounts: Type.Array(Type.String({ description: "Wallet address or hex public key" }), { minItems: 1, maxItems: MAX_DEVICE_LISTS }),
  },
  { title: "DevicesRequest" },
);
export const DeviceList = Type.Object({ master_pub: PublicKey, count: Count, devices: Type.Array(DeviceRecord) }, { title: "DeviceList" });
export const DeviceLists = Type.Object({ count: Count, lists: Type.Array(DeviceList) }, { title: "DeviceLists" });

export const ValidatorRecord = Type.Object(
  {
    pub_key: PublicKey,
    address: WalletAddress,
    missed_commits: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Commits of the present 1,000 blocks without its signature, where any are; 950 set it aside",
      }),
    ),
  },
  { title: "ValidatorRecord" },
);
export const AbsentValidator = Type.Object(
  { pub_key: PublicKey, address: WalletAddress, since_block: Height },
  { title: "AbsentValidator", description: "A key that was set aside: its own ADD_VALIDATOR brings it back" },
);
export const ValidatorList = Type.Object(
  {
    count: Count,
    validators: Type.Array(ValidatorRecord),
    set_aside: Type.Optional(Type.Array(AbsentValidator, { description: "Set aside for their absence, at most 100, the latest first" })),
  },
  { title: "ValidatorList" },
);

export const ProposalApproval = Type.Object(
  {
    pub_key: PublicKey,
    address: WalletAddress,
    is_validator: Type.Boolean({ description: "False for the consent of a candidate" }),
    approved_at: UnixSeconds,
    expires_at: UnixSeconds,
  },
  { title: "ProposalApproval" },
);
export const ValidatorProposal = Type.Object(
  {
    action: Type.Enum(["add", "remove"]),
    pub_key: PublicKey,
    address: WalletAddress,
    approvals: Type.Array(ProposalApproval),
    approval_count: Type.Integer({ minimum: 0, description: "Approvals of validators" }),
    approvals_required: Type.Integer({ minimum: 0, description: "Approvals of validators with which the change happens" }),
    has_consent: Type.Boolean({ description: "True when the key itself agrees, which a candidate must" }),
  },
  { title: "ValidatorProposal" },
);
export const ValidatorProposalList = Type.Object(
  { count: Count, proposals: Type.Array(ValidatorProposal), next_after: Type.Optional(Type.String()) },
  { title: "ValidatorProposalList" },
);

/** Lengths of a chart's buckets. */
export const CHART_RESOLUTIONS = ["hour", "day"] as const;

export const ChartBucket = Type.Object(
  {
    start: DateTime,
    blocks: Count,
    transactions: Count,
    failed: Count,
    fees_ut: TotalFeesUt,
    avg_block_time_ms: Type.Optional(Type.Number({ description: "Absent when no block of the bucket follows another one than genesis" })),
  },
  { title: "ChartBucket" },
);
export const Chart = Type.Object(
  { resolution: Type.Enum([...CHART_RESOLUTIONS]), from_height: CountedFrom, buckets: Type.Array(ChartBucket) },
  { title: "Chart" },
);

export type ChartResolution = (typeof CHART_RESOLUTIONS)[number];
export type Chart = Static<typeof Chart>;
export type NetworkStats = Static<typeof NetworkStats>;
export type BlockSummary = Static<typeof BlockSummary>;
export type BlockDetail = Static<typeof BlockDetail>;
export type TransactionEntry = Static<typeof TransactionEntry>;
export type TransactionDetail = Static<typeof TransactionDetail>;
export type PendingTransaction = Static<typeof PendingTransaction>;
export type AddressDetail = Static<typeof AddressDetail>;
export type IdentityInfo = Static<typeof IdentityInfo>;
export type DeviceRecord = Static<typeof DeviceRecord>;
export type ValidatorRecord = Static<typeof ValidatorRecord>;
export type AbsentValidator = Static<typeof AbsentValidator>;
export type ValidatorProposal = Static<typeof ValidatorProposal>;
