// What a device knows of its pair with one other device, as it is stored. Everything here is plain data: the steps are in the files beside.
import type { MessageId } from "#shared/content/content.ts";
import type { ShownBox } from "#shared/content/pairs/pair-content.ts";
import type { PairCard } from "#shared/protocol/pairs/pair-card.ts";
import type { BothClocks } from "./counted-days.ts";

/** Own cards of a pair that can be opened with; the oldest goes. */
export const MAX_CARDS = 8;
/** Contents of a chain that wait for their acknowledgement; of the oldest nothing is sent again any more. */
export const MAX_UNACKNOWLEDGED = 4_096;
/** Chunks of files among them: 20 MB, a third of what a mailbox holds. Further ones stay here until some are acknowledged. */
export const MAX_UNACKNOWLEDGED_CHUNKS = 100;
/** Positions beyond a gap that are remembered. */
export const MAX_BEYOND_GAP = 4_096;
/** Names of former instances of the other device that are remembered. */
export const MAX_PAST_INSTANCES = 8;
/** Ids of contents that are remembered with the card they came under. */
export const MAX_HELD_IDS = 64;

/** A card that this device drew for the other one. `Secret` is what opens it. */
export interface OwnCard<Secret> {
  readonly number: number;
  readonly secret: Secret;
  readonly drawnAt: BothClocks;
  /** Counted day on which a mailbox first took a content that shows it; null before. */
  readonly handedInDay: number | null;
  /** Something with a position came under it. */
  readonly isSealedTo: boolean;
  /** Everything up to this position of this chain may have been sealed to an earlier card. */
  readonly base: { readonly instance: string; readonly position: number } | null;
  /** Contents that came under it, the newest ones. */
  readonly held: readonly MessageId[];
  /** More came under it than are remembered. */
  readonly holdsMore: boolean;
}

/** A card of the other device. */
export interface TheirCard extends PairCard {
  readonly number: number;
  /** When it was shown; absent where an earlier version stored it. */
  readonly shownAt?: BothClocks;
}

/** What came of a chain of the other device. */
export interface ReceivedChain {
  readonly instance: string;
  /** Everything up to this position came, or is gone for good. */
  readonly upTo: number;
  /** Chained digest of the ids up to there, hex of 8 bytes. */
  readonly digest: string;
  /** What came beyond a gap, ascending. */
  readonly ahead: readonly { readonly position: number; readonly id: MessageId }[];
}

/** One instance of the other device. */
export interface TheirInstance {
  readonly chain: ReceivedChain;
  /** Its newest card; null while it has shown none. */
  readonly card: TheirCard | null;
  /** Number of the own card that was drawn next when it became the present one. */
  readonly sinceCard: number;
}

/** The other device, as far as this one knows it. */
export interface TheirSide extends TheirInstance {
  /** The instance before this one; a copy of the device goes on under it. */
  readonly former: TheirInstance | null;
  /** Names of all instances before, the newest ones: at most {@link MAX_PAST_INSTANCES}. */
  readonly past: readonly string[];
  /** When something of it came last. */
  readonly heardAt: BothClocks;
}

/** A box of the other device, and the instance of it that told it. */
export interface TheirBox extends ShownBox {
  readonly instance: string;
}

/** A content that waits for its acknowledgement. */
export interface Unacknowledged {
  readonly position: number;
  readonly id: MessageId;
  /** Id of the card that it was sealed to last, also of a public one; null before. */
  readonly cardId: string | null;
  /** When it was sealed last. */
  readonly sealedAt: BothClocks;
  /** How often it was sealed. */
  readonly tries: number;
  /** To be sealed again at once. */
  readonly isAsked: boolean;
  /** Beside `isAsked`: only because no mailbox took it under a public card. */
  readonly isNotTaken?: true;
  /** Acknowledged beyond a gap: stays until the gap is closed, for its id. */
  readonly isThere: boolean;
  /** A chunk of a file: only so many wait at once, so that files leave room for everything else. */
  readonly isChunk?: true;
}

/** The own chain to the other device. */
export interface SentChain {
  /** Last position given. */
  readonly last: number;
  /** Acknowledged up to this position, and the chained digest of the ids up to there; null where an id is not known any more. */
  readonly ackedUpTo: number;
  readonly ackedDigest: string | null;
  /** Instance of the other device that acknowledged last; null before. */
  readonly ackedBy: string | null;
  /** When its author wrote the newest acknowledgement, milliseconds by that clock, never later than the own one. */
  readonly ackedAtMs: number;
  /** Counted day on which an acknowledgement last lacked what had been acknowledged; null before. */
  readonly lackedDay: number | null;
  readonly waiting: readonly Unacknowledged[];
  /** Highest position sealed to an earlier card than the newest one that was sealed to. */
  readonly base: number;
  /** The newest card that was sealed to, and the highest position under it. */
  readonly under: { readonly cardId: string; readonly position: number } | null;
  /** When something was sealed last; null before. */
  readonly sealedAt: BothClocks | null;
}

/** The pair, seen from this device. */
export interface PairState<Secret> {
  /** Hex of 8 random bytes. */
  readonly instance: string;
  /** The instance before, until the other device has acknowledged something of this one. */
  readonly after: string | null;
  /** Counted day on which this instance was drawn. */
  readonly instanceDay: number;
  readonly cards: readonly OwnCard<Secret>[];
  readonly nextNumber: number;
  /** Cards that something did not open with, to be said: at most 8. */
  readonly lost: readonly string[];
  readonly sent: SentChain;
  readonly theirs: TheirSide | null;
  /** The other device exists twice, or was set back while its former state goes on. */
  readonly isCopied: boolean;
  /** The instance before the present one of the other device may go on, as a copy does: it gets one content, to answer if it is there. */
  readonly asksFormer: boolean;
  /** When the newest card was last shown outside of this format; null before. */
  readonly introducedAt: BothClocks | null;
  /** When something last came under a card that is gone, of which the other device had not been informed; absent before. */
  readonly unopenedAt?: BothClocks;
  /** When an acknowledgement that nothing else carries is to leave, by the own clock; null when none is due. */
  readonly markAtMs: number | null;
  /** The box that the other device told last. */
  readonly theirBox?: TheirBox | null;
  /** Number of the own box in which the newest content of the other device came; null for the lasting mailbox. */
  readonly heardIn?: number | null;
}

/** Digest of a chain without contents. */
export const EMPTY_DIGEST = "00".repeat(8);

const NO_CHAIN: SentChain = {
  last: 0,
  ackedUpTo: 0,
  ackedDigest: EMPTY_DIGEST,
  ackedBy: null,
  ackedAtMs: 0,
  lackedDay: null,
  waiting: [],
  base: 0,
  under: null,
  sealedAt: null,
};

/** A pair of which nothing is known yet. `instance`: hex of 8 random bytes. */
export function newPair<Secret>(instance: string, day: number): PairState<Secret> {
  const own = { instance, after: null, instanceDay: day, cards: [], nextNumber: 1, lost: [] };
  return { ...own, sent: NO_CHAIN, theirs: null, isCopied: false, asksFormer: false, introducedAt: null, markAtMs: null };
}

/**
 * This device was set back or copied: it goes on with the other one under another instance, with cards and a chain of its own, once a
 * counted day, and everything of 90 days is given positions again. What it received stays. Other pairs notice by themselves, with their next
 * acknowledgement: one person who contradicts makes nothing be sent to another. The same state where it is too early.
 */
export function renewInstance<Secret>(state: PairState<Secret>, instance: string, day: number): PairState<Secret> {
  if (day <= state.instanceDay) return state;
  const { theirs, isCopied } = state;
  return { ...newPair<Secret>(instance, day), after: state.instance, theirs: theirs && { ...theirs, sinceCard: 1 }, isCopied, markAtMs: 0 };
}
