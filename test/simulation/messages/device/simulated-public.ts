// Public cards of simulated devices: drawn, published and forgotten by the rules of real ones. Nodes may give an older one, or none.
import {
  noPublicCards,
  type PublicRecord,
  publicCardDue,
  publicSecret,
  withDrawn,
  withoutOld,
  withPublished,
} from "#shared/messenger/changes/pairs/public-record.ts";
import type { BothClocks } from "#shared/messenger/pairs/counted-days.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import type { PairCard } from "#shared/protocol/pairs/pair-card.ts";
import { isFreshPublicCard, isPresentPublicCard } from "#shared/protocol/pairs/public-card.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { Random } from "#test/support/host/random.ts";
import type { HostileRelay } from "../network/hostile-relay.ts";

interface PublishedCard extends PairCard {
  readonly number: number;
}

/** What nodes have of everyone. */
export class PublicDirectory {
  readonly #cards = new Map<string, PublishedCard[]>();
  readonly #random: Random;
  /** Nodes give what they have, and take what they get. */
  isHonest = false;
  readonly #hostile: HostileRelay | undefined;
  /** Cards that were given though their time was over: nothing is sealed to them. */
  outdated = 0;

  constructor(random: Random, hostile?: HostileRelay) {
    this.#random = random;
    this.#hostile = hostile;
  }

  /** False where another one counts, or its time is over; undefined where no node responds. */
  publish(device: string, card: PublishedCard, worldMs: number): boolean | undefined {
    if (!this.isHonest && this.#random.chance(0.1)) return undefined;
    const known = this.#cards.get(device) ?? [];
    if (card.number <= (known.at(-1)?.number ?? 0) || !isFreshPublicCard(card, worldMs)) return false;
    this.#cards.set(device, [...known, card]);
    return true;
  }

  /** The card that was published last, as who asks all nodes finds it. */
  newestOf(device: string): PairCard | undefined {
    return this.#cards.get(device)?.at(-1);
  }

  /** A card of a device that is valid by the time of who asks, not always the newest one. */
  of(device: string, blockMs: number): PairCard | undefined {
    const old = this.#hostile?.isActive === true ? this.#hostile.cardOf(this.#cards.get(device) ?? []) : undefined;
    if (old !== undefined) {
      const isPresent = isPresentPublicCard(old, blockMs);
      this.outdated += Number(!isPresent);
      return isPresent ? old : undefined;
    }
    // They ascend, so those that are valid lie together.
    const cards = this.#cards.get(device) ?? [];
    const last = cards.findLastIndex((card) => isPresentPublicCard(card, blockMs));
    if (this.isHonest || this.#random.chance(0.7)) return cards[last];
    const count = last < 0 ? 0 : last - cards.findLastIndex((card, at) => at < last && !isPresentPublicCard(card, blockMs));
    const chosen = this.#random.between(0, count);
    return chosen === count ? undefined : cards[last - count + 1 + chosen];
  }
}

/** What a device does with its own cards once its mailboxes were read; `unpublished` is the newest one as it is shown. */
export function tendPublicCards(
  record: PublicRecord | undefined,
  context: {
    readonly device: string;
    readonly directory: PublicDirectory;
    readonly now: BothClocks;
    /** What nodes go by. */
    readonly worldMs: number;
    readonly day: number;
    hex(bytes: number): string;
  },
): PublicRecord {
  const { device, directory, now, worldMs, day, hex } = context;
  let next = withoutOld(record ?? noPublicCards(hex(8)), day);
  const number = publicCardDue(next, now);
  if (number !== undefined) {
    const secret = `${device} public ${number} ${hex(4)}`;
    next = withDrawn(next, { number, secret, day }, secret);
  }
  const newest = next.cards.at(-1);
  if (newest === undefined || next.unpublished !== newest.secret) return next;
  const card = { id: cardId(next.instance, newest.number), kem: utf8(newest.secret), x: new Uint8Array(), psk: new Uint8Array() };
  const isTaken = directory.publish(device, { ...card, number: newest.number }, worldMs);
  return isTaken === undefined ? next : withPublished(next, isTaken);
}

/** True for the key that a card of the device has. */
export function opensPublic(record: PublicRecord | undefined, id: string, key: string): boolean {
  return record !== undefined && publicSecret(record, id) === key;
}
