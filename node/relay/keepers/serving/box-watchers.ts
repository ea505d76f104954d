// Nodes that read boxes here: each is told which of its boxes have something new, and fetches that when it likes.
import type { PeerName } from "#node/network/peer-network.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { BoxSum } from "../box-sums.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import { type RowList, RowLists } from "./row-lists.ts";
import { WatchPlanner, type WatchStep } from "./watch-plan.ts";
import { WatchRoom } from "./watch-room.ts";
import { WatchRows } from "./watch-rows.ts";

export interface BoxWatchersDependencies {
  /** Sends the names of boxes to a node; rejects when that cannot be reached. */
  readonly tell: (peer: PeerName, boxes: readonly X25519KeyHex[]) => Promise<unknown>;
  /** Who a node counts as; without it nothing makes room for those who come. */
  readonly partyOf?: (peer: PeerName) => string;
  readonly limits?: KeeperLimits;
}

/** What a node that renews has: its boxes, as it knows them. */
export interface WatchedSet {
  readonly count: number;
  /** As {@link BoxSum} has it. */
  readonly fingerprint: string;
}

interface Watcher {
  readonly peer: PeerName;
  /** Of its rows. */
  readonly number: number;
  readonly party: string;
  readonly sum: BoxSum;
  /** Rows of boxes with something new that it has not been told. */
  readonly news: RowList;
  /** Boxes that it has lost and has not been told of; only while there are some. */
  lost: Set<X25519KeyHex> | undefined;
  isTold: boolean;
  /** Looks in a row at which it was not connected: one that has just come has not said who it is. */
  missed: number;
  /** When it was seen last, ms. */
  seenAtMs: number;
}

/** Boxes of one message. */
const TOLD_BOXES = 1_024;
/** A node that was not connected at so many looks in a row is away: what is new waits until it renews. */
const AWAY_LOOKS = 2;
/** News that wait for a node that is away; with more its watch ends, and it lists all. */
const MAX_LATE_NEWS = 1_024;
/** Boxes that nodes have lost and have not been told of. Those beyond are told nothing: that they lost some shows when they renew. */
const MAX_LOST = 65_536;

/**
 * Who watches which box. A watch outlives its connection for a while: a node that comes back renews all by one message and hears what it
 * missed.
 */
export class BoxWatchers {
  readonly #tell: BoxWatchersDependencies["tell"];
  readonly #partyOf: BoxWatchersDependencies["partyOf"];
  readonly #limits: KeeperLimits;
  readonly #watchers = new Map<PeerName, Watcher>();
  readonly #byNumber = new Map<number, Watcher>();
  readonly #rows = new WatchRows();
  readonly #news = new RowLists(this.#rows.capacity);
  readonly #room: WatchRoom;
  readonly #planner: WatchPlanner;
  #lost = 0;
  #numbers = 0;

  constructor({ tell, partyOf, limits = KEEPER_LIMITS }: BoxWatchersDependencies) {
    this.#tell = tell;
    this.#partyOf = partyOf;
    this.#limits = limits;
    this.#room = new WatchRoom(limits.watchedByAll);
    const partyOfNode = (node: number): string => this.#byNumber.get(node)?.party ?? "";
    this.#planner = new WatchPlanner({
      ...{ rows: this.#rows, room: this.#room, limits },
      partyOf: partyOf === undefined ? undefined : partyOfNode,
    });
  }

  /** Boxes that are watched, each counted by its watchers. */
  get size(): number {
    return this.#rows.size;
  }

  has(peer: PeerName): boolean {
    return this.#watchers.has(peer);
  }

  /**
   * A node watches these boxes, in place of those that it named before unless `isMore`. False when there is no room for all of them: then it
   * watches none of them, and no one has lost anything for it. Parties that watch more than that of the node lose as much of it as is missing,
   * each its node with most. `isProven` tells boxes that were opened by way of the node's party: these and the others make room for each other
   * only beyond their parts.
   */
  watch(
    peer: PeerName,
    boxes: readonly X25519KeyHex[],
    isMore: boolean,
    isProven: (box: X25519KeyHex) => boolean = (): boolean => false,
  ): boolean {
    if (!isMore) this.forget(peer);
    const watcher = this.#watchers.get(peer) ?? this.#create(peer);
    const added = [...new Set(boxes)].filter((box) => !this.#isWatched(watcher, box));
    if (watcher.sum.count + added.length > this.#limits.watchedByNode) return false;
    const { proven = [], unproven = [] } = Object.groupBy(added, (box) => (isProven(box) ? "proven" : "unproven"));
    const steps = this.#planner.plan(watcher, { proven, unproven });
    if (steps === undefined) return false;
    watcher.missed = 0;
    for (const step of steps) this.#take(watcher, step);
    return true;
  }

  /**
   * All that a node watches is to stay so: gives what is new since it was told last. Undefined where this is not what is known of the node:
   * then nothing is, and it names its boxes again.
   */
  renew(peer: PeerName, { count, fingerprint }: WatchedSet): readonly X25519KeyHex[] | undefined {
    const watcher = this.#watchers.get(peer);
    if (watcher === undefined || watcher.sum.count !== count || watcher.sum.fingerprint !== fingerprint) {
      this.forget(peer);
      return undefined;
    }
    watcher.missed = 0;
    const news = this.#takeNews(watcher);
    this.#tellSoon(watcher);
    return news;
  }

  /** Nodes that watch a box, this many at most. */
  of(box: X25519KeyHex, most: number): readonly PeerName[] {
    return this.#watchersOf(box)
      .slice(0, most)
      .map(({ peer }) => peer);
  }

  /** Something is new in a box. */
  note(box: X25519KeyHex): void {
    for (const row of this.#rows.ofBox(box).toReversed()) {
      const watcher = this.#byNumber.get(this.#rows.ownerOf(row));
      if (watcher === undefined) continue;
      this.#news.add(watcher.news, row);
      this.#tellSoon(watcher);
    }
  }

  /** Forgets those that have not been connected for as long as a watch is held; others are told what waits for them. */
  keep(isConnected: (peer: PeerName) => boolean, nowMs: number): void {
    for (const watcher of [...this.#watchers.values()]) {
      const isThere = isConnected(watcher.peer);
      watcher.missed = isThere ? 0 : watcher.missed + 1;
      if (isThere || watcher.missed === 1) watcher.seenAtMs = nowMs;
      if (nowMs - watcher.seenAtMs >= this.#limits.leaseMs) this.forget(watcher.peer);
      else if (isThere) this.#tellSoon(watcher);
    }
  }

  /** A node went, or names other boxes. */
  forget(peer: PeerName): void {
    const watcher = this.#watchers.get(peer);
    if (watcher === undefined) return;
    this.#watchers.delete(peer);
    this.#byNumber.delete(watcher.number);
    this.#lost -= watcher.lost?.size ?? 0;
    watcher.lost = undefined;
    for (const isProven of [false, true])
      for (const row of this.#rows.oldestOf(watcher.number, Number.POSITIVE_INFINITY, isProven)) this.#removeRow(watcher, row);
    this.#count(watcher);
  }

  #create(peer: PeerName): Watcher {
    this.#numbers += 1;
    const party = this.#partyOf?.(peer) ?? peer;
    const news = { first: 0, last: 0, count: 0 };
    return { peer, number: this.#numbers, party, sum: new BoxSum(), news, lost: undefined, isTold: false, missed: 0, seenAtMs: 0 };
  }

  #isWatched({ number }: Watcher, box: X25519KeyHex): boolean {
    return this.#rows.ofBox(box).some((row) => this.#rows.ownerOf(row) === number);
  }

  #watchersOf(box: X25519KeyHex): readonly Watcher[] {
    return this.#rows
      .ofBox(box)
      .toReversed()
      .flatMap((row) => this.#byNumber.get(this.#rows.ownerOf(row)) ?? []);
  }

  #take(coming: Watcher, step: WatchStep): void {
    if (step.does === "add") {
      this.#add(coming, step.boxes, step.isProven);
      return;
    }
    const rows = step.does === "dropRow" ? [step.row] : this.#rows.oldestOf(step.node, step.count, step.isProven);
    const watcher = this.#byNumber.get(step.does === "dropRow" ? this.#rows.ownerOf(step.row) : step.node);
    if (watcher !== undefined) this.#dropRows(watcher, rows);
  }

  #add(watcher: Watcher, boxes: readonly X25519KeyHex[], isProven: boolean): void {
    this.#watchers.set(watcher.peer, watcher);
    this.#byNumber.set(watcher.number, watcher);
    for (const box of boxes) {
      this.#rows.add(box, watcher.number, isProven);
      watcher.sum.add(box);
    }
    this.#news.grow(this.#rows.capacity);
    this.#count(watcher);
  }

  #count({ party, number }: Watcher): void {
    this.#room.set(party, number, this.#planner.shareOf(this.#rows.countOf(number)));
  }

  #removeRow(watcher: Watcher, row: number): void {
    this.#news.remove(watcher.news, row);
    this.#rows.remove(row);
  }

  /** A node is told no more of some of its boxes. It hears that by news in which there is nothing new. */
  #dropRows(watcher: Watcher, rows: readonly number[]): void {
    const boxes = rows.map((row) => this.#rows.boxOf(row));
    for (const row of rows) this.#removeRow(watcher, row);
    for (const box of boxes) watcher.sum.remove(box);
    this.#count(watcher);
    if (watcher.sum.count === 0) {
      this.forget(watcher.peer);
      void this.#tellDropped(watcher.peer, boxes);
      return;
    }
    this.#noteLost(watcher, boxes);
    this.#tellSoon(watcher);
  }

  /** Who cannot be told asks again when it is back; if it has done so meanwhile, that holds. */
  async #tellDropped(peer: PeerName, boxes: readonly X25519KeyHex[]): Promise<void> {
    try {
      for (let at = 0; at < boxes.length; at += TOLD_BOXES) await this.#tell(peer, boxes.slice(at, at + TOLD_BOXES));
    } catch {
      // It is not watched for any more.
    }
  }

  #noteLost(watcher: Watcher, boxes: readonly X25519KeyHex[]): void {
    const lost = watcher.lost ?? new Set();
    for (const box of boxes) {
      if (this.#lost >= MAX_LOST || lost.has(box)) continue;
      lost.add(box);
      this.#lost += 1;
    }
    watcher.lost = lost.size === 0 ? undefined : lost;
  }

  /** Boxes of one message: what was lost, and what is new. */
  #takeNews(watcher: Watcher): readonly X25519KeyHex[] {
    const lost = [...(watcher.lost ?? [])].slice(0, TOLD_BOXES);
    for (const box of lost) watcher.lost?.delete(box);
    this.#lost -= lost.length;
    if (watcher.lost?.size === 0) watcher.lost = undefined;
    const rows = this.#news.take(watcher.news, TOLD_BOXES - lost.length);
    return [...lost, ...rows.map((row) => this.#rows.boxOf(row))];
  }

  /** What did not arrive is new again, as far as the node watches it. */
  #putBack(watcher: Watcher, boxes: readonly X25519KeyHex[]): void {
    if (this.#watchers.get(watcher.peer) !== watcher) return;
    for (const box of boxes) {
      const row = this.#rows.ofBox(box).find((each) => this.#rows.ownerOf(each) === watcher.number);
      if (row !== undefined) this.#news.add(watcher.news, row);
    }
  }

  #tellSoon(watcher: Watcher): void {
    if (watcher.isTold || newsOf(watcher) === 0) return;
    if (watcher.missed < AWAY_LOOKS) void this.#tellNews(watcher);
    else if (newsOf(watcher) > MAX_LATE_NEWS) this.forget(watcher.peer);
  }

  /** One message at a time: what comes meanwhile goes with the next one. What did not arrive waits until the node is back. */
  async #tellNews(watcher: Watcher): Promise<void> {
    watcher.isTold = true;
    let boxes: readonly X25519KeyHex[] = [];
    try {
      while (newsOf(watcher) > 0 && this.#watchers.get(watcher.peer) === watcher) {
        boxes = this.#takeNews(watcher);
        await this.#tell(watcher.peer, boxes);
      }
    } catch {
      this.#putBack(watcher, boxes);
      watcher.missed = AWAY_LOOKS;
    } finally {
      watcher.isTold = false;
    }
  }
}

function newsOf({ news, lost }: Watcher): number {
  return news.count + (lost?.size ?? 0);
}
