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
import { losingParty, Shares, sharesOf } from "../serving/watch-shares.ts";
import { CarriedRows } from "./carried-rows.ts";
import { CARRY_LIMITS, type CarryLimits } from "./carry-limits.ts";
import { CarriedExchange, type SealedParty } from "./carry-seal.ts";

export interface CarriedWatchesDependencies {
  /** The keeper as it is sealed to. */
  readonly own: SealedParty;
  /** Sends to a carrier; rejects when it cannot be reached, or does not know the token any more. */
  readonly send: (carrier: PeerName, news: Extract<CarryRequest, { readonly type: "news" }>) => Promise<void>;
  /** True for a box that was opened by way of this carrier. */
  readonly isProven?: (box: X25519KeyHex, carrier: PeerName) => boolean;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: RandomBytes;
  readonly limits?: CarryLimits;
}

/** Name of a watch: its row and the turn of that. No node has such a name. */
type WatchName = string;

interface Carrier {
  readonly name: PeerName;
  readonly number: number;
  /** It was not connected at the last look: one that has just come has not said who it is. */
  isMissed: boolean;
}

const NAME = /^carried ([0-9]+) ([0-9]+)$/;
/** Rows that make room at once, as far as fewer would do. */
const DROPPED_AT_ONCE = 64;

/** What is watched through carriers. */
export class CarriedWatches {
  readonly #dependencies: CarriedWatchesDependencies;
  readonly #limits: CarryLimits;
  readonly #rows = new CarriedRows();
  readonly #carriers = new Map<PeerName, Carrier>();
  readonly #byNumber = new Map<number, Carrier>();
  /** What each of them has, by number. */
  readonly #shares = new Shares<number>();
  /** Watches that are being told, and whether there was something new meanwhile. */
  readonly #told = new Map<WatchName, boolean>();
  #numbers = 0;

  constructor(dependencies: CarriedWatchesDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? CARRY_LIMITS;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** A node behind a carrier watches a box, in place of what the token named before. False when there is no room. */
  add(name: PeerName, token: string, box: X25519KeyHex, exchange: CarriedExchange): boolean {
    const carrier = this.#carrierOf(name);
    const before = this.#rows.find(carrier.number, token);
    if (before !== undefined) this.#removeRow(before, carrier.number);
    const isProven = this.#dependencies.isProven?.(box, name) ?? false;
    if (!this.#makeRoomFor(carrier, box, isProven)) {
      this.#leave(carrier);
      return false;
    }
    const untilS = Math.ceil((this.#dependencies.clock.monotonicMs() + this.#limits.watchMs) / 1_000);
    this.#carriers.set(name, carrier);
    this.#byNumber.set(carrier.number, carrier);
    this.#rows.add({ box, carrier: carrier.number, token, exchange: exchange.bytes, isProven, untilS });
    this.#shares.set(carrier.number, this.#rows.countOf(carrier.number));
    return true;
  }

  /** Something is new in a box. */
  note(box: X25519KeyHex): void {
    for (const row of this.#rows.ofBox(box)) {
      const name = this.#nameOf(row);
      if (this.#told.has(name)) this.#told.set(name, true);
      else void this.#tellNews(name, box);
    }
  }

  /** Watches of a box, this many at most. */
  of(box: X25519KeyHex, most: number): readonly WatchName[] {
    return this.#rows
      .ofBox(box)
      .toReversed()
      .slice(0, most)
      .map((row) => this.#nameOf(row));
  }

  /** The carrier and the token of a watch; undefined for one that is over, or for another name. */
  find(name: WatchName): { readonly carrier: PeerName; readonly token: string } | undefined {
    const row = this.#rowOf(name);
    const carrier = row === undefined ? undefined : this.#byNumber.get(this.#rows.carrierOf(row));
    return row === undefined || carrier === undefined ? undefined : { carrier: carrier.name, token: this.#rows.tokenOf(row) };
  }

  has(name: WatchName): boolean {
    return this.#rowOf(name) !== undefined;
  }

  /** Tells who watches; the watch ends where that fails. @throws CodedError UPSTREAM_FAILED */
  async tell(name: WatchName, request: MailRequest): Promise<void> {
    const row = this.#rowOf(name);
    const watch = this.find(name);
    if (row === undefined || watch === undefined) throw new CodedError("UPSTREAM_FAILED", "The watch is over");
    try {
      await this.#send(row, watch, request);
    } catch (error) {
      if (this.#rowOf(name) !== undefined) this.#remove(row);
      throw error;
    }
  }

  /** Forgets what is over, and watches of carriers that are not connected at two looks in a row. */
  keep(isConnected: (carrier: PeerName) => boolean): void {
    const nowS = Math.floor(this.#dependencies.clock.monotonicMs() / 1_000);
    for (const row of this.#rows.overAt(nowS)) this.#remove(row);
    for (const carrier of [...this.#carriers.values()]) {
      const isThere = isConnected(carrier.name);
      if (!isThere && carrier.isMissed)
        for (const isProven of [false, true])
          for (const row of this.#rows.oldestOf(carrier.number, Number.POSITIVE_INFINITY, isProven)) this.#remove(row);
      carrier.isMissed = !isThere;
    }
  }

  #carrierOf(name: PeerName): Carrier {
    const known = this.#carriers.get(name);
    if (known !== undefined) return known;
    this.#numbers += 1;
    return { name, number: this.#numbers, isMissed: false };
  }

  /** The box comes first: who loses a watch for it, or for the carrier's own room, makes room in the table too, so none is lost in vain. */
  #makeRoomFor(carrier: Carrier, box: X25519KeyHex, isProven: boolean): boolean {
    const { unproven } = this.#rows.countOf(carrier.number);
    if (this.#isFull(carrier) && !(isProven && unproven > 0)) return false;
    if (!this.#makeRoomAtBox(carrier, box, isProven)) return false;
    if (this.#isFull(carrier)) this.#dropOldest(carrier.number, 1, false);
    return this.#makeRoom(carrier, isProven);
  }

  /** It has as many as one may. */
  #isFull({ number }: Carrier): boolean {
    const { unproven, proven } = this.#rows.countOf(number);
    return unproven + proven >= this.#limits.watchesByCarrier;
  }

  /** Among the watches of one box: who names it through one carrier many times keeps out no one who comes through others. */
  #makeRoomAtBox({ number }: Carrier, box: X25519KeyHex, isProven: boolean): boolean {
    const rows = this.#rows.ofBox(box);
    if (rows.length < this.#limits.watchesOfBox) return true;
    const watches = rows.map((row) => ({ row, party: this.#rows.carrierOf(row), isProven: this.#rows.isProven(row) }));
    const losing = losingParty(sharesOf(watches), number, 0, isProven);
    const oldest = losing && watches.findLast((each) => each.party === losing.who && each.isProven === losing.isProven);
    if (oldest === undefined) return false;
    this.#drop(oldest.row);
    return true;
  }

  #makeRoom({ number }: Carrier, isProven: boolean): boolean {
    if (this.#rows.size < this.#limits.watches) return true;
    const losing = losingParty(this.#shares, number, 1, isProven);
    return losing !== undefined && this.#dropOldest(losing.who, Math.min(DROPPED_AT_ONCE, losing.most), losing.isProven);
  }

  /** False where a carrier has none of the kind. */
  #dropOldest(carrier: number, count: number, isProven: boolean): boolean {
    const rows = this.#rows.oldestOf(carrier, count, isProven);
    for (const row of rows) this.#drop(row);
    return rows.length > 0;
  }

  /** Who loses a watch hears of it by news in which there is nothing new. */
  #drop(row: number): void {
    const watch = this.find(this.#nameOf(row));
    if (watch !== undefined) this.#send(row, watch, { type: "news", boxes: [this.#rows.boxOf(row)] }).catch(() => undefined);
    this.#remove(row);
  }

  #remove(row: number): void {
    const number = this.#rows.carrierOf(row);
    const carrier = this.#byNumber.get(number);
    this.#removeRow(row, number);
    if (carrier !== undefined) this.#leave(carrier);
  }

  #removeRow(row: number, carrier: number): void {
    this.#rows.remove(row);
    this.#shares.set(carrier, this.#rows.countOf(carrier));
  }

  /** Forgets a carrier of which no watch is left. */
  #leave({ name, number }: Carrier): void {
    const { unproven, proven } = this.#rows.countOf(number);
    if (unproven + proven > 0) return;
    this.#carriers.delete(name);
    this.#byNumber.delete(number);
  }

  /** Sealed at once; the row may be gone when it has arrived. */
  async #send(row: number, watch: { readonly carrier: PeerName; readonly token: string }, request: MailRequest): Promise<void> {
    const { own, send, random } = this.#dependencies;
    const exchange = CarriedExchange.of(this.#rows.exchangeOf(row), own);
    const news = encode(carriedNewsCodec, { number: this.#rows.nextNumber(row), request });
    await send(watch.carrier, { type: "news", token: watch.token, sealed: exchange.seal("news", news, random) });
  }

  /** One message at a time: what comes meanwhile is told after it. */
  async #tellNews(name: WatchName, box: X25519KeyHex): Promise<void> {
    try {
      do {
        this.#told.set(name, false);
        await this.tell(name, { type: "news", boxes: [box] });
      } while (this.#told.get(name) === true && this.#rowOf(name) !== undefined);
    } catch {
      // The watch is over.
    } finally {
      this.#told.delete(name);
    }
  }

  #nameOf(row: number): WatchName {
    return `carried ${row} ${this.#rows.turnOf(row)}`;
  }

  #rowOf(name: WatchName): number | undefined {
    const [, row, turn] = NAME.exec(name) ?? [];
    const number = Number(row);
    const isThere = row !== undefined && this.#rows.carrierOf(number) !== 0 && this.#rows.turnOf(number) === Number(turn);
    return isThere ? number : undefined;
  }
}
