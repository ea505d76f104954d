// Encryption of the local store, record by record, with keys that the page can use but not read. The location of a record is
// authenticated with it, so records cannot be exchanged; index keys are keyed hashes, so that peers are not listed in the clear.
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import { concatBytes, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";

const IV_BYTES = 12;
const INDEX_BYTES = 16;

/** Seals and opens the records of one store. */
export interface RecordCipher {
  seal(location: string, value: unknown): Promise<Uint8Array>;
  /** The value, or undefined when the record is damaged or of another location or store. */
  open(location: string, sealed: Uint8Array): Promise<unknown>;
  /** Keyed hash of the parts, 32 hex characters. */
  index(...parts: readonly string[]): Promise<string>;
}

/** Cipher of the given keys: AES-256-GCM with random nonces, HMAC-SHA-256. */
export function createRecordCipher(keys: StoreKeys<CryptoKey>): RecordCipher {
  return {
    seal: async (location, value): Promise<Uint8Array> => {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const algorithm = { name: "AES-GCM", iv, additionalData: owned(utf8(location)) };
      const sealed = await crypto.subtle.encrypt(algorithm, keys.recordKey, owned(utf8(JSON.stringify(value))));
      return concatBytes(iv, new Uint8Array(sealed));
    },
    open: async (location, sealed): Promise<unknown> => {
      const algorithm = { name: "AES-GCM", iv: owned(sealed.subarray(0, IV_BYTES)), additionalData: owned(utf8(location)) };
      try {
        const plain = await crypto.subtle.decrypt(algorithm, keys.recordKey, owned(sealed.subarray(IV_BYTES)));
        return JSON.parse(fromUtf8(new Uint8Array(plain)));
      } catch {
        return undefined;
      }
    },
    index: async (...parts): Promise<string> => {
      const mac = await crypto.subtle.sign("HMAC", keys.indexKey, owned(utf8(JSON.stringify(parts))));
      return toHex(new Uint8Array(mac, 0, INDEX_BYTES));
    },
  };
}

/** WebCrypto's types take only arrays that own an ArrayBuffer. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
