// What follows from the journal's lines: orders by their keys, what was spent, invoices, silence. The same code reads a journal and follows it.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { toHex } from "#shared/util/bytes.ts";
import { KEY_KEPT_MS, REFUSALS_TO_SILENCE, SILENCE_MS } from "../app-limits.ts";
import type { Spending } from "../judging/rolling-total.ts";
import type { JournalOutcome } from "../messages/journal-lines.ts";
import type { SpendingScope } from "../scopes/scopes.ts";
import type { JournalLine } from "./journal-format.ts";

/** An order as it stands. */
export interface OrderRecord {
  /** Number of its connection. */
  readonly connection: number;
  readonly action: "pay" | "call";
  readonly subject: string;
  /** With fee and most gas. */
  readonly amountUt: AmountUt;
  readonly outcome: JournalOutcome;
  /** Hex. */
  readonly keyHash: string;
  readonly bodyHash: string;
  /** Hex of salt and digest; empty before it was reserved. */
  readonly txId: string;
  readonly order: number;
  readonly timestampMs: number;
  /** When it was reserved, or asked, by the time of budgets. */
  readonly budgetMs: number;
}

/** An invoice as it stands. */
export interface InvoiceRecord {
  readonly id: string;
  readonly amountUt: AmountUt;
  readonly keyHash: string;
  readonly bodyHash: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly budgetMs: number;
}

/** A message of a program as it stands. `reserved`: the messenger may have it. */
export interface MessageOrderRecord {
  /** Conversation that it is for. */
  readonly to: string;
  readonly outcome: "reserved" | "done" | "failed";
  readonly bodyHash: string;
  readonly budgetMs: number;
}

/** Outcomes of which the amount counts: spent, or it still may be. */
const COUNTED: ReadonlySet<JournalOutcome> = new Set(["reserved", "committed", "failed", "found"]);

interface ConnectionLedger {
  readonly orders: Map<string, OrderRecord>;
  /** On the chain without an order here. */
  readonly found: OrderRecord[];
  readonly invoices: Map<string, InvoiceRecord>;
  readonly messages: Map<string, MessageOrderRecord>;
  lastOrder: number;
  refusals: number;
  silencedUntilMs: number;
  lastUsedMs: number;
}

/** The state of all connections, by their numbers. */
export class AppLedger {
  readonly #connections = new Map<number, ConnectionLedger>();
  readonly #byTransaction = new Map<string, OrderRecord>();
  #generation = 0;

  /** Newest generation of the file of grants that a line names. */
  get generation(): number {
    return this.#generation;
  }

  /** Takes the next line. */
  apply(line: JournalLine): void {
    const { action } = line;
    const ledger = this.#ledgerOf(line.connection);
    ledger.lastUsedMs = Math.max(ledger.lastUsedMs, line.atMs);
    if (action === "pay" || action === "call") this.#applyOrder(ledger, action, line);
    else if (action === "message") applyMessage(ledger, line);
    else if (action === "invoice") {
      const { subject: id, amountUt, atMs, timeMs, budgetMs } = line;
      const keyHash = toHex(line.keyHash);
      ledger.invoices.set(keyHash, {
        id,
        amountUt,
        keyHash,
        bodyHash: toHex(line.bodyHash),
        createdAtMs: atMs,
        expiresAtMs: timeMs,
        budgetMs,
      });
    } else this.#generation = Math.max(this.#generation, line.timeMs);
  }

  /** The order or invoice under a key of a connection. */
  order(connection: number, keyHash: string): OrderRecord | undefined {
    return this.#connections.get(connection)?.orders.get(keyHash);
  }

  invoice(connection: number, keyHash: string): InvoiceRecord | undefined {
    return this.#connections.get(connection)?.invoices.get(keyHash);
  }

  invoices(connection: number): readonly InvoiceRecord[] {
    return [...(this.#connections.get(connection)?.invoices.values() ?? [])];
  }

  message(connection: number, keyHash: string): MessageOrderRecord | undefined {
    return this.#connections.get(connection)?.messages.get(keyHash);
  }

  /** Messages of a connection that were sent, or may have been; each counts as one. */
  *sentMessages(connection: number): Generator<Spending> {
    for (const { outcome, budgetMs } of this.#connections.get(connection)?.messages.values() ?? [])
      if (outcome !== "failed") yield { budgetMs, amountUt: 1 };
  }

  /** Forgets messages whose keys are old enough. */
  forgetMessages(connection: number, budgetNowMs: number): void {
    const { messages } = this.#ledgerOf(connection);
    for (const [key, { budgetMs }] of messages) if (budgetNowMs - budgetMs > KEY_KEPT_MS) messages.delete(key);
  }

  /** The order of a transaction, by hex of salt and digest. */
  byTransaction(txId: string): OrderRecord | undefined {
    return this.#byTransaction.get(txId);
  }

  /** Orders that may still enter a block. */
  pending(): readonly OrderRecord[] {
    return this.#all().filter(({ outcome }) => outcome === "reserved");
  }

  /** Orders that wait for the person. */
  asked(): readonly OrderRecord[] {
    return this.#all().filter(({ outcome }) => outcome === "asked");
  }

  /** What a connection spent under a scope. What the chain alone knows counts under each of its kind. */
  *spendings(connection: number, scope: SpendingScope): Generator<Spending> {
    const ledger = this.#connections.get(connection);
    if (ledger === undefined) return;
    for (const records of [ledger.orders.values(), ledger.found])
      for (const { action, subject, outcome, budgetMs, amountUt } of records)
        if (action === scope.name && COUNTED.has(outcome) && isOfScope(subject, scope)) yield { budgetMs, amountUt };
  }

  /** Keys of a connection that are known; those that are old enough are forgotten first. */
  countKeys(connection: number, budgetNowMs: number): number {
    const ledger = this.#ledgerOf(connection);
    for (const [key, { budgetMs, outcome, txId }] of ledger.orders)
      if (budgetNowMs - budgetMs > KEY_KEPT_MS && outcome !== "reserved") {
        ledger.orders.delete(key);
        this.#byTransaction.delete(txId);
      }
    for (const [key, { budgetMs }] of ledger.invoices) if (budgetNowMs - budgetMs > KEY_KEPT_MS) ledger.invoices.delete(key);
    return ledger.orders.size + ledger.invoices.size;
  }

  /** The largest number of a connection; 0 before the first. */
  get lastConnection(): number {
    return Math.max(0, ...this.#connections.keys());
  }

  lastOrder(connection: number): number {
    return this.#connections.get(connection)?.lastOrder ?? 0;
  }

  /** The numbers of a connection begin after this one. */
  raiseLastOrder(connection: number, order: number): void {
    const ledger = this.#ledgerOf(connection);
    ledger.lastOrder = Math.max(ledger.lastOrder, order);
  }

  /** By the clock as far as it was seen; 0 for never. */
  silencedUntilMs(connection: number): number {
    return this.#connections.get(connection)?.silencedUntilMs ?? 0;
  }

  lastUsedMs(connection: number): number {
    return this.#connections.get(connection)?.lastUsedMs ?? 0;
  }

  #applyOrder(ledger: ConnectionLedger, action: "pay" | "call", line: JournalLine): void {
    const { connection, subject, amountUt, outcome, order, timeMs: timestampMs, budgetMs, atMs } = line;
    const [keyHash, bodyHash, txId] = [toHex(line.keyHash), toHex(line.bodyHash), toHex(line.txId)];
    ledger.lastOrder = Math.max(ledger.lastOrder, order);
    const before = keyHash === "" ? undefined : ledger.orders.get(keyHash);
    const record = { connection, action, subject, amountUt, outcome, keyHash, bodyHash, txId, order, timestampMs, budgetMs };
    // What came of an order counts for the time at which it was reserved; what was reserved after a question, from then on.
    const next: OrderRecord = before === undefined || outcome === "reserved" || outcome === "found" ? record : { ...before, outcome };
    if (keyHash === "") ledger.found.push(next);
    else ledger.orders.set(keyHash, next);
    if (txId !== "") this.#byTransaction.set(txId, next);
    else if (next.txId !== "") this.#byTransaction.set(next.txId, next);
    if (outcome === "denied") {
      ledger.refusals += 1;
      if (ledger.refusals >= REFUSALS_TO_SILENCE) [ledger.refusals, ledger.silencedUntilMs] = [0, atMs + SILENCE_MS];
    } else if (outcome === "reserved" && before?.outcome === "asked") ledger.refusals = 0;
  }

  #all(): OrderRecord[] {
    return [...this.#connections.values()].flatMap(({ orders }) => [...orders.values()]);
  }

  #ledgerOf(connection: number): ConnectionLedger {
    const known = this.#connections.get(connection);
    if (known !== undefined) return known;
    const fresh: ConnectionLedger = {
      orders: new Map(),
      found: [],
      invoices: new Map(),
      messages: new Map(),
      lastOrder: 0,
      refusals: 0,
      silencedUntilMs: 0,
      lastUsedMs: 0,
    };
    this.#connections.set(connection, fresh);
    return fresh;
  }
}

/** Lines of what came of it name the key alone. */
function applyMessage({ messages }: ConnectionLedger, { outcome, subject: to, budgetMs, ...line }: JournalLine): void {
  const keyHash = toHex(line.keyHash);
  const before = messages.get(keyHash);
  if (outcome === "reserved") messages.set(keyHash, { to, outcome, bodyHash: toHex(line.bodyHash), budgetMs });
  else if (before !== undefined && (outcome === "done" || outcome === "failed")) messages.set(keyHash, { ...before, outcome });
}

function isOfScope(subject: string, scope: SpendingScope): boolean {
  return scope.name === "pay" || subject === "" || subject.startsWith(`${scope.contract}.`);
}
