// The events of a connection from a place on: of the chain and of messages, as far as its scopes go, and of the journal. Nothing of them is
// stored a second time.

import { MAX_JOURNAL_PAGE } from "#shared/apps/app-limits.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import type { JournalLineView } from "#shared/apps/messages/journal-lines.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertNever } from "#shared/util/assert.ts";
import { entriesOfBlock, type FeedEntry } from "../chain/chain-reads.ts";
import type { ChainWatch } from "../chain/chain-watch.ts";
import { type InvoicePayments, type InvoiceState, stateOf } from "../chain/invoice-payments.ts";
import { ownAccount, unixSeconds } from "../chain/own-account.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import { hasScope } from "../http/app-guard.ts";
import type { GatewayServices } from "../services.ts";
import type { EventPlace } from "./event-places.ts";
import { firstHeightSince } from "./first-height.ts";
import { messageEvents } from "./message-events.ts";
import type { EventPage, PlacedEvent } from "./placed-events.ts";

/** What the source reads. */
export interface EventSourceDependencies {
  readonly services: GatewayServices;
  readonly limits: GatewayLimits;
  readonly watch: ChainWatch;
  readonly payments: InvoicePayments;
}

const INVOICE_PREFIX = "inv_";
/** Events older than this are not found again. */
export const EVENT_AGE_MS = 2_592_000_000;

/** Reads of one gateway. */
export class AppEventSource {
  readonly #dependencies: EventSourceDependencies;

  constructor(dependencies: EventSourceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Where a connection's events begin. */
  async firstPlace({ createdAtMs }: ConnectionView): Promise<EventPlace> {
    return { height: await firstHeightSince(this.#dependencies.services.node.client, createdAtMs), skip: 0, line: 0, message: 0 };
  }

  /** What was lost between a place and the oldest that can be read: an event that says so, and where reading continues. */
  async gapAfter(place: EventPlace): Promise<PlacedEvent | undefined> {
    const { clock, node } = this.#dependencies.services;
    const oldest = await firstHeightSince(node.client, clock.nowMs() - EVENT_AGE_MS, place.height);
    if (place.height >= oldest) return undefined;
    const event = { type: "gap", at: unixSeconds(clock.nowMs()), from: String(place.height), to: String(oldest) } as const;
    return { event, place: { ...place, height: oldest, skip: 0 } };
  }

  /** The next events. @throws CodedError APP_LOCKED and UNAVAILABLE when it is to be tried later, APP_ENDED when it is over */
  async read(connection: ConnectionView, token: string, place: EventPlace): Promise<EventPage> {
    const ofChain = await this.#ofChain(connection, token, place);
    const ofJournal = await this.#ofJournal(token, ofChain.next);
    const ofMessages = await messageEvents(this.#dependencies.services, connection, ofJournal.next);
    return {
      events: [...ofChain.events, ...ofJournal.events, ...ofMessages.events],
      next: ofMessages.next,
      hasMore: ofChain.hasMore || ofJournal.hasMore || ofMessages.hasMore,
    };
  }

  async #ofChain(connection: ConnectionView, token: string, place: EventPlace): Promise<EventPage> {
    if (!hasScope(connection, "wallet") && !hasScope(connection, "invoices")) return { events: [], next: place, hasMore: false };
    const { services, watch } = this.#dependencies;
    const { masterPub } = await ownAccount(services.keyring, watch);
    const { entries, hasMore } = await this.#entriesFrom(masterPub, place.height);
    const events: PlacedEvent[] = [];
    let next = place;
    let [height, position] = [place.height, 0];
    for (const entry of entries) {
      if (entry.block_index !== height) [height, position] = [entry.block_index, 0];
      position += 1;
      if (height === place.height && position <= place.skip) continue;
      const before = next;
      next = { ...next, height, skip: position };
      const made = await this.#eventsOf(connection, token, { account: masterPub, entry });
      // Acknowledging the first of several events of one transaction must not lose the others.
      for (const [index, event] of made.entries()) events.push({ event, place: index === made.length - 1 ? next : before });
    }
    return { events, next: hasMore ? { ...next, height: next.height + 1, skip: 0 } : next, hasMore };
  }

  /** Transactions of an account in whole blocks, oldest first. */
  async #entriesFrom(
    account: PublicKeyHex,
    height: Height,
  ): Promise<{ readonly entries: readonly FeedEntry[]; readonly hasMore: boolean }> {
    const { client } = this.#dependencies.services.node;
    const { feedPage } = this.#dependencies.limits;
    const after = height === 0 ? {} : { after_block: height - 1 };
    const { transactions } = await client.getAccountFeed({ account_id: account, limit: feedPage, order: "asc", ...after });
    const last = transactions.at(-1);
    if (last === undefined || transactions.length < feedPage) return { entries: transactions, hasMore: false };
    const whole = transactions.filter(({ block_index: index }) => index < last.block_index);
    if (whole.length > 0) return { entries: whole, hasMore: true };
    // A single block holds more than a page.
    return { entries: await entriesOfBlock(client, account, last.block_index), hasMore: true };
  }

  async #eventsOf(connection: ConnectionView, token: string, { account, entry }: OwnEntry): Promise<readonly PlacedEvent["event"][]> {
    const events: PlacedEvent["event"][] = [];
    const { id, from, to, type, amount_ut: amount, block_index: height, status, memo } = entry;
    const at = unixSeconds(Date.parse(entry.time));
    const state = status === "failed" ? "failed" : "committed";
    if (hasScope(connection, "wallet") && amount > 0 && from === account) events.push({ type: "payment.sent", at, height, id, to, state });
    if (to !== account || state === "failed") return events;
    if (hasScope(connection, "wallet") && amount > 0) events.push({ type: "payment.received", at, height, id, from, state });
    if (!hasScope(connection, "invoices") || type !== "TRANSFER" || !memo.startsWith(INVOICE_PREFIX)) return events;
    const paid = await this.#invoiceStateAt(token, { account, entry });
    if (paid !== undefined && paid !== "open") events.push({ type: `invoice.${paid}`, at, height, id: memo, from, state: paid });
    return events;
  }

  /** State of the invoice that a transfer names, with this one and those before it; undefined for another connection's. */
  async #invoiceStateAt(token: string, { account, entry }: OwnEntry): Promise<InvoiceState | undefined> {
    const { services, payments } = this.#dependencies;
    const invoice = (await services.keyring.api.listInvoices({ token })).find(({ id }) => id === entry.memo);
    if (invoice === undefined) return undefined;
    const read = await payments.entriesFor(account, invoice);
    // What is remembered of the account may be older than this entry, whose event comes once.
    const all = (read.some(({ id }) => id === entry.id) ? read : [...read, entry]).toSorted((a, b) => a.block_index - b.block_index);
    return stateOf(invoice, all.slice(0, all.findIndex(({ id }) => id === entry.id) + 1)).state;
  }

  async #ofJournal(token: string, place: EventPlace): Promise<EventPage> {
    const { keyring } = this.#dependencies.services;
    const { lines, firstN, hasMore } = await keyring.api.readJournal({ token, after: place.line, limit: MAX_JOURNAL_PAGE });
    const events: PlacedEvent[] = [];
    if (place.line > 0 && firstN > place.line + 1) {
      const event = { type: "gap", at: unixSeconds(this.#dependencies.services.clock.nowMs()), from: "journal", to: "journal" } as const;
      events.push({ event, place: { ...place, line: firstN - 1 } });
    }
    for (const line of lines) {
      const event = eventOfLine(line);
      if (event !== undefined) events.push({ event, place: { ...place, line: line.n } });
    }
    return { events, next: { ...place, line: lines.at(-1)?.n ?? place.line }, hasMore };
  }
}

interface OwnEntry {
  readonly account: PublicKeyHex;
  readonly entry: FeedEntry;
}

/** What a line of the journal is to its program; nothing for what it asked itself and was answered at once. */
function eventOfLine({ action, outcome, atMs, height, txId, keyHash }: JournalLineView): PlacedEvent["event"] | undefined {
  const base = { at: unixSeconds(atMs), height };
  if (action === "invoice" || action === "message") return undefined;
  if (action !== "pay" && action !== "call") return { ...base, type: "connection", state: action };
  switch (outcome) {
    case "asked":
    case "denied":
    case "lapsed":
    case "late":
      return { ...base, type: "approval", id: keyHash, state: outcome };
    case "reserved":
      return { ...base, type: "payment.sent", id: txId, state: "pending" };
    case "committed":
    case "failed":
    case "expired":
      return { ...base, type: "payment.sent", id: txId, state: outcome };
    case "done":
    case "over":
    case "found":
    case "copied":
      return undefined;
    default:
      return assertNever(outcome);
  }
}
