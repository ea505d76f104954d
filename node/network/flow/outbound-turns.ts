// Requests to a peer of which only so many may be under way: more wait for their turn, a bounded number of them.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Requests of one peer at once, and those that wait beside them. */
export interface TurnLimits {
  readonly underWay: number;
  readonly waiting: number;
}

interface Line {
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** Turns by peer. */
export class OutboundTurns {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Peers of whom something is under way. */
  get size(): number {
    return this.#lines.size;
  }

  /** Works once it is this request's turn. @throws CodedError UPSTREAM_FAILED when too many wait, or when it was given up before its turn */
  async run<T>(peer: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(peer) ?? { underWay: 0, waiting: new Set() };
    this.#lines.set(peer, line);
    if (line.underWay < this.#limits.underWay) line.underWay += 1;
    else await this.#wait(line, signal);
    try {
      return await work();
    } finally {
      const [next] = line.waiting;
      // The turn passes on, so that none overtakes those that wait.
      if (next !== undefined) next();
      else line.underWay -= 1;
      if (line.underWay === 0) this.#lines.delete(peer);
    }
  }

  #wait(line: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        line.waiting.delete(start);
        reject(new CodedError("UPSTREAM_FAILED", "The request was given up before its turn"));
      };
      const start = (): void => {
        signal.removeEventListener("abort", stop);
        line.waiting.delete(start);
        resolve();
      };
      if (signal.aborted || line.waiting.size >= this.#limits.waiting) {
        reject(new CodedError("UPSTREAM_FAILED", "Too many requests wait for the peer"));
        return;
      }
      line.waiting.add(start);
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
