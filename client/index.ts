// parley/client: the wallet and messages of a person, for programs that the person lets in. Runs in Node, Deno and Bun.
import type { Amount } from "./amount.ts";
import type { AppEvent, ContactList, History, HistoryEntry, Invoice, Me, MessageView } from "./api-types.ts";
import { obtainToken, type ScopeInput } from "./asking.ts";
import { isParleyError, ParleyError } from "./client-error.ts";
import type { EventOptions } from "./events.ts";
import type { CallOptions, Order, OrderOptions, PayOptions } from "./orders.ts";
import { type InvoiceOptions, Parley, type SendOptions } from "./parley.ts";
import { TokenFile } from "./token-file.ts";
import { Transport } from "./transport.ts";
import { endpointFiles, tokenFileOf } from "./usual-places.ts";

/** What a program asks for, and where its token is kept. */
export interface ConnectOptions {
  /** At most 32 characters; the person sees it. */
  readonly name: string;
  /** Scopes of docs/apps.md: `pay:each=2T,total=10T/day,to=@carol`. */
  readonly scopes: readonly ScopeInput[];
  /** At most 200 characters; the person sees it. */
  readonly reason?: string;
  /** By default `PARLEY_TOKEN_FILE`, else a file by the program's name in the folder of this user's settings. Only this user can read it. */
  readonly tokenFile?: string;
  /** endpoint.json or its folder; by default `PARLEY_ENDPOINT`, else that of the app or agent of this user. */
  readonly endpoint?: string;
  /** Shows the six digits that the person types in Parley; by default a line on standard error. */
  readonly onCode?: (code: string, expiresAt: Date) => void;
  /** Called with what is waited for: Parley does not run, is locked, or another program asks at the moment. */
  readonly onWait?: (reason: ParleyError) => void;
  /** How long to wait for that, ms; without an end by default. The person has ten minutes for the digits in any case. */
  readonly patienceMs?: number;
  /** How long each later request is tried again while Parley starts again or has no messenger, ms; two minutes by default. */
  readonly retryForMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Connects to the Parley of this user: with the token of the file, or by asking, which resolves when the person has typed the digits. Asks
 * again when the connection has ended.
 * @throws ParleyError APP_DENIED when the person refuses, APP_TOO_LATE without an answer, BAD_REQUEST naming a wrong scope, TOKEN_FILE.
 */
export async function connect(options: ConnectOptions): Promise<Parley> {
  const { name, scopes, reason = "", onCode = showCode(name), onWait, patienceMs = Number.POSITIVE_INFINITY, signal } = options;
  const file = new TokenFile(tokenFileOf(name, options.tokenFile));
  const transport = new Transport(endpointFiles(options.endpoint), options.retryForMs);
  await obtainToken(transport, file, { name, scopes, reason, onCode, onWait, patienceMs, signal });
  return new Parley(transport, file);
}

function showCode(name: string): (code: string) => void {
  return (code) => {
    process.stderr.write(`${name} asks to connect. In Parley, open Settings › Apps and type ${code.slice(0, 3)} ${code.slice(3)}\n`);
  };
}

export type {
  Amount,
  AppEvent,
  CallOptions,
  ContactList,
  EventOptions,
  History,
  HistoryEntry,
  Invoice,
  InvoiceOptions,
  Me,
  MessageView,
  Order,
  OrderOptions,
  Parley,
  PayOptions,
  ScopeInput,
  SendOptions,
};
export { isParleyError, ParleyError };
