// The box of the other device for this person, as it was told: contents go there the first time, and to the device's lasting mailbox when they
// are sent again. Pure.
import type { ShownBox } from "#shared/content/pairs/pair-content.ts";
import { isAcceptableX25519Key } from "#shared/protocol/primitives/x25519-key.ts";
import type { PairState, Unacknowledged } from "./pair-state.ts";

/** What a content says of boxes, and in which it came. */
export interface BoxNews {
  /** Instance that wrote it. */
  readonly instance: string;
  readonly box: ShownBox | undefined;
  /** Number of the own box for this person in which it came; null for the lasting mailbox. */
  readonly cameIn: number | null;
}

/**
 * The state with what a content of the other device's present instance says. Another instance may be of a device that was set back, which knows
 * other boxes: nothing goes to those of the one before.
 */
export function withBoxNews<Secret>(state: PairState<Secret>, { instance, box, cameIn }: BoxNews): PairState<Secret> {
  const known = state.theirBox?.instance === instance ? state.theirBox : null;
  const isNewer = box !== undefined && isAcceptableX25519Key(box.mailbox) && (known === null || box.generation > known.generation);
  return { ...state, theirBox: isNewer ? { ...box, instance } : known, heardIn: cameIn };
}

/** Where a content goes that leaves now; undefined for the lasting mailbox of the other device. */
export function boxFor<Secret>({ theirBox, theirs, sent }: PairState<Secret>, place: number | undefined): ShownBox | undefined {
  if (theirBox == null || theirBox.instance !== theirs?.chain.instance) return undefined;
  if (place !== undefined && !sent.waiting.some((entry) => entry.position === place && isFirst(entry))) return undefined;
  const { mailbox, writeSeed, generation } = theirBox;
  return { mailbox, writeSeed, generation };
}

/** Sealed once: the box may be one that is read no more, so nothing goes there a second time. */
function isFirst({ tries }: Unacknowledged): boolean {
  return tries <= 1;
}

/** True until something of the other device has come in the newest own box for its person. */
export function isBoxToTell<Secret>({ heardIn = null }: PairState<Secret>, newest: number): boolean {
  return heardIn !== newest;
}
