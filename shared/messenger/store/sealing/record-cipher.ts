// Encryption of the local store, record by record, with keys that the page can use but not read. The location of a record is
// authenticated with it, so records cannot be exchanged; index keys are keyed hashes, so that peers are not listed in the clear.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { concatBytes, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";
import { type HiddenPart, joinRow, splitRow } from "./hidden-part.ts";

const IV_BYTES = 12;
const INDEX_BYTES = 16;
/** Names that are remembered: those of a batch of mail are asked for several times. */
const MAX_INDEXED = 1_024;

/** Seals and opens the records of one store. */
export interface RecordCipher {
  /** With `hidden`, that part goes with a day key; where `value` is undefined then, all of the record does. */
  seal(location: string, value: unknown, hidden?: HiddenPart): Promise<Uint8Array>;
  /** The value, or undefined when the record is damaged or of another location or store. What went with a day key is not in it. */
  open(location: string, sealed: Uint8Array): Promise<unknown>;
  /** Id of the day key under which a part of a record lies; undefined where there is none. */
  dayKeyOf(location: string, sealed: Uint8Array): Promise<string | undefined>;
  /** A record whose hidden part is put under another day key; undefined where it does not lie under `from`, or does not open. */
  rehide(
    location: string,
    sealed: Uint8Array,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<Uint8Array | undefined>;
  /** A record without a hidden part: all of it lies under the key of the records alone. Undefined where it does not open. */
  unhide(location: string, sealed: Uint8Array): Promise<Uint8Array | undefined>;
  /** A record of a former password, sealed under the newest key; undefined for one that is already, or is damaged. */
  reseal(location: string, sealed: Uint8Array): Promise<Uint8Array | undefined>;
  /** Keyed hash of the parts, 32 hex characters. */
  index(...parts: readonly string[]): Promise<string>;
  /** Keyed hash of a text that begins with a list of lists, so that it is none of {@link index}, and of bytes behind it: 32 bytes. */
  hash(head: Uint8Array, bytes: Uint8Array): Promise<Uint8Array>;
}

/** A cipher whose keys can be replaced. */
export interface RenewableCipher extends RecordCipher {
  renew(keys: StoreKeys<CryptoKey>): void;
}

/** The cipher of the keys that were given last. */
export function createRenewableCipher(keys: StoreKeys<CryptoKey>): RenewableCipher {
  let current = createRecordCipher(keys);
  return {
    seal: (location, value, hidden) => current.seal(location, value, hidden),
    open: (location, sealed) => current.open(location, sealed),
    dayKeyOf: (location, sealed) => current.dayKeyOf(location, sealed),
    rehide: (location, sealed, move) => current.rehide(location, sealed, move),
    unhide: (location, sealed) => current.unhide(location, sealed),
    reseal: (location, sealed) => current.reseal(location, sealed),
    index: (...parts) => current.index(...parts),
    hash: (head, bytes) => current.hash(head, bytes),
    renew: (renewed): void => {
      current = createRecordCipher(renewed);
    },
  };
}

/** Cipher of the given keys: AES-256-GCM with random nonces, HMAC-SHA-256. */
export function createRecordCipher(keys: StoreKeys<CryptoKey>): RecordCipher {
  const openFormer = async (location: string, sealed: Uint8Array): Promise<Uint8Array | undefined> => {
    for (const key of keys.formerKeys) {
      const plain = await openWith(key, location, sealed);
      if (plain !== undefined) return plain;
    }
    return undefined;
  };
  const openOuter = async (location: string, sealed: Uint8Array): Promise<Uint8Array | undefined> =>
    (await openWith(keys.recordKey, location, sealed)) ?? (await openFormer(location, sealed));
  const { openHidden, hide } = hiddenCipher(keys);
  const open = async (location: string, sealed: Uint8Array): Promise<unknown> => {
    const plain = await openOuter(location, sealed);
    const row = plain && splitRow(plain);
    if (plain === undefined || row === undefined) return plain && parsed(plain);
    const part = await openHidden(location, row.id, row.hidden);
    if (row.open === "") return part && parsed(part);
    return { ...(parsed(utf8(row.open)) as object), ...(part && (parsed(part) as object)) };
  };
  /** By the text of the parts. */
  const indexed = new Map<string, Promise<string>>();
  const indexOf = async (text: string): Promise<string> => {
    const mac = await crypto.subtle.sign("HMAC", keys.indexKey, owned(utf8(text)));
    return toHex(new Uint8Array(mac, 0, INDEX_BYTES));
  };
  return {
    seal: async (location, value, hidden): Promise<Uint8Array> => {
      if (hidden === undefined) return sealWith(keys.recordKey, location, utf8(JSON.stringify(value)));
      const { under: id } = hidden;
      const part = await hide(location, id, utf8(JSON.stringify(hidden.value)));
      const row = { id, open: value === undefined ? "" : JSON.stringify(value), hidden: part };
      return sealWith(keys.recordKey, location, joinRow(row));
    },
    open,
    unhide: async (location, sealed): Promise<Uint8Array | undefined> => {
      const value = await open(location, sealed);
      return value === undefined ? undefined : sealWith(keys.recordKey, location, utf8(JSON.stringify(value)));
    },
    dayKeyOf: async (location, sealed): Promise<string | undefined> => {
      const plain = await openOuter(location, sealed);
      return plain && splitRow(plain)?.id;
    },
    rehide: async (location, sealed, { from, to }): Promise<Uint8Array | undefined> => {
      const plain = await openOuter(location, sealed);
      const row = plain && splitRow(plain);
      const part = row?.id === from ? await openHidden(location, from, row.hidden) : undefined;
      if (row === undefined || part === undefined) return undefined;
      return sealWith(keys.recordKey, location, joinRow({ ...row, id: to, hidden: await hide(location, to, part) }));
    },
    reseal: async (location, sealed): Promise<Uint8Array | undefined> => {
      if (keys.formerKeys.length === 0 || (await openWith(keys.recordKey, location, sealed)) !== undefined) return undefined;
      const plain = await openFormer(location, sealed);
      return plain && sealWith(keys.recordKey, location, plain);
    },
    index: (...parts): Promise<string> => {
      const text = JSON.stringify(parts);
      const known = indexed.get(text);
      if (known !== undefined) return known;
      const name = indexOf(text);
      indexed.set(text, name);
      name.catch(() => indexed.delete(text));
      const [oldest = ""] = indexed.keys();
      if (indexed.size > MAX_INDEXED) indexed.delete(oldest);
      return name;
    },
    hash: async (head, bytes): Promise<Uint8Array> =>
      new Uint8Array(await crypto.subtle.sign("HMAC", keys.indexKey, owned(concatBytes(head, bytes)))),
  };
}

/** Seals and opens what goes with day keys. */
function hiddenCipher({ dayKeys }: Pick<StoreKeys<CryptoKey>, "dayKeys">): {
  openHidden(location: string, id: string, hidden: Uint8Array): Promise<Uint8Array | undefined>;
  hide(location: string, id: string, plain: Uint8Array): Promise<Uint8Array>;
} {
  const byId = new Map(dayKeys.map(({ id, key }) => [id, key]));
  return {
    openHidden: async (location, id, hidden): Promise<Uint8Array | undefined> => {
      const key = byId.get(id);
      return key && openWith(key, hiddenIn(location), hidden);
    },
    hide: (location, id, plain): Promise<Uint8Array> => {
      const key = byId.get(id);
      if (key === undefined) throw new CodedError("INTERNAL", "The store has no such day key");
      return sealWith(key, hiddenIn(location), plain);
    },
  };
}

/** Where a hidden part lies: it is none of the record's other parts. */
function hiddenIn(location: string): string {
  return `hidden ${location}`;
}

async function sealWith(key: CryptoKey, location: string, plain: Uint8Array): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: owned(utf8(location)) };
  return concatBytes(iv, new Uint8Array(await crypto.subtle.encrypt(algorithm, key, owned(plain))));
}

async function openWith(key: CryptoKey, location: string, sealed: Uint8Array): Promise<Uint8Array | undefined> {
  const algorithm = { name: "AES-GCM", iv: owned(sealed.subarray(0, IV_BYTES)), additionalData: owned(utf8(location)) };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, owned(sealed.subarray(IV_BYTES))));
  } catch {
    return undefined;
  }
}

function parsed(plain: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(plain));
  } catch {
    return undefined;
  }
}

/** WebCrypto's types take only arrays that own an ArrayBuffer. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
