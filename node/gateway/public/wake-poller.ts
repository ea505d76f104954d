// Tells listeners of this process what any process has stored. It looks at short intervals: that needs no connection of its own, and goes
// through every kind of pooler.
import type { ArrivedEnvelope } from "#node/relay/intake/mail-service.ts";
import { readArrived, readLanes, readWoken, type Woken } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { WAKE_INTERVAL_MS, WAKE_KEPT_S, WAKE_PAUSE_MS } from "./gateway-limits.ts";

export interface WakePollerDependencies {
  readonly database: PostgresDatabase;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
  /** Something may have passed by: clients are to list again. */
  readonly onGap: () => void;
}

interface Listener {
  readonly tell: (envelope: ArrivedEnvelope) => void;
  readonly isWanted: (recipientPub: X25519KeyHex) => boolean;
}

/** Looks as long as someone listens. */
export class WakePoller {
  readonly #dependencies: WakePollerDependencies;
  readonly #listeners = new Set<Listener>();
  #lanes: ReadonlyMap<number, number> | undefined;
  #lookedAtMs = 0;
  #timeline = 0;
  #cancel: CancelTimer | undefined;
  #isLooking = false;
  #isClosed = false;
  #hasFailed = false;

  constructor(dependencies: WakePollerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Calls back for what arrives from now on; returns the way to stop that. */
  listen(tell: Listener["tell"], isWanted: Listener["isWanted"]): () => void {
    const listener = { tell, isWanted };
    this.#listeners.add(listener);
    this.#schedule(0);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  /** This process has stored something: it is to be told at once. */
  hurry(): void {
    if (this.#isLooking || this.#listeners.size === 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#schedule(0);
  }

  /** Tells those who listen of an envelope that is not in the database. */
  announce(envelope: ArrivedEnvelope): void {
    for (const { tell, isWanted } of [...this.#listeners]) if (isWanted(envelope.recipient_pub)) tell(envelope);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#listeners.clear();
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#isLooking || this.#cancel !== undefined) return;
    this.#cancel = this.#dependencies.timers.setTimer(delayMs, () => {
      this.#cancel = undefined;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      const hasMore = await this.#lookOnce();
      this.#hasFailed = false;
      this.#isLooking = false;
      if (this.#listeners.size > 0) this.#schedule(hasMore ? 0 : WAKE_INTERVAL_MS);
      else this.#lanes = undefined;
    } catch (error) {
      if (!this.#hasFailed) this.#dependencies.onError(error);
      this.#hasFailed = true;
      this.#isLooking = false;
      this.#schedule(WAKE_PAUSE_MS);
    }
  }

  async #lookOnce(): Promise<boolean> {
    const { database, clock, onGap } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    const { timeline } = database;
    // A standby that took over may know fewer rows than its predecessor had.
    if (this.#lanes === undefined || timeline !== this.#timeline || nowMs - this.#lookedAtMs > (WAKE_KEPT_S * 1_000) / 2) {
      const isLate = this.#lanes !== undefined;
      this.#timeline = timeline;
      this.#lanes = await readLanes(database);
      if (isLate) onGap();
    }
    const { lanes, arrived, hasMore } = await readWoken(database, this.#lanes);
    await this.#tell(arrived);
    this.#lanes = lanes;
    this.#lookedAtMs = nowMs;
    return hasMore;
  }

  async #tell(arrived: Woken["arrived"]): Promise<void> {
    const wanted = arrived.filter(({ recipientPub }) => [...this.#listeners].some(({ isWanted }) => isWanted(recipientPub)));
    for (const envelope of await readArrived(this.#dependencies.database, wanted)) this.announce(envelope);
  }
}
