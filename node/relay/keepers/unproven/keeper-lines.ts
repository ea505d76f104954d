// Requests to keepers for readers who prove nothing: one of each keeper at a time, a few in all. A keeper that fails is left alone for a
// while, so that no one waits for it again and again.
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { KeeperLimits } from "../keeper-limits.ts";

export interface KeeperLinesDependencies {
  /** Asks a keeper. @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest, signal: AbortSignal) => Promise<MailResponse>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: KeeperLimits;
  readonly log: Log;
}

interface Failing {
  readonly count: number;
  readonly untilMs: number;
}

/** Work of one keeper: asks what it wants to ask. */
export type LineWork = (ask: (request: MailRequest) => Promise<MailResponse>) => Promise<void>;

interface Waiting {
  readonly keeper: PublicKeyHex;
  readonly work: LineWork;
  readonly done: (isAnswered: boolean) => void;
}

/** Asks keepers. */
export class KeeperLines {
  readonly #dependencies: KeeperLinesDependencies;
  readonly #failing = new Map<PublicKeyHex, Failing>();
  readonly #aborter = new AbortController();
  readonly #busy = new Set<PublicKeyHex>();
  #waiting: Waiting[] = [];

  constructor(dependencies: KeeperLinesDependencies) {
    this.#dependencies = dependencies;
  }

  /** True for a keeper that failed a moment ago: it is not asked now. */
  isFailing(keeper: PublicKeyHex): boolean {
    return this.#dependencies.clock.monotonicMs() < (this.#failing.get(keeper)?.untilMs ?? 0);
  }

  /** Resolves once the keeper's work is done: false when it failed, is not asked now, or too much waits. Never rejects. */
  run(keeper: PublicKeyHex, work: LineWork): Promise<boolean> {
    if (this.isFailing(keeper) || this.#aborter.signal.aborted || this.#waiting.length >= this.#dependencies.limits.unprovenWaiting)
      return Promise.resolve(false);
    return new Promise((done) => {
      this.#waiting.push({ keeper, work, done });
      this.#next();
    });
  }

  close(): void {
    this.#aborter.abort();
    for (const { done } of this.#waiting.splice(0)) done(false);
  }

  #next(): void {
    while (this.#busy.size < this.#dependencies.limits.unprovenRequests) {
      const at = this.#waiting.findIndex(({ keeper }) => !this.#busy.has(keeper));
      const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#busy.add(next.keeper);
      void this.#work(next);
    }
  }

  async #work({ keeper, work, done }: Waiting): Promise<void> {
    const { log, clock, limits } = this.#dependencies;
    let isAnswered = false;
    try {
      // It may have failed while this waited.
      if (!this.isFailing(keeper)) {
        await work((request) => this.#ask(keeper, request));
        this.#failing.delete(keeper);
        isAnswered = true;
      }
    } catch (error) {
      log.debug({ err: error, keeper }, "A keeper could not be read for a reader without a proof");
      const count = (this.#failing.get(keeper)?.count ?? 0) + 1;
      const pauseMs = Math.min(limits.lastReadPauseMs, limits.firstReadPauseMs * 2 ** Math.min(20, count - 1));
      this.#failing.delete(keeper);
      this.#failing.set(keeper, { count, untilMs: clock.monotonicMs() + pauseMs });
      const [oldest] = this.#failing.keys();
      if (this.#failing.size > limits.doubted && oldest !== undefined) this.#failing.delete(oldest);
    }
    this.#busy.delete(keeper);
    done(isAnswered);
    this.#next();
  }

  async #ask(keeper: PublicKeyHex, request: MailRequest): Promise<MailResponse> {
    const { ask, limits, timers } = this.#dependencies;
    const { promise: ending, reject } = Promise.withResolvers<never>();
    const late = new AbortController();
    const cancel = timers.setTimer(limits.unprovenMs, () => {
      const error = new CodedError("UPSTREAM_FAILED", "The keeper does not respond");
      reject(error);
      late.abort(error);
    });
    try {
      const response = await Promise.race([ask(keeper, request, AbortSignal.any([this.#aborter.signal, late.signal])), ending]);
      if (response.type === "busy" || response.type === "wrongKeeper")
        throw new CodedError("UPSTREAM_FAILED", `The keeper refuses: ${response.type}`);
      return response;
    } finally {
      cancel();
    }
  }
}
