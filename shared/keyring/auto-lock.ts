// Locks after a time without activity, and after a longer one whatever the activity: the page reports it, and a page that was taken over
// would report it for ever. Timers stop while a computer sleeps, so the clock is asked as well before a key is used.
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { AutoLockSettings } from "./keyring-api.ts";

/** Locks of new profiles: the wallet after five minutes; messages arrive until the person locks. */
export const DEFAULT_AUTO_LOCK: AutoLockSettings = { walletIdleMs: 300_000, fullIdleMs: null };

/** Activity that the page reports puts a lock off to so many idle times after the person last proved to be there. */
const MAX_IDLE_TIMES = 12;
const MIN_OPEN_MS = 3_600_000;
const MAX_OPEN_MS = 86_400_000;

/** Longest delay of one timer: longer ones overflow in every browser. */
const MAX_TIMER_MS = 2_147_483_647;

/** What happens when the idle time is over. */
export interface LockActions {
  lockWallet(): void;
  lock(): void;
}

/** A moment by both clocks: a wall clock can be set back, a monotonic one stands still while a computer sleeps. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** How long a lock can be put off by reported activity alone: twelve idle times, at least an hour and at most a day. */
export function longestOpenMs(idleMs: number): number {
  return Math.max(idleMs, Math.min(MAX_OPEN_MS, Math.max(MIN_OPEN_MS, MAX_IDLE_TIMES * idleMs)));
}

/** Watches from {@link AutoLock.start} until {@link AutoLock.stop}. */
export class AutoLock {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #actions: LockActions;
  #settings: AutoLockSettings = DEFAULT_AUTO_LOCK;
  #running: CancelTimer[] = [];
  #watched: { readonly last: Moment; readonly proven: Moment } | undefined;

  constructor(clock: Clock, timers: Timers, actions: LockActions) {
    this.#clock = clock;
    this.#timers = timers;
    this.#actions = actions;
  }

  /** Other idle times, from now on. */
  configure(settings: AutoLockSettings): void {
    this.touch();
    this.#settings = settings;
    this.#arm();
  }

  /** The vault has just been opened. */
  start(settings: AutoLockSettings): void {
    this.#settings = settings;
    this.#watched = { last: this.#now(), proven: this.#now() };
    this.#arm();
  }

  /** The person gave the password, or agreed in a window that the page cannot draw: everything restarts. */
  prove(): void {
    this.check();
    if (this.#watched !== undefined) this.start(this.#settings);
  }

  /** The page says that the person is here: the idle time restarts. */
  touch(): void {
    this.check();
    if (this.#watched === undefined) return;
    this.#watched = { ...this.#watched, last: this.#now() };
    this.#arm();
  }

  /** Locks what is due. */
  check(): void {
    const { walletIdleMs, fullIdleMs } = this.#settings;
    if (this.#leftMs(fullIdleMs) <= 0) this.#actions.lock();
    else if (this.#leftMs(walletIdleMs) <= 0) this.#actions.lockWallet();
  }

  stop(): void {
    this.#clearTimers();
    this.#watched = undefined;
  }

  /** One timer per lock still to come: a timer may fire early, so each one checks and rearms the rest. */
  #arm(): void {
    this.#clearTimers();
    for (const limitMs of [this.#settings.walletIdleMs, this.#settings.fullIdleMs]) {
      const leftMs = this.#leftMs(limitMs);
      if (leftMs > 0 && Number.isFinite(leftMs))
        this.#running.push(this.#timers.setTimer(Math.min(leftMs, MAX_TIMER_MS), () => this.#onTimer()));
    }
  }

  #onTimer(): void {
    this.check();
    this.#arm();
  }

  /** Time until a lock, at most zero when it is due. */
  #leftMs(idleMs: number | null): number {
    if (idleMs === null || this.#watched === undefined) return Number.POSITIVE_INFINITY;
    const { last, proven } = this.#watched;
    return Math.min(idleMs - this.#sinceMs(last), longestOpenMs(idleMs) - this.#sinceMs(proven));
  }

  #now(): Moment {
    return { wall: this.#clock.nowMs(), monotonic: this.#clock.monotonicMs() };
  }

  #sinceMs({ wall, monotonic }: Moment): number {
    return Math.max(this.#clock.nowMs() - wall, this.#clock.monotonicMs() - monotonic);
  }

  #clearTimers(): void {
    for (const cancel of this.#running) cancel();
    this.#running = [];
  }
}
