// Keys of the message store as WebCrypto holds them: usable, never readable again.
import type { webcrypto } from "node:crypto";
import type { ImportKey } from "#shared/keyring/port.ts";

/** A non-extractable key of 32 raw bytes, which are overwritten: AES-GCM for records, HMAC-SHA-256 for indexes. */
export const importStoreKey: ImportKey<webcrypto.CryptoKey> = async (raw, use) => {
  const bytes = new Uint8Array(raw);
  try {
    return use === "encrypt"
      ? await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
      : await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  } finally {
    bytes.fill(0);
    raw.fill(0);
  }
};
