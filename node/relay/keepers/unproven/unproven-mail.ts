// Lists of boxes for readers who prove nothing, while mail is at keepers: what these list is fetched from them a page at a time. Contents are
// remembered for a while in memory, and never stored.
import { LRUCache } from "lru-cache";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { MailboxQuery, MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MailForGateways, UnprovenText } from "../../intake/mail-elsewhere.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import type { KeeperLines } from "./keeper-lines.ts";
import type { MergedEntry, MergedList } from "./merged-list.ts";
import type { UnprovenBoxes } from "./unproven-boxes.ts";

export interface UnprovenMailDependencies {
  readonly boxes: Pick<UnprovenBoxes, "read" | "listOf" | "isFresh" | "openingOf">;
  readonly lines: Pick<KeeperLines, "run" | "isFailing">;
  readonly store: Pick<MailboxRepository, "get" | "deleted">;
  readonly clock: Clock;
  readonly limits: KeeperLimits;
}

/** What keepers were asked for. */
interface Fetched {
  readonly envelope: Envelope | undefined;
  /** Everyone who listed it says that there is no such envelope. */
  readonly isUnreal: boolean;
}

const NOT_FOUND: Fetched = { envelope: undefined, isUnreal: false };
const { fetchedIds } = NETWORK_LIMITS.mailItems;
/** Envelopes of a list that are looked at together. */
const TOGETHER = 64;
/** The last second that RFC 3339 can write, 9999-12-31T23:59:59Z. */
const LAST_WRITABLE_SECOND = 253_402_300_799;

/** Lists and counts. */
export class UnprovenMail implements Omit<MailForGateways, "readServed"> {
  readonly #dependencies: UnprovenMailDependencies;
  readonly #contents: LRUCache<string, Envelope>;

  constructor(dependencies: UnprovenMailDependencies) {
    this.#dependencies = dependencies;
    this.#contents = new LRUCache({ maxSize: dependencies.limits.unprovenBytes, sizeCalculation: envelopeBytes });
  }

  isAtHand(box: X25519KeyHex): boolean {
    return this.#dependencies.boxes.isFresh(box);
  }

  read(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>> {
    return this.#dependencies.boxes.read(boxes);
  }

  openingOf(box: X25519KeyHex): ReturnType<UnprovenBoxes["openingOf"]> {
    return this.#dependencies.boxes.openingOf(box);
  }

  hide(box: X25519KeyHex, id: string): void {
    this.#dependencies.boxes.listOf(box).leaveOut(id, false);
  }

  missing(box: X25519KeyHex): readonly string[] {
    const entries = this.#dependencies.boxes.listOf(box).after(0);
    return [...this.#shown(entries, { recipientPub: box, sinceSec: -1, isMissing: true })].map(({ id }) => id);
  }

  listText(query: MailboxQuery): Promise<UnprovenText> {
    return this.#list(query, false);
  }

  listMissing(query: MailboxQuery): Promise<UnprovenText> {
    return this.#list(query, true);
  }

  count(box: X25519KeyHex): number {
    const { boxes, store } = this.#dependencies;
    return boxes.listOf(box).count - store.deleted.hidden.count(box);
  }

  async #list({ recipientPub, limit, sinceSec = -1, afterSeq = 0, maxBytes }: MailboxQuery, isMissing: boolean): Promise<UnprovenText> {
    const list = this.#dependencies.boxes.listOf(recipientPub);
    const ahead = new Ahead(this.#shown(list.after(afterSeq), { recipientPub, sinceSec, isMissing }));
    const page = new Page(limit, maxBytes ?? Number.POSITIVE_INFINITY);
    const { clock, limits } = this.#dependencies;
    const endsAtMs = clock.monotonicMs() + limits.unprovenMs;
    let isComplete = true;
    for (let rounds = 0; !page.isFull && !ahead.isOver; rounds += 1) {
      // Keepers that list what they do not have get no further.
      if (rounds >= limits.unprovenPages || clock.monotonicMs() >= endsAtMs) return { ...page.text(true), isComplete: false };
      // Where some of the first could not be had, more are looked at together.
      const entries = ahead.take(rounds === 0 ? Math.min(TOGETHER, page.left) : TOGETHER);
      const { taken, hasSilent } = this.#addSome(page, list, { entries, found: await this.#envelopesOf(recipientPub, entries) });
      isComplete &&= !hasSilent;
      if (taken < entries.length) return { ...page.text(true), isComplete };
    }
    return { ...page.text(!ahead.isOver), isComplete };
  }

  /** How many are done with, and whether one of them could not be had. */
  #addSome(
    page: Page,
    list: MergedList,
    { entries, found }: { readonly entries: readonly MergedEntry[]; readonly found: ReadonlyMap<string, Fetched> },
  ): { readonly taken: number; readonly hasSilent: boolean } {
    let taken = 0;
    let hasSilent = false;
    for (const { id, seq } of entries) {
      if (page.isFull) break;
      const { envelope, isUnreal } = found.get(id) ?? NOT_FOUND;
      if (envelope === undefined) {
        list.leaveOut(id, !isUnreal);
        hasSilent ||= !isUnreal;
      } else if (!page.add(itemText(envelope, seq))) break;
      taken += 1;
    }
    return { taken, hasSilent };
  }

  /** Without what was deleted or hidden here, or lies in this node's mailbox where only what is missing there is asked for. */
  *#shown(
    entries: Iterable<MergedEntry>,
    { recipientPub, sinceSec, isMissing }: Required<Pick<MailboxQuery, "recipientPub" | "sinceSec">> & { readonly isMissing: boolean },
  ): Generator<MergedEntry, void> {
    const { deleted } = this.#dependencies.store;
    const hasHidden = deleted.hidden.count(recipientPub) > 0;
    for (const entry of entries) {
      if (entry.atSec <= sinceSec || (isMissing && entry.isHere) || deleted.has(recipientPub, entry.id)) continue;
      if (!hasHidden || !deleted.hidden.has(recipientPub, entry.id)) yield entry;
    }
  }

  /** What an envelope is that a keeper lists; undefined when it cannot be had. */
  async find(box: X25519KeyHex, id: string): Promise<Envelope | undefined> {
    const entry = this.#dependencies.boxes.listOf(box).find(id);
    return entry && (await this.#envelopesOf(box, [entry])).get(id)?.envelope;
  }

  async #envelopesOf(box: X25519KeyHex, entries: readonly MergedEntry[]): Promise<ReadonlyMap<string, Fetched>> {
    const { store } = this.#dependencies;
    const found = new Map<string, Fetched>();
    const asked: MergedEntry[] = [];
    for (const entry of entries) {
      const envelope = store.get(box, entry.id)?.envelope ?? this.#contents.get(`${box} ${entry.id}`);
      if (envelope === undefined) asked.push(entry);
      else found.set(entry.id, { envelope, isUnreal: false });
    }
    await this.#fetchAll(box, asked, found);
    return found;
  }

  /** Of each envelope one holder after the other is asked; those of one holder together. */
  async #fetchAll(box: X25519KeyHex, entries: readonly MergedEntry[], found: Map<string, Fetched>): Promise<void> {
    const { lines, limits, clock } = this.#dependencies;
    const endsAtMs = clock.monotonicMs() + limits.unprovenMs;
    const left = new Map(entries.map((entry) => [entry.id, { untried: [...entry.holders], hasSilent: false }]));
    while (left.size > 0 && clock.monotonicMs() < endsAtMs) {
      const byKeeper = new Map<PublicKeyHex, string[]>();
      for (const [id, state] of left) {
        const keeper = state.untried.find((each) => !lines.isFailing(each)) ?? state.untried[0];
        if (keeper === undefined) {
          left.delete(id);
          found.set(id, { envelope: undefined, isUnreal: !state.hasSilent });
        } else byKeeper.set(keeper, [...(byKeeper.get(keeper) ?? []), id]);
      }
      const rounds = [...byKeeper].map(async ([keeper, ids]) => {
        const { items, isAnswered } = await this.#fetch(keeper, box, ids.slice(0, fetchedIds));
        for (const envelope of items) {
          if (!left.delete(envelope.id)) continue;
          this.#contents.set(`${box} ${envelope.id}`, envelope);
          found.set(envelope.id, { envelope, isUnreal: false });
        }
        // What did not fit is asked again, as long as something comes.
        if (items.length > 0) return;
        for (const id of ids) {
          const state = left.get(id);
          if (state === undefined) continue;
          state.untried.splice(state.untried.indexOf(keeper), 1);
          state.hasSilent ||= !isAnswered;
        }
      });
      await Promise.all(rounds);
    }
  }

  /** Only what was asked for, and is what it says. */
  async #fetch(
    keeper: PublicKeyHex,
    box: X25519KeyHex,
    ids: readonly string[],
  ): Promise<{ readonly items: readonly Envelope[]; readonly isAnswered: boolean }> {
    const items: Envelope[] = [];
    const isAnswered = await this.#dependencies.lines.run(keeper, async (ask) => {
      const response = await ask({ type: "fetch", places: ids.map((id) => ({ box, id })) });
      if (response.type !== "mail") return;
      const asked = new Set(ids);
      for (const { envelope } of response.items)
        if (envelope.recipient_pub === box && asked.delete(envelope.id) && isAuthenticEnvelope(envelope)) items.push(envelope);
    });
    return { items, isAnswered };
  }
}

/** What is still to be looked at. */
class Ahead {
  readonly #entries: Iterator<MergedEntry, void>;
  #next: MergedEntry | undefined;

  constructor(entries: Iterator<MergedEntry, void>) {
    this.#entries = entries;
    this.#step();
  }

  get isOver(): boolean {
    return this.#next === undefined;
  }

  take(most: number): readonly MergedEntry[] {
    const some: MergedEntry[] = [];
    for (; this.#next !== undefined && some.length < most; this.#step()) some.push(this.#next);
    return some;
  }

  #step(): void {
    this.#next = this.#entries.next().value ?? undefined;
  }
}

/** Items of a list, as many as it may have. */
class Page {
  readonly #limit: number;
  readonly #texts: string[] = [];
  #room: number;
  isFull: boolean;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#room = maxBytes;
    this.isFull = limit <= 0;
  }

  /** How many more it may have. */
  get left(): number {
    return this.#limit - this.#texts.length;
  }

  /** False when it has no room; the first one always has. */
  add(text: string): boolean {
    const fits = this.#texts.length === 0 || text.length + 1 <= this.#room;
    if (fits) {
      this.#room -= text.length + 1;
      this.#texts.push(text);
    }
    this.isFull = !fits || this.left <= 0;
    return fits;
  }

  text(hasMore: boolean): Pick<UnprovenText, "items" | "count" | "hasMore"> {
    return { items: this.#texts.join(), count: this.#texts.length, hasMore };
  }
}

/** As a mailbox writes an item. */
function itemText(
  { id, sender_pub, sender_ed25519_pub, recipient_pub, fee_ut, sent_at, nonce, ciphertext }: Envelope,
  seq: number,
): string {
  const human = new Date(Math.min(Math.max(0, sent_at), LAST_WRITABLE_SECOND) * 1_000).toISOString().replace(".000Z", "Z");
  return JSON.stringify({
    ...{ id, seq, sender_pub, sender_ed25519_pub, recipient_pub, fee_ut, sent_at },
    ...{ sent_at_human: human, nonce, ciphertext },
  });
}
