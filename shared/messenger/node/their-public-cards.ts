// Public cards of others' devices, as the own node gives them: read when something is to be sealed in version 1, or nothing else proves whose
// device it is; checked, and remembered for a while. Where there is none, contents are sealed as if there were no such cards.
import { ownerName, type PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import { decodePublicCard, isGenuinePublicCard, isPresentPublicCard, type PublicCard } from "#shared/protocol/pairs/public-card.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { MessengerNode } from "../model/node-port.ts";

/** A card that was read is used for so long, ms, and so long none is asked for where there was none, or no answer. */
const KNOWN_MS = 6 * 3_600_000;
const NONE_MS = 3_600_000;
const FAILED_MS = 60_000;
/** No message waits longer for cards, ms: the node may wait for others. */
export const MAX_CARD_WAIT_MS = 3_000;
/** Devices whose cards are remembered, and asked for at once. */
const MAX_REMEMBERED = 1_024;
const PARALLEL = 6;

interface Surroundings {
  readonly node: Pick<MessengerNode, "chainId" | "publicCard">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  /** Time of the chain, ms; 0 while it is not known. */
  readonly days: { now(): { readonly blockMs: number } };
}

/** A device whose card is wanted. */
export interface WantedCard extends PublicCardOwner {
  /** The one that is remembered may be of no use: the node is asked again, a minute after the last time. */
  readonly isFresh?: boolean;
}

interface Known {
  readonly card: PublicCard | undefined;
  /** The one before it: the node of its owner may be ahead of the own one. */
  readonly before: PublicCard | undefined;
  readonly readMs: number;
  readonly untilMs: number;
}

/** Cards of one run. */
export class TheirPublicCards {
  readonly #surroundings: Surroundings;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Valid cards of some of these devices, by the names of their owners. Never rejects, and waits for a moment at most: what comes later counts the next time. */
  async of(owners: readonly WantedCard[]): Promise<ReadonlyMap<string, PublicCard>> {
    const { blockMs } = this.#surroundings.days.now();
    if (blockMs === 0 || owners.length === 0) return new Map();
    await this.#wait(this.#askAll(owners));
    const found = new Map<string, PublicCard>();
    for (const name of owners.map(ownerName)) {
      const { card: newest, before } = this.#known.get(name) ?? {};
      const card = [newest, before].find((one) => one !== undefined && isPresentPublicCard(one, blockMs));
      if (card !== undefined) found.set(name, card);
    }
    return found;
  }

  /**
   * True when a card shows that the person's master key vouches for the device, however old the card is. Never rejects, and waits no longer.
   */
  async isCertified(owner: PublicCardOwner): Promise<boolean> {
    await this.#wait(this.#askAll([{ ...owner, isFresh: true }]));
    return this.#known.get(ownerName(owner))?.card !== undefined;
  }

  async #wait(isAsked: Promise<void>): Promise<void> {
    let cancel: (() => void) | undefined;
    const isOver = new Promise<void>((resolve) => {
      cancel = this.#surroundings.timers.setTimer(MAX_CARD_WAIT_MS, resolve);
    });
    await Promise.race([isAsked, isOver]);
    cancel?.();
  }

  async #askAll(owners: readonly WantedCard[]): Promise<void> {
    const nowMs = this.#surroundings.clock.monotonicMs();
    const due = owners.filter(({ isFresh = false, ...owner }) => {
      const known = this.#known.get(ownerName(owner));
      return known === undefined || known.untilMs <= nowMs || (isFresh && known.readMs + FAILED_MS <= nowMs);
    });
    const waiting = [...due];
    const worker = async (): Promise<void> => {
      for (let owner = waiting.shift(); owner !== undefined; owner = waiting.shift()) await this.#ask(owner);
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, due.length) }, worker));
  }

  #ask(owner: PublicCardOwner): Promise<void> {
    const name = ownerName(owner);
    const known = this.#asking.get(name);
    if (known !== undefined) return known;
    const asking = this.#read(owner).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  async #read(owner: PublicCardOwner): Promise<void> {
    const { person, device } = owner;
    const name = ownerName(owner);
    const { node } = this.#surroundings;
    const before = this.#known.get(name)?.card;
    try {
      const encoded = await node.publicCard(owner);
      const card = encoded && decodePublicCard(encoded);
      const isGenuine = card !== undefined && card.masterPub === person && (await isGenuinePublicCard(node.chainId, device, card));
      const shown = isGenuine ? card : undefined;
      // One that was shown before stays until its time is over, whatever the node says now.
      const newest = before !== undefined && (shown === undefined || before.number >= shown.number) ? before : shown;
      this.#remember(name, newest, shown === undefined ? NONE_MS : KNOWN_MS);
    } catch {
      this.#remember(name, before, FAILED_MS);
    }
  }

  #remember(name: string, card: PublicCard | undefined, forMs: number): void {
    const readMs = this.#surroundings.clock.monotonicMs();
    const known = this.#known.get(name);
    this.#known.delete(name);
    this.#known.set(name, { card, before: known?.card === card ? known?.before : known?.card, readMs, untilMs: readMs + forMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }
}
