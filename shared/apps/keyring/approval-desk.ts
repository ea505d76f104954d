// Orders above a limit that wait for the person, in memory: what is not agreed to before the keyring locks or ends is not paid.
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { APPROVAL_MS, MAX_APPROVALS, MAX_APPROVALS_PER_APP } from "../app-limits.ts";
import type { JudgedOrder } from "./order-checks.ts";

/** A waiting order. */
export interface Approval {
  readonly id: string;
  readonly order: JudgedOrder;
  readonly expiresAtMs: number;
  readonly untilMs: number;
}

/** Waiting orders of all connections, oldest first. */
export class ApprovalDesk {
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  #entries: readonly Approval[] = [];

  constructor(clock: Clock, random: RandomBytes) {
    this.#clock = clock;
    this.#random = random;
  }

  get waiting(): readonly Approval[] {
    const now = this.#clock.monotonicMs();
    return this.#entries.filter(({ untilMs }) => now < untilMs);
  }

  /** @throws CodedError RATE_LIMITED when too many wait. */
  requireRoom(connection: number): void {
    const { waiting } = this;
    const own = waiting.filter(({ order }) => order.connection.number === connection);
    if (own.length >= MAX_APPROVALS_PER_APP || waiting.length >= MAX_APPROVALS)
      throw new CodedError("RATE_LIMITED", "Too many orders wait for the person", { details: { retryAfterS: APPROVAL_MS / 1_000 } });
  }

  add(order: JudgedOrder): Approval {
    const entry = {
      id: toHex(this.#random(8)),
      order,
      expiresAtMs: this.#clock.nowMs() + APPROVAL_MS,
      untilMs: this.#clock.monotonicMs() + APPROVAL_MS,
    };
    this.#entries = [...this.#entries, entry];
    return entry;
  }

  /** The one under a key. */
  find(connection: number, keyHash: string): Approval | undefined {
    return this.waiting.find(({ order }) => order.connection.number === connection && order.keyHash === keyHash);
  }

  /** @throws CodedError NOT_FOUND. */
  require(id: string): Approval {
    const entry = this.waiting.find((other) => other.id === id);
    if (entry === undefined) throw new CodedError("NOT_FOUND", "This order does not wait any more");
    return entry;
  }

  remove(id: string): void {
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
  }

  /** Those whose time is over, and those of a connection that ended. */
  takeOver(endedConnection?: number): readonly Approval[] {
    const { waiting } = this;
    const over = this.#entries.filter((entry) => !waiting.includes(entry) || entry.order.connection.number === endedConnection);
    this.#entries = this.#entries.filter((entry) => !over.includes(entry));
    return over;
  }

  takeAll(): readonly Approval[] {
    const over = this.#entries;
    this.#entries = [];
    return over;
  }
}
