// Between the keyring's process and the page: passes requests and answers on, and turns the raw keys of the local history into keys
// that the page can use and never read. The page is not trusted: what an answer holds decides, not what was asked under its id.
// Signing keys and the device's key never come this way.
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { MAX_PENDING_REQUESTS } from "#shared/keyring/port-limits.ts";

/** One end of a message channel. */
export interface BridgePort {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** The part of WebCrypto that makes a key unreadable. */
export type ImportStoreKey = (raw: Uint8Array, use: "encrypt" | "authenticate") => Promise<unknown>;

/** Methods whose answers hold bytes that the page may read: opened messages, and the key of a password that the page has. */
const METHODS_WITH_BYTES: readonly string[] = ["open", "backupKey"];

/** Fields that hold keys of the local history, in whatever answer. */
const STORE_KEYS = ["recordKey", "indexKey", "formerKeys", "dayKeys"] as const satisfies readonly (keyof StoreKeys<unknown>)[];

/** Joins both ends. */
export function bridgeKeyring(page: BridgePort, keyring: BridgePort, importKey: ImportStoreKey): void {
  const pending = new Map<number, string>();
  const refuse = (id: number, code: string, message: string): void => page.postMessage({ id, error: { code, message, details: {} } });

  page.onMessage((message) => {
    if (!isRequest(message)) return;
    const { id, method, input } = message;
    if (pending.has(id)) return refuse(id, "BAD_REQUEST", "A request with this id is waiting already");
    if (pending.size >= MAX_PENDING_REQUESTS) return refuse(id, "UNAVAILABLE", "Too many requests are waiting");
    pending.set(id, method);
    keyring.postMessage({ id, method, input });
  });

  async function respond(id: number, method: string, response: KeyringResponse): Promise<void> {
    if ("error" in response) return page.postMessage({ id, error: response.error });
    const value = await readableValue(method, response.value, importKey);
    if (value === REFUSED) refuse(id, "INTERNAL", "The keyring failed");
    else page.postMessage({ id, value });
  }

  keyring.onMessage((message) => {
    if (isStatusEvent(message)) return page.postMessage({ event: message.event, status: message.status });
    if (!isResponse(message)) return;
    const { id } = message;
    const method = pending.get(id);
    if (method === undefined) return;
    pending.delete(id);
    respond(id, method, message).catch(() => refuse(id, "INTERNAL", "The keyring failed"));
  });
}

const REFUSED = Symbol("refused");

interface Request {
  readonly id: number;
  readonly method: string;
  readonly input?: unknown;
}

interface KeyringResponse {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Key of what disappears in a time, with what names it. */
interface RawDayKey {
  readonly id: unknown;
  readonly until: unknown;
  readonly key: Uint8Array;
}

interface RawStoreKeys {
  readonly name: unknown;
  readonly recordKey: Uint8Array;
  readonly indexKey: Uint8Array;
  readonly formerKeys: readonly Uint8Array[];
  readonly dayKeys: readonly RawDayKey[];
}

/** What the page gets of an answer: raw keys are imported, and other bytes than it may have are refused. */
async function readableValue(method: string, value: unknown, importKey: ImportStoreKey): Promise<unknown> {
  if (isStoreKeys(value)) {
    const { name, recordKey, indexKey, formerKeys, dayKeys } = value;
    try {
      const keys: Readonly<Record<keyof StoreKeys<unknown>, unknown>> = {
        name,
        recordKey: await importKey(recordKey, "encrypt"),
        indexKey: await importKey(indexKey, "authenticate"),
        formerKeys: await Promise.all(formerKeys.map((key) => importKey(key, "encrypt"))),
        dayKeys: await Promise.all(dayKeys.map(async ({ id, until, key }) => ({ id, until, key: await importKey(key, "encrypt") }))),
      };
      return keys;
    } finally {
      for (const key of [recordKey, indexKey, ...formerKeys, ...dayKeys.map(({ key }) => key)]) key.fill(0);
    }
  }
  if (method === "storeKeys" || holdsStoreKeys(value)) return REFUSED;
  return METHODS_WITH_BYTES.includes(method) || !holdsBytes(value) ? value : REFUSED;
}

function isRequest(message: unknown): message is Request {
  return isObject(message) && Number.isSafeInteger(message.id) && typeof message.method === "string";
}

function isResponse(message: unknown): message is KeyringResponse {
  return isObject(message) && Number.isSafeInteger(message.id) && ("value" in message || "error" in message);
}

function isStatusEvent(message: unknown): message is { readonly event: "status"; readonly status: unknown } {
  return isObject(message) && message.event === "status" && !holdsBytes(message.status);
}

function isStoreKeys(value: unknown): value is RawStoreKeys {
  if (!isObject(value) || holdsBytes(value.name)) return false;
  const { recordKey, indexKey, formerKeys, dayKeys } = value;
  if (!Array.isArray(formerKeys) || !formerKeys.every((key) => key instanceof Uint8Array)) return false;
  if (!Array.isArray(dayKeys) || !dayKeys.every(isDayKey)) return false;
  return recordKey instanceof Uint8Array && indexKey instanceof Uint8Array;
}

function isDayKey(value: unknown): value is RawDayKey {
  return isObject(value) && value.key instanceof Uint8Array && !holdsBytes(value.id) && !holdsBytes(value.until);
}

/** True where store keys hide deeper in an answer, or in another form than this version of the keyring gives them. */
function holdsStoreKeys(value: unknown): boolean {
  if (!isObject(value) || isBytes(value)) return false;
  return STORE_KEYS.some((name) => name in value) || Object.values(value).some(holdsStoreKeys);
}

function holdsBytes(value: unknown): boolean {
  return isBytes(value) || (isObject(value) && Object.values(value).some(holdsBytes));
}

function isBytes(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
