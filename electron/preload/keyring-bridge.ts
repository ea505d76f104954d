// Between the keyring's process and the page: passes requests and responses on, and turns the raw keys of the local history into keys
// that the page can use and never read. Signing keys and the device's key never come this way.

/** One end of a message channel. */
export interface BridgePort {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** The part of WebCrypto that makes a key unreadable. */
export type ImportStoreKey = (raw: Uint8Array, use: "encrypt" | "authenticate") => Promise<unknown>;

/** Joins both ends. */
export function bridgeKeyring(page: BridgePort, keyring: BridgePort, importKey: ImportStoreKey): void {
  const storeKeyRequests = new Set<unknown>();
  page.onMessage((message) => {
    if (isRequest(message) && message.method === "storeKeys") storeKeyRequests.add(message.id);
    keyring.postMessage(message);
  });
  keyring.onMessage((message) => {
    if (!isResponse(message) || !storeKeyRequests.delete(message.id)) page.postMessage(message);
    else void withImportedKeys(message, importKey).then((response) => page.postMessage(response));
  });
}

interface Request {
  readonly id: unknown;
  readonly method: unknown;
}

interface KeyringResponse {
  readonly id: unknown;
  readonly value?: unknown;
}

async function withImportedKeys(response: KeyringResponse, importKey: ImportStoreKey): Promise<unknown> {
  const { value } = response;
  if (!isStoreKeys(value)) return { id: response.id, ...("error" in response ? { error: response.error } : { value: undefined }) };
  const [recordKey, indexKey] = await Promise.all([importKey(value.recordKey, "encrypt"), importKey(value.indexKey, "authenticate")]);
  value.recordKey.fill(0);
  value.indexKey.fill(0);
  return { id: response.id, value: { name: value.name, recordKey, indexKey } };
}

function isRequest(message: unknown): message is Request {
  return typeof message === "object" && message !== null && "id" in message && "method" in message;
}

function isResponse(message: unknown): message is KeyringResponse {
  return typeof message === "object" && message !== null && "id" in message;
}

function isStoreKeys(value: unknown): value is { readonly name: unknown; readonly recordKey: Uint8Array; readonly indexKey: Uint8Array } {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "recordKey" in value &&
    value.recordKey instanceof Uint8Array &&
    "indexKey" in value &&
    value.indexKey instanceof Uint8Array
  );
}
