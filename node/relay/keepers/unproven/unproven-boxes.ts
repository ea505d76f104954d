// Boxes that are read without a proof of their key: what all keepers list of them, in memory for a while. Nothing is stored for such readers.
import { LRUCache } from "lru-cache";
import { PacedWork } from "#node/network/flow/paced-work.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type BoxOpening, isLaterOpening } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { AskedBox, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { OpenedBoxes } from "../../owners/opened-boxes.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import type { KeeperLines } from "./keeper-lines.ts";
import { LIST_POSITIONS, MergedList } from "./merged-list.ts";

export interface UnprovenBoxesDependencies {
  /** Key of this node: what it keeps itself is in its mailbox. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: Pick<KeeperRanks, "keepersOf" | "isRanked">;
  readonly store: Pick<MailboxRepository, "listIds" | "deleted">;
  readonly boxes: Pick<OpenedBoxes, "find" | "isProven">;
  readonly lines: Pick<KeeperLines, "run">;
  /** A keeper said what no honest one says. */
  readonly onLie: (keeper: PublicKeyHex) => void;
  /** These were not listed by anyone before, in a box that had been read. */
  readonly onFresh: (box: X25519KeyHex, ids: readonly string[]) => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: KeeperLimits;
}

interface ReadBox {
  readonly list: MergedList;
  readAtMs: number;
  /** Of those that keep: all, and those that have listed it since it was read last. */
  keeping: ReadonlySet<PublicKeyHex>;
  answered: Set<PublicKeyHex>;
  /** Those that are asked now. */
  open: Set<PublicKeyHex>;
  /** Something came while it was read: it is read once more. */
  isStale: boolean;
  opening: BoxOpening | undefined;
  /** True once it was read: what comes later is new. */
  isRead: boolean;
  /** Resolves once enough have answered, or no one is asked any more. */
  settled: PromiseWithResolvers<void>;
}

const NOTHING_READ: Pick<ReadBox, "answered" | "keeping"> = { answered: new Set(), keeping: new Set() };
/** Time that ranks of boxes are looked up without a pause, ms. */
const RANKING_MS = 8;

type Ask = (request: MailRequest) => Promise<MailResponse>;
type Page = Extract<MailResponse, { readonly type: "page" }>;

/** Deletions are not asked for: what an owner deleted is listed by no keeper that knows it. */
const NO_DELETIONS = Number.MAX_SAFE_INTEGER;
/** Lists that begin within one second have positions of their own. */
const LISTS_A_SECOND = 256;
const { listedBoxes } = NETWORK_LIMITS.mailItems;

/** Reads. */
export class UnprovenBoxes {
  readonly #dependencies: UnprovenBoxesDependencies;
  readonly #boxes: LRUCache<X25519KeyHex, ReadBox>;
  /** What each keeper is to be asked with its next request. */
  readonly #wanted = new Map<PublicKeyHex, Set<X25519KeyHex>>();
  readonly #ranking: PacedWork;
  #lists = 0;

  constructor(dependencies: UnprovenBoxesDependencies) {
    this.#dependencies = dependencies;
    this.#ranking = new PacedWork(dependencies);
    const { unprovenBoxes, unprovenIds } = dependencies.limits;
    this.#boxes = new LRUCache({ max: unprovenBoxes, maxSize: unprovenIds, sizeCalculation: ({ list }): number => list.size + 1 });
  }

  /** True where a list costs no request to keepers. */
  isFresh(box: X25519KeyHex): boolean {
    const known = this.#boxes.peek(box);
    return known !== undefined && !this.#isOld(known);
  }

  /** Resolves once enough keepers have listed these boxes, or their time is over, with those of which that is not so. Never rejects. */
  async read(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>> {
    const { timers, limits } = this.#dependencies;
    const asked = [...new Set(boxes)];
    const { promise: late, resolve } = Promise.withResolvers<void>();
    let isLate = false;
    const cancel = timers.setTimer(limits.firstReadMs, () => {
      isLate = true;
      resolve();
    });
    const reading = async (): Promise<void> => {
      await this.#rank(asked, () => isLate);
      if (!isLate) await this.#settled(asked.map((box) => this.#begin(box)));
    };
    await Promise.race([reading(), late]);
    cancel();
    return new Set(asked.filter((box) => !this.#isComplete(this.#boxes.peek(box))));
  }

  /** Who asks while a box is read waits no longer than who asked first. */
  async #settled(reading: readonly ReadBox[]): Promise<void> {
    const { clock, timers, limits } = this.#dependencies;
    const leftMs = Math.max(...reading.map(({ readAtMs }) => readAtMs)) + limits.firstReadMs - clock.monotonicMs();
    if (leftMs <= 0) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = timers.setTimer(leftMs, resolve);
    await Promise.race([Promise.all(reading.map(({ settled }) => settled.promise)), late]);
    cancel();
  }

  /** Ranks that are not known cost a hash or more for each keeper: they are looked up in pieces, in a tenth of the processor. */
  async #rank(boxes: readonly X25519KeyHex[], isOver: () => boolean): Promise<void> {
    const { ranks, clock } = this.#dependencies;
    const unranked = boxes.filter((box) => !ranks.isRanked(box));
    const rankSome = (): void => {
      const beganMs = clock.monotonicMs();
      while (clock.monotonicMs() - beganMs < RANKING_MS) {
        const box = unranked.pop();
        if (box === undefined) return;
        ranks.keepersOf(box);
      }
    };
    while (unranked.length > 0 && !isOver()) await this.#ranking.run("readers", rankSome);
  }

  /** What was read of a box together with what is in this node's mailbox. */
  listOf(box: X25519KeyHex): MergedList {
    return this.#known(box).list;
  }

  /** How its owner opened the box, as keepers have proven. */
  openingOf(box: X25519KeyHex): BoxOpening | undefined {
    return this.#boxes.peek(box)?.opening;
  }

  /** There may be something new in a box: it is read again, soon. */
  renew(box: X25519KeyHex): void {
    const { clock, timers, limits } = this.#dependencies;
    const known = this.#known(box);
    if (known.isStale) return;
    const waitMs = known.readAtMs + limits.fetchAfterMs - clock.monotonicMs();
    if (known.open.size === 0 && waitMs <= 0) {
      known.readAtMs = Number.NEGATIVE_INFINITY;
      this.#begin(box);
      return;
    }
    known.isStale = true;
    if (known.open.size === 0) timers.setTimer(waitMs, () => this.#renewStale(box));
  }

  #renewStale(box: X25519KeyHex): void {
    const known = this.#boxes.peek(box);
    if (known?.isStale !== true) return;
    known.isStale = false;
    this.renew(box);
  }

  #known(box: X25519KeyHex): ReadBox {
    const known = this.#boxes.get(box);
    if (known !== undefined && !known.list.isSpent) return known;
    const made: ReadBox = {
      ...{ list: new MergedList(this.#firstPosition(), this.#dependencies.limits.boxEntries), readAtMs: Number.NEGATIVE_INFINITY },
      ...{ keeping: new Set<PublicKeyHex>(), answered: new Set<PublicKeyHex>(), open: new Set<PublicKeyHex>() },
      ...{ opening: known?.opening, isRead: false, isStale: false },
      settled: Promise.withResolvers<void>(),
    };
    this.#boxes.set(box, made);
    this.#takeOwn(box, made);
    return made;
  }

  #takeOwn(box: X25519KeyHex, { list }: ReadBox): void {
    const { store, limits } = this.#dependencies;
    list.takeOwn(store.listIds(box, 0, limits.boxEntries));
  }

  /** No list of before has reached it: positions of a list count from the second in which it began. */
  #firstPosition(): number {
    this.#lists = (this.#lists + 1) % LISTS_A_SECOND;
    const nowSec = Math.floor(this.#dependencies.clock.nowMs() / 1_000);
    return (nowSec * LISTS_A_SECOND + this.#lists) * LIST_POSITIONS;
  }

  #isOld({ readAtMs, open }: ReadBox): boolean {
    return open.size === 0 && this.#dependencies.clock.monotonicMs() - readAtMs >= this.#dependencies.limits.unprovenFreshMs;
  }

  #isComplete(known: ReadBox | undefined): boolean {
    const { answered, keeping } = known ?? NOTHING_READ;
    return keeping.size > 0 && answered.size >= Math.min(this.#dependencies.limits.readersAnswers, keeping.size);
  }

  #begin(box: X25519KeyHex): ReadBox {
    const known = this.#known(box);
    if (!this.#isOld(known)) return known;
    this.#takeOwn(box, known);
    const { ranks, ownKey, clock } = this.#dependencies;
    const found = ranks.keepersOf(box);
    const keepers = found === undefined ? [] : [...found.keeping, ...found.standingIn, ...found.draining].map(({ key }) => key);
    const keeping = new Set(found?.keeping.map(({ key }) => key));
    const open = new Set(keepers.filter((keeper) => keeper !== ownKey));
    const answered = new Set(keeping.has(ownKey) ? [ownKey] : []);
    const settled = Promise.withResolvers<void>();
    Object.assign(known, { readAtMs: clock.monotonicMs(), keeping, answered, open, settled });
    for (const keeper of [...open]) this.#want(keeper, box);
    this.#settle(box, known);
    return known;
  }

  #want(keeper: PublicKeyHex, box: X25519KeyHex): void {
    const wanted = this.#wanted.get(keeper);
    if (wanted !== undefined) {
      wanted.add(box);
      return;
    }
    const boxes = new Set([box]);
    this.#wanted.set(keeper, boxes);
    let taken: readonly X25519KeyHex[] = [];
    const work = async (ask: Ask): Promise<void> => {
      // What is wanted in the same turn goes along.
      await Promise.resolve();
      this.#wanted.delete(keeper);
      taken = [...boxes];
      for (let at = 0; at < taken.length; at += listedBoxes) await this.#ask(keeper, taken.slice(at, at + listedBoxes), ask);
    };
    void this.#dependencies.lines.run(keeper, work).then((isAnswered) => {
      if (this.#wanted.get(keeper) === boxes) this.#wanted.delete(keeper);
      if (!isAnswered) for (const each of taken.length > 0 ? taken : boxes) this.#finish(each, keeper, false);
    });
  }

  /** @throws CodedError UPSTREAM_FAILED */
  async #ask(keeper: PublicKeyHex, boxes: readonly X25519KeyHex[], ask: Ask): Promise<void> {
    const { limits } = this.#dependencies;
    const listed = new Map<X25519KeyHex, string[]>();
    let scope: string | null = null;
    let asked: AskedBox[] = boxes.map((box) => ({ box, after: 0, afterDeletion: NO_DELETIONS }));
    // What is left then was not answered: so many ids are the fault of those who asked for these boxes.
    for (let pages = 0; asked.length > 0 && pages < limits.unprovenPages; pages += 1) {
      const page = await ask({ type: "get", scope, boxes: asked, hasContent: false });
      if (page.type !== "page" || (scope !== null && page.scope !== scope))
        throw new CodedError("UPSTREAM_FAILED", "The keeper gives no page of this list");
      scope = page.scope;
      const more = await this.#takePage(keeper, { page, asked, listed });
      const isStuck = more.length === asked.length && page.boxes.every(({ ids }) => ids.length === 0);
      if (isStuck) throw new CodedError("UPSTREAM_FAILED", "The keeper gives empty pages");
      asked = more;
    }
    // Of boxes that it left out it is no keeper.
    for (const box of boxes) this.#finish(box, keeper, false);
  }

  /** Boxes of which there is more. */
  async #takePage(
    keeper: PublicKeyHex,
    { page, asked, listed }: { readonly page: Page; readonly asked: readonly AskedBox[]; readonly listed: Map<X25519KeyHex, string[]> },
  ): Promise<AskedBox[]> {
    const more: AskedBox[] = [];
    const before = new Map(asked.map(({ box, after }) => [box, after]));
    for (const { box, ids, opening, lastSeq, hasMore } of page.boxes) {
      const after = before.get(box);
      // A box counts once a page, whatever it repeats.
      if (after === undefined) continue;
      before.delete(box);
      const all = listed.get(box) ?? [];
      listed.set(box, all);
      all.push(...ids);
      if (opening !== null) await this.#learn(keeper, box, opening);
      const isLie = all.length > this.#dependencies.limits.boxEntries;
      if (hasMore && !isLie) more.push({ box, after: lastSeq, afterDeletion: NO_DELETIONS });
      else this.#take(keeper, box, all);
    }
    return more;
  }

  #take(keeper: PublicKeyHex, box: X25519KeyHex, ids: readonly string[]): void {
    const { store, clock, onLie, onFresh } = this.#dependencies;
    const known = this.#boxes.peek(box);
    if (known === undefined) return;
    const present = ids.filter((id) => known.list.has(id) || !store.deleted.has(box, id));
    const fresh = known.list.take(keeper, present, Math.floor(clock.nowMs() / 1_000));
    if (fresh === undefined) onLie(keeper);
    else if (known.isRead && fresh.length > 0) onFresh(box, fresh);
    // Its size is another one now.
    this.#boxes.set(box, known);
    this.#finish(box, keeper, fresh !== undefined);
  }

  /** @throws CodedError UPSTREAM_FAILED for a proof that is none */
  async #learn(keeper: PublicKeyHex, box: X25519KeyHex, opening: BoxOpening): Promise<void> {
    const known = this.#boxes.peek(box);
    if (known === undefined || known.opening?.signature === opening.signature) return;
    if (opening.mailbox !== box || !(await this.#dependencies.boxes.isProven(opening))) {
      this.#dependencies.onLie(keeper);
      throw new CodedError("UPSTREAM_FAILED", "A keeper gave a proof that is none");
    }
    if (known.opening === undefined || isLaterOpening(opening, known.opening)) known.opening = opening;
  }

  #finish(box: X25519KeyHex, keeper: PublicKeyHex, isAnswered: boolean): void {
    const known = this.#boxes.peek(box);
    if (known?.open.delete(keeper) !== true) return;
    if (isAnswered && known.keeping.has(keeper)) known.answered.add(keeper);
    this.#settle(box, known);
  }

  #settle(box: X25519KeyHex, known: ReadBox): void {
    const isComplete = this.#isComplete(known);
    known.isRead ||= isComplete;
    if (known.open.size === 0 || isComplete) known.settled.resolve();
    if (known.open.size === 0) this.#renewStale(box);
  }
}
