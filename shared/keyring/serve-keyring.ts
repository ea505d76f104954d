// The keyring's end of the message port: checks every request before the keyring sees it. Runs where the keys are, never in the page.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Keyring } from "./keyring.ts";
import { KEYRING_METHODS } from "./keyring-schema.ts";
import {
  type ImportKey,
  importStoreKeys,
  type KeyringMethod,
  type KeyringPort,
  type KeyringRequest,
  type KeyringResponse,
  type KeyringStatusEvent,
} from "./port.ts";
import { MAX_PENDING_COSTLY, MAX_PENDING_REQUESTS } from "./port-limits.ts";

/** They need no open vault and no turn in the keyring's queue, and each may take the processor for seconds. */
const COSTLY: ReadonlySet<KeyringMethod> = new Set(["backupKey", "estimatePassword"]);

/** Answers requests of a port until the returned function is called. Errors without a code cross the port without their text. */
export function serveKeyring<Key>(port: KeyringPort, keyring: Keyring, importKey: ImportKey<Key>): () => void {
  const pending = new Set<number>();
  let costly = 0;
  const stopStatus = keyring.onStatus((status) => port.post({ event: "status", status } satisfies KeyringStatusEvent));
  const stopRequests = port.listen((message) => {
    const request = parseRequest(message);
    if (request !== undefined) void accept(request).then((response) => port.post(response));
  });
  async function accept(request: KeyringRequest): Promise<KeyringResponse> {
    const { id } = request;
    if (pending.has(id)) return failure(id, new CodedError("BAD_REQUEST", "A request with this id is waiting already"));
    if (pending.size >= MAX_PENDING_REQUESTS) return failure(id, new CodedError("UNAVAILABLE", "Too many requests are waiting"));
    const cost = COSTLY.has(request.method) ? 1 : 0;
    if (cost > 0 && costly >= MAX_PENDING_COSTLY) return failure(id, new CodedError("UNAVAILABLE", "Too many requests are waiting"));
    pending.add(id);
    costly += cost;
    return respond(request).finally(() => {
      pending.delete(id);
      costly -= cost;
    });
  }
  async function respond({ id, method, input }: KeyringRequest): Promise<KeyringResponse> {
    try {
      if (!KEYRING_METHODS[method](input)) throw new CodedError("BAD_REQUEST", `The argument of ${method} has the wrong shape`);
      return {
        id,
        value: method === "storeKeys" ? await importStoreKeys(await keyring.storeKeys(), importKey) : await call(keyring, method, input),
      };
    } catch (error) {
      return failure(id, isCodedError(error) ? error : new CodedError("INTERNAL", "The keyring failed"));
    }
  }
  return () => {
    stopStatus();
    stopRequests();
  };
}

function failure(id: number, { code, message, details }: CodedError): KeyringResponse {
  return { id, error: { code, message, details } };
}

function call(keyring: Keyring, method: KeyringMethod, input: unknown): Promise<unknown> {
  return (keyring[method] as (input: unknown) => Promise<unknown>).call(keyring, input);
}

function parseRequest(message: unknown): KeyringRequest | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { id, method, input } = message as Readonly<Record<string, unknown>>;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || typeof method !== "string" || !Object.hasOwn(KEYRING_METHODS, method))
    return undefined;
  return { id, method: method as KeyringMethod, input };
}
