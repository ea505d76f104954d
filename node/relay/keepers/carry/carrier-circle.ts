// The carriers of a node as it knows them: who was chosen, who does not carry, and who does not respond at the moment.
import { LRUCache } from "lru-cache";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { BoxKeepers, KeeperRanks } from "../placing/keeper-ranks.ts";
import { type Carriers, carriersFor, carriersOf } from "./carrier-choice.ts";
import type { CarryLimits } from "./carry-limits.ts";

export interface CarrierCircleDependencies {
  readonly ranks: Pick<KeeperRanks, "directory" | "isKeeper" | "keepersOf">;
  readonly ownKey: PublicKeyHex;
  readonly secret: () => Uint8Array;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly limits: CarryLimits;
}

interface Pause {
  readonly untilMs: number;
  readonly failures: number;
}

const NO_CARRIERS: Carriers = { chosen: [], standingIn: [] };

/** Carriers by the directory in force. */
export class CarrierCircle {
  readonly #dependencies: CarrierCircleDependencies;
  /** Of carriers, and of their ways to single keepers. */
  readonly #pauses: LRUCache<string, Pause>;
  /** Nodes that do not carry, with the time up to which that counts, ms. */
  readonly #unable: LRUCache<PublicKeyHex, number>;
  #found: { readonly directory: ReadDirectory; readonly carriers: Carriers; readonly untilMs: number } | undefined;

  constructor(dependencies: CarrierCircleDependencies) {
    this.#dependencies = dependencies;
    const { pauses, unsupported } = dependencies.limits;
    this.#pauses = new LRUCache({ max: pauses });
    this.#unable = new LRUCache({ max: unsupported });
  }

  /** False where none is there that is not of the keeper's own network or wallet. */
  canCarryTo(keeper: Keeper): boolean {
    const { chosen, standingIn } = this.#carriers();
    return [...chosen, ...standingIn].some(
      ({ key, network, wallet }) => key !== keeper.key && network !== keeper.network && wallet !== keeper.wallet,
    );
  }

  /** Carriers of a box to a keeper: those that did not do their work, or did not reach this keeper, come last. */
  inOrder(keeper: Keeper, box: X25519KeyHex): readonly Keeper[] {
    const { ranks, secret, clock } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const isKeeper = (key: PublicKeyHex): boolean => ranks.isKeeper(key, box);
    const place = placeOf(keeper.key, ranks.keepersOf(box));
    const ordered = carriersFor(box, keeper, this.#carriers(), { secret: secret(), isKeeper, place });
    const untilMs = ({ key }: Keeper): number => {
      const until = Math.max(...[key, wayOf(key, keeper.key)].map((name) => this.#pauses.get(name)?.untilMs ?? 0));
      return until > nowMs ? until : 0;
    };
    return ordered.toSorted((a, b) => untilMs(a) - untilMs(b));
  }

  /** A carrier did not respond, altered what it carried, or did not reach whom others reached. */
  noteFailed(key: PublicKeyHex): void {
    this.#pause(key);
  }

  /** It says that it does not reach a keeper, and no other one was there to say otherwise: the fault of one of the two. */
  noteNoWay(key: PublicKeyHex, keeper: PublicKeyHex): void {
    this.#pause(wayOf(key, keeper));
  }

  noteWorked(key: PublicKeyHex, keeper: PublicKeyHex): void {
    this.#pauses.delete(key);
    this.#pauses.delete(wayOf(key, keeper));
  }

  /** A node of an earlier version: another one takes its place. */
  noteUnable(key: PublicKeyHex): void {
    const { clock, limits } = this.#dependencies;
    this.#unable.set(key, clock.monotonicMs() + limits.unsupportedMs);
    this.#found = undefined;
  }

  #carriers(): Carriers {
    const { ranks, ownKey, secret, clock, limits } = this.#dependencies;
    const { directory } = ranks;
    if (directory === undefined) return NO_CARRIERS;
    const nowMs = clock.monotonicMs();
    if (this.#found?.directory === directory && nowMs < this.#found.untilMs) return this.#found.carriers;
    const isUnable = (key: PublicKeyHex): boolean => this.#isUnable(key);
    const carriers = carriersOf(directory, { secret: secret(), ownKey, isUnable });
    this.#found = { directory, carriers, untilMs: nowMs + limits.unsupportedMs };
    return carriers;
  }

  #pause(name: string): void {
    const { clock, limits } = this.#dependencies;
    const failures = (this.#pauses.get(name)?.failures ?? 0) + 1;
    const pauseMs = Math.min(limits.lastPauseMs, limits.pauseMs * 2 ** Math.min(20, failures - 1));
    this.#pauses.set(name, { untilMs: clock.monotonicMs() + pauseMs, failures });
  }

  #isUnable(key: PublicKeyHex): boolean {
    return (this.#unable.get(key) ?? 0) > this.#dependencies.clock.monotonicMs();
  }
}

/** A keeper's place among those of a box, of the present period or of the one before; the first one for what is none any more. */
function placeOf(key: PublicKeyHex, keepers: BoxKeepers | undefined): number {
  const { keeping = [], standingIn = [], draining = [] } = keepers ?? {};
  const places = [[...keeping, ...standingIn], draining].map((some) => some.findIndex((each) => each.key === key));
  return Math.max(0, ...places);
}

function wayOf(carrier: PublicKeyHex, keeper: PublicKeyHex): string {
  return `${carrier} ${keeper}`;
}
