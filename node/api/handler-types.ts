// One function an operation of the endpoint table, and what it may know of its request.

import type { Awaitable } from "#node/queries/awaitable.ts";
import type { Input, Operation, Output } from "#shared/api/api.ts";
import type { JsonText } from "./json-text.ts";

/** What a handler may know of the request besides its input. */
export interface RequestContext {
  readonly method: string;
  /** Path without the query, as sent. */
  readonly path: string;
  /** True for a program of this machine. */
  readonly isLocal: boolean;
  /** Value of X-Inbox-Proof. */
  readonly inboxProof: string | undefined;
  /** Calls back when the connection has ended, be the response sent by then or not. */
  onHangUp(listener: () => void): void;
}

/** Implementation of every operation: the response, or its text. @throws CodedError for every expected failure. */
export type Handlers = { readonly [K in Operation]: (input: Input<K>, context: RequestContext) => Awaitable<Output<K> | JsonText> };
