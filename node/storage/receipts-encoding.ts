// Receipts of a block as one value: the list of their protocol encodings.
import { type CborValue, decodeCbor, encodeCbor } from "#shared/protocol/cbor.ts";
import type { Receipt } from "#shared/protocol/receipt.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";

/** CBOR list of encoded receipts, each a byte string. */
export function encodeReceipts(encoded: readonly Uint8Array[]): Uint8Array {
  return encodeCbor(encoded);
}

/** Receipts of {@link encodeReceipts}. */
export function decodeReceipts(bytes: Uint8Array): readonly Receipt[] {
  const list = decodeCbor(bytes);
  assertInvariant(Array.isArray(list), "Stored receipts are a list");
  return (list as readonly Uint8Array[]).map(decodeReceipt);
}

/** A receipt of its protocol encoding. */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  const [txId, isOk, code, feeUt, gasUsed, logs, touched] = decodeCbor(bytes) as readonly CborValue[];
  assertInvariant(typeof txId === "string" && typeof isOk === "boolean" && typeof code === "string", "A stored receipt has another shape");
  assertInvariant(typeof feeUt === "number" && typeof gasUsed === "number" && Array.isArray(logs), "A stored receipt has another shape");
  assertInvariant(Array.isArray(touched), "A stored receipt has another shape");
  const lines = (logs as readonly (readonly [string, string])[]).map(([contractId, message]) => ({ contractId, message }));
  return { txId, isOk, code, feeUt, gasUsed, logs: lines, touched: (touched as readonly Uint8Array[]).map(toHex) };
}
