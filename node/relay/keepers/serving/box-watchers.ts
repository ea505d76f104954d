// Nodes that read boxes here: each is told which of its boxes have something new, and fetches that when it likes.
import type { PeerName } from "#node/network/peer-network.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { BoxSum } from "../box-sums.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import { WatchRows } from "./watch-rows.ts";
import { losingParty, type Share, sharesOf } from "./watch-shares.ts";

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
  /** Boxes with something new that it has not been told. */
  readonly news: Set<X25519KeyHex>;
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
  #numbers = 0;

  constructor({ tell, partyOf, limits = KEEPER_LIMITS }: BoxWatchersDependencies) {
    this.#tell = tell;
    this.#partyOf = partyOf;
    this.#limits = limits;
  }

  /** Boxes that are watched, each counted by its watchers. */
  get size(): number {
    return this.#rows.size;
  }

  has(peer: PeerName): boolean {
    return this.#watchers.has(peer);
  }

  /**
   * A node watches these boxes, in place of those that it named before unless `isMore`. False when there is no room for all of them: parties
   * that watch more than that of the node would lose as much of it, each its node with most. `isProven` tells boxes that were opened by way of
   * the node's party: none of these makes room for others.
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
    const proven = new Set(added.filter(isProven));
    if (watcher.sum.count + added.length > this.#limits.watchedByNode || !this.#makeRoomForNode(watcher, proven.size > 0)) return false;
    watcher.missed = 0;
    let isWhole = true;
    for (const kind of [true, false]) {
      const some = added.filter((box) => proven.has(box) === kind);
      if (some.length === 0) continue;
      if (this.#makeRoom(watcher, some.length, kind)) for (const box of some) isWhole = this.#add(watcher, box, kind) && isWhole;
      else isWhole = false;
    }
    return isWhole;
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
    const news = [...watcher.news].slice(0, TOLD_BOXES);
    for (const box of news) watcher.news.delete(box);
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
    for (const watcher of this.#watchersOf(box)) {
      watcher.news.add(box);
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
    for (const isProven of [false, true])
      for (const row of this.#rows.oldestOf(watcher.number, Number.POSITIVE_INFINITY, isProven)) this.#rows.remove(row);
  }

  #create(peer: PeerName): Watcher {
    this.#numbers += 1;
    const party = this.#partyOf?.(peer) ?? peer;
    return { peer, number: this.#numbers, party, sum: new BoxSum(), news: new Set(), isTold: false, missed: 0, seenAtMs: 0 };
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

  /** False where as many watch the box as may, none of whom makes room. */
  #add(watcher: Watcher, box: X25519KeyHex, isProven: boolean): boolean {
    if (!this.#makeRoomAtBox(watcher, box, isProven)) return false;
    this.#watchers.set(watcher.peer, watcher);
    this.#byNumber.set(watcher.number, watcher);
    this.#rows.add(box, watcher.number, isProven);
    watcher.sum.add(box);
    return true;
  }

  /** Among the watches of one box likewise: who has it watched by many nodes keeps no other one out. */
  #makeRoomAtBox({ party }: Watcher, box: X25519KeyHex, isProven: boolean): boolean {
    const rows = this.#rows.ofBox(box);
    if (rows.length < this.#limits.watchersOfBox) return true;
    if (this.#partyOf === undefined) return false;
    const watches = rows.map((row) => ({ row, party: this.#partyOfRow(row), isProven: this.#rows.isProven(row) }));
    const losing = losingParty(sharesOf(watches), party, 0, isProven);
    const oldest = losing && watches.findLast((each) => each.party === losing.who && each.isProven === losing.isProven);
    const watcher = oldest && this.#byNumber.get(this.#rows.ownerOf(oldest.row));
    if (oldest === undefined || watcher === undefined) return false;
    this.#dropRows(watcher, [oldest.row]);
    return true;
  }

  /** A stranger in a full table goes before who has opened a box: its watch costs nothing, and is held while it is away. */
  #makeRoomForNode({ peer, party }: Watcher, isProven: boolean): boolean {
    const { watchers } = this.#limits;
    if (this.#watchers.has(peer) || this.#watchers.size < watchers) return true;
    if (this.#partyOf === undefined) return false;
    const nodes = sharesOf([...this.#watchers.values()].map((watcher) => ({ party: watcher.party, isProven: this.#hasProven(watcher) })));
    const losing = losingParty(nodes, party, 1, isProven);
    const largest = losing && this.#largestOf(losing.who, losing.isProven, (watcher) => this.#hasProven(watcher) === losing.isProven);
    if (largest === undefined) return false;
    const boxes = this.#boxesOf(largest);
    this.forget(largest.peer);
    void this.#tellDropped(largest.peer, boxes);
    return true;
  }

  #makeRoom({ party }: Watcher, added: number, isProven: boolean): boolean {
    for (;;) {
      const missing = this.#rows.size + added - this.#limits.watchedByAll;
      if (missing <= 0) return true;
      // Without parties no one makes room.
      const losing = this.#partyOf === undefined ? undefined : losingParty(this.#shares(), party, added, isProven);
      const watcher = losing && this.#largestOf(losing.who, losing.isProven);
      if (losing === undefined || watcher === undefined) return false;
      this.#dropRows(watcher, this.#rows.oldestOf(watcher.number, Math.min(missing, losing.most), losing.isProven));
    }
  }

  #shares(): ReadonlyMap<string, Share> {
    const shares = new Map<string, Share>();
    for (const { party, number } of this.#watchers.values()) {
      const share = shares.get(party) ?? { unproven: 0, proven: 0 };
      shares.set(party, share);
      const { unproven, proven } = this.#rows.countOf(number);
      share.unproven += unproven;
      share.proven += proven;
    }
    return shares;
  }

  /** The node of a party with most rows of a kind. */
  #largestOf(party: string, isProven: boolean, isMeant: (watcher: Watcher) => boolean = (): boolean => true): Watcher | undefined {
    const countOf = ({ number }: Watcher): number => this.#rows.countOf(number)[isProven ? "proven" : "unproven"];
    const watchers = [...this.#watchers.values()].filter((watcher) => watcher.party === party && isMeant(watcher));
    return watchers.toSorted((a, b) => countOf(b) - countOf(a))[0];
  }

  #hasProven({ number }: Watcher): boolean {
    return this.#rows.countOf(number).proven > 0;
  }

  #partyOfRow(row: number): string {
    return this.#byNumber.get(this.#rows.ownerOf(row))?.party ?? "";
  }

  #boxesOf({ number }: Watcher): readonly X25519KeyHex[] {
    return [false, true].flatMap((isProven) =>
      this.#rows.oldestOf(number, Number.POSITIVE_INFINITY, isProven).map((row) => this.#rows.boxOf(row)),
    );
  }

  /** A node is told no more of some of its boxes. It hears that by news in which there is nothing new. */
  #dropRows(watcher: Watcher, rows: readonly number[]): void {
    const boxes = rows.map((row) => this.#rows.boxOf(row));
    for (const row of rows) this.#rows.remove(row);
    for (const box of boxes) watcher.sum.remove(box);
    if (watcher.sum.count === 0) {
      this.forget(watcher.peer);
      void this.#tellDropped(watcher.peer, boxes);
      return;
    }
    for (const box of boxes) if (watcher.news.size < this.#limits.watchedByNode) watcher.news.add(box);
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

  #tellSoon(watcher: Watcher): void {
    if (watcher.isTold || watcher.news.size === 0) return;
    if (watcher.missed < AWAY_LOOKS) void this.#tellNews(watcher);
    else if (watcher.news.size > MAX_LATE_NEWS) this.forget(watcher.peer);
  }

  /** One message at a time: what comes meanwhile goes with the next one. What did not arrive waits until the node is back. */
  async #tellNews(watcher: Watcher): Promise<void> {
    watcher.isTold = true;
    let boxes: readonly X25519KeyHex[] = [];
    try {
      while (watcher.news.size > 0 && this.#watchers.get(watcher.peer) === watcher) {
        boxes = [...watcher.news].slice(0, TOLD_BOXES);
        for (const box of boxes) watcher.news.delete(box);
        await this.#tell(watcher.peer, boxes);
      }
    } catch {
      for (const box of boxes) watcher.news.add(box);
      watcher.missed = AWAY_LOOKS;
    } finally {
      watcher.isTold = false;
    }
  }
}
