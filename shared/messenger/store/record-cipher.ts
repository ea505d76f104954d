// Encryption of the local store, record by record, with keys that the page can use but not read. The location of a record is
// authenticated with it, so records cannot be exchanged; index keys are keyed hashes, so that peers are not listed in the clear.
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { concatBytes, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";

const IV_BYTES = 12;
const INDEX_BYTES = 16;
/** Names that are remembered: those of a batch of mail are asked for several times. */
const MAX_INDEXED = 1_024;

/** Seals and opens the records of one store. */
export interface RecordCipher {
  seal(location: string, value: unknown): Promise<Uint8Array>;
  /** The value, or undefined when the record is damaged or of another location or store. */
  open(location: string, sealed: Uint8Array): Promise<unknown>;
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
    seal: (location, value) => current.seal(location, value),
    open: (location, sealed) => current.open(location, sealed),
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
  const seal = async (location: string, plain: Uint8Array): Promise<Uint8Array> => {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const algorithm = { name: "AES-GCM", iv, additionalData: owned(utf8(location)) };
    return concatBytes(iv, new Uint8Array(await crypto.subtle.encrypt(algorithm, keys.recordKey, owned(plain))));
  };
  const openFormer = async (location: string, sealed: Uint8Array): Promise<Uint8Array | undefined> => {
    for (const key of keys.formerKeys) {
      const plain = await openWith(key, location, sealed);
      if (plain !== undefined) return plain;
    }
    return undefined;
  };
  /** By the text of the parts. */
  const indexed = new Map<string, Promise<string>>();
  const indexOf = async (text: string): Promise<string> => {
    const mac = await crypto.subtle.sign("HMAC", keys.indexKey, owned(utf8(text)));
    return toHex(new Uint8Array(mac, 0, INDEX_BYTES));
  };
  return {
    seal: (location, value) => seal(location, utf8(JSON.stringify(value))),
    open: async (location, sealed): Promise<unknown> => {
      const plain = (await openWith(keys.recordKey, location, sealed)) ?? (await openFormer(location, sealed));
      return plain && parsed(plain);
    },
    reseal: async (location, sealed): Promise<Uint8Array | undefined> => {
      if (keys.formerKeys.length === 0 || (await openWith(keys.recordKey, location, sealed)) !== undefined) return undefined;
      const plain = await openFormer(location, sealed);
      return plain && seal(location, plain);
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
