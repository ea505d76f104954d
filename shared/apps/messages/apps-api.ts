// The keyring's port "apps", as the gateway sees it. The gateway unlocks nothing and sends no intents of its own making past a scope: what
// spends goes through `pay` and `call`, with the token of a connection, and is judged in the keyring.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import type { ResolvedName } from "../scopes/narrow-scopes.ts";
import type { JournalPage } from "./journal-lines.ts";
import type { MessageMode } from "./messages-api.ts";
import type { CallOrder, OrderOutcome, OrderResult, PaidOrder, PaymentOrder, PendingOrder } from "./orders.ts";

/** What the gateway knows of the chain. */
export interface ChainObservation {
  readonly chainId: string;
  readonly height: number;
  /** Time of the block at that height, unix ms. */
  readonly blockTimeMs: number;
}

/**
 * - `locked`: the keyring is locked; nothing of the apps can be read.
 * - `walletLocked`: everything but paying and calling.
 * - `unlocked`: everything.
 */
export type KeyringLock = "locked" | "walletLocked" | "unlocked";

/** What the gateway has to know of the keyring. */
export interface AppsState {
  readonly lock: KeyringLock;
  /** The account, while the keyring is not locked. */
  readonly account: { readonly masterPub: PublicKeyHex; readonly address: string } | null;
  /** Own outgoing transactions from this time of the chain on, unix ms, are to be given by `history` first; null when they were. */
  readonly historyFromMs: number | null;
}

/** An own outgoing transaction that is in a block. */
export interface OwnTransaction {
  readonly id: string;
  readonly type: TransactionType;
  /** Amount, fee and what the gas limit cost at most. */
  readonly totalUt: AmountUt;
  readonly height: number;
  readonly hasFailed: boolean;
}

/** A part of the own outgoing transactions: at the start all of the period, later each new one. */
export interface OwnHistory {
  readonly transactions: readonly OwnTransaction[];
  /** True with the last part of the start. */
  readonly isComplete: boolean;
  /** The node cannot give the history: every order asks the person. */
  readonly isMissing?: boolean;
}

/** A program asks to connect. */
export interface AppRequest {
  readonly name: string;
  /** At most 200 characters. */
  readonly reason: string;
  /** Scopes as texts. */
  readonly grant: readonly string[];
  /** Whose the names in the scopes are now. */
  readonly names: readonly ResolvedName[];
}

/** The request, for the program alone. */
export interface OpenedRequest {
  readonly id: string;
  readonly secret: string;
  /** Six digits that the program shows and the person types. */
  readonly code: string;
  readonly expiresAtMs: number;
}

/** What came of a request; the token is given once. */
export type FetchedRequest =
  | { readonly state: "waiting"; readonly expiresAtMs: number }
  | { readonly state: "granted"; readonly token: string; readonly connection: ConnectionView }
  | { readonly state: "refused" | "expired" | "fetched" };

/** What is left of the total of a scope now. */
export interface LeftOfScope {
  /** The scope in its normal form. */
  readonly scope: string;
  readonly leftUt: AmountUt;
}

/** A connection as its program may see it. */
export interface ConnectionView {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Hex keys of contacts and ids of groups that the person chose. */
  readonly chosen: readonly string[];
  readonly left: readonly LeftOfScope[];
  readonly createdAtMs: number;
  /** About: the clock and the chain decide, whichever is ahead. */
  readonly expiresAtMs: number;
  /** It rests until the person confirms it: its files were replaced by older ones. */
  readonly isResting: boolean;
}

/** An invoice of one connection. */
export interface InvoiceView {
  /** `inv_` and 16 hex characters: the memo of its payment. */
  readonly id: string;
  readonly amountUt: AmountUt;
  readonly createdAtMs: number;
  /** Unix ms. */
  readonly expiresAtMs: number;
}

export interface InvoiceOrder {
  readonly token: string;
  readonly idempotencyKey: string;
  readonly amountUt: AmountUt;
  readonly expiresAtMs: number;
}

/** A message that a program orders, as far as the journal is concerned: its text is the messaging engine's. */
export interface MessageClaim {
  readonly token: string;
  readonly idempotencyKey: string;
  /** The program gives up at this time of the chain, unix ms. */
  readonly notAfterMs: number;
  /** Master key of a person, or `group:` and the id of a group; null where it may not be given now: then a known one alone is answered. */
  readonly to: string | null;
  /** Hex of the hash of what is sent, 16 bytes. */
  readonly bodyHash: string;
}

/** What the journal says of it: how the engine treats it, and where it went when its key was used first. */
export interface MessageVerdict {
  readonly mode: MessageMode;
  readonly to: string;
}

/** Calls of the gateway. All reject with a CodedError; codes and statuses are those of the public interface. */
export interface AppsApi {
  state(): Promise<AppsState>;
  /** The chain's time goes on by this. */
  observe(input: ChainObservation): Promise<AppsState>;
  history(input: OwnHistory): Promise<AppsState>;

  openRequest(input: AppRequest): Promise<OpenedRequest>;
  fetchRequest(input: { readonly id: string; readonly secret: string }): Promise<FetchedRequest>;
  /** The connection of a token. @throws CodedError APP_TOKEN_INVALID, APP_ENDED, APP_LOCKED. */
  authenticate(input: { readonly token: string }): Promise<ConnectionView>;
  /** A new token; the old one is good for a minute, used later it ends the connection. */
  rotateToken(input: { readonly token: string }): Promise<{ readonly token: string }>;
  endConnection(input: { readonly token: string }): Promise<void>;

  pay(input: PaymentOrder): Promise<OrderResult>;
  call(input: CallOrder): Promise<OrderResult>;
  /** Takes a message within the day's number, durably, before the engine gets it. @throws CodedError APP_SCOPE, APP_KEY_REUSED, RATE_LIMITED, BAD_REQUEST, APP_LOCKED. */
  orderMessage(input: MessageClaim): Promise<MessageVerdict>;
  /** What the engine did with it: it has it, or has refused it and the key is free again. */
  settleMessage(input: { readonly token: string; readonly idempotencyKey: string; readonly isSent: boolean }): Promise<void>;
  /** An order of this connection waits until the wallet is unlocked: the person gets to know. */
  noteWaiting(input: { readonly token: string }): Promise<void>;
  /** What came of the order under a key. @throws CodedError NOT_FOUND, and the refusal where it was refused. */
  findOrder(input: { readonly token: string; readonly idempotencyKey: string }): Promise<OrderResult>;
  /** Signed orders of all connections that may still enter a block. */
  pendingOrders(): Promise<readonly PendingOrder[]>;
  /** What the chain says about them. */
  settle(input: { readonly outcomes: readonly OrderOutcome[] }): Promise<void>;
  /** Payments of all connections that came into a block lately, from lines after a number, oldest first; at most MAX_PAID_ORDERS. */
  paidOrders(input: { readonly after: number }): Promise<readonly PaidOrder[]>;

  /** Whether a transaction of this signer may be submitted: by scope, and not one of the person's own key. */
  checkSubmission(input: { readonly token: string; readonly from: PublicKeyHex }): Promise<void>;
  createInvoice(input: InvoiceOrder): Promise<InvoiceView>;
  listInvoices(input: { readonly token: string }): Promise<readonly InvoiceView[]>;
  /** Own lines of the journal after a number, oldest first: the source of events about orders, approvals and the connection. */
  readJournal(input: { readonly token: string; readonly after: number; readonly limit: number }): Promise<JournalPage>;
}

/** What the keyring tells the gateway without being asked. */
export type AppsEvent =
  /** Streams are cut. */
  | { readonly event: "ended"; readonly connection: string }
  /** The journal has a new line of a connection. */
  | { readonly event: "line"; readonly connection: string; readonly n: number }
  /** An order was approved: its transaction is to be submitted. */
  | { readonly event: "approved"; readonly connection: string; readonly result: OrderResult }
  | { readonly event: "state"; readonly state: AppsState };
