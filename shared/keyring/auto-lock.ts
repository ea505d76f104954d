// Locks after a time without activity. Timers stop while a computer sleeps, so the clock is asked as well before a key is used.
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { AutoLockSettings } from "./keyring-api.ts";

/** Locks of new profiles: the wallet after five minutes; messages arrive until the person locks. */
export const DEFAULT_AUTO_LOCK: AutoLockSettings = { walletIdleMs: 300_000, fullIdleMs: null };

/** Longest delay of one timer: longer ones overflow in every browser. */
const MAX_TIMER_MS = 2_147_483_647;

/** What happens when the idle time is over. */
export interface LockActions {
  lockWallet(): void;
  lock(): void;
}

/** Watches the idle time from {@link AutoLock.touch} until {@link AutoLock.stop}. */
export class AutoLock {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #actions: LockActions;
  #settings: AutoLockSettings = DEFAULT_AUTO_LOCK;
  #running: CancelTimer[] = [];
  #lastMs: { readonly wall: number; readonly monotonic: number } | undefined;

  constructor(clock: Clock, timers: Timers, actions: LockActions) {
    this.#clock = clock;
    this.#timers = timers;
    this.#actions = actions;
  }

  configure(settings: AutoLockSettings): void {
    this.#settings = settings;
    if (this.#lastMs !== undefined) this.touch();
  }

  /** The person is here: the idle time restarts. */
  touch(): void {
    this.#lastMs = { wall: this.#clock.nowMs(), monotonic: this.#clock.monotonicMs() };
    this.#arm();
  }

  /** Locks what the idle time has run out for. */
  check(): void {
    const idleMs = this.#idleMs();
    const { walletIdleMs, fullIdleMs } = this.#settings;
    if (fullIdleMs !== null && idleMs >= fullIdleMs) this.#actions.lock();
    else if (walletIdleMs !== null && idleMs >= walletIdleMs) this.#actions.lockWallet();
  }

  stop(): void {
    this.#clearTimers();
    this.#lastMs = undefined;
  }

  /** One timer per lock still to come: a timer may fire early, so each one checks and rearms the rest. */
  #arm(): void {
    this.#clearTimers();
    const idleMs = this.#idleMs();
    for (const limitMs of [this.#settings.walletIdleMs, this.#settings.fullIdleMs]) {
      if (this.#lastMs === undefined || limitMs === null || limitMs <= idleMs) continue;
      this.#running.push(this.#timers.setTimer(Math.min(limitMs - idleMs, MAX_TIMER_MS), () => this.#onTimer()));
    }
  }

  #onTimer(): void {
    this.check();
    this.#arm();
  }

  #idleMs(): number {
    if (this.#lastMs === undefined) return 0;
    const { wall, monotonic } = this.#lastMs;
    return Math.max(this.#clock.nowMs() - wall, this.#clock.monotonicMs() - monotonic);
  }

  #clearTimers(): void {
    for (const cancel of this.#running) cancel();
    this.#running = [];
  }
}
