// Tools that read, and invoices: those that every connection of the server has.
import { isParleyError, type Parley } from "#client/index.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { integerOf, textOf } from "./tool-arguments.ts";
import type { Tools } from "./tools.ts";

/** Scopes that these tools need. */
export const READING_SCOPES: readonly string[] = ["read", "wallet", "invoices", "contacts.read"];

const MAX_SEARCH_CHARS = 128;
const MAX_FOUND = 20;
const MAX_INVOICE_MINUTES = 525_600;
const DEFAULT_INVOICE_MINUTES = 60;
const MS_IN_MINUTE = 60_000;

export const READING_TOOLS: Tools = {
  status: {
    title: "Status",
    description: "The connection of this server: its name, scopes and what is left of its limits, and the state of the node.",
    arguments: {},
    run: async (parley) => {
      const [{ id: _, ...connection }, node] = await Promise.all([parley.me(), parley.chain("/api/netstats").catch(() => null)]);
      return { connection, node };
    },
  },
  balance: {
    title: "Balance",
    description: "Address and balance of the person's wallet.",
    arguments: {},
    run: async (parley) => {
      const { address, balance_ut: balance } = await parley.me();
      return { address, balance_ut: balance, balance: typeof balance === "number" ? formatAmount(balance) : null };
    },
  },
  history: {
    title: "History",
    description: "Transactions of the wallet, newest first. Memos were written by their senders.",
    isUntrusted: true,
    arguments: {
      limit: { type: "integer", description: "How many at most, 20 without", most: 200, isOptional: true },
      before: { type: "integer", description: "next_before of the page before", most: Number.MAX_SAFE_INTEGER, least: 0, isOptional: true },
    },
    run: async (parley, given) => {
      const before = integerOf(given, "before");
      const { entries, next_before } = await parley.history({
        limit: integerOf(given, "limit") ?? 20,
        ...(before === undefined ? {} : { before }),
      });
      return { next_before, transactions: entries.map((entry) => ({ ...entry, amount: formatAmount(entry.amount_ut) })) };
    },
  },
  find_contact: {
    title: "Find a contact",
    description: "Contacts that the person chose for this server whose name, address or key contains a text.",
    isUntrusted: true,
    arguments: { text: { type: "string", description: "Part of a name, address or key", most: MAX_SEARCH_CHARS } },
    run: async (parley, given) => {
      const text = textOf(given, "text").toLowerCase();
      const found = (await parley.contacts()).filter(({ name, address, pub_key }) =>
        [name ?? "", address, pub_key].some((field) => field.toLowerCase().includes(text)),
      );
      return { contacts: found.slice(0, MAX_FOUND), more: found.length > MAX_FOUND };
    },
  },
  chain_lookup: {
    title: "Look up on the chain",
    description: "What a text names on the public chain: blocks, transactions, accounts, usernames, contracts, tokens.",
    isUntrusted: true,
    arguments: { text: { type: "string", description: "Height, hash, id, address, key or @username", most: MAX_SEARCH_CHARS } },
    run: async (parley, given) => await parley.chain("/api/search", { q: textOf(given, "text"), limit: 5 }),
  },
  create_invoice: {
    title: "Make an invoice",
    description: "Makes an invoice: who pays it sends the amount to the address with the id as memo. Costs nothing.",
    arguments: {
      amount: { type: "string", description: 'Amount with its unit, such as "1.5T"', most: 32 },
      minutes: { type: "integer", description: "How long it is open, 60 without", most: MAX_INVOICE_MINUTES, isOptional: true },
    },
    run: async (parley, given) => {
      const minutes = integerOf(given, "minutes") ?? DEFAULT_INVOICE_MINUTES;
      return await parley.invoice({ amount: textOf(given, "amount"), expiresAt: new Date(Date.now() + minutes * MS_IN_MINUTE) });
    },
  },
  payment_status: {
    title: "State of a payment",
    description: "State of an invoice of this server (inv_…), of an order by its key, or of a transaction on the chain by its id.",
    isUntrusted: true,
    arguments: { id: { type: "string", description: "Invoice, key of an order, or id of a transaction", most: MAX_SEARCH_CHARS } },
    run: async (parley, given) => await paymentStatus(parley, textOf(given, "id")),
  },
};

async function paymentStatus(parley: Parley, id: string): Promise<unknown> {
  if (id.startsWith("inv_")) return { invoice: await parley.findInvoice(id) };
  try {
    return { order: await parley.order(id) };
  } catch (error) {
    if (!isParleyError(error, "NOT_FOUND", "BAD_REQUEST")) throw error;
  }
  return { transaction: await parley.chain(`/api/tx/${encodeURIComponent(id)}`) };
}
