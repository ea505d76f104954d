// The interface for programs as one table: the gateway, clients and the OpenAPI document take it from here. It is served on a socket of the
// user's own and never by the node.
import type { Static, TSchema } from "typebox";
import * as Type from "typebox";
import { limitQuery, NoFields } from "#shared/api/endpoint.ts";
import type { Route } from "#shared/api/routes.ts";
import { MAX_HISTORY_ENTRIES } from "../app-limits.ts";
import type { ScopeName } from "../scopes/scopes.ts";
import * as schema from "./app-schemas.ts";

/** An endpoint of `/apps`. */
export interface AppEndpoint {
  readonly route: Route;
  readonly summary: string;
  /** `none`: without a token; `secret`: with that of the request; `token`: any connection; else one with this scope. */
  readonly access: "none" | "secret" | "token" | ScopeName;
  /** Money: held to the smaller rate. */
  readonly isMoney?: true;
  /** A stream of events (`text/event-stream`), each as the response says. */
  readonly isStream?: true;
  readonly params: TSchema;
  readonly query: TSchema;
  readonly body: TSchema;
  readonly response: TSchema;
  /** Statuses of success beside 200. */
  readonly statuses: readonly number[];
  /** Statuses of errors. 400, 401, 403, 413, 423, 429 and 503 apply everywhere. */
  readonly errors: readonly number[];
}

const NoBody = Type.Undefined();
const Done = Type.Object({ ok: Type.Boolean() }, { title: "Done" });
const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) });
const Key = Type.Object({ key: schema.IdempotencyKey });
const Page = Type.Object({
  limit: limitQuery(50, MAX_HISTORY_ENTRIES),
  before: Type.Optional(Type.Integer({ minimum: 0, description: "Only transactions of earlier blocks: next_before of the page before" })),
});
const Since = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 512 })) });

const EMPTY = { params: NoFields, query: NoFields, body: NoBody, response: Done, statuses: [], errors: [] } as const;
const define = <const D extends Pick<AppEndpoint, "route" | "summary" | "access"> & Partial<AppEndpoint>>(
  definition: D,
): Omit<typeof EMPTY, keyof D> & D => ({ ...EMPTY, ...definition });

/** Endpoints by operation. */
export const APP_ENDPOINTS = {
  openRequest: define({
    route: ["POST", "/apps/requests"],
    summary: "Ask to connect: the person types the code that comes back",
    access: "none",
    body: schema.AppRequestBody,
    response: schema.OpenedAppRequest,
    statuses: [202],
  }),
  fetchRequest: define({
    route: ["GET", "/apps/requests/:id"],
    summary: "What came of the request; the token once",
    access: "secret",
    params: Id,
    response: schema.AppRequestState,
    errors: [404],
  }),
  getMe: define({
    route: ["GET", "/apps/v1/me"],
    summary: "This connection and what is left of its limits",
    access: "token",
    response: schema.Me,
  }),
  endConnection: define({ route: ["DELETE", "/apps/v1/me"], summary: "End this connection", access: "token" }),
  rotateToken: define({
    route: ["POST", "/apps/v1/token"],
    summary: "A new token; the old one is good for 60 s, used later it ends the connection",
    access: "token",
    response: schema.AppToken,
  }),
  getHistory: define({
    route: ["GET", "/apps/v1/history"],
    summary: "Transactions of the account, newest first",
    access: "wallet",
    query: Page,
    response: schema.History,
  }),
  pay: define({
    route: ["POST", "/apps/v1/payments"],
    summary: "Pay; above a limit the person is asked",
    access: "pay",
    isMoney: true,
    body: schema.PaymentBody,
    response: schema.OrderView,
    statuses: [202],
    errors: [402, 409, 410],
  }),
  getPayment: define({
    route: ["GET", "/apps/v1/payments/:key"],
    summary: "What came of a payment or call",
    access: "token",
    params: Key,
    response: schema.OrderView,
    statuses: [202],
    errors: [404],
  }),
  call: define({
    route: ["POST", "/apps/v1/calls"],
    summary: "Call a contract; above a limit the person is asked",
    access: "call",
    isMoney: true,
    body: schema.CallBody,
    response: schema.OrderView,
    statuses: [202],
    errors: [402, 409, 410],
  }),
  submitTransaction: define({
    route: ["POST", "/apps/v1/transactions"],
    summary: "Submit a transaction that the program signed",
    access: "submit",
    isMoney: true,
    body: schema.SubmissionBody,
    response: schema.Submitted,
  }),
  sendMessage: define({
    route: ["POST", "/apps/v1/messages"],
    summary: "Send a text or a file",
    access: "messages.send",
    body: schema.MessageBody,
    response: schema.MessageView,
    errors: [404, 409, 410],
  }),
  getMessage: define({
    route: ["GET", "/apps/v1/messages/:id"],
    summary: "A message that an event named",
    access: "messages.read",
    params: Id,
    response: schema.MessageView,
    errors: [404],
  }),
  listContacts: define({
    route: ["GET", "/apps/v1/contacts"],
    summary: "Contacts that the person chose",
    access: "contacts.read",
    response: schema.ContactList,
  }),
  createInvoice: define({
    route: ["POST", "/apps/v1/invoices"],
    summary: "An invoice with a memo of its own",
    access: "invoices",
    body: schema.InvoiceBody,
    response: schema.Invoice,
    errors: [409],
  }),
  listInvoices: define({ route: ["GET", "/apps/v1/invoices"], summary: "Own invoices", access: "invoices", response: schema.InvoiceList }),
  getInvoice: define({
    route: ["GET", "/apps/v1/invoices/:id"],
    summary: "An own invoice",
    access: "invoices",
    params: Id,
    response: schema.Invoice,
    errors: [404],
  }),
  streamEvents: define({
    route: ["GET", "/apps/v1/events"],
    summary: "Events after a cursor, or after the last acknowledged one; at least once",
    access: "token",
    isStream: true,
    query: Since,
    response: schema.AppEvent,
  }),
  acknowledgeEvents: define({
    route: ["POST", "/apps/v1/events/ack"],
    summary: "Everything up to this cursor is done",
    access: "token",
    body: schema.AckBody,
  }),
} as const satisfies Readonly<Record<string, AppEndpoint>>;

/** An operation of the interface for programs. */
export type AppOperation = keyof typeof APP_ENDPOINTS;
/** Its body. */
export type AppBody<K extends AppOperation> = Static<(typeof APP_ENDPOINTS)[K]["body"]>;
/** Its response. */
export type AppResponse<K extends AppOperation> = Static<(typeof APP_ENDPOINTS)[K]["response"]>;
