// Messages that stay in sight at the top of a chat, for everyone in it. Pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Most messages that are pinned in one chat. */
export const MAX_PINS = 20;
/** Pins of others that are stored of one chat, the latest: programs of others may pin at the same time. */
export const MAX_STORED_PINS = 64;

/** Pins a message, or takes it down. The latest of a message counts, whoever did it. */
export interface PinBody {
  readonly kind: "pin";
  /** Author and id of the message. */
  readonly to: { readonly author: PublicKeyHex; readonly id: string };
  readonly isPinned: boolean;
}

/** What was done to a message last. */
export interface PinState {
  readonly isPinned: boolean;
  /** By the clock of who did it, milliseconds since 1970. */
  readonly at: number;
}

/** A message that is pinned. */
export interface Pin {
  readonly key: string;
  /** Of the message. */
  readonly at: number;
  readonly pinnedAt: number;
}

/** The later state of a message; of one moment pinning goes before. Undefined where the known one stays. */
export function laterPin(known: PinState | undefined, next: PinState): PinState | undefined {
  if (known === undefined) return next;
  if (known.isPinned === next.isPinned && known.at >= next.at) return undefined;
  return next.at > known.at || (next.at === known.at && next.isPinned) ? next : undefined;
}

/** Pins of a chat with the state of one message, by the moment at which they were pinned. */
export function withPin(pins: readonly Pin[], { key, at }: Pick<Pin, "key" | "at">, state: PinState): readonly Pin[] {
  const others = pins.filter((pin) => pin.key !== key);
  if (!state.isPinned) return others.length === pins.length ? pins : others;
  const all = [...others, { key, at, pinnedAt: state.at }];
  return all.sort((a, b) => a.pinnedAt - b.pinnedAt || (a.key < b.key ? -1 : 1)).slice(-MAX_STORED_PINS);
}
