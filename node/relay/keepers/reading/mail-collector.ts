// Mail of those who read at this node: it reads all keepers of their boxes and writes what they list into its own mailbox, so that lists,
// positions and pushes are those of one mailbox. One keeper gives envelopes, the others ids: what only they have is fetched from them.
import { LRUCache } from "lru-cache";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import type { BoxKeepers, KeeperRanks } from "../placing/keeper-ranks.ts";
import { KeeperReading, type ReadingContext, type ReadingDependencies } from "./keeper-reading.ts";

export interface MailCollectorDependencies extends ReadingDependencies {
  /** Key of this node: what it keeps itself comes without being asked for. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: Pick<KeeperRanks, "keepersOf">;
  /** False for keepers that dropped what they had signed for: the others have to answer. */
  readonly counts: (keeper: PublicKeyHex) => boolean;
  /** False while no mail can be at keepers: none is asked then. */
  readonly isActive: () => boolean;
  /** Boxes beside those that are read here, of whose news keepers are asked to tell; at most `unprovenWatched` of them. */
  readonly toldOf: () => Iterable<X25519KeyHex>;
  /** There may be something new in some of these. */
  readonly onNews: (boxes: readonly X25519KeyHex[]) => void;
  readonly limits?: KeeperLimits;
}

interface KeeperBoxes {
  readonly read: Set<X25519KeyHex>;
  /** Those of them that are watched there. */
  readonly watched: Set<X25519KeyHex>;
  readonly toldOf: Set<X25519KeyHex>;
}

interface Looking {
  readonly boxes: X25519KeyHex[];
  readonly toldOf: ReadonlySet<X25519KeyHex>;
  readonly byKeeper: Map<PublicKeyHex, KeeperBoxes>;
  readonly givers: Map<X25519KeyHex, PublicKeyHex>;
}

/** Time between two looks where others read, or keepers are others, ms. */
const STALE_MS = 1_000;
/** Different times at which keepers have their turns. */
const PHASES = 256;
/** Time that one turn looks for keepers, ms. */
const LOOK_MS = 20;

/** Reads. {@link MailCollector.start} begins, and {@link MailCollector.close} ends it. */
export class MailCollector {
  readonly #dependencies: MailCollectorDependencies;
  readonly #limits: KeeperLimits;
  readonly #readings = new Map<PublicKeyHex, KeeperReading>();
  readonly #aborter = new AbortController();
  /** Keepers whose boxes carry content, by box. */
  #givers: ReadonlyMap<X25519KeyHex, PublicKeyHex> = new Map();
  /** When each box was read here first, ms. */
  readonly #firstReads: LRUCache<X25519KeyHex, number>;
  readonly #waiting = new Set<{ readonly boxes: readonly X25519KeyHex[]; readonly resolve: () => void }>();
  #cancelTick: (() => void) | undefined;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  /** Keepers that are to be asked again for their news. */
  readonly #toRenew = new Set<PublicKeyHex>();
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #isStale = true;
  /** Boxes whose keepers are being looked up, the latest first, and what was found; undefined between two looks. */
  #looking: Looking | undefined;

  constructor(dependencies: MailCollectorDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? KEEPER_LIMITS;
    this.#firstReads = new LRUCache({ max: this.#limits.watchedByNode });
  }

  start(): void {
    this.#tick();
  }

  /** Boxes or keepers are others now: they are looked at in a moment. */
  refresh(): void {
    this.#isStale = true;
  }

  /**
   * Resolves once enough keepers of these boxes were read, with those of which that is not so. Who reads a box first waits for that, for a
   * moment; later reads do not. Never rejects.
   */
  async whenRead(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>> {
    const { clock, timers } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const open = boxes.filter((box) => !this.#isRead(box));
    const endsAtMs = Math.max(nowMs, ...open.map((box) => this.#firstReadMs(box, nowMs) + this.#limits.firstReadMs));
    if (open.length > 0 && endsAtMs > nowMs && !this.#aborter.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting = { boxes: open, resolve };
      this.#waiting.add(waiting);
      const cancel = timers.setTimer(endsAtMs - nowMs, resolve);
      await promise;
      cancel();
      this.#waiting.delete(waiting);
    }
    return new Set(open.filter((box) => !this.#isRead(box)));
  }

  #firstReadMs(box: X25519KeyHex, nowMs: number): number {
    const known = this.#firstReads.get(box);
    if (known === undefined) this.#firstReads.set(box, nowMs);
    return known ?? nowMs;
  }

  /** True while a box is read here: for a moment longer than someone reads it. */
  follows(box: X25519KeyHex): boolean {
    return [...this.#readings.values()].some((reading) => reading.follows(box));
  }

  /** A keeper has something new in these boxes. */
  onNews(keeper: PublicKeyHex, boxes: readonly X25519KeyHex[]): void {
    this.#readings.get(keeper)?.noteNews(boxes);
  }

  /**
   * A keeper does not tell any more of all that it was asked to: it is asked again in a while. Who says so again and again does not hurry
   * it.
   */
  renew(keeper: PublicKeyHex): void {
    if (this.#readings.has(keeper)) this.#toRenew.add(keeper);
  }

  close(): void {
    this.#cancelTick?.();
    this.#aborter.abort();
    for (const { resolve } of this.#waiting) resolve();
  }

  #tick(): void {
    if (this.#aborter.signal.aborted) return;
    try {
      this.#look();
    } catch (error) {
      this.#dependencies.log.error({ err: error }, "Mail at keepers could not be read");
    }
    this.#cancelTick = this.#dependencies.timers.setTimer(this.#limits.tickMs, () => this.#tick());
  }

  #look(): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    // Who subscribes and unsubscribes again and again does not keep it looking.
    const pauseMs = this.#isStale ? STALE_MS : this.#limits.refreshMs;
    if (this.#looking === undefined && nowMs - this.#refreshedAtMs >= pauseMs) {
      this.#isStale = false;
      this.#refreshedAtMs = nowMs;
      this.#looking = this.#startLooking();
    }
    if (this.#looking !== undefined) this.#choose(this.#looking);
    for (const reading of this.#readings.values()) reading.tick();
    if (nowMs - this.#renewedAtMs < this.#limits.refreshMs) return;
    this.#renewedAtMs = nowMs;
    for (const keeper of this.#toRenew) this.#readings.get(keeper)?.lose();
    this.#toRenew.clear();
  }

  /** Which boxes are read at which keepers. To find keepers takes a hash for each of all keepers: many boxes take several turns. */
  #choose({ boxes, toldOf, byKeeper, givers }: Looking): void {
    const { ownKey, clock, ranks } = this.#dependencies;
    const beganMs = clock.monotonicMs();
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      const keepers = ranks.keepersOf(box);
      if (keepers === undefined) continue;
      const all = keysOf(keepers);
      const giver = this.#giverOf(box, all);
      if (giver !== undefined) givers.set(box, giver);
      const watched = this.#watchedOf(keepers);
      const others = all.filter((keeper) => keeper !== ownKey);
      for (const keeper of others) noteBox(byKeeper, keeper, box, { isRead: !toldOf.has(box), isWatched: watched.has(keeper) });
      if (clock.monotonicMs() - beganMs >= LOOK_MS) return;
    }
    this.#looking = undefined;
    this.#read(byKeeper, givers);
  }

  /** Turned by box, so that the first rank does not give all. */
  #giverOf(box: X25519KeyHex, keepers: readonly PublicKeyHex[]): PublicKeyHex | undefined {
    const { ownKey, counts } = this.#dependencies;
    const turn = Number.parseInt(box.slice(0, 2), 16) % KEEPER_RULES.keeping;
    const inTurn = [...keepers.slice(turn, KEEPER_RULES.keeping), ...keepers.slice(0, turn), ...keepers.slice(KEEPER_RULES.keeping)];
    const live = inTurn.filter((keeper) => keeper !== ownKey && this.#isLive(keeper));
    return live.find((keeper) => counts(keeper)) ?? live[0];
  }

  /**
   * The three that keep tell of all: what only others took comes to them by repair. Those that stand in are watched while one of the three
   * does not respond, or is doubted.
   */
  #watchedOf({ keeping, standingIn }: BoxKeepers): ReadonlySet<PublicKeyHex> {
    const { ownKey, counts } = this.#dependencies;
    const isWhole = keeping.every(({ key }) => key === ownKey || (this.#isLive(key) && counts(key)));
    return new Set([...keeping, ...(isWhole ? [] : standingIn)].map(({ key }) => key));
  }

  #read(byKeeper: Looking["byKeeper"], givers: Looking["givers"]): void {
    this.#givers = givers;
    for (const [keeper, reading] of this.#readings) {
      if (byKeeper.has(keeper)) continue;
      reading.setBoxes(new Set(), new Set(), new Set());
      this.#readings.delete(keeper);
    }
    for (const [keeper, { read, watched, toldOf }] of byKeeper) {
      const reading = this.#readings.get(keeper) ?? new KeeperReading(keeper, this.#context());
      this.#readings.set(keeper, reading);
      reading.setBoxes(read, watched, toldOf);
    }
    this.#checkWaiting();
  }

  #startLooking(): Looking {
    const { relay, toldOf: listToldOf, isActive } = this.#dependencies;
    if (!isActive()) return { boxes: [], toldOf: new Set(), byKeeper: new Map(), givers: new Map() };
    const readers = relay.readers.all;
    const toldOf = new Set<X25519KeyHex>();
    for (const box of listToldOf()) {
      if (toldOf.size >= this.#limits.unprovenWatched) break;
      if (!readers.has(box)) toldOf.add(box);
    }
    return { boxes: [...toldOf, ...readers], toldOf, byKeeper: new Map(), givers: new Map() };
  }

  /** True once enough keepers of a box were read to its end: of those that are doubted no one knows what they leave out. */
  #isRead(box: X25519KeyHex): boolean {
    const { ranks, ownKey, counts } = this.#dependencies;
    const keeping = (ranks.keepersOf(box)?.keeping ?? []).filter(({ key }) => key === ownKey || counts(key));
    const read = keeping.filter(({ key }) => key === ownKey || this.#readings.get(key)?.hasRead(box) === true);
    return keeping.length > 0 && read.length >= Math.min(this.#limits.readersAnswers, keeping.length);
  }

  #checkWaiting(): void {
    for (const waiting of [...this.#waiting]) if (waiting.boxes.every((box) => this.#isRead(box))) waiting.resolve();
  }

  /** What was not asked yet counts as there. */
  #isLive(keeper: PublicKeyHex): boolean {
    return this.#readings.get(keeper)?.isFailing !== true;
  }

  #context(): ReadingContext {
    return {
      ...this.#dependencies,
      limits: this.#limits,
      signal: this.#aborter.signal,
      isCrowded: (): boolean => this.#readings.size > this.#limits.connectedKeepers,
      phaseOf: (keeper): number => (nativeSha256(utf8(`${this.#dependencies.ownKey} ${keeper}`))[0] ?? 0) / PHASES,
      givesContent: (keeper, box): boolean => this.#givers.get(box) === keeper,
      onFailure: (): void => this.refresh(),
      onRead: (): void => this.#checkWaiting(),
    };
  }
}

function noteBox(
  byKeeper: Looking["byKeeper"],
  keeper: PublicKeyHex,
  box: X25519KeyHex,
  { isRead, isWatched }: { readonly isRead: boolean; readonly isWatched: boolean },
): void {
  const ofKeeper = byKeeper.get(keeper) ?? { read: new Set(), watched: new Set(), toldOf: new Set() };
  byKeeper.set(keeper, ofKeeper);
  if (isRead) ofKeeper.read.add(box);
  if (isWatched) (isRead ? ofKeeper.watched : ofKeeper.toldOf).add(box);
}

/** Of all ranks, and of the period before: what a stand-in took while others were away stays there. */
function keysOf({ keeping, standingIn, draining }: BoxKeepers): readonly PublicKeyHex[] {
  return [...keeping, ...standingIn, ...draining].map(({ key }) => key);
}
