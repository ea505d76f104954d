// At a keeper: nodes that watch boxes through carriers. The keeper knows a token and a carrier for each, and seals what it tells so that
// the carrier learns nothing of it.
import type { PeerName } from "#node/network/peer-network.ts";
import { carriedNewsCodec } from "#node/network/wire/carry-codec.ts";
import { encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CarryRequest } from "#shared/protocol/mail/carry-messages.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MailRequest } from "#shared/protocol/mail/mail-messages.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { KEEPER_LIMITS } from "../keeper-limits.ts";
import { BoxWatchers } from "../serving/box-watchers.ts";
import { CARRY_LIMITS, type CarryLimits } from "./carry-limits.ts";
import type { CarriedExchange } from "./carry-seal.ts";

export interface CarriedWatchesDependencies {
  /** Sends to a carrier; rejects when it cannot be reached, or does not know the token any more. */
  readonly send: (carrier: PeerName, news: Extract<CarryRequest, { readonly type: "news" }>) => Promise<void>;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: RandomBytes;
  readonly limits?: CarryLimits;
}

interface Watch {
  readonly carrier: PeerName;
  readonly token: string;
  readonly exchange: CarriedExchange;
  readonly untilMs: number;
  /** Of the news before. */
  number: number;
}

/** Name of a watch: of its carrier and its token. No node has such a name. */
type WatchName = string;

/** What is watched through carriers. */
export class CarriedWatches {
  readonly #dependencies: CarriedWatchesDependencies;
  readonly #limits: CarryLimits;
  readonly #watches = new Map<WatchName, Watch>();
  readonly #counts = new Map<PeerName, number>();
  readonly #boxes: BoxWatchers;

  constructor(dependencies: CarriedWatchesDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? CARRY_LIMITS;
    const { watches } = this.#limits;
    this.#boxes = new BoxWatchers({
      tell: (name, boxes): Promise<void> => this.tell(name, { type: "news", boxes }),
      limits: { ...KEEPER_LIMITS, watchedByNode: 1, watchedByAll: watches, watchers: watches },
    });
  }

  get size(): number {
    return this.#watches.size;
  }

  /** A node behind a carrier watches a box, in place of what the token named before. False when there is no room. */
  add(carrier: PeerName, token: string, box: X25519KeyHex, exchange: CarriedExchange): boolean {
    const name = `${carrier} ${token}`;
    this.#forget(name);
    const count = this.#counts.get(carrier) ?? 0;
    if (count >= this.#limits.watchesByCarrier || !this.#boxes.watch(name, [box], false)) return false;
    this.#counts.set(carrier, count + 1);
    const untilMs = this.#dependencies.clock.monotonicMs() + this.#limits.watchMs;
    this.#watches.set(name, { carrier, token, exchange, untilMs, number: 0 });
    return true;
  }

  /** Something is new in a box. */
  note(box: X25519KeyHex): void {
    this.#boxes.note(box);
  }

  /** Watches of a box, this many at most. */
  of(box: X25519KeyHex, most: number): readonly WatchName[] {
    return this.#boxes.of(box, most);
  }

  has(name: WatchName): boolean {
    return this.#watches.has(name);
  }

  /** Tells who watches; the watch ends where that fails. @throws CodedError UPSTREAM_FAILED */
  async tell(name: WatchName, request: MailRequest): Promise<void> {
    const { send, random } = this.#dependencies;
    const watch = this.#watches.get(name);
    if (watch === undefined) throw new CodedError("UPSTREAM_FAILED", "The watch is over");
    watch.number += 1;
    const sealed = watch.exchange.seal("news", encode(carriedNewsCodec, { number: watch.number, request }), random);
    try {
      await send(watch.carrier, { type: "news", token: watch.token, sealed });
    } catch (error) {
      if (this.#watches.get(name) === watch) this.#forget(name);
      throw error;
    }
  }

  /** Forgets what is over, and watches of carriers that are not connected at two looks in a row. */
  keep(isConnected: (carrier: PeerName) => boolean): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    const connected = new Set([...this.#counts.keys()].filter(isConnected));
    for (const [name, { untilMs }] of [...this.#watches]) if (untilMs <= nowMs) this.#forget(name);
    this.#boxes.keep((name) => connected.has(name.split(" ")[0] ?? ""));
    for (const [name, { carrier }] of [...this.#watches]) if (!connected.has(carrier) && !this.#boxes.has(name)) this.#forget(name);
  }

  #forget(name: WatchName): void {
    const watch = this.#watches.get(name);
    this.#boxes.forget(name);
    if (watch === undefined) return;
    this.#watches.delete(name);
    const left = (this.#counts.get(watch.carrier) ?? 1) - 1;
    if (left > 0) this.#counts.set(watch.carrier, left);
    else this.#counts.delete(watch.carrier);
  }
}
