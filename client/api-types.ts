// Made of the endpoint table for programs by `npm run openapi`: do not edit.

export interface AckBody {
  readonly cursor: string;
}

export interface AppEvent {
  /** Also the id of the event in the stream */
  readonly cursor: string;
  readonly type: "payment.sent" | "payment.received" | "invoice.paid" | "invoice.partial" | "invoice.late" | "message" | "message.gone" | "approval" | "connection" | "gap";
  /** Seconds since 1970-01-01 UTC */
  readonly at: number;
  /** Block height; genesis is 0 */
  readonly height?: number | undefined;
  readonly id?: string | undefined;
  readonly state?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface AppRequestBody {
  readonly name: string;
  readonly reason: string;
  readonly grant: ReadonlyArray<string | Readonly<Record<string, string | ReadonlyArray<string>>>>;
}

export interface AppRequestState {
  readonly state: "waiting" | "granted" | "refused" | "expired" | "fetched";
  /** Seconds since 1970-01-01 UTC */
  readonly expires_at?: number | undefined;
  /** parley_app_…, given once; a connection whose token is not used within ten minutes of the grant ends */
  readonly token?: string | undefined;
  readonly connection?: Me | undefined;
}

export interface AppToken {
  readonly token: string;
}

export interface CallBody {
  readonly contract: string;
  readonly method: string;
  /** A JSON list */
  readonly args_json?: string | undefined;
  /** µT; 1 T = 1,000,000 µT */
  readonly amount_ut?: number | undefined;
  readonly gas_limit: number;
  /** Chosen by the program; the same request under the same key happens once */
  readonly idempotency_key: string;
  /** Seconds since 1970 by the chain's time, at most 24 h ahead; afterwards 410 */
  readonly not_after: number;
  readonly wait?: boolean | undefined;
}

export interface ContactList {
  readonly contacts: ReadonlyArray<{ readonly pub_key: string; readonly address: string; readonly name?: string | null | undefined; }>;
}

export interface Done {
  readonly ok: boolean;
}

export interface History {
  /** Newest first, in whole blocks */
  readonly entries: ReadonlyArray<HistoryEntry>;
  readonly next_before?: number | null | undefined;
}

export interface HistoryEntry {
  /** Id of the transaction */
  readonly id: string;
  /** Block height; genesis is 0 */
  readonly height: number;
  /** Seconds since 1970-01-01 UTC */
  readonly at: number;
  readonly type: "TRANSFER" | "REGISTER_KEY" | "LINK_DEVICE" | "UNLINK_DEVICE" | "CONTACT_REQUEST" | "ACCEPT_CONTACT" | "BLOCK_CONTACT" | "REGISTER_RELAY" | "RELAY_PROOF" | "HEARTBEAT" | "BIND_WALLET" | "ADD_VALIDATOR" | "REMOVE_VALIDATOR" | "SLASH" | "UPGRADE" | "ROTATE_KEY" | "SUSPEND_RELAY" | "OPEN_PAY_CHAN" | "CLOSE_PAY_CHAN" | "DEPLOY_CONTRACT" | "CALL_CONTRACT" | "BLOCK_REWARD";
  readonly from: string;
  readonly to: string;
  /** µT; 1 T = 1,000,000 µT */
  readonly amount_ut: number;
  /** µT; 1 T = 1,000,000 µT */
  readonly fee_ut: number;
  /** Public, and written by its sender */
  readonly memo: string;
  readonly state: "committed" | "failed";
}

export interface Invoice {
  /** inv_ and 16 hex characters: the memo of its payment */
  readonly id: string;
  /** pl1…: bech32m of the public key */
  readonly address: string;
  /** µT; 1 T = 1,000,000 µT */
  readonly amount_ut: number;
  /** µT; 1 T = 1,000,000 µT */
  readonly paid_ut: number;
  readonly state: "open" | "partial" | "paid" | "late";
  /** Seconds since 1970-01-01 UTC */
  readonly created_at: number;
  /** Seconds since 1970-01-01 UTC */
  readonly expires_at: number;
}

export interface InvoiceBody {
  /** µT; 1 T = 1,000,000 µT */
  readonly amount_ut: number;
  /** Seconds since 1970-01-01 UTC */
  readonly expires_at: number;
  /** Chosen by the program; the same request under the same key happens once */
  readonly idempotency_key: string;
}

export interface InvoiceList {
  readonly invoices: ReadonlyArray<Invoice>;
}

export interface LeftOfScope {
  readonly scope: string;
  /** µT; 1 T = 1,000,000 µT */
  readonly left_ut: number;
}

export interface Me {
  readonly id: string;
  readonly name: string;
  /** In their normal form, with addresses in place of names */
  readonly scopes: ReadonlyArray<string>;
  readonly left: ReadonlyArray<LeftOfScope>;
  /** Seconds since 1970-01-01 UTC */
  readonly created_at: number;
  /** Seconds since 1970-01-01 UTC */
  readonly expires_at: number;
  /** The person has to confirm the connection first */
  readonly resting: boolean;
  readonly chain_id: string;
  readonly address?: string | null | undefined;
  readonly balance_ut?: number | null | undefined;
}

export interface MessageBody {
  readonly to: string;
  readonly text?: string | undefined;
  readonly file?: { readonly name: string; readonly base64: string; } | undefined;
  readonly reply_to?: string | undefined;
  /** Chosen by the program; the same request under the same key happens once */
  readonly idempotency_key: string;
  /** Seconds since 1970 by the chain's time, at most 24 h ahead; afterwards 410 */
  readonly not_after: number;
}

export interface MessageView {
  readonly id: string;
  /** Hex key of the author; empty for a sender whose identity is not proven */
  readonly from: string;
  /** Hex key of the person, or group: and the id of the group */
  readonly conversation: string;
  /** Seconds since 1970-01-01 UTC */
  readonly sent_at: number;
  readonly text?: string | undefined;
  readonly file?: { readonly name: string; readonly size: number; } | undefined;
  /** Of one's own: queued, relayed, delivered, read, failed or gone */
  readonly state?: string | undefined;
  /** The key was used before, with the same message */
  readonly replayed?: boolean | undefined;
}

export interface OpenedAppRequest {
  readonly id: string;
  /** Fetches the token; sent as Authorization: Bearer */
  readonly secret: string;
  /** Six digits to show: the person types them */
  readonly code: string;
  /** Seconds since 1970-01-01 UTC */
  readonly expires_at: number;
}

export interface OrderView {
  /** Id of the transaction */
  readonly id?: string | undefined;
  readonly state: "pending" | "committed" | "failed" | "expired" | "approval" | "waiting";
  readonly approval?: { readonly id: string; readonly expires_at: number; } | undefined;
  /** The key was used before, with the same request */
  readonly replayed: boolean;
}

export interface PaymentBody {
  /** Address, hex key or @name */
  readonly to: string;
  /** µT; 1 T = 1,000,000 µT */
  readonly amount_ut: number;
  /** Public */
  readonly memo?: string | undefined;
  /** Chosen by the program; the same request under the same key happens once */
  readonly idempotency_key: string;
  /** Seconds since 1970 by the chain's time, at most 24 h ahead; afterwards 410 */
  readonly not_after: number;
  /** While the wallet is locked: 202, for an hour at most */
  readonly wait?: boolean | undefined;
}

export interface SubmissionBody {
  /** Signed by a key of the program's own */
  readonly transaction: { readonly id?: string | undefined; readonly type: "TRANSFER" | "REGISTER_KEY" | "LINK_DEVICE" | "UNLINK_DEVICE" | "CONTACT_REQUEST" | "ACCEPT_CONTACT" | "BLOCK_CONTACT" | "REGISTER_RELAY" | "RELAY_PROOF" | "HEARTBEAT" | "BIND_WALLET" | "ADD_VALIDATOR" | "REMOVE_VALIDATOR" | "SLASH" | "UPGRADE" | "ROTATE_KEY" | "SUSPEND_RELAY" | "OPEN_PAY_CHAN" | "CLOSE_PAY_CHAN" | "DEPLOY_CONTRACT" | "CALL_CONTRACT"; readonly from: string; readonly to?: string | undefined; readonly amount?: number | undefined; readonly fee?: number | undefined; readonly payload?: string | undefined; readonly timestamp: string; readonly signature: string; };
}

export interface Submitted {
  readonly id: string;
}

/** Every operation with what it takes and gives. */
export interface Operations {
  readonly openRequest: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: AppRequestBody; response: OpenedAppRequest };
  readonly fetchRequest: { params: { readonly id: string; }; query: Readonly<Record<never, never>>; body: undefined; response: AppRequestState };
  readonly getMe: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: undefined; response: Me };
  readonly endConnection: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: undefined; response: Done };
  readonly rotateToken: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: undefined; response: AppToken };
  readonly getHistory: { params: Readonly<Record<never, never>>; query: { readonly limit?: number | undefined; readonly before?: number | undefined; }; body: undefined; response: History };
  readonly pay: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: PaymentBody; response: OrderView };
  readonly getPayment: { params: { readonly key: string; }; query: Readonly<Record<never, never>>; body: undefined; response: OrderView };
  readonly call: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: CallBody; response: OrderView };
  readonly submitTransaction: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: SubmissionBody; response: Submitted };
  readonly sendMessage: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: MessageBody; response: MessageView };
  readonly getMessage: { params: { readonly id: string; }; query: Readonly<Record<never, never>>; body: undefined; response: MessageView };
  readonly listContacts: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: undefined; response: ContactList };
  readonly createInvoice: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: InvoiceBody; response: Invoice };
  readonly listInvoices: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: undefined; response: InvoiceList };
  readonly getInvoice: { params: { readonly id: string; }; query: Readonly<Record<never, never>>; body: undefined; response: Invoice };
  readonly streamEvents: { params: Readonly<Record<never, never>>; query: { readonly cursor?: string | undefined; }; body: undefined; response: AppEvent };
  readonly acknowledgeEvents: { params: Readonly<Record<never, never>>; query: Readonly<Record<never, never>>; body: AckBody; response: Done };
}

/** Method and path of each. */
export const ROUTES: { readonly [K in keyof Operations]: readonly [method: "GET" | "POST" | "DELETE", path: string] } = {
  openRequest: ["POST", "/apps/requests"],
  fetchRequest: ["GET", "/apps/requests/:id"],
  getMe: ["GET", "/apps/v1/me"],
  endConnection: ["DELETE", "/apps/v1/me"],
  rotateToken: ["POST", "/apps/v1/token"],
  getHistory: ["GET", "/apps/v1/history"],
  pay: ["POST", "/apps/v1/payments"],
  getPayment: ["GET", "/apps/v1/payments/:key"],
  call: ["POST", "/apps/v1/calls"],
  submitTransaction: ["POST", "/apps/v1/transactions"],
  sendMessage: ["POST", "/apps/v1/messages"],
  getMessage: ["GET", "/apps/v1/messages/:id"],
  listContacts: ["GET", "/apps/v1/contacts"],
  createInvoice: ["POST", "/apps/v1/invoices"],
  listInvoices: ["GET", "/apps/v1/invoices"],
  getInvoice: ["GET", "/apps/v1/invoices/:id"],
  streamEvents: ["GET", "/apps/v1/events"],
  acknowledgeEvents: ["POST", "/apps/v1/events/ack"],
};
