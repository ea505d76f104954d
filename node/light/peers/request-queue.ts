// Turns for requests to peers: few at once to each, no faster than it answers, and a line with an end.
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";

interface Line {
  readonly bucket: TokenBucket;
  readonly waiting: Waiting[];
  underWay: number;
  cancelTimer: CancelTimer | null;
}

interface Waiting {
  readonly begin: () => void;
}

const { requestsPerPeer, waitingRequests, requestsPerSecond, requestBurst } = LIGHT_LIMITS;
/** Pace of looking for a free token, ms. */
const TOKEN_MS = Math.ceil(1_000 / requestsPerSecond);

/** One line a peer. */
export class RequestQueue {
  readonly #lines = new Map<PeerName, Line>();
  readonly #clock: Clock;
  readonly #timers: Timers;
  #waiting = 0;
  #underWay = 0;

  constructor({ clock, timers }: { readonly clock: Clock; readonly timers: Timers }) {
    this.#clock = clock;
    this.#timers = timers;
  }

  /** True while someone waits for a peer's response, or for their turn to ask. */
  get isInUse(): boolean {
    return this.#waiting + this.#underWay > 0;
  }

  /** Runs work that asks a peer in its turn. @throws CodedError BUSY when too much waits or for too long, or what the work throws. */
  async run<T>(peer: PeerName, work: () => Promise<T>, over: Promise<unknown>): Promise<T> {
    const line = this.#lineOf(peer);
    await this.#acquire(line, over);
    try {
      return await work();
    } finally {
      line.underWay -= 1;
      this.#underWay -= 1;
      this.#advance(line);
      if (line.underWay === 0 && line.waiting.length === 0) this.#forget();
    }
  }

  #acquire(line: Line, over: Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.#waiting >= waitingRequests) return Promise.reject(busy());
    const waiting: Waiting = {
      begin: () => {
        this.#waiting -= 1;
        resolve();
      },
    };
    void over.then(() => {
      const at = line.waiting.indexOf(waiting);
      if (at < 0) return;
      line.waiting.splice(at, 1);
      this.#waiting -= 1;
      reject(busy());
    });
    line.waiting.push(waiting);
    this.#waiting += 1;
    this.#advance(line);
    return promise;
  }

  #advance(line: Line): void {
    while (line.waiting.length > 0 && line.underWay < requestsPerPeer) {
      if (!line.bucket.take(1, this.#clock.monotonicMs())) {
        line.cancelTimer ??= this.#timers.setTimer(TOKEN_MS, () => {
          line.cancelTimer = null;
          this.#advance(line);
        });
        return;
      }
      line.underWay += 1;
      this.#underWay += 1;
      line.waiting.shift()?.begin();
    }
  }

  #lineOf(peer: PeerName): Line {
    const rate = { perSecond: requestsPerSecond, burst: requestBurst };
    const known = this.#lines.get(peer);
    const line = known ?? { bucket: new TokenBucket(rate, this.#clock.monotonicMs()), waiting: [], underWay: 0, cancelTimer: null };
    this.#lines.delete(peer);
    this.#lines.set(peer, line);
    return line;
  }

  /** Lines of peers that were not asked for longest go, but none that is in use. */
  #forget(): void {
    for (const [peer, { underWay, waiting }] of this.#lines) {
      if (this.#lines.size <= MAX_LINES) return;
      if (underWay === 0 && waiting.length === 0) this.#lines.delete(peer);
    }
  }
}

const MAX_LINES = 256;

function busy(): CodedError {
  return new CodedError("BUSY", "More requests wait for other nodes than they answer: try again in a moment");
}
