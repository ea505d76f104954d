// Judges, counts and holds what is signed, by the rules that the vault stores. Everything is a change of the stored section: another
// window's rules hold here at once, and what was counted is durable before anything is signed. Without rules nothing is written.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { DraftContext } from "#shared/protocol/transactions/build-transaction.ts";
import { TX_ID_SALT_BYTES, ZERO_SALT } from "#shared/protocol/transactions/transaction-id.ts";
import { equalBytes, toHex, utf8 } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { IntentSigner } from "../intents/intent-checks.ts";
import { summarizeIntent } from "../intents/intent-transaction.ts";
import type { Intent } from "../intents/intents.ts";
import { changeWaiting, countSpend, requireWaiting, wasCounted, withRules, withWaiting } from "../intents/spending/change-spending.ts";
import {
  isIdle,
  judgeSpend,
  leftUt,
  requireAllowed,
  type Spend,
  type SpendingVerdict,
  settledState,
  spendOf,
  spendOfVoucher,
  spentUt,
} from "../intents/spending/judge-spending.ts";
import type { HeldIntent, HoldRequest, JudgeRequest, SpendingView, WaitingPayment } from "../intents/spending/spending-api.ts";
import { areSameRules, canonicalRules, NO_RULES, type SpendingRules } from "../intents/spending/spending-rules.ts";
import { firstState, MAX_WAITING_BYTES, type SpendingState, type StoredPayment } from "../intents/spending/spending-state.ts";
import { passedMs, type SeenTime, timeAfter, timeLookedAt } from "../intents/spending/spending-time.ts";
import type { DeviceSection } from "../vault/vault-secrets.ts";

/** What a desk needs of its keyring. */
export interface SpendingDeskDependencies {
  readonly device: { change(change: (section: DeviceSection) => DeviceSection | undefined): Promise<void> };
  /** One change of the vault at a time. */
  readonly exclusive: <T>(task: () => Promise<T>) => Promise<T>;
  /** The account that signs. @throws CodedError KEYRING_LOCKED. */
  readonly signer: () => IntentSigner;
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: RandomBytes;
}

/** What was stored, as far as a step needs it: at this time, ms since the first rule. */
interface Step {
  readonly state: SpendingState;
  readonly nowMs: number;
}

/** The desk of one keyring. */
export class SpendingDesk {
  readonly #dependencies: SpendingDeskDependencies;

  constructor(dependencies: SpendingDeskDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Counts what is about to be signed, durably. `id` names a transaction that may be signed again, and is then counted once, hex.
   * @throws CodedError SPENDING_RECIPIENT, SPENDING_LIMIT, SPENDING_DELAY, KEYRING_LOCKED, LOCAL_STORE_FAILED.
   */
  async charge({ intent, leastFeeUt, blockMs }: JudgeRequest, id?: string): Promise<void> {
    await this.#charge((state) => spendOf(intent, summarizeIntent(intent, this.#dependencies.signer(), leastFeeUt), state), blockMs, id);
  }

  /** Counts what a voucher promises beyond what was counted for its channel. @throws CodedError as {@link charge}. */
  async chargeVoucher(channelId: string, paidUt: AmountUt, blockMs?: number): Promise<void> {
    await this.#charge((state) => spendOfVoucher(state, channelId, paidUt), blockMs);
  }

  /** What {@link charge} would say. */
  async judge({ intent, leastFeeUt, blockMs }: JudgeRequest): Promise<SpendingVerdict> {
    const summary = summarizeIntent(intent, this.#dependencies.signer(), leastFeeUt);
    const { state, nowMs } = await this.#step(blockMs, () => undefined);
    return judgeSpend(state, spendOf(intent, summary, state), nowMs);
  }

  /** Rules in force, what is left, and what waits. */
  async view(blockMs?: number): Promise<SpendingView> {
    return this.#viewOf(await this.#step(blockMs, () => undefined));
  }

  /** Other rules: see `withRules`. `isProven`: the password was given. @throws CodedError CONFIRMATION_REQUIRED. */
  async setRules(rules: SpendingRules, blockMs: number | undefined, isProven: boolean): Promise<SpendingView> {
    const next = canonicalRules(rules);
    const make = ({ state, nowMs }: Step): SpendingState => withRules(state, next, { nowMs, isProven });
    return this.#viewOf(await this.#step(blockMs, make, { begins: !areSameRules(next, NO_RULES), slackMs: 1 }));
  }

  /**
   * Puts something to wait.
   * @throws CodedError BAD_REQUEST for what needs no waiting, SPENDING_DELAY for what is too large to be kept, PAYMENT_UNDER_WAY where a
   * payment for the same request waits.
   */
  async hold({ intent, chainId, leastFeeUt, blockMs, chat }: HoldRequest): Promise<WaitingPayment> {
    const { signer, random } = this.#dependencies;
    const summary = summarizeIntent(intent, signer(), leastFeeUt);
    const text = JSON.stringify(intent);
    const id = toHex(random(8));
    const make = (step: Step): SpendingState => {
      const verdict = judgeSpend(step.state, spendOf(intent, summary, step.state), step.nowMs);
      if (verdict.kind === "allowed") throw new CodedError("BAD_REQUEST", "No rule makes this wait: sign it");
      if (verdict.kind !== "waits" || utf8(text).length > MAX_WAITING_BYTES) requireAllowed(verdict);
      const readyMs = step.nowMs + (verdict.kind === "waits" ? verdict.delayMs : 0);
      return withWaiting(step.state, { id, chainId, intent: text, leastFeeUt: leastFeeUt ?? null, readyMs, signed: null }, chat);
    };
    const { state, nowMs } = await this.#step(blockMs, make, { slackMs: 1 });
    return this.#waitingOf(requireWaiting(state, id), { state, nowMs });
  }

  /**
   * Lets go what has waited: counts it, and gives what it is signed with, the same every time.
   * @throws CodedError SPENDING_DELAY while it waits, SPENDING_LIMIT, SPENDING_RECIPIENT, NOT_FOUND.
   */
  async release(id: string, blockMs?: number): Promise<HeldIntent> {
    const { signer, clock } = this.#dependencies;
    const { state } = await this.#step(blockMs, (step) => {
      const payment = requireWaiting(step.state, id);
      if (payment.signed !== null) return undefined;
      const delayMs = payment.readyMs - step.nowMs;
      if (delayMs > 0) requireAllowed({ kind: "waits", delayMs, because: "large" });
      const intent = intentOf(payment);
      const spend = spendOf(intent, summarizeIntent(intent, signer(), payment.leastFeeUt ?? undefined), step.state);
      const verdict = judgeSpend(step.state, spend, step.nowMs);
      if (verdict.kind !== "waits") requireAllowed(verdict);
      const signed = { salt: this.#salt(), timestampMs: Math.floor(clock.nowMs() / 1_000) * 1_000 };
      return changeWaiting(countSpend(step.state, spend, step.nowMs), id, (waiting) => ({ ...waiting, signed }));
    });
    const payment = requireWaiting(state, id);
    if (payment.signed === null) throw new CodedError("INVARIANT", "What was released has nothing to be signed with");
    const { salt, timestampMs } = payment.signed;
    const context: DraftContext = {
      chainId: payment.chainId,
      nowMs: timestampMs,
      random: () => salt,
      minFeeUt: payment.leastFeeUt ?? undefined,
    };
    return { intent: intentOf(payment), context };
  }

  /** Forgets what waits, or `isOver`. @throws CodedError NOT_FOUND, PAYMENT_UNDER_WAY where it was signed: a node may have it. */
  async cancel(id: string, isOver: boolean): Promise<void> {
    const change = ({ signed }: StoredPayment): undefined => {
      if (signed !== null && !isOver) throw new CodedError("PAYMENT_UNDER_WAY", "This was signed: a node may have it");
    };
    // Nothing counts from now on by this, so others that wait lose no time.
    await this.#step(undefined, ({ state }) => changeWaiting(state, id, change), { slackMs: Number.POSITIVE_INFINITY });
  }

  async #charge(spendIn: (state: SpendingState) => Spend, blockMs: number | undefined, id?: string): Promise<void> {
    await this.#step(blockMs, ({ state, nowMs }) => {
      if (isIdle(state) || (id !== undefined && wasCounted(state, id))) return undefined;
      const spend = spendIn(state);
      requireAllowed(judgeSpend(state, spend, nowMs));
      return countSpend(state, spend, nowMs, id);
    });
  }

  /**
   * Makes a step to what is stored; undefined stores nothing but what time has brought.
   * - `begins`: where nothing is stored, the step is made to the first state
   * - `slackMs`: see `timeAfter`
   */
  #step(
    blockMs: number | undefined,
    make: (step: Step) => SpendingState | undefined,
    { begins = false, slackMs }: { readonly begins?: boolean; readonly slackMs?: number } = {},
  ): Promise<Step> {
    const { device, exclusive, clock } = this.#dependencies;
    return exclusive(async () => {
      let step: Step | undefined;
      await device.change((section) => {
        const { spending: stored, ...others } = section;
        const seen = { blockMs, clockMs: clock.nowMs() };
        const state = stored ?? firstState(seen.clockMs);
        const nowMs = passedMs(state.time, seen);
        step = { state: settledState(state, nowMs), nowMs };
        if (stored === undefined && !begins && isIdle(state)) {
          // A step that needs something stored finds nothing, and says so.
          make(step);
          return undefined;
        }
        const made = make(step);
        if (made === undefined) return stored && lookedAt(section, step.state, seen);
        step = { state: made, nowMs };
        return isIdle(made) ? others : { ...others, spending: { ...made, time: timeAfter(made.time, seen, slackMs) } };
      });
      if (step === undefined) throw new CodedError("INVARIANT", "The stored section was not read");
      return step;
    });
  }

  #viewOf({ state, nowMs }: Step): SpendingView {
    const { rules, loosened, waiting } = state;
    return {
      rules,
      loosened: loosened === undefined ? null : { rules: loosened.rules, leftMs: loosened.fromMs - nowMs },
      spentUt: spentUt(state, nowMs),
      leftUt: rules.dailyUt === null ? null : leftUt(state, nowMs),
      waiting: waiting.map((payment) => this.#waitingOf(payment, { state, nowMs })),
    };
  }

  #waitingOf(payment: StoredPayment, { state: { chats = [] }, nowMs }: Step): WaitingPayment {
    const { id, chainId, leastFeeUt, readyMs, signed } = payment;
    const stored = chats.find((entry) => entry.id === id);
    const chat = stored === undefined ? null : { request: stored.request, after: stored.after, note: stored.note };
    const summary = summarizeIntent(intentOf(payment), this.#dependencies.signer(), leastFeeUt ?? undefined);
    return { id, chainId, summary, leftMs: Math.max(0, readyMs - nowMs), isSigned: signed !== null, chat };
  }

  /** The chain takes no transaction with a salt of zeros. */
  #salt(): Uint8Array {
    for (;;) {
      const salt = this.#dependencies.random(TX_ID_SALT_BYTES);
      if (!equalBytes(salt, ZERO_SALT)) return salt;
    }
  }
}

/** What time alone has brought: looser rules that hold now, for good, and a time that goes on. Undefined where it has brought nothing. */
function lookedAt(section: DeviceSection, state: SpendingState, seen: SeenTime): DeviceSection | undefined {
  const { spending: stored, ...others } = section;
  const time = timeLookedAt(state.time, seen);
  if (stored?.loosened === state.loosened && time === state.time) return undefined;
  return isIdle(state) ? others : { ...others, spending: { ...state, time } };
}

/** Stored by this keyring, from an intent that had the shape of one. */
function intentOf({ intent }: StoredPayment): Intent {
  return JSON.parse(intent) as Intent;
}
