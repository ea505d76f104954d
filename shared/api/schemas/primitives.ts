// Schemas of single values.
import type { TNull, TOptional, TSchema, TUnion, TUnsafe } from "typebox";
import * as Type from "typebox";
import { BLOCK_REWARD, TRANSACTION_TYPES } from "../../protocol/transactions/transaction.ts";

export const PublicKey = Type.String({ title: "PublicKey", description: "Ed25519 public key, 64 lower-case hex characters" });
export const BoxKey = Type.String({ title: "BoxKey", description: "X25519 public key, 64 lower-case hex characters" });
export const WalletAddress = Type.String({ title: "WalletAddress", description: "pl1…: bech32m of the public key" });
export const Hash = Type.String({ title: "Hash", description: "32 bytes, lower-case hex" });
export const AmountUt = Type.Integer({
  title: "AmountUt",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "µT; 1 T = 1,000,000 µT",
});
/** One meaning in every list, push and total; the fee that a sender names in a transaction is `fee`. */
export const FeeUt = Type.Integer({
  title: "FeeUt",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "µT that the sender paid to the block's validator: the fee of the transaction and the price of the gas that it used",
});
export const GasFeeUt = Type.Integer({
  title: "GasFeeUt",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "The part of fee_ut that is the price of gas, µT",
});
export const TotalFeesUt = Type.Integer({
  title: "TotalFeesUt",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Sum of the fee_ut of all transactions, µT",
});
export const AmountText = Type.String({ title: "AmountText", description: "Exact amount for people, such as 1.5 T" });
export const DateTime = Type.String({ title: "DateTime", description: "RFC 3339, UTC" });
export const UnixSeconds = Type.Integer({ title: "UnixSeconds", description: "Seconds since 1970-01-01 UTC" });
export const Count = Type.Integer({ title: "Count", minimum: 0 });
export const Height = Type.Integer({ title: "Height", minimum: 0, description: "Block height; genesis is 0" });
/** Exact beyond what a JavaScript number holds: written as digits, read by the typed client as a bigint where needed. */
export const Uint64 = Type.Integer({
  title: "Uint64",
  minimum: 0,
  format: "uint64",
  description: "Unsigned 64-bit integer, exact digits",
}) as unknown as TUnsafe<number | bigint>;
export const ErrorBody = Type.Object({ error: Type.String() }, { title: "Error" });

/** A text that is one of these; read as any text, since later versions may know more. */
export function oneOf(words: readonly string[], options: { readonly title?: string; readonly description?: string } = {}): TUnsafe<string> {
  return Type.Unsafe<string>(Type.String({ ...options, enum: [...words] }));
}

/** Keyword of a text in a request: the document lists these words, and the protocol's own code, which names the field, refuses others. */
export const DOCUMENTED_WORDS = "x-words";

export const TransactionTypeName = oneOf([...TRANSACTION_TYPES, BLOCK_REWARD], { title: "TransactionTypeName" });

/** A field that may be absent or null, as clients in languages without optional fields send it. */
export function nullable<S extends TSchema>(schema: S): TOptional<TUnion<[S, TNull]>> {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** How many nodes to ask for what is missing. */
export const OlderNodes = Type.Optional(
  Type.Integer({ minimum: 0, description: "Connected nodes that say that they have blocks which this node does not hold" }),
);

/** Where a list lacks what older blocks would add to it. */
export const MissingBelow = Type.Optional(
  Type.Integer({ minimum: 1, description: "What blocks below would add to the list is missing: the node does not hold them" }),
);
