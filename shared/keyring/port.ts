// The message port between the interface and the keyring: requests with ids, coded errors, status events. The same on a Worker,
// a MessagePort and a process.
import { Value } from "typebox/value";
import { CodedError, type ErrorDetails, isCodedError } from "#shared/errors/coded-error.ts";
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";
import type { Keyring } from "./keyring.ts";
import type { KeyringApi, KeyringStatus, StoreKeys } from "./keyring-api.ts";
import { KEYRING_METHODS, type KeyringMethod } from "./keyring-schema.ts";

/** One end of a message channel: a Worker, a MessagePort or a process. Messages are structured clones. */
export interface KeyringPort {
  post(message: unknown): void;
  /** Returns the way to stop listening. */
  listen(listener: (message: unknown) => void): () => void;
}

/** The keyring seen from the interface. `Key` is what the host hands out as a key of the local store: in the browser, CryptoKey. */
export interface KeyringClient<Key> extends KeyringApi<Key> {
  /** Calls back whenever the status changes, by a call or by an automatic lock. */
  onStatus(listener: (status: KeyringStatus) => void): () => void;
  /** Rejects what is waiting and stops listening. */
  close(): void;
}

/** Turns 32 raw bytes into the host's own kind of key, then the bytes are wiped. */
export type ImportKey<Key> = (raw: Uint8Array, use: "encrypt" | "authenticate") => Promise<Key>;

interface Request {
  readonly id: number;
  readonly method: KeyringMethod;
  readonly input: unknown;
}

type Response =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } };

interface StatusEvent {
  readonly event: "status";
  readonly status: KeyringStatus;
}

/** Answers requests of a port until the returned function is called. Errors without a code cross the port without their text. */
export function serveKeyring<Key>(port: KeyringPort, keyring: Keyring, importKey: ImportKey<Key>): () => void {
  const stopStatus = keyring.onStatus((status) => port.post({ event: "status", status } satisfies StatusEvent));
  const stopRequests = port.listen((message) => {
    const request = parseRequest(message);
    if (request !== undefined) void answer(request).then((response) => port.post(response));
  });
  async function answer({ id, method, input }: Request): Promise<Response> {
    try {
      if (!Value.Check(KEYRING_METHODS[method], input))
        throw new CodedError("BAD_REQUEST", `The argument of ${method} has the wrong shape`);
      return {
        id,
        value: method === "storeKeys" ? await importStoreKeys(await keyring.storeKeys(), importKey) : await call(keyring, method, input),
      };
    } catch (error) {
      const known = isCodedError(error) ? error : new CodedError("INTERNAL", "The keyring failed");
      return { id, error: { code: known.code, message: known.message, details: known.details } };
    }
  }
  return () => {
    stopStatus();
    stopRequests();
  };
}

/** The other end of {@link serveKeyring}. */
export function createKeyringClient<Key>(port: KeyringPort): KeyringClient<Key> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: CodedError): void }>();
  const listeners = new Set<(status: KeyringStatus) => void>();
  let lastId = 0;
  let isClosed = false;
  const stop = port.listen((message) => {
    if (isStatusEvent(message)) for (const listener of [...listeners]) listener(message.status);
    else if (isResponse(message)) settle(message);
  });

  function settle(response: Response): void {
    const request = waiting.get(response.id);
    waiting.delete(response.id);
    if ("error" in response) {
      const { code, message, details } = response.error;
      request?.reject(new CodedError(Object.hasOwn(ERROR_CODES, code) ? code : "INTERNAL", message, { details }));
    } else request?.resolve(response.value);
  }

  function request(method: KeyringMethod, input: unknown): Promise<unknown> {
    if (isClosed) return Promise.reject(closed());
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      port.post({ id, method, input } satisfies Request);
    });
  }

  const methods = (Object.keys(KEYRING_METHODS) as KeyringMethod[]).map(
    (method) => [method, (input?: unknown): Promise<unknown> => request(method, input)] as const,
  );
  return {
    ...(Object.fromEntries(methods) as unknown as KeyringApi<Key>),
    onStatus: (listener): (() => void) => {
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

async function importStoreKeys<Key>(raw: StoreKeys<Uint8Array>, importKey: ImportKey<Key>): Promise<StoreKeys<Key>> {
  const recordKey = await importKey(raw.recordKey, "encrypt");
  const indexKey = await importKey(raw.indexKey, "authenticate");
  raw.recordKey.fill(0);
  raw.indexKey.fill(0);
  return { name: raw.name, recordKey, indexKey };
}

function call(keyring: Keyring, method: KeyringMethod, input: unknown): Promise<unknown> {
  return (keyring[method] as (input: unknown) => Promise<unknown>).call(keyring, input);
}

function parseRequest(message: unknown): Request | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { id, method, input } = message as Readonly<Record<string, unknown>>;
  if (typeof id !== "number" || typeof method !== "string" || !Object.hasOwn(KEYRING_METHODS, method)) return undefined;
  return { id, method: method as KeyringMethod, input };
}

function isResponse(message: unknown): message is Response {
  return typeof message === "object" && message !== null && "id" in message && ("value" in message || "error" in message);
}

function isStatusEvent(message: unknown): message is StatusEvent {
  return typeof message === "object" && message !== null && "event" in message && message.event === "status";
}

function closed(): CodedError {
  return new CodedError("UNAVAILABLE", "The keyring has been closed");
}
