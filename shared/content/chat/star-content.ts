// Messages that a person finds again: starred for themselves alone, on all their devices. Pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Most messages that are starred in one chat. */
export const MAX_STARS = 200;

/** To one's own other devices: a message was starred, or no longer is. The latest of a message counts. */
export interface SyncStarBody {
  readonly kind: "sync.star";
  /** The other person, or oneself where the content names a group. */
  readonly peer: PublicKeyHex;
  /** Author and id of the message. */
  readonly to: { readonly author: PublicKeyHex; readonly id: string };
  readonly isStarred: boolean;
}

/** What was done to a message last. */
export interface StarState {
  readonly isStarred: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A message that is starred. */
export interface Star {
  readonly key: string;
  /** Of the message, milliseconds since 1970. */
  readonly at: number;
}

/** The later state; of one moment being starred goes before. Undefined where the known one stays. */
export function laterStar(known: StarState | undefined, next: StarState): StarState | undefined {
  if (known === undefined) return next;
  if (known.isStarred === next.isStarred && known.at >= next.at) return undefined;
  return next.at > known.at || (next.at === known.at && next.isStarred) ? next : undefined;
}

/** Stars of a chat with the state of one message, the oldest message first; the latest {@link MAX_STARS}. */
export function withStar(stars: readonly Star[], { key, at }: Star, isStarred: boolean): readonly Star[] {
  const others = stars.filter((star) => star.key !== key);
  if (!isStarred) return others.length === stars.length ? stars : others;
  return [...others, { key, at }].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1)).slice(-MAX_STARS);
}
