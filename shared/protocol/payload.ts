// Payloads of transactions: a JSON object, base64 of its UTF-8 text. The rules of each type stand in node/ledger/transactions/.
import { fromUtf8, toBase64, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import { MAX_PAYLOAD_DEPTH } from "./limits.ts";
import { parseStrictJson } from "./strict-json.ts";
import type { TransactionType } from "./transaction.ts";

/** Payload of each type, as the public interface names the fields. */
export interface Payloads {
  readonly TRANSFER: { readonly memo?: string };
  readonly REGISTER_KEY: { readonly x25519_pub_key: string; readonly nickname?: string };
  readonly LINK_DEVICE: { readonly x25519_pub_key: string; readonly device_name: string };
  readonly UNLINK_DEVICE: { readonly x25519_pub_key: string };
  readonly CONTACT_REQUEST: { readonly intro?: string };
  readonly ACCEPT_CONTACT: Readonly<Record<string, never>>;
  readonly BLOCK_CONTACT: Readonly<Record<string, never>>;
}

/** Payload of one type. */
export type PayloadOf<T extends TransactionType> = Payloads[T];

/** Base64 of the compact JSON of a payload; undefined fields are left out. */
export function encodePayload<T extends TransactionType>(payload: PayloadOf<T>): string {
  return toBase64(utf8(JSON.stringify(payload)));
}

/**
 * The JSON object of a payload ({} for ""), or undefined when it is not base64 of the UTF-8 text of a JSON object, names a key
 * twice or nests deeper than {@link MAX_PAYLOAD_DEPTH}. A key such as `__proto__` stays an own key like any other.
 */
export function decodePayload(payload: string): Readonly<Record<string, unknown>> | undefined {
  if (payload === "") return {};
  const bytes = tryFromBase64(payload);
  if (bytes === undefined) return undefined;
  try {
    const value = parseStrictJson(fromUtf8(bytes), MAX_PAYLOAD_DEPTH);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
