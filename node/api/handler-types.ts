// One function an operation of the endpoint table, and what it may know of its request.

import type { Awaitable } from "#node/queries/awaitable.ts";
import type { Input, Operation, Output } from "#shared/api/api.ts";
import type { JsonText } from "./json/json-text.ts";

/** What a handler may know of the request besides its input. */
export interface RequestContext {
  /** Name under which the limits count the caller. */
  readonly address: string;
  /** True for a program of the node's owner, which has shown the secret of this start. */
  readonly isOwn: boolean;
  /** True when the request looks like one of a program on this machine; a proxy may look like that too. */
  readonly looksLocal: boolean;
  /** True when no rate counts the caller. */
  readonly isExempt: boolean;
  /** Counts work as so many further requests of the caller, before it is done. @throws CodedError RATE_LIMITED where there is a rate. */
  spend(requests: number): void;
  /** Value of X-Inbox-Proof. */
  readonly inboxProof: string | undefined;
  /** Calls back when the connection has ended, be the response sent by then or not. */
  onHangUp(listener: () => void): void;
}

/** Implementation of every operation: the response, or its text. @throws CodedError for every expected failure. */
export type Handlers = { readonly [K in Operation]: (input: Input<K>, context: RequestContext) => Awaitable<Output<K> | JsonText> };
