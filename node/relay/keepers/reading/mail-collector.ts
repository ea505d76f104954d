// Mail of those who read at this node: it reads all keepers of their boxes and writes what they list into its own mailbox, so that lists,
// positions and pushes are those of one mailbox. One keeper gives envelopes, the others ids: what only they have is fetched from them.
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "../keeper-limits.ts";
import type { KeeperRanks } from "../placing/keeper-ranks.ts";
import { KeeperReading, type ReadingContext, type ReadingDependencies } from "./keeper-reading.ts";

export interface MailCollectorDependencies extends ReadingDependencies {
  /** Key of this node: what it keeps itself comes without being asked for. */
  readonly ownKey: PublicKeyHex;
  readonly ranks: Pick<KeeperRanks, "keepersOf">;
  /** False while no mail can be at keepers: none is asked then. */
  readonly isActive: () => boolean;
  readonly limits?: KeeperLimits;
}

interface Looking {
  readonly boxes: X25519KeyHex[];
  readonly byKeeper: Map<PublicKeyHex, Set<X25519KeyHex>>;
  readonly givers: Map<X25519KeyHex, PublicKeyHex>;
}

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
  #cancelTick: (() => void) | undefined;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #listedAtMs: number;
  #isStale = true;
  /** Boxes whose keepers are being looked up, the latest first, and what was found; undefined between two looks. */
  #looking: Looking | undefined;

  constructor(dependencies: MailCollectorDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? KEEPER_LIMITS;
    this.#listedAtMs = dependencies.clock.monotonicMs();
  }

  start(): void {
    this.#tick();
  }

  /** Boxes or keepers are others now: they are looked at in a moment. */
  refresh(): void {
    this.#isStale = true;
  }

  /** A keeper has something new in these boxes. */
  onNews(keeper: PublicKeyHex, boxes: readonly X25519KeyHex[]): void {
    this.#readings.get(keeper)?.note(boxes);
  }

  close(): void {
    this.#cancelTick?.();
    this.#aborter.abort();
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
    const isDue = nowMs - this.#refreshedAtMs >= this.#limits.refreshMs;
    if (this.#looking === undefined && (this.#isStale || isDue)) {
      this.#isStale = false;
      this.#refreshedAtMs = nowMs;
      this.#looking = { boxes: [...this.#boxes()], byKeeper: new Map(), givers: new Map() };
    }
    if (this.#looking !== undefined) this.#choose(this.#looking);
    // What no message told of, and what stand-ins took while the others were away.
    const isListing = nowMs - this.#listedAtMs >= this.#limits.listAgainMs;
    if (isListing) this.#listedAtMs = nowMs;
    for (const reading of this.#readings.values()) {
      if (isListing) reading.note(reading.boxes);
      reading.poll();
    }
  }

  /** Which boxes are read at which keepers. To find keepers takes a hash for each of all keepers: many boxes take several turns. */
  #choose({ boxes, byKeeper, givers }: Looking): void {
    const { ownKey, clock } = this.#dependencies;
    const beganMs = clock.monotonicMs();
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      const keepers = this.#keepersOf(box);
      // Turned by box, so that the first rank does not give all.
      const turn = Number.parseInt(box.slice(0, 2), 16) % KEEPER_RULES.keeping;
      const inTurn = [...keepers.slice(turn, KEEPER_RULES.keeping), ...keepers.slice(0, turn), ...keepers.slice(KEEPER_RULES.keeping)];
      const giver = inTurn.find((keeper) => keeper !== ownKey && this.#isLive(keeper));
      if (giver !== undefined) givers.set(box, giver);
      for (const keeper of keepers) {
        if (keeper === ownKey) continue;
        byKeeper.set(keeper, (byKeeper.get(keeper) ?? new Set()).add(box));
      }
      if (clock.monotonicMs() - beganMs >= LOOK_MS) return;
    }
    this.#looking = undefined;
    this.#read(byKeeper, givers);
  }

  #read(byKeeper: Looking["byKeeper"], givers: Looking["givers"]): void {
    this.#givers = givers;
    for (const [keeper, reading] of this.#readings) {
      if (byKeeper.has(keeper)) continue;
      reading.setBoxes(new Set());
      this.#readings.delete(keeper);
    }
    for (const [keeper, boxes] of byKeeper) {
      const reading = this.#readings.get(keeper) ?? new KeeperReading(keeper, this.#context());
      this.#readings.set(keeper, reading);
      reading.setBoxes(boxes);
    }
  }

  #boxes(): readonly X25519KeyHex[] {
    const { store, isActive } = this.#dependencies;
    return isActive() ? store.served.list().map(({ recipientPub }) => recipientPub) : [];
  }

  /** Of all ranks, and of the period before: what a stand-in took while others were away stays there. */
  #keepersOf(box: X25519KeyHex): readonly PublicKeyHex[] {
    const keepers = this.#dependencies.ranks.keepersOf(box);
    if (keepers === undefined) return [];
    const { keeping, standingIn, draining } = keepers;
    return [...keeping, ...standingIn, ...draining].map(({ key }) => key);
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
      givesContent: (keeper, box): boolean => this.#givers.get(box) === keeper,
      onFailure: (): void => this.refresh(),
    };
  }
}
