// Schemas of the chain endpoints under /v2/chain: an ordered account feed, submission in several encodings, drafts.
import type { Static } from "typebox";
import * as Type from "typebox";
import { PendingTransaction, SubmittedTransaction, TransactionEntry } from "./chain.ts";
import { AmountUt, Count, MissingBelow, nullable, OlderNodes, oneOf, PublicKey, WalletAddress } from "./primitives.ts";

const entry = TransactionEntry.properties;

export const ChainTransaction = Type.Object(
  {
    id: entry.id,
    type: entry.type,
    memo: Type.String({ description: "Signed memo of a transfer, or an empty text" }),
    from: entry.from,
    from_addr: entry.from_addr,
    to: entry.to,
    to_addr: entry.to_addr,
    amount_ut: entry.amount_ut,
    fee_ut: entry.fee_ut,
    gas_fee_ut: entry.gas_fee_ut,
    block_index: entry.block_index,
    block_hash: entry.block_hash,
    time: entry.time,
    status: entry.status,
  },
  { title: "ChainTransaction" },
);

const pending = PendingTransaction.properties;
const { gas_fee_ut: _gas, block_index: _index, block_hash: _hash, ...signedFields } = ChainTransaction.properties;

export const PendingChainTransaction = Type.Object(
  { ...signedFields, fee_ut: pending.fee_ut, status: pending.status },
  { title: "PendingChainTransaction" },
);

export const ChainTransactionDetail = Type.Object(
  {
    tx: Type.Union([ChainTransaction, PendingChainTransaction]),
    payload: Type.Optional(Type.Unknown({ description: "Decoded payload" })),
    payload_hex: Type.String(),
    signature_hex: Type.String(),
  },
  { title: "ChainTransactionDetail" },
);

export const AccountFeed = Type.Object(
  {
    account_id: PublicKey,
    account_addr: WalletAddress,
    count: Count,
    order: oneOf(["desc", "asc"]),
    limit_applied: Count,
    missing_below: MissingBelow,
    older_nodes: OlderNodes,
    transactions: Type.Array(ChainTransaction),
  },
  { title: "AccountFeed" },
);

export const ChainSubmission = Type.Object(
  {
    tx: nullable(SubmittedTransaction),
    signed_tx: nullable(Type.String({ description: "The signed transaction as JSON text, or base64 or hex of that text; this or tx" })),
  },
  { title: "ChainSubmission" },
);

export const DraftRequest = Type.Object(
  {
    from: Type.String({ description: "Address or hex public key of the payer" }),
    to: Type.String({ description: "Address or hex public key of the recipient" }),
    amount_ut: AmountUt,
    memo: Type.Optional(Type.String({ description: "At most 256 bytes; goes into the payload and is signed" })),
    fee_ut: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 1000, description: "µT, at least 1000" })),
  },
  { title: "DraftRequest" },
);

export const DraftTransaction = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    from: PublicKey,
    to: PublicKey,
    amount: AmountUt,
    fee: AmountUt,
    payload: Type.String({ description: "Base64 of a JSON object" }),
    timestamp: Type.String({ description: "YYYY-MM-DDThh:mm:ssZ" }),
  },
  { title: "DraftTransaction" },
);

export const Draft = Type.Object(
  {
    tx: DraftTransaction,
    sign_bytes_hex: Type.String({ description: "What the key of from signs" }),
    sign_bytes_base64: Type.String({ description: "The same bytes" }),
    note: Type.Optional(Type.String()),
  },
  { title: "Draft" },
);

export type ChainTransaction = Static<typeof ChainTransaction>;
export type ChainTransactionDetail = Static<typeof ChainTransactionDetail>;
