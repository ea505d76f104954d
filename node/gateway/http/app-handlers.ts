// One function an operation of the table for programs, and what it may know of its request.
import type { Static } from "typebox";
import type { APP_ENDPOINTS, AppBody, AppOperation, AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";

/** A request whose sender is known as far as its operation asks for it. */
export interface AppCall<K extends AppOperation> {
  readonly params: Static<(typeof APP_ENDPOINTS)[K]["params"]>;
  readonly query: Static<(typeof APP_ENDPOINTS)[K]["query"]>;
  readonly body: AppBody<K>;
  /** What came as `Authorization: Bearer`; empty for operations without. */
  readonly token: string;
  /** The connection of the token. @throws CodedError INVARIANT for operations without */
  readonly connection: ConnectionView;
}

/** What is sent back: 200 and a body, or another status of success. */
export interface AppReply<K extends AppOperation> {
  readonly status?: number;
  readonly body: AppResponse<K>;
}

/** Operations that answer with one body; the stream of events has a route of its own. */
export type AnsweredOperation = Exclude<AppOperation, "streamEvents">;

/** Implementation of every such operation. @throws CodedError for every expected failure */
export type AppHandlers = { readonly [K in AnsweredOperation]: (call: AppCall<K>) => Promise<AppReply<K>> };
