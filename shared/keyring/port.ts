// The message port between the interface and the keyring: requests with ids, coded errors, status events. The same on a Worker,
// a MessagePort and a process.
import { CodedError, type ErrorDetails } from "#shared/errors/coded-error.ts";
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";
import type { KeyringApi, KeyringStatus, StoreKeys } from "./keyring-api.ts";

/** Name of a method of the port. */
export type KeyringMethod = keyof KeyringApi<unknown>;

/** Every method of the port. The page knows the names only: shapes are checked at the other end. */
const METHODS: Readonly<Record<KeyringMethod, true>> = {
  status: true,
  create: true,
  importPhrase: true,
  beginLink: true,
  finishLink: true,
  certifyDevice: true,
  addPhrase: true,
  unlock: true,
  keychain: true,
  setKeychain: true,
  unlockWithKeychain: true,
  lockWallet: true,
  lock: true,
  estimatePassword: true,
  touch: true,
  autoLock: true,
  setAutoLock: true,
  phraseQuiz: true,
  confirmPhrase: true,
  revealPhrase: true,
  changePassword: true,
  resetPassword: true,
  summarize: true,
  sign: true,
  spending: true,
  setSpendingRules: true,
  judgeSpending: true,
  holdPayment: true,
  signHeldPayment: true,
  cancelHeldPayment: true,
  signVoucher: true,
  agreeToNode: true,
  seal: true,
  signedPrekey: true,
  retireEpochs: true,
  open: true,
  drawCards: true,
  openPairs: true,
  drawPublicCard: true,
  openPublic: true,
  renewCardKey: true,
  resealCards: true,
  dropFormerCardKey: true,
  authenticateWebSocket: true,
  inboxProof: true,
  ownBoxes: true,
  signOpenings: true,
  signDeletion: true,
  signGroupEntry: true,
  backupKey: true,
  storeKeys: true,
  makeDayKey: true,
  dropDayKeys: true,
  dropFormerKeys: true,
  storeCheckpoint: true,
};

/** One end of a message channel: a Worker, a MessagePort or a process. Messages are structured clones. */
export interface KeyringPort {
  post(message: unknown): void;
  /** Returns the way to stop listening. */
  listen(listener: (message: unknown) => void): () => void;
}

/** The keyring seen from the interface. `Key` is what the host gives as a key of the local store: in the browser, CryptoKey. */
export interface KeyringClient<Key> extends KeyringApi<Key> {
  /** Calls back whenever the status changes, by a call or by an automatic lock. */
  onStatus(listener: (status: KeyringStatus) => void): () => void;
  /** Rejects what is waiting and stops listening. */
  close(): void;
}

/** Turns 32 raw bytes into the host's own kind of key, then the bytes are wiped. */
export type ImportKey<Key> = (raw: Uint8Array, use: "encrypt" | "authenticate") => Promise<Key>;

/** Keys of the local store as the host holds them; the raw bytes are wiped. */
export async function importStoreKeys<Key>(raw: StoreKeys<Uint8Array>, importKey: ImportKey<Key>): Promise<StoreKeys<Key>> {
  const { name, recordKey, indexKey, formerKeys, dayKeys } = raw;
  try {
    return {
      name,
      recordKey: await importKey(recordKey, "encrypt"),
      indexKey: await importKey(indexKey, "authenticate"),
      formerKeys: await Promise.all(formerKeys.map((key) => importKey(key, "encrypt"))),
      dayKeys: await Promise.all(dayKeys.map(async ({ key, ...day }) => ({ ...day, key: await importKey(key, "encrypt") }))),
    };
  } finally {
    for (const key of [recordKey, indexKey, ...formerKeys, ...dayKeys.map(({ key }) => key)]) key.fill(0);
  }
}

/** A call, as posted. */
export interface KeyringRequest {
  readonly id: number;
  readonly method: KeyringMethod;
  readonly input: unknown;
}

/** Response to a call, as posted. */
export type KeyringResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } };

/** A change of status, as posted. */
export interface KeyringStatusEvent {
  readonly event: "status";
  readonly status: KeyringStatus;
}

/** The other end of `serveKeyring`. */
export function createKeyringClient<Key>(port: KeyringPort): KeyringClient<Key> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: CodedError): void }>();
  const listeners = new Set<(status: KeyringStatus) => void>();
  let lastId = 0;
  let isClosed = false;
  const stop = port.listen((message) => {
    if (isStatusEvent(message)) for (const listener of [...listeners]) listener(message.status);
    else if (isResponse(message)) settle(message);
  });

  function settle(response: KeyringResponse): void {
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
      port.post({ id, method, input } satisfies KeyringRequest);
    });
  }

  const methods = (Object.keys(METHODS) as KeyringMethod[]).map(
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

function isResponse(message: unknown): message is KeyringResponse {
  return typeof message === "object" && message !== null && "id" in message && ("value" in message || "error" in message);
}

function isStatusEvent(message: unknown): message is KeyringStatusEvent {
  return typeof message === "object" && message !== null && "event" in message && message.event === "status";
}

function closed(): CodedError {
  return new CodedError("UNAVAILABLE", "The keyring has been closed");
}
