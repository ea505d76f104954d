// Names of topics. A key may be written in several forms (hex of either case, address); pushes carry the form that was subscribed.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/address.ts";
import { type ContractId, isContractId } from "#shared/protocol/contracts.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import { isHex } from "#shared/util/bytes.ts";

/** A parsed topic; `name` is the same for every form of it. */
export type Topic =
  | { readonly kind: "blocks" | "txs"; readonly name: string }
  | { readonly kind: "account"; readonly name: string; readonly key: PublicKeyHex }
  | { readonly kind: "contract"; readonly name: string; readonly key: ContractId }
  | { readonly kind: "inbox" | "typing"; readonly name: string; readonly key: X25519KeyHex };

export const BLOCKS_TOPIC = "blocks";
export const TRANSACTIONS_TOPIC = "txs";

/** True for a topic that tells of blocks. */
export function isChainTopic(name: string): boolean {
  return !name.startsWith("inbox:") && !name.startsWith("typing:");
}

/** Name of the topic of a key. */
export function topicName(kind: "account" | "contract" | "inbox" | "typing", key: string): string {
  return `${kind}:${key}`;
}

/** Topic of its text. @throws CodedError BAD_REQUEST naming what is wrong. */
export function parseTopic(text: string): Topic {
  if (text === BLOCKS_TOPIC || text === TRANSACTIONS_TOPIC) return { kind: text, name: text };
  const separator = text.indexOf(":");
  const kind = text.slice(0, separator);
  const value = text.slice(separator + 1);
  if (kind === "account") {
    const key = parseAccount(value);
    return { kind, key, name: topicName(kind, key) };
  }
  if (kind === "contract") {
    if (!isContractId(value)) throw new CodedError("BAD_REQUEST", "contract: takes a contract id of 16 hex characters");
    const key = value.toLowerCase();
    return { kind, key, name: topicName(kind, key) };
  }
  if (kind === "inbox" || kind === "typing") {
    if (!isHex(value, 32)) throw new CodedError("BAD_REQUEST", `${kind}: takes an X25519 key of 64 hex characters`);
    const key = value.toLowerCase();
    return { kind, key, name: topicName(kind, key) };
  }
  throw new CodedError(
    "BAD_REQUEST",
    "topic is blocks, txs, account:<address or key>, contract:<id>, inbox:<x25519 key> or typing:<x25519 key>",
  );
}
