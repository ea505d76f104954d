// What the steps of pairs need of a running messenger.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { BothClocks } from "../../pairs/counted-days.ts";
import { newPairRecord, type PairRecord } from "../../pairs/pair-record.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";

const INSTANCE_BYTES = 8;

export type PairContext = Pick<
  EngineContext,
  "account" | "node" | "keyring" | "store" | "clock" | "random" | "pairs" | "boxes" | "days" | "registry" | "devices" | "setBack" | "outbox"
>;

/** The pair with a device of a person, or a new one; undefined where the device is that of someone else. */
export function pairWith({ random, days }: PairContext, change: Change, peer: PublicKeyHex, device: X25519KeyHex): PairRecord | undefined {
  const record = change.pair(device) ?? newPairRecord(peer, device, newInstance(random), days.day);
  return record.peer === peer ? record : undefined;
}

/** Hex of a new instance. */
export function newInstance(random: PairContext["random"]): string {
  return toHex(random(INSTANCE_BYTES));
}

/** True for people who get no acknowledgement. */
export function isUnacknowledged({ account, registry }: PairContext, change: Change, peer: PublicKeyHex): boolean {
  return peer !== account.masterPub && (registry.isBlocked(peer) || !change.isKnown(peer));
}

/** When the chat with the person of a pair was used last, by the own clock; null where it never was, or they are strangers. */
export function usedAtMs({ account, registry }: PairContext, peer: PublicKeyHex, now: BothClocks): number | null {
  if (peer === account.masterPub) return now.ownMs;
  if (registry.isBlocked(peer) || !registry.isKnown(peer)) return null;
  const { lastMessage, updatedAt } = registry.get(peer);
  const group = registry.sharedGroup(peer);
  const usedAt = Math.max(lastMessage === null ? 0 : updatedAt, group === undefined ? 0 : registry.get(group).updatedAt);
  return usedAt === 0 ? null : Math.min(usedAt, now.ownMs);
}
