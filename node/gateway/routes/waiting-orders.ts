// Orders that wait until the person unlocks the wallet. They are in memory alone: nothing was reserved for them, and the program that asks
// again under the same key after a restart waits again.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { GatewayLimits } from "../gateway-limits.ts";

interface WaitingOrder {
  readonly connection: string;
  readonly key: string;
  /** Text of the order as the program wrote it. */
  readonly text: string;
  readonly untilMs: number;
  token: string;
  /** Orders again. */
  readonly run: (token: string) => Promise<void>;
}

type Limits = Pick<GatewayLimits, "waitingPerConnection" | "waitingOrders" | "waitingMs">;

/** The orders that wait. */
export class WaitingOrders {
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #orders = new Map<string, WaitingOrder>();

  constructor(limits: Limits, clock: Pick<Clock, "monotonicMs">) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** True when this order waits already. @throws CodedError APP_KEY_REUSED when another one waits under its key */
  has(connection: string, key: string, text?: string): boolean {
    this.#dropOld();
    const order = this.#orders.get(placeOf(connection, key));
    if (order !== undefined && text !== undefined && order.text !== text)
      throw new CodedError("APP_KEY_REUSED", "Another order waits under this idempotency key: choose a new key");
    return order !== undefined;
  }

  /** @throws CodedError RATE_LIMITED when too many wait */
  add(order: Omit<WaitingOrder, "untilMs">): void {
    this.#dropOld();
    const { waitingPerConnection, waitingOrders, waitingMs } = this.#limits;
    const own = [...this.#orders.values()].filter(({ connection }) => connection === order.connection).length;
    if (own >= waitingPerConnection || this.#orders.size >= waitingOrders)
      throw new CodedError("RATE_LIMITED", "Too many orders wait for the wallet: try again when it is unlocked");
    this.#orders.set(placeOf(order.connection, order.key), { ...order, untilMs: this.#clock.monotonicMs() + waitingMs });
  }

  /** The wallet was unlocked: orders all that wait, one after the other. */
  async runAll(): Promise<void> {
    this.#dropOld();
    for (const [place, order] of [...this.#orders]) {
      if (!this.#orders.delete(place)) continue;
      // What came of it is found under its key.
      await order.run(order.token).catch(() => undefined);
    }
  }

  /** A connection has another token. */
  rotate(connection: string, token: string): void {
    for (const order of this.#orders.values()) if (order.connection === connection) order.token = token;
  }

  /** A connection has ended. */
  end(connection: string): void {
    for (const [place, order] of this.#orders) if (order.connection === connection) this.#orders.delete(place);
  }

  #dropOld(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [place, { untilMs }] of this.#orders) if (untilMs <= nowMs) this.#orders.delete(place);
  }
}

function placeOf(connection: string, key: string): string {
  return `${connection} ${key}`;
}
