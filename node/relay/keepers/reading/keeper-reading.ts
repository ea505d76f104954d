// One keeper as it is read: what is asked of it, and what its pages become.

import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { UnknownProtocolError } from "#node/network/traffic/request-protocol.ts";
import type { Log } from "#node/observability/log.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type {
  AskedBox,
  BoxPage,
  DeletionNotice,
  KeptEnvelope,
  MailPlace,
  MailRequest,
  MailResponse,
} from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { Relay } from "../../relay.ts";
import { BoxSum } from "../box-sums.ts";
import { DeletionSearch } from "../deletion-search.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import { KeeperCursors } from "./keeper-cursors.ts";
import { Repeated } from "./repeated.ts";

/** What reading takes of the node. */
export interface ReadingDependencies {
  readonly relay: Pick<Relay, "receive" | "boxes" | "deletions" | "readers">;
  readonly store: Pick<MailboxRepository, "sizeOf" | "deleted">;
  /** Asks a keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  readonly sourceOf: (keeper: PublicKeyHex) => MailSource;
  /** True while a connection to the keeper is open. */
  readonly isConnected: (keeper: PublicKeyHex) => boolean;
  /** A keeper said what no honest one says. */
  readonly onLie: (keeper: PublicKeyHex) => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** What a reading works with. */
export interface ReadingContext extends ReadingDependencies {
  readonly limits: KeeperLimits;
  readonly signal: AbortSignal;
  /** True where this keeper is the one that gives envelopes, and not only ids. */
  readonly givesContent: (keeper: PublicKeyHex, box: X25519KeyHex) => boolean;
  /** The keeper does not answer, or does again. */
  readonly onFailure: () => void;
  /** Some boxes were read to their end. */
  readonly onRead: () => void;
  /** More keepers are read than connections stay open. */
  readonly isCrowded: () => boolean;
  /** Part of the time between two turns of something after which this keeper has its first one: those of all are spread. */
  readonly phaseOf: (keeper: PublicKeyHex) => number;
  /** There may be something new in these, which are not read here. */
  readonly onNews: (boxes: readonly X25519KeyHex[]) => void;
}

/** Boxes that the keeper tells of although they are read here no more. */
const MAX_UNREAD = 1_024;
const { listedBoxes, watchedBoxes, fetchedIds } = NETWORK_LIMITS.mailItems;

type Page = Extract<MailResponse, { readonly type: "page" }>;

/** Reads the boxes of one keeper. Nothing here rejects. */
export class KeeperReading {
  readonly #keeper: PublicKeyHex;
  readonly #context: ReadingContext;
  readonly #cursors = new KeeperCursors();
  /** Boxes of those that are read whose news the keeper sends. The others are listed now and then. */
  #wanted: ReadonlySet<X25519KeyHex> = new Set();
  /** Boxes that are not read here: it is only told of what is new in them. */
  #toldOf: ReadonlySet<X25519KeyHex> = new Set();
  /** Boxes that the keeper tells of, as far as is known here. */
  readonly #watched = new Set<X25519KeyHex>();
  /** Boxes of which the keeper has said that there is something new, and that were not listed since. */
  readonly #news = new Set<X25519KeyHex>();
  /** Boxes of which the keeper did not tell when they were listed last: they are listed once more when it does. */
  readonly #untold = new Set<X25519KeyHex>();
  /** Boxes that were read to their end. */
  readonly #read = new Set<X25519KeyHex>();
  #isWatching = false;
  /** The keeper is to confirm what is watched; and news of it may have been lost. */
  #isToRenew = false;
  #isLost = false;
  /** False where the keeper is of an earlier version, or asked through carriers. */
  #confirms = false;
  #renewAtMs = Number.NEGATIVE_INFINITY;
  #heardAtMs = Number.NEGATIVE_INFINITY;
  readonly #turns: Readonly<Record<"renew" | "list" | "listOthers", Repeated>>;
  /** The keeper has no room for watches: until then its boxes are listed without. */
  #watchAgainAtMs = Number.NEGATIVE_INFINITY;
  #isRunning = false;
  #failures = 0;
  #nextAtMs = 0;

  constructor(keeper: PublicKeyHex, context: ReadingContext) {
    this.#keeper = keeper;
    this.#context = context;
    const { limits, clock, phaseOf } = context;
    const [nowMs, phase] = [clock.monotonicMs(), phaseOf(keeper)];
    this.#turns = {
      renew: new Repeated(limits.renewMs, phase, nowMs),
      list: new Repeated(limits.listAgainMs, phase, nowMs),
      listOthers: new Repeated(limits.listOthersMs, phase, nowMs),
    };
  }

  get boxes(): readonly X25519KeyHex[] {
    return this.#cursors.boxes;
  }

  follows(box: X25519KeyHex): boolean {
    return this.#cursors.has(box);
  }

  /** It did not answer when it was asked last. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** True when all was read that the keeper listed of a box, and it answers. */
  hasRead(box: X25519KeyHex): boolean {
    return !this.isFailing && this.#read.has(box);
  }

  /** `wanted`: those of the boxes of which the keeper is asked to tell; `toldOf`: others beside. */
  setBoxes(boxes: ReadonlySet<X25519KeyHex>, wanted: ReadonlySet<X25519KeyHex>, toldOf: ReadonlySet<X25519KeyHex>): void {
    this.#cursors.setBoxes(boxes);
    this.#wanted = wanted;
    this.#toldOf = toldOf;
    for (const some of [this.#read, this.#news, this.#untold]) for (const box of some) if (!boxes.has(box)) some.delete(box);
    if (this.#isTooMuch() || this.#unwatched().length > 0) this.#isWatching = false;
  }

  /** News of the keeper may have been lost: it confirms what is watched, or all of that is named and listed again. */
  lose(): void {
    this.#noteLost(false);
    this.poll();
  }

  /** Asks for what has its turn. */
  tick(): void {
    const nowMs = this.#context.clock.monotonicMs();
    if (this.#turns.renew.isDue(nowMs) && this.#watched.size > 0) this.#isToRenew = true;
    const isOfTurn = { wanted: this.#turns.list.isDue(nowMs), others: this.#turns.listOthers.isDue(nowMs) };
    // What no message told of, and what stand-ins took while the others were away.
    if (isOfTurn.wanted || isOfTurn.others)
      this.#cursors.note(this.boxes.filter((box) => (this.#wanted.has(box) ? isOfTurn.wanted : isOfTurn.others)));
    this.poll();
  }

  /** Something may be new in these boxes. */
  note(boxes: readonly X25519KeyHex[]): void {
    this.#cursors.note(boxes);
    this.#tell(boxes);
    this.poll();
  }

  /** The keeper says that something is new in these boxes, or that it does not watch them any more for this node. */
  noteNews(boxes: readonly X25519KeyHex[]): void {
    for (const box of boxes) if (this.#cursors.has(box)) this.#news.add(box);
    this.note(boxes);
  }

  /** Asks what is to be asked, unless it is too early. */
  poll(): void {
    const { clock, isConnected, isCrowded, signal } = this.#context;
    if (this.#watched.size > 0 && !isConnected(this.#keeper)) this.#noteLost(isCrowded());
    const isDue = this.#isToWatch() || this.#isRenewalDue() || this.#cursors.hasWaiting;
    const isNeeded = isDue && this.#cursors.boxes.length + this.#toldOf.size > 0;
    if (!isNeeded || this.#isRunning || signal.aborted || clock.monotonicMs() < this.#nextAtMs) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { log, limits, clock, onFailure, signal } = this.#context;
    try {
      if (this.#isRenewalDue()) await this.#renew();
      if (this.#isToWatch()) await this.#watch();
      for (let pages = 0; this.#cursors.hasWaiting && !signal.aborted; pages += 1) {
        if (pages >= limits.readPages) throw new CodedError("UPSTREAM_FAILED", "The keeper's lists have no end");
        await this.#readSome();
      }
      if (this.#failures > 0) onFailure();
      this.#failures = 0;
      this.#heardAtMs = clock.monotonicMs();
    } catch (error) {
      log.debug({ err: error, keeper: this.#keeper }, "A keeper could not be read");
      this.#failures += 1;
      this.#watchAnew();
      this.#cursors.note(this.#cursors.boxes);
      const pauseMs = Math.min(limits.lastReadPauseMs, limits.firstReadPauseMs * 2 ** Math.min(20, this.#failures - 1));
      this.#nextAtMs = clock.monotonicMs() + pauseMs;
      if (this.#failures === 1) onFailure();
    } finally {
      this.#isRunning = false;
    }
  }

  /**
   * A connection that ended takes with it what the keeper would have said meanwhile; it says that when its watch is renewed. Where more
   * keepers are read than connections stay open, that is a while later.
   */
  #noteLost(isCrowded: boolean): void {
    if (!this.#isLost)
      this.#renewAtMs = isCrowded && this.#confirms ? this.#heardAtMs + this.#context.limits.awayRenewMs : Number.NEGATIVE_INFINITY;
    this.#isLost = true;
    this.#isToRenew = true;
  }

  #isRenewalDue(): boolean {
    return this.#isToRenew && this.#context.clock.monotonicMs() >= this.#renewAtMs;
  }

  /** One message for all that is watched. Who does not confirm it is told all of it again, and lists it if news may have been lost. */
  async #renew(): Promise<void> {
    const isLost = this.#isLost;
    this.#isToRenew = false;
    this.#isLost = false;
    const response = this.#watched.size === 0 ? undefined : await this.#confirm();
    const news = response?.type === "renewed" ? response.news : undefined;
    this.#confirms = news !== undefined;
    if (news !== undefined && news !== null) {
      this.noteNews(news);
      return;
    }
    this.#watchAnew();
    if (!isLost && news === undefined) return;
    this.#cursors.note(this.#cursors.boxes);
    this.#tell([...this.#toldOf]);
  }

  /** Undefined where the keeper does not know such requests. */
  async #confirm(): Promise<MailResponse | undefined> {
    const sum = new BoxSum();
    for (const box of this.#watched) sum.add(box);
    try {
      return await this.#respondTo({ type: "renew", count: sum.count, fingerprint: sum.fingerprint });
    } catch (error) {
      if (error instanceof UnknownProtocolError) return undefined;
      throw error;
    }
  }

  #watchAnew(): void {
    this.#watched.clear();
    this.#isWatching = false;
  }

  /** First of all: what comes after the keeper was asked to say so is not missed. */
  async #watch(): Promise<void> {
    if (this.#isTooMuch()) this.#watched.clear();
    const added = this.#unwatched();
    const isOpened = (box: X25519KeyHex): boolean => this.#context.relay.boxes.find(box) !== undefined;
    const { opened = [], others = [] } = Object.groupBy(added, (box) => (isOpened(box) ? "opened" : "others"));
    // Apart: a keeper may have room for one kind alone, and watches all boxes of a request or none.
    const refused = [...(await this.#watchAll(opened)), ...(await this.#watchAll(others))];
    // What it does not tell of is listed instead, all of it each time.
    if (refused.length > 0) {
      this.#watchAgainAtMs = this.#context.clock.monotonicMs() + this.#context.limits.refreshMs;
      this.#cursors.note(refused);
      for (const box of refused) if (this.#cursors.has(box)) this.#untold.add(box);
    }
    // Others may have come meanwhile.
    else this.#isWatching = this.#unwatched().length === 0;
    this.#tell(added);
  }

  /** Gives those for which the keeper has no room. */
  async #watchAll(added: readonly X25519KeyHex[]): Promise<readonly X25519KeyHex[]> {
    for (let at = 0; at < added.length; at += watchedBoxes) {
      const boxes = added.slice(at, at + watchedBoxes);
      const response = await this.#respondTo({ type: "watch", boxes, isMore: this.#watched.size > 0 });
      if (response.type === "busy") return added.slice(at);
      for (const box of boxes) this.#watched.add(box);
      this.#cursors.note(boxes.filter((box) => this.#untold.delete(box)));
    }
    return [];
  }

  #isToWatch(): boolean {
    return !this.#isWatching && this.#context.clock.monotonicMs() >= this.#watchAgainAtMs;
  }

  #tell(boxes: readonly X25519KeyHex[]): void {
    const told = boxes.filter((box) => this.#toldOf.has(box));
    if (told.length > 0) this.#context.onNews(told);
  }

  #unwatched(): readonly X25519KeyHex[] {
    return [...new Set([...this.#wanted, ...this.#toldOf])].filter((box) => !this.#watched.has(box));
  }

  /** What is read no more is not taken back one by one. */
  #isTooMuch(): boolean {
    return this.#watched.size > this.#wanted.size + this.#toldOf.size + MAX_UNREAD;
  }

  async #readSome(): Promise<void> {
    const asked = this.#cursors.take(listedBoxes);
    const isContent = ({ box }: AskedBox): boolean => this.#context.givesContent(this.#keeper, box);
    try {
      for (const hasContent of [true, false]) {
        const boxes = asked.filter((each) => isContent(each) === hasContent);
        if (boxes.length > 0) await this.#readPage(boxes, hasContent);
      }
    } catch (error) {
      this.#cursors.note(asked.map(({ box }) => box));
      throw error;
    }
  }

  async #readPage(boxes: readonly AskedBox[], hasContent: boolean): Promise<void> {
    const page = await this.#ask({ type: "get", scope: this.#cursors.scope, boxes, hasContent });
    if (page.type !== "page") throw new CodedError("UPSTREAM_FAILED", "The keeper gives no page");
    await this.#learn(page);
    await this.#store(page.items);
    if (!hasContent) await this.#fetchMissing(page);
    await this.#tellDeleted(page);
    // Last: what was not stored is listed again.
    for (const each of page.boxes) {
      this.#cursors.advance(page.scope, each);
      if (!each.hasMore) this.#read.add(each.box);
      this.#endNews(each);
    }
    this.#context.onRead();
    assertProgress(boxes, page);
  }

  /** News of nothing: the keeper had no more room for the watch. It is asked once more for this box, which costs little where it is not so. */
  #endNews({ box, ids, deletions, hasMore }: BoxPage): void {
    if (!this.#news.delete(box) || ids.length + deletions.length > 0 || hasMore) return;
    this.#watched.delete(box);
    this.#untold.add(box);
    this.#isWatching = false;
  }

  async #learn({ boxes }: Page): Promise<void> {
    const { relay, sourceOf } = this.#context;
    const openings = boxes.flatMap(({ opening }) => (opening === null ? [] : [opening]));
    const deletions = boxes.flatMap((each) => each.deletions);
    const isProven = (await relay.boxes.learn(openings, sourceOf(this.#keeper))) && (await relay.deletions.learn(deletions));
    if (!isProven) throw this.#lie("A keeper gave a proof that is none");
  }

  async #store(items: readonly KeptEnvelope[]): Promise<void> {
    if (items.length === 0) return;
    const { relay, sourceOf } = this.#context;
    const envelopes = items.map(({ envelope }) => envelope);
    const admits = items.map(({ admit }) => admit);
    if ((await relay.receive(envelopes, sourceOf(this.#keeper), admits)) === "reject")
      throw this.#lie("A keeper gave an envelope that no honest one takes");
  }

  /** A moment later, as the keeper that gives this box's envelopes has been told at the same time. */
  async #fetchMissing({ boxes }: Page): Promise<void> {
    if (this.#missing(boxes).length === 0) return;
    await this.#pause(this.#context.limits.fetchAfterMs);
    const tried = new Set<string>();
    const left = (): readonly MailPlace[] => this.#missing(boxes).filter((place) => !tried.has(nameOf(place)));
    for (let missing = left(); missing.length > 0; missing = left()) {
      const wanted = missing.slice(0, fetchedIds);
      const found = await this.#fetch(wanted);
      for (const { envelope } of found) tried.add(nameOf({ box: envelope.recipient_pub, id: envelope.id }));
      // What the keeper has no more: otherwise the rest did not fit.
      if (found.length === 0) for (const place of wanted) tried.add(nameOf(place));
    }
  }

  async #fetch(places: readonly MailPlace[]): Promise<readonly KeptEnvelope[]> {
    const { relay, sourceOf } = this.#context;
    const found = await this.#ask({ type: "fetch", places });
    if (found.type !== "mail") throw new CodedError("UPSTREAM_FAILED", "The keeper gives no mail");
    const isProven = (await relay.boxes.learn(found.openings, sourceOf(this.#keeper))) && (await relay.deletions.learn(found.deletions));
    if (!isProven) throw this.#lie("A keeper gave a proof that is none");
    await this.#store(found.items);
    return found.items;
  }

  #missing(boxes: readonly BoxPage[]): readonly MailPlace[] {
    const { store } = this.#context;
    return boxes.flatMap(({ box, ids }) =>
      ids.filter((id) => store.sizeOf(box, id) === undefined && !store.deleted.has(box, id)).map((id) => ({ box, id })),
    );
  }

  /** A keeper that was away when an owner deleted something learns it from those who read there. */
  async #tellDeleted({ boxes }: Page): Promise<void> {
    const search = new DeletionSearch(this.#context.store);
    for (const { box, ids } of boxes)
      for (const id of ids) {
        if (search.isOver) break;
        search.find(box, id);
      }
    const notices = search.found.map(
      ({ mailbox, ids, height, signature }): DeletionNotice => ({ mailbox, ids, proof: { height, signature } }),
    );
    // One that takes no more of them now is told at another time.
    if (notices.length > 0) await this.#respondTo({ type: "delete", notices });
  }

  /** @throws CodedError UPSTREAM_FAILED, also where the keeper is busy */
  async #ask(request: MailRequest): Promise<MailResponse> {
    const response = await this.#respondTo(request);
    if (response.type === "busy") throw new CodedError("UPSTREAM_FAILED", "The keeper is busy");
    return response;
  }

  /** @throws CodedError UPSTREAM_FAILED */
  async #respondTo(request: MailRequest): Promise<MailResponse> {
    const { ask, limits, signal } = this.#context;
    const response = await ask(this.#keeper, request, AbortSignal.any([signal, AbortSignal.timeout(limits.requestMs)]));
    if (response.type === "wrongKeeper") throw new CodedError("UPSTREAM_FAILED", "The keeper says that it is none of these boxes");
    return response;
  }

  #lie(what: string): CodedError {
    this.#context.onLie(this.#keeper);
    return new CodedError("UPSTREAM_FAILED", what);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#context.timers.setTimer(delayMs, resolve));
  }
}

function nameOf({ box, id }: MailPlace): string {
  return `${box} ${id}`;
}

/** An honest keeper gets on with every page that it gives. @throws CodedError UPSTREAM_FAILED */
function assertProgress(asked: readonly AskedBox[], { boxes }: Page): void {
  const before = new Map(asked.map(({ box, after, afterDeletion }) => [box, after + afterDeletion]));
  const isStuck = ({ box, hasMore, lastSeq, lastDeletion }: BoxPage): boolean => hasMore && lastSeq + lastDeletion === before.get(box);
  if (boxes.every(isStuck)) throw new CodedError("UPSTREAM_FAILED", "The keeper gives empty pages");
}
