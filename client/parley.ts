// A connection as a program uses it.
import { createHash } from "node:crypto";
import { type Amount, amountUt } from "./amount.ts";
import type { AppEvent, ContactList, History, Invoice, Me, MessageView } from "./api-types.ts";
import { isParleyError, ParleyError } from "./client-error.ts";
import { type EventOptions, readEvents } from "./events.ts";
import { fieldsOf } from "./exchange.ts";
import { type CallOptions, call, newKey, notAfterOf, type Order, type PayOptions, pay } from "./orders.ts";
import type { TokenFile } from "./token-file.ts";
import type { Transport } from "./transport.ts";

/** A message to send: a text, a file, or both. */
export interface SendOptions {
  /** Address, hex key, `@name` or id of a conversation. */
  readonly to: string;
  readonly text?: string;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  /** Id of the message that this one answers. */
  readonly replyTo?: string;
  /** As for payments: the same message under the same key is sent once. */
  readonly key?: string;
  readonly notAfter?: Date;
  readonly signal?: AbortSignal;
}

/** An invoice to make. */
export interface InvoiceOptions {
  readonly amount: Amount;
  /** In an hour without. Belongs to the request: keep it with the key. */
  readonly expiresAt?: Date;
  readonly key?: string;
}

const DEFAULT_INVOICE_MS = 3_600_000;
/** A reply to an event is the same request after a restart: its time follows from that of the event. */
const REPLY_MS = 82_800_000;
const SOON_MS = 60_000;
const NODE_TIMEOUT_MS = 15_000;
const MAX_NODE_CHARS = 16_777_216;

/** A connection that the person has granted. All methods reject with a {@link ParleyError}. */
export class Parley {
  readonly #transport: Transport;
  readonly #file: TokenFile;

  constructor(transport: Transport, file: TokenFile) {
    this.#transport = transport;
    this.#file = file;
  }

  /** File of the token. */
  get tokenFile(): string {
    return this.#file.path;
  }

  /** Name, scopes, what is left of the limits; address and balance with the scope `wallet`. */
  me(): Promise<Me> {
    return this.#transport.send("getMe");
  }

  /** Pays, and resolves when the payment is in a block. Above a limit it waits for the person. */
  pay(options: PayOptions): Promise<Order> {
    return pay(this.#transport, options);
  }

  /** Calls a contract, and resolves when the call is in a block. */
  call(options: CallOptions): Promise<Order> {
    return call(this.#transport, options);
  }

  /** What came of the order under a key. @throws ParleyError NOT_FOUND, and the refusal where it was refused */
  async order(key: string): Promise<{ readonly id: string; readonly state: string }> {
    const { id = "", state } = await this.#transport.send("getPayment", { params: { key } });
    return { id, state };
  }

  /** Sends a message. */
  send(options: SendOptions): Promise<MessageView> {
    const { to, text, file, replyTo, key = newKey(), notAfter, signal } = options;
    const body = {
      ...{ to, idempotency_key: key, not_after: notAfterOf(notAfter) },
      ...(text === undefined ? {} : { text }),
      ...(file === undefined ? {} : { file: { name: file.name, base64: Buffer.from(file.bytes).toString("base64") } }),
      ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    };
    return this.#transport.send("sendMessage", { body }, signal === undefined ? {} : { signal });
  }

  /** Answers a message once, also when the event comes twice. */
  reply(message: Pick<MessageView, "id" | "conversation" | "sent_at">, text: string): Promise<MessageView> {
    const byThen = message.sent_at * 1000 + REPLY_MS;
    const notAfter = byThen > Date.now() + SOON_MS ? { notAfter: new Date(Math.min(byThen, Date.now() + REPLY_MS)) } : {};
    const key = `reply-${createHash("sha256").update(message.id).digest("hex").slice(0, 40)}`;
    return this.send({ to: message.conversation, text, replyTo: message.id, key, ...notAfter });
  }

  /** The message that an event names; undefined when it is gone. */
  async message(id: string): Promise<MessageView | undefined> {
    try {
      return await this.#transport.send("getMessage", { params: { id } });
    } catch (error) {
      if (isParleyError(error, "NOT_FOUND")) return undefined;
      throw error;
    }
  }

  /** Contacts that the person chose. */
  async contacts(): Promise<ContactList["contacts"]> {
    return (await this.#transport.send("listContacts")).contacts;
  }

  /** Makes an invoice: who pays it names its id as the memo. */
  invoice({ amount, expiresAt = new Date(Date.now() + DEFAULT_INVOICE_MS), key = newKey() }: InvoiceOptions): Promise<Invoice> {
    const body = { amount_ut: amountUt(amount), expires_at: Math.floor(expiresAt.getTime() / 1000), idempotency_key: key };
    return this.#transport.send("createInvoice", { body });
  }

  /** An own invoice and what was paid of it. @throws ParleyError NOT_FOUND */
  findInvoice(id: string): Promise<Invoice> {
    return this.#transport.send("getInvoice", { params: { id } });
  }

  /** Own invoices. */
  async invoices(): Promise<readonly Invoice[]> {
    return (await this.#transport.send("listInvoices")).invoices;
  }

  /** Transactions of the account, newest first, at most 200; `before` is `next_before` of the page before. */
  history(page: { readonly limit?: number; readonly before?: number } = {}): Promise<History> {
    return this.#transport.send("getHistory", { query: page });
  }

  /**
   * Events, without an end: `for await (const event of parley.events())`. Each comes at least once, also after restarts; one is acknowledged
   * when the next is asked for, so an event whose handling threw, or that was left with `break`, comes again.
   */
  events(options: EventOptions = {}): AsyncGenerator<AppEvent, void, void> {
    return readEvents(this.#transport, options);
  }

  /** Everything up to this event is done: for programs that handle several at once. */
  async acknowledge(event: Pick<AppEvent, "cursor">): Promise<void> {
    await this.#transport.send("acknowledgeEvents", { body: { cursor: event.cursor } });
  }

  /**
   * Reads what is public of the chain from the node of this Parley, without any right: `chain("/api/netstats")`, docs/api.md has the paths.
   * @throws ParleyError UNREACHABLE while the node does not serve, else with the node's status.
   */
  async chain(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    const base = this.#transport.nodeUrl();
    if (base === null) throw new ParleyError("UNREACHABLE", "The node does not serve at the moment");
    const url = new URL(path, base);
    if (url.origin !== new URL(base).origin) throw new ParleyError("BAD_REQUEST", `${path} is no path of the node`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(NODE_TIMEOUT_MS) });
      text = await response.text();
    } catch (cause) {
      throw new ParleyError("UNREACHABLE", "The node does not respond", { cause });
    }
    const body = text.length > MAX_NODE_CHARS ? undefined : parseJson(text);
    if (response.ok && body !== undefined) return body;
    const { error } = fieldsOf(body);
    const code = response.status === 404 ? "NOT_FOUND" : "UNREACHABLE";
    throw new ParleyError(code, typeof error === "string" ? error : `The node answered ${response.status}`, { status: response.status });
  }

  /**
   * Fetches a new token and keeps it in the file; the one before is good for a minute more, and used later it ends the connection. Other
   * processes of the program read the file with each request; one of them renews.
   * @throws ParleyError RATE_LIMITED after eight in a day, TOKEN_FILE
   */
  async renewToken(): Promise<void> {
    const { token } = await this.#transport.send("rotateToken");
    this.#file.write(token);
  }

  /** Ends the connection and removes the token: the program has to ask again. */
  async end(): Promise<void> {
    await this.#transport.send("endConnection");
    this.#file.remove();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
