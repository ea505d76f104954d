// What gateway, program and person see of what is stored.
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { MAX_PAID_ORDERS, RECEIPT_MS } from "../app-limits.ts";
import { leftUt } from "../judging/rolling-total.ts";
import type { ConnectionEntry, EndedConnection, WaitingApproval, WaitingRequest } from "../messages/approval-api.ts";
import type { ConnectionView, InvoiceView } from "../messages/apps-api.ts";
import type { JournalLineView, JournalPage } from "../messages/journal-lines.ts";
import type { PaidOrder } from "../messages/orders.ts";
import { formatScope, formatScopes } from "../scopes/parse-scopes.ts";
import { isSpending, needsPassword } from "../scopes/scopes.ts";
import type { AppConnection } from "../storage/app-connection.ts";
import type { InvoiceRecord } from "../storage/app-ledger.ts";
import type { AppStore } from "../storage/app-store.ts";
import type { HashedLine } from "../storage/journal-format.ts";
import type { Approval } from "./approval-desk.ts";
import { idOfTransaction } from "./order-checks.ts";
import type { OpenRequest } from "./request-desk.ts";

export function connectionView(store: AppStore, connection: AppConnection): ConnectionView {
  const { id, number, name, scopes, chosen, createdAtMs, expiresMs, endsAtClockMs, isResting } = connection;
  const left = scopes
    .filter(isSpending)
    .map((scope) => ({ scope: formatScope(scope), leftUt: leftUt(store.ledger.spendings(number, scope), scope.total, store.budgetMs) }));
  const expiresAtMs = Math.min(endsAtClockMs, store.clockMs + Math.max(0, expiresMs - store.expiryMs));
  return { id, name, scopes: formatScopes(scopes), chosen, left, createdAtMs, expiresAtMs, isResting };
}

/** With what only the person sees. */
export function connectionEntry(store: AppStore, connection: AppConnection, usedAtMs: number | undefined): ConnectionEntry {
  const { number } = connection;
  const silencedUntilMs = store.ledger.silencedUntilMs(number);
  const lastUsedMs = Math.max(usedAtMs ?? 0, store.ledger.lastUsedMs(number));
  return {
    ...connectionView(store, connection),
    lastUsedMs: lastUsedMs === 0 ? null : lastUsedMs,
    silencedUntilMs: silencedUntilMs > store.clockMs ? silencedUntilMs : null,
  };
}

/** Those that ended last, and whether a copied token was why. */
export function endedConnections({ state, lines }: AppStore): readonly EndedConnection[] {
  const copied = new Set(lines.flatMap(({ line }) => (line.outcome === "copied" ? [line.connection] : [])));
  return (state?.ended ?? []).map(({ id, number, name, endedAtMs }) => ({ id, name, endedAtMs, wasCopied: copied.has(number) }));
}

export function requestView({ id, name, reason, scopes, names, expiresAtMs }: OpenRequest): WaitingRequest {
  return { id, name, reason, scopes: formatScopes(scopes), names, needsPassword: scopes.some(needsPassword), expiresAtMs };
}

export function approvalView(store: AppStore, { id, order, expiresAtMs }: Approval): WaitingApproval {
  const { connection, scope, intent, summary, subject, totalUt } = order;
  const isPayment = intent.kind === "pay";
  return {
    id,
    connection: connection.id,
    name: connection.name,
    action: isPayment ? "pay" : "call",
    subject: isPayment ? formatAddress(subject) : subject,
    recipientName: (isPayment && connection.names.find(({ key }) => key === subject)?.name) || null,
    amountUt: summary.amountUt,
    totalUt,
    publicText: summary.publicText,
    eachUt: scope.each,
    periodUt: scope.total.amountUt,
    period: scope.total.period,
    leftUt: leftUt(store.ledger.spendings(connection.number, scope), scope.total, store.budgetMs),
    expiresAtMs,
  };
}

export function invoiceView({ id, amountUt, createdAtMs, expiresAtMs }: InvoiceRecord): InvoiceView {
  return { id, amountUt, createdAtMs, expiresAtMs };
}

/** A page of lines that are chosen already. */
export function journalPage(store: AppStore, lines: readonly HashedLine[], hasMore: boolean): JournalPage {
  const ids = connectionIds(store);
  return { lines: lines.map((line) => lineView(line, ids)), firstN: store.firstN, hasMore };
}

/** Payments that came into a block lately, from lines after a number. A connection that is forgotten has no id. */
export function paidOrders(store: AppStore, after: number): readonly PaidOrder[] {
  const ids = connectionIds(store);
  return store
    .paidLines(after)
    .filter(({ atMs }) => store.clockMs - atMs < RECEIPT_MS)
    .slice(0, MAX_PAID_ORDERS)
    .map(({ n, connection, txId }) => ({ n, connection: ids.get(connection) ?? "", id: idOfTransaction(toHex(txId)) }));
}

function connectionIds({ connections, state }: AppStore): ReadonlyMap<number, string> {
  return new Map([...connections, ...(state?.ended ?? [])].map(({ number, id }) => [number, id]));
}

function lineView({ line, prev }: HashedLine, ids: ReadonlyMap<number, string>): JournalLineView {
  const { n, height, atMs, connection, action, subject, amountUt, outcome, keyHash, txId } = line;
  return {
    n,
    prev: toHex(prev),
    height,
    atMs,
    connection: ids.get(connection) ?? "",
    action,
    subject,
    amountUt,
    outcome,
    keyHash: toHex(keyHash),
    txId: txId.length === 0 ? "" : idOfTransaction(toHex(txId)),
  };
}
