// Nodes that read boxes here: each is told which of its boxes have something new, and fetches that when it likes.
import type { PeerName } from "#node/network/peer-network.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";

export interface BoxWatchersDependencies {
  /** Sends the names of boxes to a node; rejects when that cannot be reached. */
  readonly tell: (peer: PeerName, boxes: readonly X25519KeyHex[]) => Promise<unknown>;
  /** Who a node counts as; without it nothing makes room for those who come. */
  readonly partyOf?: (peer: PeerName) => string;
  readonly limits?: KeeperLimits;
}

interface Watcher {
  readonly party: string;
  readonly boxes: Set<X25519KeyHex>;
  /** Those with something new that it has not been told. */
  readonly news: Set<X25519KeyHex>;
  isTold: boolean;
  /** It was not connected at the last look: one that has just come has not said who it is. */
  isMissed: boolean;
}

/** Watchers of one party. */
interface Party {
  readonly peers: PeerName[];
  boxes: number;
}

/** Boxes of one message. */
const TOLD_BOXES = 1_024;

/** Who watches which box. Nothing is remembered of a node that cannot be told: it asks again when it is back. */
export class BoxWatchers {
  readonly #tell: BoxWatchersDependencies["tell"];
  readonly #partyOf: BoxWatchersDependencies["partyOf"];
  readonly #limits: KeeperLimits;
  readonly #watchers = new Map<PeerName, Watcher>();
  readonly #byBox = new Map<X25519KeyHex, Set<PeerName>>();
  #count = 0;

  constructor({ tell, partyOf, limits = KEEPER_LIMITS }: BoxWatchersDependencies) {
    this.#tell = tell;
    this.#partyOf = partyOf;
    this.#limits = limits;
  }

  /** Boxes that are watched, each counted by its watchers. */
  get size(): number {
    return this.#count;
  }

  has(peer: PeerName): boolean {
    return this.#watchers.has(peer);
  }

  /**
   * A node watches these boxes, in place of those that it named before unless `isMore`. False when there is no room for them: parties that
   * watch more than that of the node would lose as much of it, each its node with most.
   */
  watch(peer: PeerName, boxes: readonly X25519KeyHex[], isMore: boolean): boolean {
    if (!isMore) this.forget(peer);
    const party = this.#partyOf?.(peer) ?? peer;
    const watcher = this.#watchers.get(peer) ?? { party, boxes: new Set(), news: new Set(), isTold: false, isMissed: false };
    const added = boxes.filter((box) => !watcher.boxes.has(box));
    if (watcher.boxes.size + added.length > this.#limits.watchedByNode || !this.#makeRoom(peer, party, added.length)) return false;
    if (added.length === 0) return true;
    this.#watchers.set(peer, watcher);
    for (const box of added) {
      watcher.boxes.add(box);
      this.#byBox.set(box, (this.#byBox.get(box) ?? new Set()).add(peer));
    }
    this.#count += added.length;
    return true;
  }

  /** Nodes that watch a box, this many at most. */
  of(box: X25519KeyHex, most: number): readonly PeerName[] {
    return [...(this.#byBox.get(box) ?? [])].slice(0, most);
  }

  /** Something is new in a box. */
  note(box: X25519KeyHex): void {
    for (const peer of this.#byBox.get(box) ?? []) {
      const watcher = this.#watchers.get(peer);
      if (watcher === undefined) continue;
      watcher.news.add(box);
      if (!watcher.isTold) void this.#tellNews(peer, watcher);
    }
  }

  /** Forgets those that are not connected at two looks in a row. */
  keep(isConnected: (peer: PeerName) => boolean): void {
    for (const [peer, watcher] of [...this.#watchers]) {
      const isThere = isConnected(peer);
      if (!isThere && watcher.isMissed) this.forget(peer);
      watcher.isMissed = !isThere;
    }
  }

  #makeRoom(peer: PeerName, party: string, added: number): boolean {
    const { watchedByAll, watchers } = this.#limits;
    for (;;) {
      const missing = this.#count + added - watchedByAll;
      const isOneTooMany = !this.#watchers.has(peer) && this.#watchers.size >= watchers;
      if (missing <= 0 && !isOneTooMany) return true;
      const losing = this.#losing(party, isOneTooMany ? { of: "peers", added: 1 } : { of: "boxes", added });
      if (losing === undefined) return false;
      if (isOneTooMany) this.#drop(losing.peer, Number.POSITIVE_INFINITY);
      else this.#drop(losing.peer, Math.min(missing, losing.most));
    }
  }

  /** The node that loses to one of a party, and how many at most: the largest of the party that has most, as far as that would have more. */
  #losing(
    party: string,
    { of, added }: { readonly of: "peers" | "boxes"; readonly added: number },
  ): { readonly peer: PeerName; readonly most: number } | undefined {
    // Without parties no one makes room.
    if (this.#partyOf === undefined) return undefined;
    const parties = this.#parties();
    const figureOf = (some: Party | undefined): number => (of === "peers" ? some?.peers.length : some?.boxes) ?? 0;
    const [largest] = [...parties.values()].toSorted((a, b) => figureOf(b) - figureOf(a));
    const most = figureOf(largest) - figureOf(parties.get(party)) - added;
    const [peer] = largest?.peers.toSorted((a, b) => this.#sizeOf(b) - this.#sizeOf(a)) ?? [];
    return most <= 0 || peer === undefined ? undefined : { peer, most };
  }

  #parties(): ReadonlyMap<string, Party> {
    const parties = new Map<string, Party>();
    for (const [peer, { party, boxes }] of this.#watchers) {
      const known = parties.get(party) ?? { peers: [], boxes: 0 };
      parties.set(party, known);
      known.peers.push(peer);
      known.boxes += boxes.size;
    }
    return parties;
  }

  #sizeOf(peer: PeerName): number {
    return this.#watchers.get(peer)?.boxes.size ?? 0;
  }

  /** A node is told no more of so many of its boxes, those that it named first. It hears that by news in which there is nothing new. */
  #drop(peer: PeerName, count: number): void {
    const watcher = this.#watchers.get(peer);
    if (watcher === undefined) return;
    const dropped = [...watcher.boxes].slice(0, count);
    if (count >= watcher.boxes.size) {
      this.forget(peer);
      void this.#tellDropped(peer, dropped);
      return;
    }
    for (const box of dropped) {
      watcher.boxes.delete(box);
      this.#leave(peer, box);
      if (watcher.news.size < this.#limits.watchedByNode) watcher.news.add(box);
    }
    this.#count -= count;
    if (!watcher.isTold) void this.#tellNews(peer, watcher);
  }

  #leave(peer: PeerName, box: X25519KeyHex): void {
    const peers = this.#byBox.get(box);
    peers?.delete(peer);
    if (peers?.size === 0) this.#byBox.delete(box);
  }

  /** A node went, or names other boxes. */
  forget(peer: PeerName): void {
    const watcher = this.#watchers.get(peer);
    if (watcher === undefined) return;
    this.#watchers.delete(peer);
    this.#count -= watcher.boxes.size;
    for (const box of watcher.boxes) this.#leave(peer, box);
  }

  /** Who cannot be told asks again when it is back; if it has done so meanwhile, that holds. */
  async #tellDropped(peer: PeerName, boxes: readonly X25519KeyHex[]): Promise<void> {
    try {
      for (let at = 0; at < boxes.length; at += TOLD_BOXES) await this.#tell(peer, boxes.slice(at, at + TOLD_BOXES));
    } catch {
      // It is not watched for any more.
    }
  }

  /** One message at a time: what comes meanwhile goes with the next one. */
  async #tellNews(peer: PeerName, watcher: Watcher): Promise<void> {
    watcher.isTold = true;
    try {
      while (watcher.news.size > 0 && this.#watchers.get(peer) === watcher) {
        const boxes = [...watcher.news].slice(0, TOLD_BOXES);
        for (const box of boxes) watcher.news.delete(box);
        await this.#tell(peer, boxes);
      }
    } catch {
      if (this.#watchers.get(peer) === watcher) this.forget(peer);
    } finally {
      watcher.isTold = false;
    }
  }
}
