// Steps of the stored state, pure: they are made to whatever the vault holds, again where another window was faster.
import { CodedError } from "#shared/errors/coded-error.ts";
import { addAmounts } from "#shared/protocol/primitives/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";
import { COUNTED_HOURS, hourOf, type Spend, settledState, shortKey } from "./judge-spending.ts";
import { isLooser, LOOSENING_MS, type SpendingRules, strictestRules } from "./spending-rules.ts";
import {
  MAX_COUNTED_CHANNELS,
  MAX_COUNTED_IDS,
  MAX_PAID_KEYS,
  MAX_WAITING,
  type SpendingState,
  type StoredChat,
  type StoredPayment,
} from "./spending-state.ts";

/**
 * The state with other rules: what is stricter holds at once, what is looser from {@link LOOSENING_MS} later on. Rules that are no looser
 * than those in force also take a loosening back that waits.
 * @throws CodedError CONFIRMATION_REQUIRED for looser rules where no password was given.
 */
export function withRules(stored: SpendingState, rules: SpendingRules, { nowMs, isProven }: RulesContext): SpendingState {
  const { loosened: _, ...state } = settledState(stored, nowMs);
  if (!isLooser(state.rules, rules)) return { ...state, rules };
  if (!isProven)
    throw new CodedError("CONFIRMATION_REQUIRED", "This loosens a spending rule: confirm it with the password", {
      details: { decision: "spendingRules" },
    });
  return { ...state, rules: strictestRules(state.rules, rules), loosened: { rules, fromMs: nowMs + LOOSENING_MS } };
}

/** When rules change, and whether the password was given for it. */
export interface RulesContext {
  readonly nowMs: number;
  readonly isProven: boolean;
}

/** The state after something was counted; `id` names a transaction that may be signed again, hex. */
export function countSpend(stored: SpendingState, { payee, totalUt, channel }: Spend, nowMs: number, id?: string): SpendingState {
  const state = settledState(stored, nowMs);
  const hour = hourOf(nowMs);
  const spent = state.spent.filter((entry) => hour - entry.hour <= COUNTED_HOURS);
  const before = spent.find((entry) => entry.hour === hour)?.amountUt ?? 0;
  const amountUt = addAmounts(before, totalUt) ?? MAX_SUPPLY_UT;
  const key = typeof payee === "object" ? shortKey(payee.key) : undefined;
  return {
    ...state,
    spent: [...spent.filter((entry) => entry.hour !== hour), { hour, amountUt }],
    paid: key === undefined ? state.paid : [key, ...state.paid.filter((other) => other !== key)].slice(0, MAX_PAID_KEYS),
    channels:
      channel === undefined
        ? state.channels
        : [channel, ...state.channels.filter(({ id: other }) => other !== channel.id)].slice(0, MAX_COUNTED_CHANNELS),
    counted: id === undefined ? state.counted : [shortKey(id), ...state.counted].slice(0, MAX_COUNTED_IDS),
  };
}

/** True for a transaction that was counted already. */
export function wasCounted({ counted }: SpendingState, id: string): boolean {
  return counted.includes(shortKey(id));
}

/**
 * The state with a payment that waits.
 * @throws CodedError PAYMENT_UNDER_WAY when one for the same request waits, UNAVAILABLE when so many wait already.
 */
export function withWaiting(state: SpendingState, payment: StoredPayment, chat?: Omit<StoredChat, "id">): SpendingState {
  const { chats = [] } = state;
  if (chat !== undefined && chat.request !== null && chats.some(({ request }) => request === chat.request))
    throw new CodedError("PAYMENT_UNDER_WAY", "A payment for this request waits already");
  if (state.waiting.length >= MAX_WAITING)
    throw new CodedError("UNAVAILABLE", `${MAX_WAITING} payments wait already: cancel one, or let them go out first`);
  const waiting = [...state.waiting, payment];
  return chat === undefined ? { ...state, waiting } : { ...state, waiting, chats: [...chats, { ...chat, id: payment.id }] };
}

/** The state with a payment changed, or without it. @throws CodedError NOT_FOUND. */
export function changeWaiting(
  state: SpendingState,
  id: string,
  change: (payment: StoredPayment) => StoredPayment | undefined,
): SpendingState {
  requireWaiting(state, id);
  const waiting = state.waiting.flatMap((payment) => (payment.id === id ? (change(payment) ?? []) : payment));
  const { chats: before = [], ...others } = state;
  const chats = before.filter((chat) => waiting.some((payment) => payment.id === chat.id));
  return { ...others, waiting, ...(chats.length > 0 && { chats }) };
}

/** @throws CodedError NOT_FOUND once it was cancelled or went out. */
export function requireWaiting({ waiting }: SpendingState, id: string): StoredPayment {
  const payment = waiting.find((entry) => entry.id === id);
  if (payment === undefined) throw new CodedError("NOT_FOUND", "No payment with this id waits");
  return payment;
}
