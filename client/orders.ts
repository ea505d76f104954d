// Payments and calls: ordered under a key, and followed until it is known what came of them.

import type { Amount } from "./amount.ts";
import { amountUt } from "./amount.ts";
import type { OrderView } from "./api-types.ts";
import { isParleyError, ParleyError } from "./client-error.ts";
import { pause } from "./patience.ts";
import type { Transport } from "./transport.ts";

/** What every order may have. */
export interface OrderOptions {
  /**
   * 16 to 64 printable ASCII characters. The same order under the same key happens once, whatever is ended in between: a program that may
   * be ended keeps key and `notAfter` before it orders. Random without.
   */
  readonly key?: string;
  /** Nothing is paid after this time of the chain, at most 24 h ahead; in an hour without. Belongs to the order: keep it with the key. */
  readonly notAfter?: Date;
  /** While the wallet is locked, waits for the person instead of failing with `APP_LOCKED`; an hour at most. */
  readonly wait?: boolean;
  /** `settled` (without it): resolves when the order is in a block. `decided`: when it is signed, which is before. */
  readonly until?: "settled" | "decided";
  readonly signal?: AbortSignal;
}

/** A payment. */
export interface PayOptions extends OrderOptions {
  /** Address, hex key or `@name`. */
  readonly to: string;
  readonly amount: Amount;
  /** Public, at most 256 bytes. */
  readonly memo?: string;
}

/** A call of a contract. */
export interface CallOptions extends OrderOptions {
  readonly contract: string;
  readonly method: string;
  readonly args?: readonly unknown[];
  /** Attached to the call. */
  readonly amount?: Amount;
  readonly gasLimit?: number;
}

/** What came of an order. */
export interface Order {
  readonly key: string;
  /** Id of the transaction. */
  readonly id: string;
  readonly state: "pending" | "committed" | "failed" | "expired";
  /** The key was used before, for the same order: nothing happened a second time. */
  readonly replayed: boolean;
}

const DEFAULT_NOT_AFTER_MS = 3_600_000;
const DEFAULT_GAS = 1_000_000;
const LOOK_EVERY_MS = 1_000;

/** A key that was never used. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** Seconds since 1970 after which nothing happens. */
export function notAfterOf(notAfter: Date | undefined): number {
  return Math.floor((notAfter?.getTime() ?? Date.now() + DEFAULT_NOT_AFTER_MS) / 1000);
}

/** Pays. @throws ParleyError with the code of the refusal, NOT_PAID when it can enter no block any more */
export async function pay(transport: Transport, options: PayOptions): Promise<Order> {
  const { to, amount, memo, key = newKey(), notAfter, wait } = options;
  const body = {
    ...{ to, amount_ut: amountUt(amount), idempotency_key: key, not_after: notAfterOf(notAfter) },
    ...(memo === undefined ? {} : { memo }),
    ...(wait === undefined ? {} : { wait }),
  };
  const send = (): Promise<OrderView> => transport.send("pay", { body }, sendingOf(options));
  return await follow(transport, { key, options, send });
}

/** Calls a contract. @throws ParleyError as {@link pay}, CALL_FAILED when the contract refused */
export async function call(transport: Transport, options: CallOptions): Promise<Order> {
  const { contract, method, args = [], amount, gasLimit = DEFAULT_GAS, key = newKey(), notAfter, wait } = options;
  const body = {
    ...{ contract, method, args_json: JSON.stringify(args), gas_limit: gasLimit, idempotency_key: key, not_after: notAfterOf(notAfter) },
    ...(amount === undefined ? {} : { amount_ut: amountUt(amount) }),
    ...(wait === undefined ? {} : { wait }),
  };
  const send = (): Promise<OrderView> => transport.send("call", { body }, sendingOf(options));
  return await follow(transport, { key, options, send });
}

/** A locked keyring is waited for where the program says so; the wallet alone is waited for by Parley. */
function sendingOf({ wait = false, signal }: OrderOptions): { readonly waitsForUnlock: boolean; readonly signal?: AbortSignal } {
  return { waitsForUnlock: wait, ...(signal === undefined ? {} : { signal }) };
}

interface Following {
  readonly key: string;
  readonly options: OrderOptions;
  readonly send: () => Promise<OrderView>;
}

/** A failure names the key: with it the order can be looked up, or given again. */
async function follow(transport: Transport, following: Following): Promise<Order> {
  try {
    return await followToEnd(transport, following);
  } catch (error) {
    if (!isParleyError(error)) throw error;
    const { code, message, status, details, retryAfterMs } = error;
    const options = { status, details: { ...details, key: following.key }, cause: error };
    throw new ParleyError(code, message, retryAfterMs === undefined ? options : { ...options, retryAfterMs });
  }
}

async function followToEnd(transport: Transport, { key, options, send }: Following): Promise<Order> {
  const { until = "settled", signal } = options;
  let view = await send();
  const { replayed } = view;
  while (isOpen(view, until)) {
    await pause(LOOK_EVERY_MS, signal);
    view = await lookAgain(transport, { key, options, send }, view);
  }
  const { id = "", state } = view;
  if (state === "expired")
    throw new ParleyError("NOT_PAID", "The order entered no block in time and no longer can: nothing was spent", { details: { id } });
  if (state === "failed") throw new ParleyError("CALL_FAILED", "The contract refused the call: fee and gas are spent", { details: { id } });
  return { key, id, state: state === "committed" ? state : "pending", replayed };
}

function isOpen({ state }: OrderView, until: "settled" | "decided"): boolean {
  return state === "approval" || state === "waiting" || (state === "pending" && until === "settled");
}

/** What waits for the wallet is in memory alone: after a restart of Parley the same order is given again. */
async function lookAgain(transport: Transport, { key, options, send }: Following, before: OrderView): Promise<OrderView> {
  if (before.state === "waiting") return await send();
  return await transport.send("getPayment", { params: { key } }, sendingOf(options));
}
