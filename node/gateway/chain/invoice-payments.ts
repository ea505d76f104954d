// What came for invoices: transfers to the account whose signed memo is the invoice's id.
import type { InvoiceView } from "#shared/apps/messages/apps-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { GatewayServices } from "../services.ts";
import { type FeedEntry, feedSince } from "./chain-reads.ts";

export type InvoiceState = "open" | "partial" | "paid" | "late";

/** What is known of one invoice. */
export interface PaidInvoice {
  readonly paidUt: AmountUt;
  readonly state: InvoiceState;
}

interface Remembered {
  readonly account: PublicKeyHex;
  readonly fromMs: number;
  readonly entries: readonly FeedEntry[];
}

/** Reads the account's transactions once a block, however many invoices are asked for. */
export class InvoicePayments {
  readonly #services: GatewayServices;
  readonly #limits: GatewayLimits;
  readonly #stop: () => void;
  #remembered: Remembered | undefined;
  /** Blocks that were heard of: what was read before one is not remembered behind it. */
  #blocks = 0;

  constructor(services: GatewayServices, limits: GatewayLimits) {
    this.#services = services;
    this.#limits = limits;
    this.#stop = services.node.onBlock(() => {
      this.#remembered = undefined;
      this.#blocks += 1;
    });
  }

  /** State of each invoice by its id. */
  async of(account: PublicKeyHex, invoices: readonly InvoiceView[]): Promise<ReadonlyMap<string, PaidInvoice>> {
    if (invoices.length === 0) return new Map();
    const createdMs = Math.min(...invoices.map(({ createdAtMs }) => createdAtMs));
    const entries = await this.#entriesSince(account, createdMs);
    return new Map(invoices.map((invoice) => [invoice.id, stateOf(invoice, paymentsOf(account, invoice.id, entries))]));
  }

  /** Payments for one invoice. */
  async entriesFor(account: PublicKeyHex, invoice: InvoiceView): Promise<readonly FeedEntry[]> {
    return paymentsOf(account, invoice.id, await this.#entriesSince(account, invoice.createdAtMs));
  }

  close(): void {
    this.#stop();
  }

  async #entriesSince(account: PublicKeyHex, createdMs: number): Promise<readonly FeedEntry[]> {
    // The clock here and those of the validators differ: a block's time may lie before the invoice that it pays.
    const fromMs = createdMs - TX_WINDOW_MS;
    const [known, blocks] = [this.#remembered, this.#blocks];
    if (known !== undefined && known.account === account && known.fromMs <= fromMs) return known.entries;
    const entries = await feedSince(this.#services.node.client, account, fromMs, this.#limits);
    if (blocks === this.#blocks) this.#remembered = { account, fromMs, entries };
    return entries;
  }
}

/** What an invoice comes to with these payments. */
export function stateOf({ amountUt, expiresAtMs }: InvoiceView, payments: readonly FeedEntry[]): PaidInvoice {
  const paidUt = sum(payments);
  const inTimeUt = sum(payments.filter(({ time }) => Date.parse(time) <= expiresAtMs));
  if (inTimeUt >= amountUt) return { paidUt, state: "paid" };
  if (paidUt > inTimeUt) return { paidUt, state: "late" };
  return { paidUt, state: paidUt > 0 ? "partial" : "open" };
}

/** Payments for an invoice. */
export function paymentsOf(account: PublicKeyHex, id: string, entries: readonly FeedEntry[]): readonly FeedEntry[] {
  return entries.filter(({ type, to, memo, status }) => type === "TRANSFER" && to === account && memo === id && status === "ok");
}

function sum(entries: readonly FeedEntry[]): AmountUt {
  return entries.reduce((total, { amount_ut: amount }) => total + amount, 0);
}
