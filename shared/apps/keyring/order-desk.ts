// Orders of programs: replayed, refused, asked about, or reserved → durable → signed. The gateway submits. One order at a time: its caller
// sees to that.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppAccess } from "#shared/keyring/confirmation/app-access.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { ZERO_SALT } from "#shared/protocol/transactions/transaction-id.ts";
import { equalBytes, fromHex } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import { MAX_KEYS_PER_APP, MAX_NOT_AFTER_MS } from "../app-limits.ts";
import { encryptSalt } from "../judging/payment-salt.ts";
import { leftUt } from "../judging/rolling-total.ts";
import type { CallOrder, OrderOutcome, OrderResult, PaymentOrder, PendingOrder } from "../messages/orders.ts";
import type { AppConnection } from "../storage/app-connection.ts";
import type { OrderRecord } from "../storage/app-ledger.ts";
import type { AppStore, LineContent } from "../storage/app-store.ts";
import type { Approval, ApprovalDesk } from "./approval-desk.ts";
import {
  hashKey,
  identifyOrder,
  idOfTransaction,
  type JudgedOrder,
  judgeOrder,
  planTransaction,
  reservedIntent,
  saltAndDigest,
} from "./order-checks.ts";

/** Whether the chain was compared with the journal; `missing`: it cannot be, so every order asks. */
export type HistoryState = "needed" | "complete" | "missing";

/** What an order desk needs. */
export interface OrderDeskDependencies {
  readonly access: Pick<AppAccess, "signer" | "charge" | "sign" | "canSign">;
  readonly store: AppStore;
  readonly approvals: ApprovalDesk;
  readonly clock: Clock;
  readonly history: () => HistoryState;
  /** False where there is no window to ask in: what would be asked about is then refused. */
  readonly canAsk: boolean;
}

/** The desk of one open store. */
export class OrderDesk {
  readonly #dependencies: OrderDeskDependencies;

  constructor(dependencies: OrderDeskDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws CodedError APP_SCOPE, APP_LIMIT, APP_DENIED, APP_KEY_REUSED, APP_TOO_LATE, APP_LOCKED, APP_FUNDS, APP_SILENCED, RATE_LIMITED, BAD_REQUEST,
   * SPENDING_LIMIT, SPENDING_DELAY, SPENDING_RECIPIENT. */
  async place(connection: AppConnection, order: PaymentOrder | CallOrder): Promise<OrderResult> {
    const { store, access, approvals, history } = this.#dependencies;
    if (connection.isResting) throw resting();
    const { keyHash, bodyHash } = identifyOrder(connection, order);
    const known = store.ledger.order(connection.number, keyHash);
    const isOther = [store.ledger.invoice(connection.number, keyHash), store.ledger.message(connection.number, keyHash)].some(Boolean);
    if (isOther || (known !== undefined && known.bodyHash !== bodyHash))
      throw new CodedError("APP_KEY_REUSED", "The idempotency key was used for another request");
    if (known !== undefined) return this.#replay(known, reservedIntent(order, known));
    const judged = judgeOrder(connection, order, access.signer());
    this.#requireInTime(judged.notAfterMs);
    this.#requireNotSilenced(connection);
    if (history() === "needed") throw new CodedError("UNAVAILABLE", "The account's history is still being read");
    if (!access.canSign()) throw walletLocked();
    if (judged.totalUt > judged.spendableUt) throw new CodedError("APP_FUNDS", "The account cannot pay amount, fee and gas");
    this.requireKey(connection);
    const verdict = this.#judge(judged);
    if (verdict === "within") return this.#reserve(judged);
    if (verdict === "refused") {
      await store.append(lineOf(judged, "over"));
      throw refusalOf("over", false);
    }
    approvals.requireRoom(connection.number);
    await store.append(lineOf(judged, "asked"));
    return approvalResult(approvals.add(judged), false);
  }

  /** What came of the order under a key. @throws CodedError NOT_FOUND, and its refusal. */
  async find(connection: AppConnection, idempotencyKey: string): Promise<OrderResult> {
    const known = this.#dependencies.store.ledger.order(connection.number, hashKey(connection, idempotencyKey));
    if (known === undefined) throw new CodedError("NOT_FOUND", "No order has this key");
    return this.#replay(known, undefined);
  }

  /** The person agreed: once, to exactly this. @throws CodedError NOT_FOUND, APP_TOO_LATE, APP_LOCKED. */
  async approve(id: string): Promise<OrderResult> {
    const { store, access, approvals } = this.#dependencies;
    const { order } = approvals.require(id);
    const connection = store.connections.find(({ number }) => number === order.connection.number);
    if (connection === undefined) throw new CodedError("NOT_FOUND", "The connection has ended");
    if (connection.isResting) throw resting();
    if (!access.canSign()) throw walletLocked();
    if (store.chainTimeMs > order.notAfterMs) {
      approvals.remove(id);
      await store.appendOutcome(lineOf(order, "late"));
      throw refusalOf("late", false);
    }
    return this.#reserve(order, () => approvals.remove(id));
  }

  async refuse(id: string): Promise<void> {
    const { store, approvals } = this.#dependencies;
    const { order } = approvals.require(id);
    approvals.remove(id);
    await store.appendOutcome(lineOf(order, "denied"));
  }

  /** Writes down which questions were not answered: of the desk, or all where the desk was lost. */
  async lapse(over: readonly { readonly connection: number; readonly keyHash: string }[]): Promise<void> {
    const { store } = this.#dependencies;
    const records = over.flatMap(({ connection, keyHash }) => store.ledger.order(connection, keyHash) ?? []);
    const asked = records.filter(({ outcome }) => outcome === "asked");
    if (asked.length > 0) await store.appendOutcome(...asked.map((record) => lineOfRecord(record, "lapsed")));
  }

  pending(): readonly PendingOrder[] {
    return this.#dependencies.store.ledger.pending().map(({ txId, timestampMs }) => ({ id: idOfTransaction(txId), timestampMs }));
  }

  /** What the chain says. A reservation is freed when neither by the chain's time nor by the clock it can enter a block any more. */
  async settle(outcomes: readonly OrderOutcome[]): Promise<void> {
    const { store } = this.#dependencies;
    const lines = outcomes.flatMap((outcome): LineContent[] => {
      const record = store.ledger.byTransaction(saltAndDigest(outcome.id) ?? "");
      if (record?.outcome !== "reserved") return [];
      if (outcome.state !== "absent") return [lineOfRecord(record, outcome.state)];
      const lastMs = record.timestampMs + TX_WINDOW_MS;
      return outcome.blockTimeMs > lastMs && store.nowMs > lastMs ? [lineOfRecord(record, "expired")] : [];
    });
    if (lines.length > 0) await store.appendOutcome(...lines);
  }

  /** Keys that a connection may still use. @throws CodedError RATE_LIMITED. */
  requireKey({ number }: AppConnection): void {
    const { store } = this.#dependencies;
    if (store.ledger.countKeys(number, store.budgetMs) >= MAX_KEYS_PER_APP)
      throw new CodedError("RATE_LIMITED", "The connection has used as many keys as are remembered: they are forgotten after 35 days", {
        details: { retryAfterS: 3_600 },
      });
  }

  #judge({ connection, scope, totalUt }: JudgedOrder): "within" | "ask" | "refused" {
    const { store, history, canAsk } = this.#dependencies;
    const left = leftUt(store.ledger.spendings(connection.number, scope), scope.total, store.budgetMs);
    const isWithin = totalUt <= scope.each && totalUt <= left;
    if (!isWithin && scope.ask === "never") return "refused";
    const isCertain = history() === "complete" && !store.isClockBehind;
    if (isWithin && scope.ask !== "always" && isCertain) return "within";
    return canAsk ? "ask" : "refused";
  }

  /**
   * Durable before it is signed: a crash leaves at most a reservation that the same order takes up again. The person's own spending rules
   * come first: what they refuse leaves no trace. `onCounted`: they allow it.
   */
  async #reserve(order: JudgedOrder, onCounted?: () => void): Promise<OrderResult> {
    const { store, access, clock } = this.#dependencies;
    const { number: connection } = order.connection;
    const timestampMs = Math.floor(clock.nowMs() / 1_000) * 1_000;
    const { chainId } = store.chain;
    let number = store.ledger.lastOrder(connection) + 1;
    let salt = encryptSalt(store.numberKey, { connection, order: number });
    if (equalBytes(salt, ZERO_SALT)) {
      number += 1;
      salt = encryptSalt(store.numberKey, { connection, order: number });
    }
    const { id } = planTransaction(order.intent, access.signer(), { chainId, salt, timestampMs });
    await access.charge(order.intent, id, store.chainTimeMs);
    onCounted?.();
    const txId = fromHex(saltAndDigest(id) ?? "");
    await store.append({ ...lineOf(order, "reserved"), txId, order: number, timeMs: timestampMs });
    const record = store.ledger.order(connection, order.keyHash);
    if (record === undefined) throw new CodedError("INVARIANT", "A reservation is not in the ledger");
    return this.#resultOf(record, order.intent, false);
  }

  async #replay(record: OrderRecord, intent: JudgedOrder["intent"] | undefined): Promise<OrderResult> {
    const { approvals } = this.#dependencies;
    const { outcome, connection, keyHash } = record;
    if (outcome === "denied" || outcome === "lapsed" || outcome === "late" || outcome === "over") throw refusalOf(outcome, true);
    if (outcome !== "asked") return this.#resultOf(record, intent, true);
    const approval = approvals.find(connection, keyHash);
    if (approval === undefined) throw refusalOf("lapsed", true);
    return approvalResult(approval, true);
  }

  /** With the signed transaction while it may still enter a block: always the same one, whatever happened in between. */
  async #resultOf(record: OrderRecord, intent: JudgedOrder["intent"] | undefined, isReplayed: boolean): Promise<OrderResult> {
    const { store, access } = this.#dependencies;
    const { outcome, txId, timestampMs } = record;
    const id = idOfTransaction(txId);
    const base = { kind: "transaction", id, isReplayed } as const;
    if (outcome === "committed" || outcome === "found") return { ...base, state: "committed" };
    if (outcome === "failed" || outcome === "expired") return { ...base, state: outcome };
    if (intent === undefined || !access.canSign()) return { ...base, state: "pending" };
    const salt = fromHex(txId).subarray(0, ZERO_SALT.length);
    const context = { chainId: store.chain.chainId, nowMs: timestampMs, random: (): Uint8Array => salt };
    const { transaction } = await access.sign(intent, context, store.chainTimeMs);
    if (transaction.id !== id) throw new CodedError("INVARIANT", "What was signed is not what was reserved");
    return { ...base, state: "pending", transaction };
  }

  #requireInTime(notAfterMs: number): void {
    const { chainTimeMs } = this.#dependencies.store;
    if (chainTimeMs > notAfterMs) throw refusalOf("late", false);
    if (notAfterMs > chainTimeMs + MAX_NOT_AFTER_MS)
      throw new CodedError("BAD_REQUEST", "not_after is at most 24 hours ahead", { details: { field: "not_after" } });
  }

  #requireNotSilenced({ number }: AppConnection): void {
    const { store } = this.#dependencies;
    const waitMs = store.ledger.silencedUntilMs(number) - store.clockMs;
    if (waitMs > 0)
      throw new CodedError("APP_SILENCED", "The person refused twice", { details: { retryAfterS: Math.ceil(waitMs / 1_000) } });
  }
}

/** A connection whose files were replaced. */
export function resting(): CodedError {
  return new CodedError("APP_LOCKED", "The person has to confirm this connection first", { details: { rest: true } });
}

function walletLocked(): CodedError {
  return new CodedError("APP_LOCKED", "The wallet is locked", { details: { wallet: true } });
}

function refusalOf(outcome: "denied" | "lapsed" | "late" | "over", replayed: boolean): CodedError {
  const details = { replayed };
  if (outcome === "late") return new CodedError("APP_TOO_LATE", "The time that the program set itself is over", { details });
  if (outcome === "over") return new CodedError("APP_LIMIT", "This is above a limit of the connection", { details });
  return new CodedError("APP_DENIED", outcome === "denied" ? "The person refused this" : "The person did not respond in time", { details });
}

function approvalResult({ id, expiresAtMs }: Approval, isReplayed: boolean): OrderResult {
  return { kind: "approval", approval: id, expiresAtMs, isReplayed };
}

function lineOf({ connection, intent, subject, totalUt, keyHash, bodyHash }: JudgedOrder, outcome: LineContent["outcome"]): LineContent {
  const action = intent.kind === "pay" ? "pay" : "call";
  return {
    connection: connection.number,
    action,
    outcome,
    subject,
    amountUt: totalUt,
    keyHash: fromHex(keyHash),
    bodyHash: fromHex(bodyHash),
  };
}

function lineOfRecord(record: OrderRecord, outcome: LineContent["outcome"]): LineContent {
  const { connection, action, subject, amountUt, keyHash, bodyHash, txId, order, timestampMs } = record;
  return {
    connection,
    action,
    outcome,
    subject,
    amountUt,
    keyHash: fromHex(keyHash),
    bodyHash: fromHex(bodyHash),
    txId: fromHex(txId),
    order,
    timeMs: timestampMs,
  };
}
