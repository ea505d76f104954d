// Calls over a message port with a table of methods of its own: requests with ids, coded errors, events. Errors without a code cross the
// port without their text.
import { CodedError, type ErrorDetails, isCodedError } from "#shared/errors/coded-error.ts";
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { Shape } from "#shared/keyring/shapes.ts";
import { MAX_PENDING_APP_REQUESTS } from "../app-limits.ts";

/** An interface of methods with one argument or none. */
type Methods<Api> = { readonly [K in keyof Api]: (input: never) => Promise<unknown> };

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The server's end: answers requests until it is closed. */
export interface MethodServer<Event> {
  emit(event: Event): void;
  close(): void;
}

/** The client's end. */
export interface MethodClient<Api, Event> {
  readonly api: Api;
  /** Rejects what is waiting and stops listening. */
  close(): void;
  /** Calls back with each event; returns the way to stop that. */
  onEvent(listener: (event: Event) => void): () => void;
}

/** Serves the methods of a table, and no others. */
export function serveMethods<Api extends Methods<Api>, Event>(
  port: KeyringPort,
  shapes: Readonly<Record<keyof Api & string, Shape>>,
  api: Api,
): MethodServer<Event> {
  let waiting = 0;
  const stop = port.listen((message) => {
    if (isRequest(message)) void answer(message).then((response) => port.post(response));
  });
  async function answer({ id, method, input }: Request): Promise<object> {
    if (waiting >= MAX_PENDING_APP_REQUESTS) return refusal(id, new CodedError("UNAVAILABLE", "Too many requests are waiting"));
    waiting += 1;
    try {
      if (!Object.hasOwn(shapes, method)) throw new CodedError("NOT_FOUND", "This port has no such method");
      const name = method as keyof Api & string;
      if (!shapes[name](input)) throw new CodedError("BAD_REQUEST", `The argument of ${method} has the wrong shape`);
      return { id, value: await api[name](input as never) };
    } catch (error) {
      return refusal(id, isCodedError(error) ? error : new CodedError("INTERNAL", "The keyring failed"));
    } finally {
      waiting -= 1;
    }
  }
  return { emit: (event) => port.post({ event }), close: stop };
}

/** The methods of a table, called over a port. */
export function createMethodClient<Api extends Methods<Api>, Event>(
  port: KeyringPort,
  methods: Readonly<Record<keyof Api & string, unknown>>,
): MethodClient<Api, Event> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Set<(event: Event) => void>();
  let lastId = 0;
  let isClosed = false;
  const stop = port.listen((message) => {
    if (!isObject(message)) return;
    if ("event" in message) for (const listener of [...listeners]) listener(message.event as Event);
    else if (typeof message.id === "number") settle(message.id, message);
  });
  function settle(id: number, message: Readonly<Record<string, unknown>>): void {
    const request = waiting.get(id);
    waiting.delete(id);
    if ("error" in message) request?.reject(errorOf(message.error as Failure));
    else request?.resolve(message.value);
  }
  function call(method: string, input: unknown): Promise<unknown> {
    if (isClosed) return Promise.reject(closed());
    lastId += 1;
    const request = Promise.withResolvers<unknown>();
    waiting.set(lastId, request);
    port.post({ id: lastId, method, input });
    return request.promise;
  }
  const api = Object.fromEntries(
    Object.keys(methods).map((method) => [method, (input?: unknown): Promise<unknown> => call(method, input)]),
  );
  return {
    api: api as unknown as Api,
    onEvent: (listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: (): void => {
      isClosed = true;
      stop();
      for (const { reject } of waiting.values()) reject(closed());
      waiting.clear();
    },
  };
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly input: unknown;
}

function isRequest(message: unknown): message is Request {
  return isObject(message) && Number.isSafeInteger(message.id) && typeof message.method === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function refusal(id: number, { code, message, details }: CodedError): object {
  return { id, error: { code, message, details } satisfies Failure };
}

function errorOf({ code, message, details }: Failure): CodedError {
  return new CodedError(Object.hasOwn(ERROR_CODES, code) ? code : "INTERNAL", message, { details });
}

function closed(): CodedError {
  return new CodedError("UNAVAILABLE", "The keyring is not there");
}
