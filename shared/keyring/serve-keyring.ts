// The keyring's end of the message port: checks every request before the keyring sees it. Runs where the keys are, never in the page.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Keyring } from "./keyring.ts";
import type { StoreKeys } from "./keyring-api.ts";
import { KEYRING_METHODS } from "./keyring-schema.ts";
import type { ImportKey, KeyringMethod, KeyringPort, KeyringRequest, KeyringResponse, KeyringStatusEvent } from "./port.ts";

/** Answers requests of a port until the returned function is called. Errors without a code cross the port without their text. */
export function serveKeyring<Key>(port: KeyringPort, keyring: Keyring, importKey: ImportKey<Key>): () => void {
  const stopStatus = keyring.onStatus((status) => port.post({ event: "status", status } satisfies KeyringStatusEvent));
  const stopRequests = port.listen((message) => {
    const request = parseRequest(message);
    if (request !== undefined) void respond(request).then((response) => port.post(response));
  });
  async function respond({ id, method, input }: KeyringRequest): Promise<KeyringResponse> {
    try {
      if (!KEYRING_METHODS[method](input)) throw new CodedError("BAD_REQUEST", `The argument of ${method} has the wrong shape`);
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

function parseRequest(message: unknown): KeyringRequest | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { id, method, input } = message as Readonly<Record<string, unknown>>;
  if (typeof id !== "number" || typeof method !== "string" || !Object.hasOwn(KEYRING_METHODS, method)) return undefined;
  return { id, method: method as KeyringMethod, input };
}
