// Memory for responses that are under way: bounded for each peer, for each address and in all. Who holds least is served first, and when all is
// taken, the reader that is slowest to take its response gives way.
import { LRUCache } from "lru-cache";
import type { Clock } from "#shared/util/clock.ts";

/** Bytes that may be held. */
export interface BudgetLimits {
  readonly perPeer: number;
  readonly perAddress: number;
  readonly total: number;
  /** A response that made no progress for this long gives way when others wait, ms. */
  readonly yieldMs: number;
  /** A peer that took so much of one response reads: more than what leaves for a stream that no one reads. */
  readonly readBytes: number;
  /** Peers of which it is remembered whether they read, and for how long that one left a long response, ms. */
  readonly peers: number;
  readonly leftMs: number;
}

/** Who holds bytes. */
export interface BudgetHolder {
  readonly peer: string;
  /** Undefined where the address says nothing about the party behind it. */
  readonly address: string | undefined;
}

/** A request for bytes. */
export interface BudgetRequest extends BudgetHolder {
  readonly bytes: number;
  /** Responses of this kind that the peer may have at once, made or under way; `first`: until it has been seen to read. */
  readonly kind: { readonly name: string; readonly perPeer: number; readonly first?: number };
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** The bytes are needed for others: the response must end. They count as free already. */
  readonly onRevoke: () => void;
}

/** Bytes that are held. */
export interface Reservation {
  /** Gives a part back. */
  shrink(bytes: number): void;
  /** The response is made, or the peer took a part of it: so many bytes by now. */
  noteProgress(takenBytes?: number): void;
  /** The peer took all of it, or did not. Then nothing is held any more. */
  noteEnd(isTaken: boolean): void;
  release(): void;
}

interface Held extends BudgetHolder {
  readonly kind: string;
  bytes: number;
  /** Later than every time while the response is made. */
  progressAtMs: number;
  readonly onRevoke: () => void;
}

interface Waiting extends BudgetRequest {
  readonly grant: (reservation: Reservation) => void;
}

export interface ResponseBudgetDependencies {
  readonly limits: BudgetLimits;
  readonly clock: Clock;
}

/** Beyond this part of all bytes only those get more who hold nothing: one response of theirs need not wait for readers that stand still. */
const SHARED_PART = 0.75;

/** The bytes of all responses. Call {@link ResponseBudget.relieve} now and then. */
export class ResponseBudget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #held = new Set<Held>();
  readonly #byPeer = new Map<string, number>();
  readonly #byAddress = new Map<string, number>();
  /** Peers that have taken a response since they left one, and those that have not. */
  readonly #readers: LRUCache<string, "reads" | "left">;
  #waiting: Waiting[] = [];
  #bytes = 0;

  constructor({ limits, clock }: ResponseBudgetDependencies) {
    this.#limits = limits;
    this.#clock = clock;
    this.#readers = new LRUCache({ max: limits.peers, perf: { now: (): number => clock.monotonicMs() }, ttlResolution: 0 });
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Requests that wait for bytes. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Holds bytes, when there is room for them. More than one peer may ever hold are taken for that. @throws the reason of the signal. */
  reserve(request: BudgetRequest): Promise<Reservation> {
    const bytes = Math.min(request.bytes, this.#limits.perPeer);
    return new Promise((resolve, reject) => {
      if (request.signal.aborted) {
        reject(request.signal.reason);
        return;
      }
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(request.signal.reason);
      };
      const waiting: Waiting = {
        ...request,
        bytes,
        grant: (reservation) => {
          request.signal.removeEventListener("abort", giveUp);
          resolve(reservation);
        },
      };
      request.signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
      this.#serve();
    });
  }

  /** Takes bytes back from readers that stand still, while others wait for them. */
  relieve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const slowest = this.#slowest();
      if (slowest === undefined) return;
      this.#release(slowest);
      slowest.onRevoke();
    }
  }

  #serve(): void {
    for (let next = this.#next(); next !== undefined && this.#hasRoom(next); next = this.#next()) {
      const granted = next;
      this.#waiting = this.#waiting.filter((each) => each !== granted);
      granted.grant(this.#hold(granted));
    }
  }

  #hasRoom(next: Waiting): boolean {
    const { total } = this.#limits;
    return this.#bytes + next.bytes <= (this.#heldBy(next) === 0 ? total : total * SHARED_PART);
  }

  /** Of those whose own share has room, the one that holds least, and of these the first. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const each of this.#waiting)
      if (this.#hasShare(each) && (next === undefined || this.#heldBy(each) < this.#heldBy(next))) next = each;
    return next;
  }

  #hasShare({ peer, address, bytes, kind }: Waiting): boolean {
    if ((this.#byPeer.get(peer) ?? 0) + bytes > this.#limits.perPeer) return false;
    // Who has not taken anything yet gets few: many that read nothing would have as many made each.
    const most = this.#readers.get(peer) === "reads" ? kind.perPeer : (kind.first ?? kind.perPeer);
    if (this.#countOf(peer, kind.name) >= most) return false;
    return address === undefined || (this.#byAddress.get(address) ?? 0) + bytes <= this.#limits.perAddress;
  }

  #countOf(peer: string, kind: string): number {
    let count = 0;
    for (const held of this.#held) if (held.peer === peer && held.kind === kind) count += 1;
    return count;
  }

  #heldBy({ peer, address }: BudgetHolder): number {
    return address === undefined ? (this.#byPeer.get(peer) ?? 0) : (this.#byAddress.get(address) ?? 0);
  }

  /** Of those that stand still, one of the party that holds most. */
  #slowest(): Held | undefined {
    const beforeMs = this.#clock.monotonicMs() - this.#limits.yieldMs;
    let slowest: Held | undefined;
    for (const held of this.#held)
      if (held.progressAtMs <= beforeMs && (slowest === undefined || this.#heldBy(held) > this.#heldBy(slowest))) slowest = held;
    return slowest;
  }

  #hold({ peer, address, bytes, kind, onRevoke }: Waiting): Reservation {
    const held: Held = { peer, address, kind: kind.name, bytes: 0, progressAtMs: Number.POSITIVE_INFINITY, onRevoke };
    this.#held.add(held);
    this.#add(held, bytes);
    return {
      shrink: (to): void => {
        if (!this.#held.has(held) || to >= held.bytes) return;
        this.#add(held, to - held.bytes);
        this.#serve();
      },
      noteProgress: (takenBytes = 0): void => {
        held.progressAtMs = this.#clock.monotonicMs();
        if (takenBytes >= this.#limits.readBytes) this.#noteReader(peer);
      },
      noteEnd: (isTaken): void => {
        // What is short leaves also for those who read nothing: it shows neither that, after one that was left, nor the other.
        if (isTaken && this.#readers.get(peer) !== "left") this.#noteReader(peer);
        else if (!isTaken && held.bytes >= this.#limits.readBytes) this.#readers.set(peer, "left", { ttl: this.#limits.leftMs });
        this.#release(held);
      },
      release: (): void => this.#release(held),
    };
  }

  #noteReader(peer: string): void {
    if (this.#readers.get(peer) === "reads") return;
    this.#readers.set(peer, "reads");
    this.#serve();
  }

  #release(held: Held): void {
    if (!this.#held.delete(held)) return;
    this.#add(held, -held.bytes);
    this.#serve();
  }

  #add(held: Held, bytes: number): void {
    held.bytes += bytes;
    this.#bytes += bytes;
    addTo(this.#byPeer, held.peer, bytes);
    if (held.address !== undefined) addTo(this.#byAddress, held.address, bytes);
  }
}

function addTo(sums: Map<string, number>, name: string, bytes: number): void {
  const sum = (sums.get(name) ?? 0) + bytes;
  if (sum === 0) sums.delete(name);
  else sums.set(name, sum);
}
